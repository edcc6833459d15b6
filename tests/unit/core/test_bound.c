#include "bl_test.h"
#include "core/bound.h"
#include "near.h"

static const struct bl_bound_option one_gpu = {0, 1, 1};
static const double capacity[] = {1};

static struct bl_bound_job rigid(double release, double work, double ended)
{
    return (struct bl_bound_job){release, 0, work, ended, BL_BOUND_IN_ONE_PIECE, &one_gpu, 1};
}

/* What is given away for rounding is less than a thousandth. */
static void a_job_alone_takes_what_it_takes(void **state)
{
    const struct bl_bound_job jobs[] = {rigid(0, 10, 10), rigid(100, 20, 120)};
    const struct bl_bound_problem problem = {jobs, 2, capacity, 1};

    (void)state;
    assert_true(bl_bound_alone(&problem) < 15);
    assert_near(bl_bound_alone(&problem), 15, 1e-3);
    assert_near(bl_bound_mean(&problem), 15, 1e-3);
}

/* Whichever goes first, the other ends at 20; the price of the first ten seconds says so. */
static void a_price_tells_that_two_jobs_share_one_gpu(void **state)
{
    const struct bl_bound_job jobs[] = {rigid(0, 10, 10), rigid(0, 10, 20)};
    const struct bl_bound_problem problem = {jobs, 2, capacity, 1};
    static const double edge[] = {0, 10, 20};
    struct bl_price_path path;

    (void)state;
    bl_price_path_init(&path, 1, edge, 2);
    assert_near(bl_bound_at(&problem, &path), 10, 1e-3);
    path.price[0] = 1;
    bl_price_path_sum(&path);
    assert_near(bl_bound_at(&problem, &path), 15, 1e-3);
    bl_price_path_finish(&path);
    assert_true(bl_bound_mean(&problem) > 14 && bl_bound_mean(&problem) < 15);
}

static void absurd_prices_give_a_low_bound_not_a_wrong_one(void **state)
{
    const struct bl_bound_job jobs[] = {rigid(0, 10, 10), rigid(0, 10, 20)};
    const struct bl_bound_problem problem = {jobs, 2, capacity, 1};
    static const double prices[] = {1e3, 1e9, 1e15};
    static const double edge[] = {0, 10, 20};
    struct bl_price_path path;

    (void)state;
    bl_price_path_init(&path, 1, edge, 2);
    for (size_t i = 0; i < sizeof prices / sizeof prices[0]; i++) {
        path.price[0] = path.price[1] = prices[i];
        bl_price_path_sum(&path);
        assert_true(bl_bound_at(&problem, &path) < 15);
    }
    bl_price_path_finish(&path);
}

static void without_jobs_there_is_no_bound_and_without_work_it_is_zero(void **state)
{
    const struct bl_bound_job idle[] = {rigid(0, 0, 0), rigid(5, 0, 5)};
    const struct bl_bound_problem none = {NULL, 0, capacity, 1};
    const struct bl_bound_problem empty = {idle, 2, capacity, 1};

    (void)state;
    assert_true(isnan(bl_bound_mean(&none)));
    assert_true(isnan(bl_bound_alone(&none)));
    assert_near(bl_bound_mean(&empty), 0, 0);
}

/* A job that only one type suits leaves the other free for whoever may use both. */
static void types_are_priced_apart(void **state)
{
    static const struct bl_bound_option first[] = {{0, 1, 1}};
    static const struct bl_bound_option both[] = {{0, 1, 1}, {1, 1, 0.5}};
    static const double one_of_each[] = {1, 1};
    const struct bl_bound_job jobs[] = {{0, 0, 10, 10, BL_BOUND_IN_ONE_PIECE, first, 1},
                                        {0, 0, 10, 20, BL_BOUND_IN_ONE_PIECE, both, 2}};
    const struct bl_bound_problem problem = {jobs, 2, one_of_each, 2};

    (void)state;
    assert_true(bl_bound_mean(&problem) > 14 && bl_bound_mean(&problem) < 15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_job_alone_takes_what_it_takes),
        cmocka_unit_test(a_price_tells_that_two_jobs_share_one_gpu),
        cmocka_unit_test(absurd_prices_give_a_low_bound_not_a_wrong_one),
        cmocka_unit_test(without_jobs_there_is_no_bound_and_without_work_it_is_zero),
        cmocka_unit_test(types_are_priced_apart),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
