#include "bl_test.h"
#include "past.h"

static void A15_the_mean_of_the_last_two_runs_of_the_same_user(void **state)
{
    struct past past = past_new("last2");
    struct bl_job_spec ann = {.user = "ann"};
    struct bl_job_spec bob = {.user = "bob"};
    struct bl_traits traits;
    struct bl_dist dist;

    (void)state;
    bl_traits_of(&ann, &traits);
    past_ran(&past, &bob, BL_DAY);
    bl_history_add(past.history, &traits, BL_MINUTE);
    bl_history_add(past.history, &traits, 3 * BL_MINUTE);
    bl_history_add(past.history, &traits, 5 * BL_MINUTE);
    dist = past_foresees(&past, &ann);
    assert_in_range(bl_dist_quantile(&dist, .5), 4 * BL_MINUTE - 1000, 4 * BL_MINUTE + 1000);
    dist = past_foresees(&past, &(struct bl_job_spec){.user = "cy"});
    assert_false(bl_dist_is_known(&dist));
    past_free(&past);
}

static void its_spread_is_that_of_its_errors(void **state)
{
    struct past past = past_new("last2");
    struct bl_job_spec ann = {.user = "ann"};
    struct bl_dist dist;

    (void)state;
    for (int i = 0; i < 300; i++) {
        past_ran(&past, &ann, i % 3 ? BL_HOUR : BL_MINUTE);
    }
    dist = past_foresees(&past, &ann);
    assert_true(bl_dist_quantile(&dist, .1) < 5 * BL_MINUTE);
    assert_true(bl_dist_quantile(&dist, .9) > 45 * BL_MINUTE);
    past_free(&past);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(A15_the_mean_of_the_last_two_runs_of_the_same_user),
        cmocka_unit_test(its_spread_is_that_of_its_errors),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
