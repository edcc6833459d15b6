#include "bl_test.h"
#include "core/plan_parts.h"

enum { COUNT = 2 * BL_PLAN_LANES };

static void gpus_are_added_taken_away_and_narrowed_in_all_lanes(void **state)
{
    int32_t a[COUNT];
    int32_t b[COUNT];

    (void)state;
    for (int32_t i = 0; i < COUNT; i++) {
        a[i] = i;
        b[i] = COUNT - i;
    }
    bl_plan_gpus_add(a, b, COUNT);
    for (int32_t i = 0; i < COUNT; i++) {
        assert_int_equal(a[i], COUNT);
    }
    bl_plan_gpus_subtract(a, b, COUNT);
    bl_plan_gpus_narrow(a, b, COUNT);
    for (int32_t i = 0; i < COUNT; i++) {
        assert_int_equal(a[i], i < COUNT - i ? i : COUNT - i);
    }
}

static void counts_and_sums_leave_out_what_has_nothing(void **state)
{
    static const int32_t gpus[COUNT] = {3, 4, 5, -2, 0, BL_PLAN_NO_GPUS, 1, 9, 0, 4};

    (void)state;
    assert_int_equal(bl_plan_gpus_count(gpus, COUNT, 4), 4);
    assert_int_equal(bl_plan_gpus_count(gpus, COUNT, 1), 6);
    assert_int_equal(bl_plan_gpus_sum(gpus, COUNT, 4), 3 + 4 + 4 + 1 + 4 + 4);
}

static void cells_are_summed_and_compared_by_each_resource(void **state)
{
    struct bl_plan_cell a = {1, {20, 3}};
    struct bl_plan_cell b = {2, {10, 4}};
    struct bl_plan_cell sum = bl_plan_cell_sum(a, b);
    struct bl_plan_cell least = bl_plan_cell_least(a, b);

    (void)state;
    assert_int_equal(sum.gpus, 3);
    assert_int_equal(sum.side.cpu_milli, 30);
    assert_int_equal(sum.side.mem_bytes, 7);
    assert_int_equal(least.gpus, 1);
    assert_int_equal(least.side.cpu_milli, 10);
    assert_int_equal(least.side.mem_bytes, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gpus_are_added_taken_away_and_narrowed_in_all_lanes),
        cmocka_unit_test(counts_and_sums_leave_out_what_has_nothing),
        cmocka_unit_test(cells_are_summed_and_compared_by_each_resource),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
