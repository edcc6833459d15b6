#include "bl_test.h"
#include "core/solve_parts.h"
#include "solve_case.h"

#include <math.h>

struct laws {
    struct solve_case it;
};

/* From the worst champion there is, nothing for anybody. */
static bool only_gains(struct bl_prop *prop, void *context)
{
    static const struct solve_case_shape shape = {3, 12, 5, 6, 20, false};
    struct laws *laws = context;
    struct bl_solver *solver = bl_solver_create();
    double price[BL_SOLVE_TYPES_MAX] = {0.1, 0.1, 0.1};
    double before;
    bool holds = true;

    solve_case_draw(&laws->it, prop, &shape);
    bl_solve_prepare(solver, &laws->it.problem, NULL);
    solver->champion_value = -1;
    bl_solve_pass(solver, price, 1);
    bl_solve_repair(solver, price);
    bl_solve_crown(solver);
    before = solver->champion_value;
    if (before >= 0) {
        bl_solve_shake(solver, price, 20000);
        holds = solver->champion_value >= before;
    }
    bl_solver_destroy(solver);
    return holds;
}

static void a_champion_is_only_replaced_by_a_better_one(void **state)
{
    struct laws *laws = calloc(1, sizeof *laws);

    (void)state;
    assert_true(bl_prop_holds("shake", 200, only_gains, laws));
    free(laws);
}

static void it_leads_out_of_a_place_where_no_exchange_helps(void **state)
{
    struct solve_case *it = calloc(1, sizeof *it);
    struct bl_solver *solver = bl_solver_create();
    double price[BL_SOLVE_TYPES_MAX] = {1};

    (void)state;
    solve_case_read(it, "cap 4; 0:1=2; 0:1=2; 0:1=2; 0:1=2; 0:4=8.5");
    bl_solve_prepare(solver, &it->problem, NULL);
    solver->champion_value = -1;
    bl_solve_pass(solver, price, HUGE_VAL); /* nobody gets anything at this price */
    bl_solve_crown(solver);
    assert_true(solver->champion_value <= 0);
    bl_solve_shake(solver, price, 200000);
    assert_true(fabs(solver->champion_value / solver->scale - 8.5) < 1e-9);
    bl_solver_destroy(solver);
    free(it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_champion_is_only_replaced_by_a_better_one),
        cmocka_unit_test(it_leads_out_of_a_place_where_no_exchange_helps),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
