#include "bl_test.h"
#include "past.h"
#include "prop.h"

static void A15_every_predictor_is_found_by_its_name_and_is_whole(void **state)
{
    (void)state;
    for (size_t i = 0; bl_predictors[i]; i++) {
        const struct bl_predictor *predictor = bl_predictors[i];

        assert_ptr_equal(bl_predictor_find(predictor->name), predictor);
        assert_string_equal(bl_predictor_words[i], predictor->name);
        assert_non_null(predictor->summary);
        assert_true(!predictor->learn == !predictor->export_facts &&
                    !predictor->learn == !predictor->take_fact);
    }
    assert_null(bl_predictor_find("crystal"));
}

static void A15_nothing_is_foreseen_from_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; bl_predictors[i]; i++) {
        struct past past = past_new(bl_predictors[i]->name);
        struct bl_dist dist = past_foresees(&past, &(struct bl_job_spec){0});

        assert_false(bl_dist_is_known(&dist));
        past_free(&past);
    }
}

/* One user, all the same time; hostile texts; no limit, or the least. */
static void odd_pasts_give_sound_answers(void **state)
{
    static const struct {
        struct bl_job_spec spec;
        bl_time run;
    } rows[] = {
        {{.user = "ann", .gpus_want = 1}, 1},
        {{.user = "ann", .gpus_want = 1}, 0},
        {{.user = NULL}, 365 * BL_DAY},
        {{.user = "", .name = "", .project = ""}, BL_TIME_NEVER - 1},
        {{.user = "ann", .name = "\xff\xfe%n%s'\"\x01", .project = "../..", .limit = 1}, BL_DAY},
        {{.user = "ann", .gpus_want = INT32_MAX, .limit = BL_SPAN_MAX}, BL_HOUR},
    };

    (void)state;
    for (size_t p = 0; bl_predictors[p]; p++) {
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            struct past past = past_new(bl_predictors[p]->name);
            struct bl_job_spec spec = rows[i].spec;
            struct bl_dist dist;

            if (strcmp(bl_predictors[p]->name, "rules") == 0) {
                spec.expected = (struct bl_expectation){1, BL_HOUR, BL_SPAN_MAX, false};
            }
            for (int k = 0; k < 5; k++) {
                spec.clues = (struct bl_clues){0};
                bl_clues_add_param(&spec.clues, "x=3");
                past_ran(&past, &spec, rows[i].run);
            }
            dist = past_foresees(&past, &spec);
            assert_true(past_is_sound(&dist));
            past_free(&past);
        }
    }
}

static struct bl_job_spec draw_spec(struct bl_prop *prop)
{
    static const char *const user[] = {NULL, "ann", "bob", "cy"};
    static const char *const name[] = {NULL, "run-1", "run-2", "eval"};
    static const char *const param[] = {"epochs=1", "epochs=100", "net=vit", "=", "lr=1e-300"};
    static const bl_time limit[] = {0, 1, BL_HOUR, 365 * BL_DAY};
    struct bl_job_spec spec = {.user = user[bl_prop_between(prop, 0, 3)],
                               .name = name[bl_prop_between(prop, 0, 3)],
                               .project = name[bl_prop_between(prop, 0, 3)],
                               .gpus_want = (int32_t)bl_prop_between(prop, 0, 8),
                               .limit = limit[bl_prop_between(prop, 0, 3)]};

    if (bl_prop_between(prop, 0, 3) == 0) {
        spec.expected.low = bl_prop_between(prop, 1, BL_HOUR);
        spec.expected.middle = spec.expected.low + bl_prop_between(prop, 0, BL_DAY);
        spec.expected.high = spec.expected.middle + bl_prop_between(prop, 0, BL_DAY);
    }
    for (int64_t i = bl_prop_between(prop, 0, 2); i > 0; i--) {
        bl_clues_add_param(&spec.clues, param[bl_prop_between(prop, 0, 4)]);
    }
    return spec;
}

static bl_time draw_run(struct bl_prop *prop)
{
    static const bl_time run[] = {0, 1, BL_SECOND, BL_MINUTE, BL_HOUR, BL_DAY, 365 * BL_DAY};

    return run[bl_prop_between(prop, 0, 6)] + bl_prop_between(prop, 0, BL_MINUTE);
}

/* Finite, in order, under the limit but for the tenth that runs may pass it by, and the same again
 * when asked again; and some past gives some answer unless the predictor wants parameters. */
static bool answers_are_sound(struct bl_prop *prop, void *context)
{
    const struct bl_predictor *predictor = context;
    struct past past = past_new(predictor->name);
    bool is_good = true;

    for (int64_t left = bl_prop_between(prop, 0, 60); left > 0 && is_good; left--) {
        struct bl_job_spec spec = draw_spec(prop);
        struct bl_dist dist = past_foresees(&past, &spec);
        struct bl_dist again = past_foresees(&past, &spec);

        is_good =
            memcmp(&dist, &again, sizeof dist) == 0 &&
            (!bl_dist_is_known(&dist) || past_is_sound(&dist)) &&
            (spec.limit == 0 || bl_dist_quantile(&dist, 1) <= spec.limit + spec.limit / 9 + 1);
        past_ran(&past, &spec, draw_run(prop));
    }
    past_free(&past);
    return is_good;
}

static void A15_answers_are_finite_and_in_order_whatever_ran(void **state)
{
    (void)state;
    for (size_t i = 0; bl_predictors[i]; i++) {
        assert_true(bl_prop_holds(bl_predictors[i]->name, 60, answers_are_sound,
                                  (void *)(uintptr_t)bl_predictors[i]));
    }
}

static void take(void *to, const struct bl_fact *fact)
{
    const struct past *past = to;

    assert_true(fact->count <= BL_FACT_VALUES_MAX);
    past->predictor->take_fact(past->self, fact);
}

/* The runs and the facts are all there is. */
static bool facts_and_runs_restore(struct bl_prop *prop, void *context)
{
    const struct bl_predictor *predictor = context;
    struct past past = past_new(predictor->name);
    struct past copy = past_new(predictor->name);
    bool is_good = true;

    for (int64_t left = bl_prop_between(prop, 0, 150); left > 0; left--) {
        struct bl_job_spec spec = draw_spec(prop);
        struct bl_question question = past_question(&past, &spec);
        bl_time run = draw_run(prop);

        past_ran(&past, &spec, run);
        bl_history_add(copy.history, &question.traits, run);
    }
    if (predictor->export_facts) {
        predictor->export_facts(past.self, take, &copy);
    }
    for (int i = 0; i < 20 && is_good; i++) {
        struct bl_job_spec spec = draw_spec(prop);
        struct bl_dist a = past_foresees(&past, &spec);
        struct bl_dist b = past_foresees(&copy, &spec);
        bl_time run = draw_run(prop);

        is_good = memcmp(&a, &b, sizeof a) == 0;
        past_ran(&past, &spec, run);
        past_ran(&copy, &spec, run);
    }
    past_free(&past);
    past_free(&copy);
    return is_good;
}

static void a_snapshot_of_what_was_learnt_foresees_the_same(void **state)
{
    (void)state;
    for (size_t i = 0; bl_predictors[i]; i++) {
        assert_true(bl_prop_holds(bl_predictors[i]->name, 40, facts_and_runs_restore,
                                  (void *)(uintptr_t)bl_predictors[i]));
    }
}

static void facts_that_make_no_sense_do_no_harm(void **state)
{
    static const char *const of[] = {"last2", "family", "mixture", "regress", "", "else"};
    int32_t value[BL_FACT_VALUES_MAX];

    (void)state;
    for (size_t i = 0; i < BL_FACT_VALUES_MAX; i++) {
        value[i] = i % 2 ? INT32_MIN : INT32_MAX;
    }
    for (size_t p = 0; bl_predictors[p]; p++) {
        struct past past = past_new(bl_predictors[p]->name);
        struct bl_job_spec spec = {.user = "ann", .gpus_want = 1};
        struct bl_dist dist;

        for (size_t count = 0; past.predictor->take_fact && count <= BL_FACT_VALUES_MAX; count++) {
            for (int32_t kind = -1; kind < 6; kind++) {
                past.predictor->take_fact(
                    past.self, &(struct bl_fact){of[count % 6], kind, kind * 7 - 3, value, count});
            }
        }
        for (int i = 0; i < 5; i++) {
            past_ran(&past, &spec, BL_HOUR);
        }
        dist = past_foresees(&past, &spec);
        assert_true(!bl_dist_is_known(&dist) || past_is_sound(&dist));
        past_free(&past);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(A15_every_predictor_is_found_by_its_name_and_is_whole),
        cmocka_unit_test(A15_nothing_is_foreseen_from_nothing),
        cmocka_unit_test(odd_pasts_give_sound_answers),
        cmocka_unit_test(A15_answers_are_finite_and_in_order_whatever_ran),
        cmocka_unit_test(a_snapshot_of_what_was_learnt_foresees_the_same),
        cmocka_unit_test(facts_that_make_no_sense_do_no_harm),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
