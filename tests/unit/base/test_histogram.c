#include "bl_test.h"

#include "base/histogram.h"

static const struct bl_bounds bounds = {3, {10, 20, 40}};

static void a_length_counts_up_to_the_first_bound_that_it_does_not_pass(void **state)
{
    static const struct {
        bl_time length;
        size_t bucket;
    } rows[] = {{0, 0}, {10, 0}, {11, 1}, {20, 1}, {21, 2}, {40, 2}, {41, 3}, {BL_DAY, 3}, {-5, 0}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_histogram histogram = {0};

        bl_histogram_note(&histogram, &bounds, rows[i].length);
        assert_int_equal(histogram.count[rows[i].bucket], 1);
        assert_int_equal(bl_histogram_total(&histogram), 1);
        assert_int_equal(histogram.sum, rows[i].length > 0 ? rows[i].length : 0);
    }
}

static void standard_bounds_rise(void **state)
{
    static const struct bl_bounds *const rows[] = {&bl_bounds_of_work, &bl_bounds_of_waits};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_true(rows[i]->count <= BL_HISTOGRAM_BOUNDS_MAX);
        for (size_t b = 1; b < rows[i]->count; b++) {
            assert_true(rows[i]->at[b - 1] < rows[i]->at[b]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_length_counts_up_to_the_first_bound_that_it_does_not_pass),
        cmocka_unit_test(standard_bounds_rise),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
