#include "bl_test.h"
#include "core/bound_search.h"
#include "near.h"

static const double capacity[] = {2};

static void nothing_that_takes_time_needs_no_prices(void **state)
{
    const struct bl_bound_job idle = {3, 0, 0, 3, BL_BOUND_DIVISIBLE, NULL, 0};
    const struct bl_bound_problem none = {NULL, 0, capacity, 1};
    const struct bl_bound_problem instant = {&idle, 1, capacity, 1};
    struct bl_price_path path;

    (void)state;
    assert_false(bl_bound_find_prices(&none, &path));
    assert_false(bl_bound_find_prices(&instant, &path));
}

/* Three divisible jobs of 20 s on one GPU each share two GPUs up to 20 s and more; the fourth comes
 * when all is quiet. Prices begin with the first job and end with the last. */
static void gpus_are_dear_while_jobs_wait_and_cheap_when_none_does(void **state)
{
    static const struct bl_bound_option option = {0, 1, 1};
    const struct bl_bound_job jobs[] = {{0, 0, 20, 20, BL_BOUND_DIVISIBLE, &option, 1},
                                        {0, 0, 20, 20, BL_BOUND_DIVISIBLE, &option, 1},
                                        {0, 0, 20, 40, BL_BOUND_DIVISIBLE, &option, 1},
                                        {500, 0, 20, 520, BL_BOUND_DIVISIBLE, &option, 1}};
    const struct bl_bound_problem problem = {jobs, 4, capacity, 1};
    struct bl_price_path path;

    (void)state;
    assert_true(bl_bound_find_prices(&problem, &path));
    assert_near(path.edge[0], 0, 0);
    assert_near(bl_price_path_end(&path), 520, 1e-9);
    assert_true(bl_price_path_paid(&path, 0, 20) >
                5 * (bl_price_path_paid(&path, 0, 520) - bl_price_path_paid(&path, 0, 500)));
    assert_near(bl_bound_supply(&problem, &path), 2 * bl_price_path_paid(&path, 0, 520), 1e-9);
    bl_price_path_finish(&path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_that_takes_time_needs_no_prices),
        cmocka_unit_test(gpus_are_dear_while_jobs_wait_and_cheap_when_none_does),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
