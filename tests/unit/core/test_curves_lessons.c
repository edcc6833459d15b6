#include "base/rng.h"
#include "curves_kit.h"

static void take(void *self, const struct bl_lesson *lesson)
{
    bl_curves_take_lesson(self, lesson);
}

static struct bl_curves *copy_of(const struct bl_curves *curves)
{
    struct bl_curves *copy = bl_curves_create();

    bl_curves_export(curves, take, copy);
    return copy;
}

static void learn_one(struct bl_curves *curves, struct bl_rng *rng)
{
    static const char *const names[] = {"a", "b", "c"};
    const char *name = names[bl_rng_between(rng, 0, 2)];
    struct bl_observation seen =
        kit_observation((int32_t)bl_rng_between(rng, 0, 2), (int32_t)bl_rng_between(rng, 1, 16),
                        32 * exp(3 * bl_rng_unit(rng)));

    seen.iter_s *= 1 + 0.1 * bl_rng_unit(rng);
    seen.grad_sqr = 1;
    seen.grad_var = exp(3 * bl_rng_unit(rng));
    seen.rate = 0.3 / seen.iter_s;
    bl_curves_learn(curves,
                    &(struct bl_curves_news){name, &kit_limits, 10000 * bl_rng_unit(rng), &seen});
    if (bl_rng_between(rng, 0, 9) == 0) {
        bl_curves_learn_finished(curves, name, 9000 + 1000 * bl_rng_unit(rng));
    }
}

static void assert_same_answers(struct bl_curves *one, struct bl_curves *other, const char *name)
{
    struct bl_curves_app *first = bl_curves_find(one, name);
    struct bl_curves_app *second = bl_curves_find(other, name);

    assert_non_null(first);
    assert_non_null(second);
    for (int32_t gpus = 1; gpus <= 32; gpus++) {
        struct bl_curves_question question = {.type = gpus % 3,
                                              .gpus = gpus,
                                              .nodes = (gpus + 7) / 8,
                                              .batch = &kit_limits,
                                              .done = 300.0 * gpus};
        struct bl_curves_answer a = bl_curves_ask(one, first, &question);
        struct bl_curves_answer b = bl_curves_ask(other, second, &question);

        assert_true(a.rate == b.rate && a.deviation == b.deviation);
        assert_true(bl_curves_total(first, question.done).expected ==
                    bl_curves_total(second, question.done).expected);
    }
}

static void a_store_made_from_lessons_answers_and_learns_alike(void **state)
{
    struct bl_curves *curves = bl_curves_create();
    struct bl_curves *copy;
    struct bl_rng rng;
    struct bl_rng again;

    (void)state;
    bl_rng_seed(&rng, 5);
    for (int i = 0; i < 400; i++) {
        learn_one(curves, &rng);
    }
    copy = copy_of(curves);
    for (int i = 0; i < 60; i++) {
        for (int k = 0; k < 3; k++) {
            assert_same_answers(curves, copy, (const char *[]){"a", "b", "c"}[k]);
        }
        again = rng;
        learn_one(curves, &rng);
        learn_one(copy, &again);
    }
    bl_curves_destroy(curves);
    bl_curves_destroy(copy);
}

static void who_leaves_first_is_kept(void **state)
{
    struct bl_curves *curves = bl_curves_create();
    struct bl_curves *copy;

    (void)state;
    kit_learn_rate(curves, "old", 1, 1);
    kit_learn_rate(curves, "young", 1, 1);
    kit_learn_rate(curves, "old", 1, 1);
    copy = copy_of(curves);
    for (int i = 0; i < BL_CURVES_APPS_MAX - 1; i++) {
        char name[16];

        snprintf(name, sizeof name, "app%d", i);
        kit_learn_rate(copy, name, 1, 1);
    }
    assert_non_null(bl_curves_find(copy, "old"));
    assert_null(bl_curves_find(copy, "young"));
    bl_curves_destroy(curves);
    bl_curves_destroy(copy);
}

static void lessons_without_sense_change_no_answer(void **state)
{
    const struct bl_lesson rows[] = {
        {.kind = BL_LESSON_POINT, .application = "a", .count = 1},
        {.kind = BL_LESSON_POINT,
         .application = "a",
         .count = NAN,
         .point = {.gpus = 1, .nodes = 1, .iter_s = 1}},
        {.kind = BL_LESSON_POINT,
         .application = "a",
         .count = 5,
         .point = {.gpus = 1, .nodes = 1, .iter_s = NAN}},
        {.kind = BL_LESSON_POINT,
         .application = "a",
         .count = 5,
         .point = {.gpus = -1, .nodes = 1, .iter_s = 1}},
        {.kind = BL_LESSON_NOISE, .application = "a", .count = 1, .step = -1, .width = 1},
        {.kind = BL_LESSON_NOISE, .application = "a", .count = 1, .step = 99, .width = 1},
        {.kind = BL_LESSON_NOISE, .application = "a", .count = 1, .step = 1, .width = NAN},
        {.kind = BL_LESSON_NOISE, .application = "a", .count = 1, .value = NAN, .width = 1},
        {.kind = BL_LESSON_TOTAL, .application = "a", .value = -1},
        {.kind = BL_LESSON_UNIT, .application = "a", .value = INFINITY, .count = 1},
    };
    struct bl_curves *curves = bl_curves_create();
    struct bl_curves_app *app;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bl_curves_take_lesson(curves, &rows[i]);
    }
    app = bl_curves_find(curves, "a");
    assert_near(bl_curves_total(app, 0).expected, 0, 0);
    assert_near(bl_curves_noise(app, 0).var, 0, 0);
    assert_near(kit_ask(curves, "a", 0, 1).rate, 0, 0);
    bl_curves_destroy(curves);
}

static void a_lesson_joins_what_is_known(void **state)
{
    struct bl_curves *curves = bl_curves_create();

    (void)state;
    kit_learn_rate(curves, "a", 1, 1);
    bl_curves_take_lesson(curves,
                          &(struct bl_lesson){.kind = BL_LESSON_POINT,
                                              .application = "a",
                                              .count = 3,
                                              .point = {.gpus = 1, .nodes = 1, .iter_s = 2}});
    assert_near(kit_ask(curves, "a", 0, 1).rate, 1 / 1.75, 0.02);
    bl_curves_destroy(curves);
}

static void every_kind_has_a_word(void **state)
{
    (void)state;
    for (int kind = 0; kind < BL_LESSON_COUNT; kind++) {
        assert_non_null(bl_lesson_name((enum bl_lesson_kind)kind));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_store_made_from_lessons_answers_and_learns_alike),
        cmocka_unit_test(who_leaves_first_is_kept),
        cmocka_unit_test(lessons_without_sense_change_no_answer),
        cmocka_unit_test(a_lesson_joins_what_is_known),
        cmocka_unit_test(every_kind_has_a_word),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
