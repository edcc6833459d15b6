#include "bl_test.h"
#include "core/solve_parts.h"
#include "solve_case.h"

#include <math.h>

struct laws {
    struct solve_case it;
};

static const struct solve_case_shape shape = {3, 12, 8, 6, 20, false};

/* The dual function by trying every option of every job. */
static double plain_dual(const struct bl_solver *solver, const double *price)
{
    double dual = 0;

    for (int32_t t = 0; t < solver->types; t++) {
        dual += price[t] * (double)solver->room[t];
    }
    for (size_t j = 0; j < solver->jobs; j++) {
        double best = 0;

        for (size_t i = solver->problem->first[j];
             i < solver->problem->first[j + 1] && !solver->base.at[j].is_kept; i++) {
            const struct bl_solve_option *option = &solver->problem->option[i];
            double worth = bl_solve_worth(solver, solver->base.at[j].none, option);

            if (worth > 0) {
                best = fmax(best, worth - price[option->type] * option->gpus);
            }
        }
        dual += best;
    }
    return dual;
}

static void draw_prices(struct bl_prop *prop, double *price)
{
    for (int t = 0; t < BL_SOLVE_TYPES_MAX; t++) {
        price[t] = (double)bl_prop_between(prop, 0, 30) / 40;
    }
}

static bool evaluates_as_plain(struct bl_prop *prop, void *context)
{
    struct laws *laws = context;
    struct bl_solver *solver = bl_solver_create();
    bool holds = true;

    solve_case_draw(&laws->it, prop, &shape);
    bl_solve_prepare(solver, &laws->it.problem, NULL);
    for (int i = 0; i < 4 && holds; i++) {
        struct bl_solve_cut cut = {0};
        double price[BL_SOLVE_TYPES_MAX];

        draw_prices(prop, cut.price);
        bl_solve_evaluate(solver, &cut);
        holds = fabs(cut.dual - plain_dual(solver, cut.price)) <= 1e-9;
        /* and elsewhere it is not above the function */
        draw_prices(prop, price);
        holds = holds && bl_solve_dual_of(solver, &cut, price) <= plain_dual(solver, price) + 1e-9;
    }
    bl_solver_destroy(solver);
    return holds;
}

static void an_evaluation_is_the_dual_function_and_its_cut_lies_below_it(void **state)
{
    struct laws *laws = calloc(1, sizeof *laws);

    (void)state;
    assert_true(bl_prop_holds("evaluation", 300, evaluates_as_plain, laws));
    free(laws);
}

static bool counts_in_and_out(struct bl_prop *prop, void *context)
{
    struct laws *laws = context;
    struct bl_solver *solver = bl_solver_create();
    struct bl_solve_cut cut = {0};
    struct bl_solve_cut sum = {0};
    bool holds;

    solve_case_draw(&laws->it, prop, &shape);
    bl_solve_prepare(solver, &laws->it.problem, NULL);
    draw_prices(prop, cut.price);
    sum = cut;
    bl_solve_evaluate(solver, &cut);
    for (size_t j = 0; j < solver->jobs; j++) {
        bl_solve_count_in(solver, j, 1, &sum);
    }
    holds = fabs(sum.value - cut.value) <= 1e-9;
    for (int32_t t = 0; t < solver->types; t++) {
        holds = holds && fabs(sum.use[t] - cut.use[t]) <= 0;
    }
    bl_solver_destroy(solver);
    return holds;
}

static void a_cut_is_the_sum_of_what_its_jobs_count_in(void **state)
{
    struct laws *laws = calloc(1, sizeof *laws);

    (void)state;
    assert_true(bl_prop_holds("count in", 300, counts_in_and_out, laws));
    free(laws);
}

static void of_too_many_cuts_the_lowest_goes(void **state)
{
    struct solve_case *it = calloc(1, sizeof *it);
    struct bl_solver *solver = bl_solver_create();

    (void)state;
    solve_case_read(it, "cap 4; 0:1=4 0:2=6; 0:1=8 0:4=16");
    bl_solve_prepare(solver, &it->problem, NULL);
    for (int i = 0; i <= BL_SOLVE_CUTS_MAX + 20; i++) {
        struct bl_solve_cut cut = {.price = {(double)i / 100}};

        bl_solve_evaluate(solver, &cut);
    }
    assert_int_equal(solver->cut_count, BL_SOLVE_CUTS_MAX);
    bl_solver_destroy(solver);
    free(it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_evaluation_is_the_dual_function_and_its_cut_lies_below_it),
        cmocka_unit_test(a_cut_is_the_sum_of_what_its_jobs_count_in),
        cmocka_unit_test(of_too_many_cuts_the_lowest_goes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
