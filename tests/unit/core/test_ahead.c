#include "bl_test.h"
#include "core/ahead.h"

#include <math.h>

/* A job that may have each count of its range on each node; 90 % of every further minimum counts.
 */
static struct bl_ahead_job *add_job(struct bl_ahead_problem *problem, double left_s, int32_t low,
                                    int32_t high)
{
    struct bl_ahead_job *job = &problem->job[problem->jobs++];

    job->left_s = left_s;
    job->current = BL_AHEAD_NONE;
    for (int32_t n = 0; n < problem->nodes; n++) {
        for (int32_t g = low; g <= high && g <= problem->room[n]; g++) {
            job->config[job->config_count++] =
                (struct bl_ahead_config){n, g, 1 + 0.9 * ((double)g / low - 1)};
        }
    }
    return job;
}

static struct bl_ahead_problem *nodes(int32_t a, int32_t b, int32_t c)
{
    struct bl_ahead_problem *problem = calloc(1, sizeof *problem);

    problem->nodes = 3;
    problem->room[0] = a;
    problem->room[1] = b;
    problem->room[2] = c;
    return problem;
}

static void the_introductory_scenario_takes_its_best_course(void **state)
{
    struct bl_ahead_problem *problem = nodes(8, 4, 6);
    struct bl_ahead_answer answer;

    (void)state;
    add_job(problem, 36000, 2, 4);
    add_job(problem, 72000, 4, 8);
    add_job(problem, 18000, 1, 2);
    add_job(problem, 54000, 6, 6);
    assert_true(bl_ahead(problem, 1000000, &answer));
    assert_true(answer.is_complete);
    assert_true(fabs(answer.total_s / 4 / 3600 - 8.511) < 0.001);
    free(problem);
}

static void of_equal_ways_the_one_that_changes_nothing_is_taken(void **state)
{
    struct bl_ahead_problem *problem = nodes(4, 4, 0);
    struct bl_ahead_answer answer;

    (void)state;
    add_job(problem, 100, 4, 4)->current = 1;
    add_job(problem, 100, 4, 4)->current = 0;
    assert_true(bl_ahead(problem, 1000000, &answer));
    assert_int_equal(answer.choice[0], 1);
    assert_int_equal(answer.choice[1], 0);
    free(problem);
}

static void a_change_must_pay_for_the_start_that_it_costs(void **state)
{
    static const struct {
        double restart_s;
        int32_t gpus;
    } rows[] = {{0, 4}, {10, 4}, {60, 2}}; /* 100 s at speed 1, or 100 / 1.9 and the restart */

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_ahead_problem *problem = nodes(4, 0, 0);
        struct bl_ahead_job *job = add_job(problem, 100, 2, 4);
        struct bl_ahead_answer answer;

        job->current = 0;
        job->restart_s = rows[i].restart_s;
        assert_true(bl_ahead(problem, 1000000, &answer));
        assert_int_equal(job->config[answer.choice[0]].gpus, rows[i].gpus);
        free(problem);
    }
}

static void a_job_that_no_node_can_hold_is_left_out(void **state)
{
    struct bl_ahead_problem *problem = nodes(4, 2, 0);
    struct bl_ahead_answer answer;

    (void)state;
    add_job(problem, 100, 6, 6);
    add_job(problem, 100, 2, 2);
    assert_true(bl_ahead(problem, 1000000, &answer));
    assert_int_equal(answer.choice[0], BL_AHEAD_NONE);
    assert_true(fabs(answer.total_s - 100) < 1e-9);
    free(problem);
}

static void too_little_work_says_so(void **state)
{
    struct bl_ahead_problem *problem = nodes(8, 4, 6);
    struct bl_ahead_answer answer;

    (void)state;
    for (int i = 0; i < 5; i++) {
        add_job(problem, 100 + i * 37, 1 + i % 3, 6);
    }
    assert_false(bl_ahead(problem, 10, &answer));
    assert_true(bl_ahead(problem, 10000000, &answer));
    assert_true(answer.is_complete);
    assert_true(bl_ahead(problem, answer.work - 1, &answer));
    free(problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_introductory_scenario_takes_its_best_course),
        cmocka_unit_test(of_equal_ways_the_one_that_changes_nothing_is_taken),
        cmocka_unit_test(a_change_must_pay_for_the_start_that_it_costs),
        cmocka_unit_test(a_job_that_no_node_can_hold_is_left_out),
        cmocka_unit_test(too_little_work_says_so),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
