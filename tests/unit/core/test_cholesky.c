#include "core/cholesky.h"
#include "near.h"

static void a_system_is_solved(void **state)
{
    double lower[BL_TRIANGLE(3)] = {4, 2, 5, 1, 3, 6};
    double x[3] = {4 * 1 + 2 * 2 + 1 * 3, 2 * 1 + 5 * 2 + 3 * 3, 1 * 1 + 3 * 2 + 6 * 3};

    (void)state;
    assert_true(bl_cholesky_factor(lower, 3));
    bl_cholesky_forward(lower, 3, x);
    bl_cholesky_backward(lower, 3, x);
    for (int i = 0; i < 3; i++) {
        assert_near(x[i], i + 1, 1e-12);
    }
}

static void a_matrix_that_is_not_positive_is_refused(void **state)
{
    double rows[][3] = {{0, 0, 1}, {1, 2, 1}, {-1, 0, 1}, {1, NAN, 1}, {INFINITY, 0, 1}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_false(bl_cholesky_factor(rows[i], 2));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_system_is_solved),
        cmocka_unit_test(a_matrix_that_is_not_positive_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
