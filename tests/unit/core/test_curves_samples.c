#include "core/curves_parts.h"
#include "curves_kit.h"

static struct bl_curves_known *known_of(struct bl_curves *curves, const char *application)
{
    return bl_curves_known_find(bl_curves_find(curves, application), 0);
}

static void samples_of_one_placement_are_merged_into_their_mean(void **state)
{
    struct bl_curves *curves = bl_curves_create();
    const struct bl_curves_known *known;

    (void)state;
    kit_learn_rate(curves, "a", 4, 1.0);
    kit_learn_rate(curves, "a", 2, 1.0);
    kit_learn_rate(curves, "a", 4, 0.5);
    known = known_of(curves, "a");
    assert_int_equal(known->count, 2);
    assert_int_equal(known->sample[0].gpus, 2);
    assert_int_equal(known->sample[1].gpus, 4);
    assert_near(known->sample[1].iter_s, 1.5, 1e-12);
    assert_near(known->sample[1].count, 2, 0);
    bl_curves_destroy(curves);
}

static void a_mean_follows_what_has_changed(void **state)
{
    struct bl_curves *curves = bl_curves_create();

    (void)state;
    for (int i = 0; i < 1000; i++) {
        kit_learn_rate(curves, "a", 4, 1.0);
    }
    for (int i = 0; i < 400; i++) {
        kit_learn_rate(curves, "a", 4, 0.5);
    }
    assert_near(known_of(curves, "a")->sample[0].iter_s, 2, 0.01);
    assert_near(known_of(curves, "a")->sample[0].count, BL_CURVES_COUNT_MAX, 0);
    bl_curves_destroy(curves);
}

static void near_batches_are_one_and_accumulation_is_taken_out(void **state)
{
    struct bl_curves *curves = bl_curves_create();
    struct bl_observation plain = kit_observation(0, 4, 64);
    struct bl_observation accumulated = plain;
    const struct bl_curves_known *known;

    (void)state;
    accumulated.accumulation = 3;
    accumulated.iter_s += 3 * (plain.iter_s - plain.sync_s);
    kit_learn(curves, "a", plain);
    kit_learn(curves, "a", accumulated);
    kit_learn(curves, "a", kit_observation(0, 4, 66));
    kit_learn(curves, "a", kit_observation(0, 4, 128));
    known = known_of(curves, "a");
    assert_int_equal(known->count, 2);
    assert_int_equal(known->sample[0].accumulation, 0);
    assert_near(known->sample[0].iter_s, plain.iter_s, 0.02 * plain.iter_s);
    bl_curves_destroy(curves);
}

static void a_full_table_keeps_the_variety_of_placements(void **state)
{
    struct bl_curves *curves = bl_curves_create();
    const struct bl_curves_known *known;

    (void)state;
    for (int i = 0; i < 40; i++) {
        kit_learn(curves, "a", kit_observation(0, 1, pow(2, 0.5 * i)));
    }
    for (int32_t gpus = 2; gpus <= 20; gpus++) {
        kit_learn(curves, "a", kit_observation(0, gpus, 64));
    }
    known = known_of(curves, "a");
    assert_int_equal(known->count, BL_FIT_POINTS_MAX);
    assert_int_equal(known->shared_count, 19);
    assert_int_equal(known->sample[0].gpus, 1);
    /* the oldest of the crowd left */
    assert_near(known->sample[0].local_batch, pow(2, 0.5 * 11), 1e-6);
    bl_curves_destroy(curves);
}

static void the_type_longest_without_news_leaves_first(void **state)
{
    struct bl_curves *curves = bl_curves_create();
    struct bl_observation seen = kit_observation(0, 1, 64);

    (void)state;
    for (int32_t type = 0; type <= BL_CURVES_TYPES_MAX; type++) {
        seen.type = type;
        kit_learn(curves, "a", seen);
    }
    assert_int_equal(bl_curves_find(curves, "a")->known_count, BL_CURVES_TYPES_MAX);
    assert_null(known_of(curves, "a"));
    bl_curves_destroy(curves);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_of_one_placement_are_merged_into_their_mean),
        cmocka_unit_test(a_mean_follows_what_has_changed),
        cmocka_unit_test(near_batches_are_one_and_accumulation_is_taken_out),
        cmocka_unit_test(a_full_table_keeps_the_variety_of_placements),
        cmocka_unit_test(the_type_longest_without_news_leaves_first),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
