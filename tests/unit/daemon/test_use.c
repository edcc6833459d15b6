#include "daemon/use.h"

#include "bl_test.h"

#include <stdlib.h>

static void add(struct bl_use *use, bl_time at, float busy, int64_t mem_bytes)
{
    bl_use_add(use, at, &(struct bl_use_value){busy, mem_bytes});
}

static void each_measurement_is_a_point_while_there_is_room(void **state)
{
    struct bl_use *use = bl_use_create(7, 2, 2);
    const struct bl_use_value values[] = {{0.5F, 100}, {-1, -1}};

    (void)state;
    bl_use_add(use, 15, values);
    bl_use_add(use, 30, values);
    assert_int_equal(use->count, 2);
    assert_int_equal(use->at[1], 30);
    assert_true(bl_use_value(use, 0, 1)->busy == 0.5F);
    assert_int_equal(bl_use_value(use, 0, 1)->mem_bytes, 100);
    assert_true(bl_use_value(use, 1, 0)->busy < 0);
    assert_int_equal(bl_use_value(use, 1, 0)->mem_bytes, -1);
    free(use);
}

static void a_full_curve_keeps_its_beginning_at_half_the_resolution(void **state)
{
    struct bl_use *use = bl_use_create(7, 1, 1);

    (void)state;
    for (int i = 0; i < BL_USE_POINTS_MAX; i++) {
        add(use, i, i % 2 ? 1.0F : 0.0F, i);
    }
    assert_int_equal(use->count, BL_USE_POINTS_MAX);
    assert_int_equal(use->stride, 1);
    add(use, BL_USE_POINTS_MAX, 0.25F, 9);
    assert_int_equal(use->stride, 2);
    assert_int_equal(use->count, BL_USE_POINTS_MAX / 2 + 1);
    assert_int_equal(use->at[0], 0);
    assert_int_equal(use->at[1], 2);
    assert_true(bl_use_value(use, 0, 1)->busy == 0.5F);
    assert_int_equal(bl_use_value(use, 0, 1)->mem_bytes, 3);
    add(use, BL_USE_POINTS_MAX + 1, 0.75F, 4);
    assert_int_equal(use->count, BL_USE_POINTS_MAX / 2 + 1);
    assert_true(bl_use_value(use, 0, use->count - 1)->busy == 0.5F);
    assert_int_equal(bl_use_value(use, 0, use->count - 1)->mem_bytes, 9);
    free(use);
}

/* However long a run is: points rise, are never too many, and their mean is that of all. */
static void a_long_run_has_as_many_points_as_a_short_one(void **state)
{
    enum { MEASUREMENTS = 100000 };
    struct bl_use *use = bl_use_create(7, 1, 1);
    float sum = 0;

    (void)state;
    for (int i = 0; i < MEASUREMENTS; i++) {
        add(use, i, i % 4 == 0 ? 1.0F : 0.0F, i);
        assert_in_range(use->count, 1, BL_USE_POINTS_MAX);
    }
    assert_true(use->count >= BL_USE_POINTS_MAX / 2);
    for (size_t i = 0; i < use->count; i++) {
        sum += bl_use_value(use, 0, i)->busy;
        assert_true(i == 0 || use->at[i] == use->at[i - 1] + use->stride);
    }
    assert_true(sum / (float)use->count > 0.2F && sum / (float)use->count < 0.3F);
    assert_int_equal(bl_use_value(use, 0, use->count - 1)->mem_bytes, MEASUREMENTS - 1);
    free(use);
}

static void what_is_not_known_does_not_count_into_a_mean(void **state)
{
    struct bl_use *use = bl_use_create(7, 1, 1);

    (void)state;
    for (int i = 0; i < BL_USE_POINTS_MAX; i++) {
        add(use, i, i % 2 ? 0.5F : -1, -1);
    }
    add(use, BL_USE_POINTS_MAX, -1, -1);
    add(use, BL_USE_POINTS_MAX + 1, -1, 5);
    assert_true(bl_use_value(use, 0, 0)->busy == 0.5F);
    assert_int_equal(bl_use_value(use, 0, 0)->mem_bytes, -1);
    assert_true(bl_use_value(use, 0, use->count - 1)->busy < 0);
    assert_int_equal(bl_use_value(use, 0, use->count - 1)->mem_bytes, 5);
    free(use);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_measurement_is_a_point_while_there_is_room),
        cmocka_unit_test(a_full_curve_keeps_its_beginning_at_half_the_resolution),
        cmocka_unit_test(a_long_run_has_as_many_points_as_a_short_one),
        cmocka_unit_test(what_is_not_known_does_not_count_into_a_mean),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
