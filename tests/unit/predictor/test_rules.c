#include "bl_test.h"
#include "past.h"

static const struct bl_expectation two_hours = {BL_HOUR, 2 * BL_HOUR, 5 * BL_HOUR, false};

static void C2_a_rule_is_answered_as_it_was_written(void **state)
{
    struct past past = past_new("rules");
    struct bl_job_spec spec = {.user = "ann", .expected = two_hours};
    struct bl_dist dist = past_foresees(&past, &spec);

    (void)state;
    assert_true(past_is_sound(&dist));
    assert_in_range(bl_dist_quantile(&dist, .1), .999 * BL_HOUR, 1.001 * BL_HOUR);
    assert_in_range(bl_dist_quantile(&dist, .5), 1.999 * BL_HOUR, 2.001 * BL_HOUR);
    assert_in_range(bl_dist_quantile(&dist, .9), 4.999 * BL_HOUR, 5.001 * BL_HOUR);
    spec.limit = 3 * BL_HOUR;
    dist = past_foresees(&past, &spec);
    assert_in_range(bl_dist_quantile(&dist, .99), 2.999 * BL_HOUR, 3.001 * BL_HOUR);
    spec.expected = (struct bl_expectation){0};
    dist = past_foresees(&past, &spec);
    assert_false(bl_dist_is_known(&dist));
    past_free(&past);
}

static void lengths_at_the_ends_of_the_scale_stay_in_order(void **state)
{
    static const struct bl_expectation rows[] = {
        {1, 1, 1, false},
        {1, BL_SPAN_MAX, BL_SPAN_MAX, false},
        {1, 1, BL_SPAN_MAX, false},
        {BL_SPAN_MAX, BL_SPAN_MAX, BL_SPAN_MAX, false},
    };
    struct past past = past_new("rules");

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_dist dist = past_foresees(&past, &(struct bl_job_spec){.expected = rows[i]});

        assert_true(past_is_sound(&dist));
    }
    past_free(&past);
}

static void C2_who_is_new_gets_the_rule_and_who_has_shown_otherwise_does_not(void **state)
{
    struct past past = past_new("mixture");
    struct bl_job_spec bob = {.user = "bob", .name = "y", .gpus_want = 1};
    struct bl_job_spec ann = {.user = "ann", .name = "x", .gpus_want = 1, .expected = two_hours};
    struct bl_dist dist;

    (void)state;
    for (int i = 0; i < 50; i++) {
        past_ran(&past, &bob, 10 * BL_MINUTE);
    }
    dist = past_foresees(&past, &ann);
    assert_in_range(bl_dist_quantile(&dist, .5), 1.5 * BL_HOUR, 2.5 * BL_HOUR);
    for (int i = 0; i < 20; i++) {
        past_ran(&past, &ann, 10 * BL_MINUTE);
    }
    dist = past_foresees(&past, &ann);
    assert_in_range(bl_dist_quantile(&dist, .5), 9 * BL_MINUTE, 11 * BL_MINUTE);
    past_free(&past);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(C2_a_rule_is_answered_as_it_was_written),
        cmocka_unit_test(lengths_at_the_ends_of_the_scale_stay_in_order),
        cmocka_unit_test(C2_who_is_new_gets_the_rule_and_who_has_shown_otherwise_does_not),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
