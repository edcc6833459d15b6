#include "bl_test.h"
#include "core/solve_parts.h"
#include "solve_case.h"

struct laws {
    struct solve_case it;
};

static struct bl_solver *prepare(struct solve_case *it, const char *text)
{
    struct bl_solver *solver = bl_solver_create();

    solve_case_read(it, text);
    bl_solve_prepare(solver, &it->problem, NULL);
    solver->champion_value = -1;
    return solver;
}

/* At no price everybody takes the most; whatever moves are known, what comes out fits. */
static bool always_fits(struct bl_prop *prop, void *context)
{
    static const struct solve_case_shape shape = {3, 30, 6, 9, 20, false};
    struct laws *laws = context;
    struct bl_solver *solver = bl_solver_create();
    double price[BL_SOLVE_TYPES_MAX] = {0};
    bool holds = true;

    solve_case_draw(&laws->it, prop, &shape);
    bl_solve_prepare(solver, &laws->it.problem, NULL);
    bl_solve_pass(solver, price, bl_prop_chance(prop, 500) ? 1 : 0);
    bl_solve_repair(solver, price);
    for (int32_t t = 0; t < solver->types; t++) {
        holds = holds && (solver->slack[t] >= 0 || solver->room[t] < 0);
    }
    bl_solver_destroy(solver);
    return holds;
}

static void what_comes_out_fits(void **state)
{
    struct laws *laws = calloc(1, sizeof *laws);

    (void)state;
    assert_true(bl_prop_holds("fits", 300, always_fits, laws));
    free(laws);
}

static void the_cheapest_way_to_free_a_gpu_is_taken(void **state)
{
    struct solve_case *it = calloc(1, sizeof *it);
    struct bl_solver *solver = prepare(it, "cap 3; 0:1=5 0:2=6; 0:1=5 0:2=9; 0:1=8");
    double price[BL_SOLVE_TYPES_MAX] = {0};

    (void)state;
    bl_solve_pass(solver, price, 1);
    bl_solve_repair(solver, price);
    assert_int_equal(solver->post.at[0].option, 0); /* 1 a GPU, others 4 and more */
    assert_int_equal(solver->post.at[1].option, 0);
    assert_int_equal(solver->post.at[2].option, 0);
    bl_solver_destroy(solver);
    free(it);
}

static void only_what_fits_and_is_worth_more_becomes_champion(void **state)
{
    struct solve_case *it = calloc(1, sizeof *it);
    struct bl_solver *solver = prepare(it, "cap 3; 0:1=5 0:2=6; 0:1=5 0:2=9");
    double price[BL_SOLVE_TYPES_MAX] = {0};
    struct bl_solve_move back = {.job = 0, .option = BL_SOLVE_NONE, .type = -1};

    (void)state;
    bl_solve_pass(solver, price, 1);
    bl_solve_crown(solver); /* uses 4 of 3 */
    assert_true(solver->champion_value < 0);
    bl_solve_repair(solver, price);
    bl_solve_crown(solver);
    assert_int_equal(solver->champion.at[1].option, 1);
    bl_solve_apply(solver, &back);
    bl_solve_crown(solver);
    assert_int_equal(solver->champion.at[0].option, 0);
    bl_solver_destroy(solver);
    free(it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_comes_out_fits),
        cmocka_unit_test(the_cheapest_way_to_free_a_gpu_is_taken),
        cmocka_unit_test(only_what_fits_and_is_worth_more_becomes_champion),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
