#include "bl_test.h"
#include "core/solve_parts.h"
#include "solve_case.h"

#include <math.h>

static struct bl_solver *prepare(struct solve_case *it, const char *text)
{
    struct bl_solver *solver = bl_solver_create();

    solve_case_read(it, text);
    bl_solve_prepare(solver, &it->problem, NULL);
    return solver;
}

static void a_pass_gives_each_job_its_best_and_the_bound(void **state)
{
    struct solve_case *it = calloc(1, sizeof *it);
    struct bl_solver *solver = prepare(it, "cap 3; 0:1=4 0:2=7; 0:2=4; 0:1=1; keep=0 0:1=8");
    double price[BL_SOLVE_TYPES_MAX] = {2.5 * solver->scale};
    double bound = bl_solve_pass(solver, price, 0) / solver->scale;

    (void)state;
    assert_int_equal(solver->post.at[0].option, 1);
    assert_int_equal(solver->post.at[1].option, BL_SOLVE_NONE);
    assert_int_equal(solver->post.at[2].option, BL_SOLVE_NONE);
    assert_int_equal(solver->post.at[3].option, 0);
    assert_int_equal(solver->slack[0], 0);
    assert_true(fabs(bound - (2 * 2.5 + 2)) < 1e-12);
    assert_int_equal(solver->moves.count, 0);
    bl_solver_destroy(solver);
    free(it);
}

static void moves_lose_less_than_the_limit_and_end_with_the_best(void **state)
{
    struct solve_case *it = calloc(1, sizeof *it);
    struct bl_solver *solver = prepare(it, "cap 3; 0:1=4 0:2=7; 0:2=4; 0:1=1");
    double price[BL_SOLVE_TYPES_MAX] = {2.5 * solver->scale};
    static const struct {
        size_t job;
        int32_t option;
        double loss;
    } rows[] = {{0, 0, 0.5}, {0, 1, 0}, {1, 0, 1}, {1, BL_SOLVE_NONE, 0}};

    (void)state;
    bl_solve_pass(solver, price, 1.2 * solver->scale);
    assert_int_equal(solver->moves.count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(solver->moves.at[i].job, rows[i].job);
        assert_int_equal(solver->moves.at[i].option, rows[i].option);
        assert_true(fabs(solver->moves.at[i].loss / solver->scale - rows[i].loss) < 1e-12);
    }
    bl_solver_destroy(solver);
    free(it);
}

static void the_limit_lets_about_as_many_through_as_were_asked_for(void **state)
{
    struct solve_case *it = calloc(1, sizeof *it);
    struct bl_solver *solver =
        prepare(it, "cap 9; 0:1=1 0:2=2 0:3=4; 0:1=2 0:2=3 0:3=7; 0:1=5 0:2=6 0:3=7");
    double price[BL_SOLVE_TYPES_MAX] = {0};

    (void)state;
    assert_true(isinf(bl_solve_moves_limit(solver, price, 100)));
    bl_solve_pass(solver, price, bl_solve_moves_limit(solver, price, 4));
    assert_in_range(solver->moves.count, 3, 8);
    bl_solver_destroy(solver);
    free(it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pass_gives_each_job_its_best_and_the_bound),
        cmocka_unit_test(moves_lose_less_than_the_limit_and_end_with_the_best),
        cmocka_unit_test(the_limit_lets_about_as_many_through_as_were_asked_for),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
