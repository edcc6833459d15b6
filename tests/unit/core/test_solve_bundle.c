#include "bl_test.h"
#include "core/solve_parts.h"
#include "solve_case.h"

#include <math.h>

struct laws {
    struct solve_case it;
};

/* No prices drawn at random are below the point that was found. */
static bool finds_the_lowest(struct bl_prop *prop, void *context)
{
    static const struct solve_case_shape shape = {4, 30, 8, 9, 60, false};
    struct laws *laws = context;
    struct bl_solver *solver = bl_solver_create();
    struct bl_solve_cut found;
    bool holds = true;

    solve_case_draw(&laws->it, prop, &shape);
    bl_solve_prepare(solver, &laws->it.problem, NULL);
    solver->budget = INT64_MAX;
    bl_solve_start(solver);
    bl_solve_descend(solver);
    found = solver->best;
    for (int i = 0; i < 50 && holds; i++) {
        struct bl_solve_cut cut = {0};

        for (int32_t t = 0; t < solver->types; t++) {
            double factor = 1 + (double)bl_prop_between(prop, -100, 100) / (i < 25 ? 100 : 1000);

            cut.price[t] = found.price[t] * factor;
        }
        bl_solve_evaluate(solver, &cut);
        holds = cut.dual >= found.dual - 1e-7 * (1 + fabs(found.dual));
    }
    bl_solver_destroy(solver);
    return holds;
}

static void no_other_prices_are_lower(void **state)
{
    struct laws *laws = calloc(1, sizeof *laws);

    (void)state;
    assert_true(bl_prop_holds("lowest", 200, finds_the_lowest, laws));
    free(laws);
}

static void two_jobs_for_one_gpu_pay_what_the_second_would(void **state)
{
    struct solve_case *it = calloc(1, sizeof *it);
    struct bl_solver *solver = bl_solver_create();

    (void)state;
    solve_case_read(it, "cap 1; 0:1=4; 0:1=3");
    assert_true(solve_case_run(it, solver, NULL, 0));
    assert_true(it->answer.price[0] >= 3 - 1e-6 && it->answer.price[0] <= 4 + 1e-6);
    assert_true(fabs(it->answer.bound - 4) < 1e-6);
    bl_solver_destroy(solver);
    free(it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_other_prices_are_lower),
        cmocka_unit_test(two_jobs_for_one_gpu_pay_what_the_second_would),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
