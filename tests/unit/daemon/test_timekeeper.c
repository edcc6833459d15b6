#include "bl_test.h"
#include "daemon/timekeeper.h"

static struct bl_clocks clocks(bl_time wall, bl_time monotonic)
{
    return (struct bl_clocks){wall * BL_SECOND, monotonic * BL_SECOND};
}

static struct bl_timekeeper keeper_at(bl_time wall, bl_time monotonic)
{
    struct bl_timekeeper keeper;

    bl_timekeeper_init(&keeper, clocks(wall, monotonic), 0);
    return keeper;
}

/* What is given out when the clocks say so, and the jump that comes with it. */
static void assert_now(struct bl_timekeeper *keeper, struct bl_clocks now, bl_time expected,
                       bl_time jump)
{
    assert_int_equal(bl_timekeeper_now(keeper, now), expected * BL_SECOND);
    assert_int_equal(keeper->jump, jump * BL_SECOND);
    keeper->jump = 0;
}

static void time_is_the_wall_clocks_as_long_as_nobody_sets_it(void **state)
{
    struct bl_timekeeper keeper = keeper_at(1000, 50);

    (void)state;
    assert_now(&keeper, clocks(1000, 50), 1000, 0);
    assert_now(&keeper, clocks(1007, 57), 1007, 0);
}

static void after_a_step_back_time_goes_on_from_where_it_was(void **state)
{
    struct bl_timekeeper keeper = keeper_at(1000, 50);

    (void)state;
    assert_now(&keeper, clocks(410, 60), 1010, -600);
    assert_now(&keeper, clocks(430, 80), 1030, 0);
}

static void a_step_forward_is_followed_and_told_when_it_is_large(void **state)
{
    struct bl_timekeeper keeper = keeper_at(1000, 50);

    (void)state;
    assert_now(&keeper, clocks(1004, 51), 1004, 0);
    assert_now(&keeper, clocks(2000, 52), 2000, 995);
}

static void a_step_back_that_is_taken_back_is_no_leap(void **state)
{
    struct bl_timekeeper keeper = keeper_at(1000, 50);

    (void)state;
    assert_now(&keeper, clocks(500, 60), 1010, -510);
    assert_now(&keeper, clocks(1025, 70), 1025, 5);
    assert_now(&keeper, clocks(400, 75), 1030, -630);
    assert_now(&keeper, clocks(700, 80), 1035, 0);
}

static void a_leap_is_not_forgotten_for_a_step_back(void **state)
{
    struct bl_timekeeper keeper = keeper_at(1000, 50);

    (void)state;
    bl_timekeeper_now(&keeper, clocks(1100, 50));
    assert_now(&keeper, clocks(1000, 50), 1100, 100);
}

static void a_jump_stays_until_somebody_takes_it(void **state)
{
    struct bl_timekeeper keeper = keeper_at(1000, 50);

    (void)state;
    bl_timekeeper_now(&keeper, clocks(1100, 50));
    bl_timekeeper_now(&keeper, clocks(1100, 50));
    assert_int_equal(keeper.jump, 100 * BL_SECOND);
}

static void a_new_life_starts_no_earlier_than_the_last_one_ended(void **state)
{
    struct bl_timekeeper keeper;

    (void)state;
    bl_timekeeper_init(&keeper, clocks(1000, 50), 3000 * BL_SECOND);
    assert_now(&keeper, clocks(1005, 55), 3005, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_is_the_wall_clocks_as_long_as_nobody_sets_it),
        cmocka_unit_test(after_a_step_back_time_goes_on_from_where_it_was),
        cmocka_unit_test(a_step_forward_is_followed_and_told_when_it_is_large),
        cmocka_unit_test(a_step_back_that_is_taken_back_is_no_leap),
        cmocka_unit_test(a_leap_is_not_forgotten_for_a_step_back),
        cmocka_unit_test(a_jump_stays_until_somebody_takes_it),
        cmocka_unit_test(a_new_life_starts_no_earlier_than_the_last_one_ended),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
