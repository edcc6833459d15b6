#include "bl_test.h"
#include "core/ahead_parts.h"

static struct bl_ahead_problem *two_jobs(double restart_s)
{
    struct bl_ahead_problem *problem = calloc(1, sizeof *problem);

    problem->nodes = 1;
    problem->room[0] = 3;
    problem->jobs = 2;
    for (int j = 0; j < 2; j++) {
        problem->job[j] = (struct bl_ahead_job){.left_s = 1,
                                                .restart_s = restart_s,
                                                .current = BL_AHEAD_NONE,
                                                .config_count = 2,
                                                .config = {{0, 1, 1}, {0, 2, 1.9}}};
    }
    return problem;
}

/* The plans as "GPUs of job 0, of job 1": "2+1 1+2". */
static void expect_plans(const struct bl_ahead_problem *problem, uint32_t mask,
                         const char *expected)
{
    struct bl_ahead_plans plans = {0};
    char text[100] = "";
    size_t length = 0;
    int64_t work = 0;

    assert_true(bl_ahead_list(&(struct bl_ahead_scope){problem, mask, true}, 1000, &work, &plans));
    for (size_t i = 0; i < plans.list.count; i++) {
        const int8_t *config = plans.list.at[i].config;

        length += (size_t)snprintf(text + length, sizeof text - length, "%s%d+%d", i ? " " : "",
                                   config[0] + 1, config[1] + 1);
    }
    assert_string_equal(text, expected);
    assert_true(plans.is_made && work > 0);
    BL_VEC_FINISH(&plans.list);
}

static void only_plans_that_leave_nothing_better_are_listed(void **state)
{
    struct bl_ahead_problem *problem = two_jobs(0);

    (void)state;
    expect_plans(problem, 3, "1+2 2+1");
    expect_plans(problem, 1, "2+0");
    problem->room[0] = 4;
    expect_plans(problem, 3, "2+2");
    free(problem);
}

static void where_starts_cost_something_staying_is_listed_too(void **state)
{
    struct bl_ahead_problem *problem = two_jobs(5);

    (void)state;
    problem->job[0].current = 0;
    problem->job[1].current = 0;
    expect_plans(problem, 3, "1+1 1+2 2+1");
    free(problem);
}

static void jobs_that_are_held_keep_their_config(void **state)
{
    struct bl_ahead_problem *problem = two_jobs(0);

    (void)state;
    problem->job[0].current = 0;
    problem->job[0].hold = BL_AHEAD_FIRST;
    expect_plans(problem, 3, "1+2");
    problem->job[0].hold = BL_AHEAD_TO_THE_END;
    expect_plans(problem, 3, "1+2");
    expect_plans(problem, 1, "1+0");
    free(problem);
}

static void too_much_work_is_refused(void **state)
{
    struct bl_ahead_problem *problem = two_jobs(0);
    struct bl_ahead_plans plans = {0};
    int64_t work = 0;

    (void)state;
    assert_false(bl_ahead_list(&(struct bl_ahead_scope){problem, 3, true}, 2, &work, &plans));
    BL_VEC_FINISH(&plans.list);
    free(problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_plans_that_leave_nothing_better_are_listed),
        cmocka_unit_test(where_starts_cost_something_staying_is_listed_too),
        cmocka_unit_test(jobs_that_are_held_keep_their_config),
        cmocka_unit_test(too_much_work_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
