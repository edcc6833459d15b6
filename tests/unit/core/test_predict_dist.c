#include "bl_test.h"
#include "core/predict_dist.h"

#include <math.h>

/* From `low` to `high`, even on the scale of octaves. */
static struct bl_dist even(bl_time low, bl_time high)
{
    struct bl_dist dist;
    int32_t from = bl_dist_point(low);

    for (int i = 0; i < BL_DIST_POINTS; i++) {
        dist.point[i] = from + (int32_t)(bl_dist_level[i] * (bl_dist_point(high) - from));
    }
    return dist;
}

static bool is_near(bl_time a, bl_time b)
{
    return fabs((double)a / (double)b - 1) < 1e-4;
}

static void a_length_goes_through_its_point_unchanged_but_for_a_millionth(void **state)
{
    static const bl_time rows[] = {1, 2, BL_MILLISECOND, BL_SECOND, BL_HOUR, 365 * BL_DAY};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_true(fabs((double)bl_dist_length(bl_dist_point(rows[i])) / (double)rows[i] - 1) <
                    2e-6);
    }
    assert_int_equal(bl_dist_point(0), 0);
    assert_int_equal(bl_dist_point(-BL_HOUR), 0);
    assert_int_equal(bl_dist_point(BL_TIME_NEVER), BL_DIST_MOST);
}

static void quantiles_chances_and_means_of_a_spread(void **state)
{
    struct bl_dist dist = even(BL_MINUTE, 16 * BL_MINUTE);

    (void)state;
    assert_true(is_near(bl_dist_quantile(&dist, .5), 4 * BL_MINUTE));
    assert_true(is_near(bl_dist_quantile(&dist, .25), 2 * BL_MINUTE));
    assert_true(fabs(bl_dist_chance(&dist, 8 * BL_MINUTE) - .75) < 1e-3);
    assert_true(bl_dist_chance(&dist, BL_SECOND) == 0 && bl_dist_chance(&dist, BL_HOUR) == 1);
    assert_in_range(bl_dist_mean(&dist), 5 * BL_MINUTE, 6 * BL_MINUTE);
    assert_true(bl_dist_haste(&dist) > 1.0 / (16 * 60) && bl_dist_haste(&dist) < 1.0 / 60);
}

static void nothing_known_stays_nothing(void **state)
{
    struct bl_dist none = {{0}};
    struct bl_dist after;

    (void)state;
    assert_false(bl_dist_is_known(&none));
    assert_int_equal(bl_dist_quantile(&none, .5), 0);
    assert_int_equal(bl_dist_mean(&none), 0);
    assert_int_equal(bl_dist_best_guess(&none), 0);
    bl_dist_after(&none, BL_HOUR, &after);
    assert_false(bl_dist_is_known(&after));
}

static void what_has_gone_on_for_a_while_takes_at_least_that_long(void **state)
{
    struct bl_dist dist = even(BL_MINUTE, 16 * BL_MINUTE);
    struct bl_dist after;

    (void)state;
    bl_dist_after(&dist, 4 * BL_MINUTE, &after);
    assert_true(bl_dist_quantile(&after, 0) >= 4 * BL_MINUTE * 99 / 100);
    assert_true(is_near(bl_dist_quantile(&after, .5), 8 * BL_MINUTE));
    bl_dist_after(&dist, BL_DAY, &after);
    assert_true(bl_dist_quantile(&after, 0) > BL_DAY);
    assert_true(bl_dist_quantile(&after, .9) > bl_dist_quantile(&after, .1));
    bl_dist_after(&dist, BL_TIME_NEVER, &after);
    assert_true(bl_dist_quantile(&after, 1) <= bl_dist_length(BL_DIST_MOST));
}

static void a_cap_and_a_floor_move_what_is_beyond(void **state)
{
    struct bl_dist dist = even(BL_MINUTE, 16 * BL_MINUTE);

    (void)state;
    bl_dist_cap(&dist, 4 * BL_MINUTE);
    assert_true(is_near(bl_dist_quantile(&dist, .9), 4 * BL_MINUTE));
    assert_true(is_near(bl_dist_quantile(&dist, .25), 2 * BL_MINUTE));
    bl_dist_floor(&dist, 3 * BL_MINUTE);
    assert_true(is_near(bl_dist_quantile(&dist, .1), 3 * BL_MINUTE));
    assert_true(is_near(bl_dist_quantile(&dist, .9), 4 * BL_MINUTE));
}

static void the_best_guess_lies_where_most_is(void **state)
{
    struct bl_dist dist = even(BL_MINUTE, 2 * BL_MINUTE);

    (void)state;
    dist.point[BL_DIST_POINTS - 1] = bl_dist_point(BL_DAY);
    assert_in_range(bl_dist_best_guess(&dist), BL_MINUTE, 2 * BL_MINUTE);
    assert_true(bl_pinball(.9, 10, 20) == 9 && fabs(bl_pinball(.9, 20, 10) - 1) < 1e-9);
}

static void C2_a_few_short_runs_leave_a_long_one_possible(void **state)
{
    struct bl_dist dist = even(BL_SECOND, 16 * BL_SECOND);
    struct bl_dist none = {{0}};
    struct bl_doubt few = bl_dist_doubt(&dist, 6, 0, 2 * BL_HOUR);
    struct bl_doubt many = bl_dist_doubt(&dist, 100000, 0, 2 * BL_HOUR);
    struct bl_doubt late = bl_dist_doubt(&dist, 100, BL_MINUTE, 2 * BL_HOUR);
    struct bl_dist after;

    (void)state;
    assert_true(bl_dist_doubted(&dist, &few, .1) < BL_MINUTE);
    assert_in_range(bl_dist_doubted(&dist, &few, .5), 10 * BL_MINUTE, BL_HOUR);
    assert_in_range(bl_dist_doubted(&dist, &few, .9), 90 * BL_MINUTE, 2 * BL_HOUR);
    assert_in_range(bl_dist_doubted(&dist, &many, .9), 10 * BL_SECOND, 16 * BL_SECOND);
    /* one that outlived all that was expected is of the other kind */
    bl_dist_after(&dist, BL_MINUTE, &after);
    assert_true(bl_dist_doubted(&after, &late, .5) > 30 * BL_MINUTE);
    assert_true(bl_dist_doubted(&after, &late, .99) <= 2 * BL_HOUR);
    /* past its limit, or without one, there is nothing else that it may be */
    assert_true(bl_dist_doubt(&dist, 6, 3 * BL_HOUR, 2 * BL_HOUR).doubt == 0);
    assert_true(bl_dist_doubt(&dist, 6, 0, 0).doubt == 0);
    assert_true(bl_dist_doubt(&none, 0, 0, BL_HOUR).doubt <= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_length_goes_through_its_point_unchanged_but_for_a_millionth),
        cmocka_unit_test(quantiles_chances_and_means_of_a_spread),
        cmocka_unit_test(nothing_known_stays_nothing),
        cmocka_unit_test(what_has_gone_on_for_a_while_takes_at_least_that_long),
        cmocka_unit_test(a_cap_and_a_floor_move_what_is_beyond),
        cmocka_unit_test(the_best_guess_lies_where_most_is),
        cmocka_unit_test(C2_a_few_short_runs_leave_a_long_one_possible),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
