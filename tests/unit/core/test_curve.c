#include "bl_test.h"
#include "core/curve.h"

static void speed_is_one_at_the_least_count(void **state)
{
    const struct bl_curve_point points[] = {{1, 3.0}, {4, 9.0}};
    const struct bl_curve rows[] = {
        {.kind = BL_CURVE_FLAT},
        {.kind = BL_CURVE_EFFICIENCY, .efficiency = 0.9},
        {.kind = BL_CURVE_POINTS, .point_count = 2, .point = points},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_true(bl_curve_speed(&rows[i], 2, 2) == 1.0);
        assert_true(bl_curve_speed(&rows[i], 0, 0) == 1.0);
    }
}

static void points_are_joined_by_lines_and_level_outside(void **state)
{
    const struct bl_curve_point points[] = {{1, 2.0}, {3, 4.0}, {4, 5.0}};
    const struct bl_curve curve = {.kind = BL_CURVE_POINTS, .point_count = 3, .point = points};

    (void)state;
    assert_true(bl_curve_speed(&curve, 1, 2) == 1.5);
    assert_true(bl_curve_speed(&curve, 1, 4) == 2.5);
    assert_true(bl_curve_speed(&curve, 1, 99) == 2.5);
    assert_true(bl_curve_speed(&curve, 1, 0) == 1.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(speed_is_one_at_the_least_count),
        cmocka_unit_test(points_are_joined_by_lines_and_level_outside),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
