#include "core/levmar.h"
#include "near.h"

static const double anywhere_low[] = {-100, -100};
static const double anywhere_high[] = {100, 100};

/* Rosenbrock's valley: its minimum is at (1, 1). */
static void valley(const void *self, const double *x, double *residual, double *jacobian)
{
    (void)self;
    residual[0] = 10 * (x[1] - x[0] * x[0]);
    residual[1] = 1 - x[0];
    jacobian[0] = -20 * x[0];
    jacobian[1] = 10;
    jacobian[2] = -1;
    jacobian[3] = 0;
}

static void nowhere(const void *self, const double *x, double *residual, double *jacobian)
{
    valley(self, x, residual, jacobian);
    residual[0] = NAN;
}

static double solve_valley(const double *low, const double *high, double *x)
{
    double scratch[BL_LEVMAR_SCRATCH(2, 2)];
    struct bl_levmar problem = {.params = 2,
                                .residuals = 2,
                                .low = low,
                                .high = high,
                                .evaluate = valley,
                                .scratch = scratch,
                                .rounds_max = 200};

    return bl_levmar_solve(&problem, x);
}

static void the_bottom_of_a_bent_valley_is_found(void **state)
{
    double x[2] = {-1.2, 1};

    (void)state;
    assert_near(solve_valley(anywhere_low, anywhere_high, x), 0, 1e-9);
    assert_near(x[0], 1, 1e-4);
    assert_near(x[1], 1, 1e-4);
}

static void bounds_are_kept_and_the_rest_is_still_best(void **state)
{
    const double high[] = {0.5, 100};
    double x[2] = {-1.2, 1};

    (void)state;
    assert_near(solve_valley(anywhere_low, high, x), 0.25, 1e-6);
    assert_near(x[0], 0.5, 0);
    assert_near(x[1], 0.25, 1e-4);
}

static void a_function_that_is_no_number_leaves_the_start(void **state)
{
    double scratch[BL_LEVMAR_SCRATCH(2, 2)];
    struct bl_levmar problem = {.params = 2,
                                .residuals = 2,
                                .low = anywhere_low,
                                .high = anywhere_high,
                                .evaluate = nowhere,
                                .scratch = scratch,
                                .rounds_max = 50};
    double x[2] = {3, 4};

    (void)state;
    assert_true(isinf(bl_levmar_solve(&problem, x)));
    assert_near(x[0], 3, 0);
    assert_near(x[1], 4, 0);
}

static void information_is_the_product_of_the_slopes(void **state)
{
    double scratch[BL_LEVMAR_SCRATCH(2, 2)];
    double lower[BL_TRIANGLE(BL_LEVMAR_PARAMS_MAX)];
    struct bl_levmar problem = {
        .params = 2, .residuals = 2, .evaluate = valley, .scratch = scratch};

    (void)state;
    bl_levmar_information(&problem, (double[]){1, 1}, lower);
    assert_near(lower[0], 401, 1e-9);
    assert_near(lower[1], -200, 1e-9);
    assert_near(lower[2], 100, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bottom_of_a_bent_valley_is_found),
        cmocka_unit_test(bounds_are_kept_and_the_rest_is_still_best),
        cmocka_unit_test(a_function_that_is_no_number_leaves_the_start),
        cmocka_unit_test(information_is_the_product_of_the_slopes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
