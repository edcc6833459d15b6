#include "core/solve_parts.h"

#include <math.h>

enum { STEPS_MAX = 12, STEPS_STEEP = 5 };

/* What a GPU of each type is worth to those who could take the most of them. */
static void guess(const struct bl_solver *solver, double *price)
{
    double value[BL_SOLVE_TYPES_MAX] = {0};
    double gpus[BL_SOLVE_TYPES_MAX] = {0};

    for (size_t j = 0; j < solver->jobs; j++) {
        for (int32_t t = 0; t < solver->types; t++) {
            const struct bl_solve_corner *corner =
                &solver->corners.at[solver->envelope.at[j * (size_t)solver->types + (size_t)t]];

            while (corner->slope >= 0) {
                corner++;
            }
            value[t] += corner->value;
            gpus[t] += corner->gpus;
        }
    }
    for (int32_t t = 0; t < solver->types; t++) {
        price[t] = gpus[t] > 0 ? value[t] / gpus[t] : 0;
    }
}

/* Dearer where too much is asked for, cheaper where too little. True when no price moved much. */
static bool scale_prices(const struct bl_solver *solver, const struct bl_solve_cut *cut,
                         double power, double *price)
{
    bool is_near = true;

    for (int32_t t = 0; t < solver->types; t++) {
        double room = (double)solver->room[t];
        double factor = room > 0 ? pow(cut->use[t] / room, power) : 1;

        is_near = is_near && factor > 0.98 && factor < 1.02;
        price[t] *= fmin(20, fmax(0.05, factor));
    }
    return is_near;
}

void bl_solve_start(struct bl_solver *solver)
{
    struct bl_solve_cut cut = {0};
    double first[BL_SOLVE_TYPES_MAX] = {0};
    bool is_near = false;

    guess(solver, first);
    for (int32_t t = 0; t < solver->types; t++) {
        cut.price[t] = first[t];
    }
    for (int step = 0; step < STEPS_MAX && !is_near; step++) {
        bl_solve_evaluate(solver, &cut);
        is_near = scale_prices(solver, &cut, step < STEPS_STEEP ? 0.8 : 0.5, cut.price);
        for (int32_t t = 0; t < solver->types; t++) {
            cut.price[t] = cut.price[t] < 1e-9 * first[t] ? 0 : cut.price[t];
        }
    }
}
