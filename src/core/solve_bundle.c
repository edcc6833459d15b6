#include "core/solve_parts.h"

#include <math.h>

/* When the dual function is known well enough: small problems go on until it is known exactly. */
static double enough(const struct bl_solver *solver)
{
    return bl_solve_is_large(solver) ? 2e-7 : 1e-9;
}

/* How far the prices may move: `reach` times each price, and a little where a price is near 0. */
static void draw_box(const struct bl_solver *solver, double reach, struct bl_solve_box *box)
{
    double size = fabs(solver->best.dual) + 1e-290;

    for (int32_t t = 0; t < solver->types; t++) {
        double room = solver->room[t] > 0 ? (double)solver->room[t] : 1;
        double width =
            solver->room[t] > 0 ? reach * fmax(solver->best.price[t], 1e-3 * size / room) : 0;

        box->low[t] = fmax(0, solver->best.price[t] - width);
        box->high[t] = solver->best.price[t] + width;
    }
}

/* Whether a price was stopped by a side of the box that is not the end of all prices. */
static bool is_at_side(const struct bl_solver *solver, const struct bl_solve_box *box,
                       const double *price)
{
    for (int32_t t = 0; t < solver->types; t++) {
        double near = 1e-9 * (box->high[t] - box->low[t]);

        if (solver->room[t] > 0 && (price[t] >= box->high[t] - near ||
                                    (price[t] <= box->low[t] + near && box->low[t] > 0))) {
            return true;
        }
    }
    return false;
}

static bool may_go_on(const struct bl_solver *solver)
{
    return solver->evaluations < BL_SOLVE_EVALUATIONS_MAX &&
           solver->work + (int64_t)solver->jobs * solver->types <= solver->budget;
}

void bl_solve_descend(struct bl_solver *solver)
{
    double reach = solver->is_warm ? 0.05 : 0.3;

    while (may_go_on(solver) && reach > 1e-12) {
        struct bl_solve_box box;
        struct bl_solve_cut cut = {0};
        double before = solver->best.dual;
        double promised;
        bool is_stopped;

        draw_box(solver, reach, &box);
        promised = before - bl_solve_master(solver, &box, cut.price);
        is_stopped = is_at_side(solver, &box, cut.price);
        if (promised <= enough(solver) * fabs(before)) {
            if (!is_stopped || reach > 1e6) {
                return;
            }
            reach *= 4;
            continue;
        }
        bl_solve_evaluate(solver, &cut);
        if (before - solver->best.dual >= 0.1 * promised) {
            reach *= is_stopped ? 2.5 : 1;
        } else {
            reach *= 0.5;
        }
    }
}
