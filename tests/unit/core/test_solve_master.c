#include "bl_test.h"
#include "core/solve_parts.h"
#include "prop.h"

#include <math.h>

enum { GRID = 40 };

static double highest_cut(const struct bl_solver *solver, const double *price)
{
    double highest = -HUGE_VAL;

    for (size_t i = 0; i < solver->cut_count; i++) {
        highest = fmax(highest, bl_solve_dual_of(solver, &solver->cut[i], price));
    }
    return highest;
}

static void draw_cuts(struct bl_prop *prop, struct bl_solver *solver)
{
    solver->types = 2;
    solver->cut_count = (size_t)bl_prop_between(prop, 1, 12);
    for (int32_t t = 0; t < 2; t++) {
        solver->room[t] = bl_prop_between(prop, 1, 20);
    }
    for (size_t i = 0; i < solver->cut_count; i++) {
        solver->cut[i].value = (double)bl_prop_between(prop, 0, 50);
        for (int32_t t = 0; t < 2; t++) {
            solver->cut[i].use[t] = (double)bl_prop_between(prop, 0, 40);
        }
    }
    solver->best.dual = 30;
}

/* No point of a grid over the box is below the master's, which is what it says it is. */
static bool is_least_in_box(struct bl_prop *prop, void *context)
{
    struct bl_solver *solver = calloc(1, sizeof *solver);
    struct bl_solve_box box = {{0}, {0}};
    double price[BL_SOLVE_TYPES_MAX] = {0};
    double least;
    bool holds;

    (void)context;
    draw_cuts(prop, solver);
    for (int32_t t = 0; t < 2; t++) {
        box.low[t] = (double)bl_prop_between(prop, 0, 10) / 10;
        box.high[t] = box.low[t] + (double)bl_prop_between(prop, 0, 20) / 10;
        solver->best.price[t] = box.low[t];
    }
    least = bl_solve_master(solver, &box, price);
    holds = fabs(highest_cut(solver, price) - least) <= 1e-7 * (1 + fabs(least));
    for (int a = 0; a <= GRID && holds; a++) {
        for (int b = 0; b <= GRID && holds; b++) {
            double at[BL_SOLVE_TYPES_MAX] = {box.low[0] + a * (box.high[0] - box.low[0]) / GRID,
                                             box.low[1] + b * (box.high[1] - box.low[1]) / GRID};

            holds = highest_cut(solver, at) >= least - 1e-7 * (1 + fabs(least));
        }
    }
    free(solver);
    return holds;
}

static void the_master_finds_the_lowest_point_of_the_highest_cuts(void **state)
{
    (void)state;
    assert_true(bl_prop_holds("master", 300, is_least_in_box, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_master_finds_the_lowest_point_of_the_highest_cuts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
