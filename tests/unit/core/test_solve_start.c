#include "bl_test.h"
#include "core/solve_parts.h"
#include "solve_case.h"

static struct bl_solver *start(struct solve_case *it, const char *text)
{
    struct bl_solver *solver = bl_solver_create();

    solve_case_read(it, text);
    bl_solve_prepare(solver, &it->problem, NULL);
    solver->budget = 1000000;
    bl_solve_start(solver);
    return solver;
}

static void what_nobody_lacks_costs_nothing(void **state)
{
    struct solve_case *it = calloc(1, sizeof *it);
    struct bl_solver *solver = start(it, "cap 1000 2; 0:1=4 1:1=6; 0:1=3 1:2=16; 1:1=7");

    (void)state;
    assert_true(solver->best.price[0] < 1e-3);
    assert_true(solver->best.price[1] > 1e-3);
    bl_solver_destroy(solver);
    free(it);
}

static void starting_stops_when_use_meets_room(void **state)
{
    struct solve_case *it = calloc(1, sizeof *it);
    struct bl_solver *solver = start(it, "cap 2; 0:1=4 0:2=5; 0:1=4 0:2=5");

    (void)state;
    assert_int_equal(solver->evaluations, 1);
    bl_solver_destroy(solver);
    free(it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_nobody_lacks_costs_nothing),
        cmocka_unit_test(starting_stops_when_use_meets_room),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
