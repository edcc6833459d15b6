#include "bl_test.h"
#include "core/solve_parts.h"
#include "solve_case.h"

#include <math.h>

struct laws {
    struct solve_case it;
};

/* From nothing but prices drawn at random: when the search was complete, the champion is the best,
 * or nothing is better than the champion that it was told of. */
static bool finds_the_best(struct bl_prop *prop, void *context)
{
    static const struct solve_case_shape shape = {2, 6, 4, 4, 9, false};
    struct laws *laws = context;
    struct bl_solver *solver = bl_solver_create();
    double price[BL_SOLVE_TYPES_MAX] = {0};
    double bound;
    bool holds = true;

    solve_case_draw(&laws->it, prop, &shape);
    bl_solve_prepare(solver, &laws->it.problem, NULL);
    solver->champion_value = -1;
    for (int32_t t = 0; t < solver->types; t++) {
        price[t] = (double)bl_prop_between(prop, 0, 20) / 40;
    }
    bound = bl_solve_pass(solver, price, HUGE_VAL);
    holds = bl_solve_beam(solver, price, bound + 1, 10000000);
    if (holds && solver->room[0] >= 0 && (solver->types < 2 || solver->room[1] >= 0)) {
        double value = solver->kept_value + solver->champion_value / solver->scale;

        holds = fabs(value - solve_case_optimum(&laws->it)) < 1e-9;
    }
    bl_solver_destroy(solver);
    return holds;
}

static void a_complete_search_finds_the_best(void **state)
{
    struct laws *laws = calloc(1, sizeof *laws);

    (void)state;
    assert_true(bl_prop_holds("beam", 400, finds_the_best, laws));
    free(laws);
}

static void a_search_that_was_cut_short_does_not_say_it_was_complete(void **state)
{
    struct solve_case *it = calloc(1, sizeof *it);
    struct bl_solver *solver = bl_solver_create();
    double price[BL_SOLVE_TYPES_MAX] = {0};

    (void)state;
    solve_case_read(it, "cap 9; 0:1=1 0:2=2 0:3=4; 0:1=2 0:2=3 0:3=7; 0:1=5 0:2=6 0:3=7; 0:4=9");
    bl_solve_prepare(solver, &it->problem, NULL);
    solver->champion_value = -1;
    bl_solve_pass(solver, price, HUGE_VAL);
    assert_false(bl_solve_beam(solver, price, 100, 1));
    bl_solver_destroy(solver);
    free(it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_complete_search_finds_the_best),
        cmocka_unit_test(a_search_that_was_cut_short_does_not_say_it_was_complete),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
