#include "curves_kit.h"

static struct bl_curves *learnt(int32_t most)
{
    struct bl_curves *curves = bl_curves_create();

    for (int32_t gpus = 1; gpus <= most; gpus *= 2) {
        for (int32_t batch = 32; batch <= 512; batch *= 2) {
            kit_learn(curves, "a", kit_observation(0, gpus, batch));
        }
    }
    return curves;
}

static void A2_answers_come_near_the_truth_and_say_how_sure_they_are(void **state)
{
    struct bl_curves *curves = learnt(16);

    (void)state;
    for (int32_t gpus = 1; gpus <= 16; gpus++) {
        struct bl_curves_answer answer = kit_ask(curves, "a", 0, gpus);

        assert_near(answer.rate / kit_best(0, gpus), 1, 0.03);
        assert_true(answer.deviation < 0.1);
        assert_true(answer.is_trusted);
        assert_true(answer.batch.global >= kit_limits.initial);
    }
    bl_curves_destroy(curves);
}

static void A2_sizes_up_to_twice_those_seen_are_within_reach(void **state)
{
    struct bl_curves *curves = bl_curves_create();

    (void)state;
    kit_learn_rate(curves, "a", 1, 1);
    kit_learn_rate(curves, "a", 2, 1.9);
    assert_true(kit_ask(curves, "a", 0, 4).is_within_reach);
    assert_false(kit_ask(curves, "a", 0, 6).is_within_reach);
    assert_false(kit_ask(curves, "a", 0, 64).is_within_reach);
    assert_false(kit_ask(curves, "a", 0, 64).is_trusted);
    bl_curves_destroy(curves);
}

static void a_rate_alone_is_the_same_but_never_trusted(void **state)
{
    struct bl_curves *curves = learnt(4);
    struct bl_curves_question question = {
        .type = 0, .gpus = 4, .nodes = 1, .batch = &kit_limits, .is_of_rate = true};
    struct bl_curves_app *app = bl_curves_find(curves, "a");
    struct bl_curves_answer rate = bl_curves_ask(curves, app, &question);
    struct bl_curves_answer whole;

    (void)state;
    question.is_of_rate = false;
    whole = bl_curves_ask(curves, app, &question);
    assert_true(rate.rate > 0);
    assert_near(rate.rate, whole.rate, 0);
    assert_false(rate.is_trusted);
    assert_true(whole.is_trusted);
    bl_curves_destroy(curves);
}

static void A6_a_type_never_tried_goes_by_the_others(void **state)
{
    struct bl_curves *curves = learnt(8);
    struct bl_curves_answer alone = kit_ask(curves, "a", 2, 4);
    struct bl_curves_answer with_other;

    (void)state;
    assert_near(alone.rate / kit_best(0, 4), 1, 0.03);
    assert_false(alone.is_trusted);
    kit_learn(curves, "b", kit_observation(0, 1, 64));
    kit_learn(curves, "b", kit_observation(2, 1, 64));
    with_other = kit_ask(curves, "a", 2, 4);
    assert_near(with_other.rate / kit_best(2, 4), 1, 0.05);
    assert_true(with_other.deviation < alone.deviation);
    assert_false(with_other.is_trusted);
    bl_curves_destroy(curves);
}

static void rates_alone_answer_for_counts_between(void **state)
{
    struct bl_curves *curves = bl_curves_create();
    struct bl_curves_answer answer;

    (void)state;
    for (int i = 0; i < 9; i++) {
        kit_learn_rate(curves, "a", 1, 10);
        kit_learn_rate(curves, "a", 2, 19);
        kit_learn_rate(curves, "a", 4, 34);
    }
    assert_near(kit_ask(curves, "a", 0, 1).rate, 10, 0.2);
    assert_near(kit_ask(curves, "a", 0, 4).rate, 34, 0.7);
    answer = kit_ask(curves, "a", 0, 3);
    assert_true(answer.rate > 25 && answer.rate < 30);
    assert_near(answer.batch.global, 0, 0);
    bl_curves_destroy(curves);
}

static double rate_without_limits(struct bl_curves *curves, int32_t gpus)
{
    return bl_curves_ask(curves, bl_curves_find(curves, "a"),
                         &(struct bl_curves_question){.gpus = gpus, .nodes = 1})
        .rate;
}

static void without_limits_a_batch_stays_what_it_was(void **state)
{
    struct bl_curves *local = bl_curves_create();
    struct bl_curves *global = bl_curves_create();

    (void)state;
    for (int32_t gpus = 1; gpus <= 4; gpus *= 2) {
        kit_learn(local, "a", kit_observation(0, gpus, 64));
        kit_learn(global, "a", kit_observation(0, gpus, 512.0 / gpus));
    }
    assert_near(rate_without_limits(local, 8) / (8 * 64 / kit_observation(0, 8, 64).iter_s), 1,
                0.1);
    assert_near(rate_without_limits(global, 8) / (512 / kit_observation(0, 8, 64).iter_s), 1, 0.1);
    bl_curves_destroy(local);
    bl_curves_destroy(global);
}

static void asking_changes_no_answer(void **state)
{
    struct bl_curves *asked = learnt(4);
    struct bl_curves *silent = learnt(4);

    (void)state;
    for (int32_t gpus = 1; gpus <= 4; gpus++) {
        kit_ask(asked, "a", 0, gpus);
        kit_learn(asked, "a", kit_observation(0, gpus, 100));
        kit_learn(silent, "a", kit_observation(0, gpus, 100));
    }
    for (int32_t gpus = 1; gpus <= 200; gpus++) {
        kit_ask(asked, "a", 0, gpus);
    }
    for (int32_t gpus = 1; gpus <= 64; gpus++) {
        struct bl_curves_answer one = kit_ask(asked, "a", 0, gpus);
        struct bl_curves_answer other = kit_ask(silent, "a", 0, gpus);

        assert_true(one.rate == other.rate && one.deviation == other.deviation);
    }
    bl_curves_destroy(asked);
    bl_curves_destroy(silent);
}

static void every_store_leaves_a_finite_answer(void **state)
{
    const double rates[][3] = {
        {1, 1, 1}, {4, 2, 1}, {1e-8, 1e8, 1}, {1, 100, 10000}, {1e8, 1e8, 1e-8}};

    (void)state;
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
        struct bl_curves *curves = bl_curves_create();

        for (int32_t k = 0; k < 3; k++) {
            kit_learn_rate(curves, "a", 1 << (2 * k), rates[i][k]);
        }
        for (int32_t gpus = 1; gpus <= 4096; gpus *= 2) {
            struct bl_curves_answer answer = kit_ask(curves, "a", gpus % 3, gpus);

            assert_true(isfinite(answer.rate) && answer.rate > 0);
            assert_true(isfinite(answer.deviation) && answer.deviation > 0);
        }
        assert_near(kit_ask(curves, "a", 0, 0).rate, 0, 0);
        assert_near(kit_ask(curves, "a", 0, -5).rate, 0, 0);
        bl_curves_destroy(curves);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(A2_answers_come_near_the_truth_and_say_how_sure_they_are),
        cmocka_unit_test(A2_sizes_up_to_twice_those_seen_are_within_reach),
        cmocka_unit_test(a_rate_alone_is_the_same_but_never_trusted),
        cmocka_unit_test(A6_a_type_never_tried_goes_by_the_others),
        cmocka_unit_test(rates_alone_answer_for_counts_between),
        cmocka_unit_test(without_limits_a_batch_stays_what_it_was),
        cmocka_unit_test(asking_changes_no_answer),
        cmocka_unit_test(every_store_leaves_a_finite_answer),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
