#include "core/solve_parts.h"

#include <math.h>

double bl_solve_clamp(double value)
{
    return fmax(-BL_SOLVE_VALUE_MAX, fmin(BL_SOLVE_VALUE_MAX, value));
}

static bool is_kept(const struct bl_solve_problem *problem, size_t job)
{
    int32_t keep = problem->keep ? problem->keep[job] : BL_SOLVE_NONE;
    const struct bl_solve_option *option;

    if (keep < 0 || (size_t)keep >= problem->first[job + 1] - problem->first[job]) {
        return false;
    }
    option = &problem->option[problem->first[job] + (size_t)keep];
    return option->type >= 0 && option->type < problem->types && option->gpus >= 0;
}

/* None, and the free option that is better than it. */
static struct bl_solve_base find_base(const struct bl_solve_problem *problem, size_t job)
{
    struct bl_solve_base base = {.none_option = BL_SOLVE_NONE, .is_kept = is_kept(problem, job)};

    if (problem->none && !isnan(problem->none[job])) {
        base.none = bl_solve_clamp(problem->none[job]);
    }
    for (size_t i = problem->first[job]; i < problem->first[job + 1]; i++) {
        const struct bl_solve_option *at = &problem->option[i];

        if (at->gpus == 0 && at->type >= 0 && at->type < problem->types && at->value > base.none) {
            base.none = bl_solve_clamp(at->value);
            base.none_option = (int32_t)(i - problem->first[job]);
        }
    }
    return base;
}

void bl_solve_survey_job(struct bl_solver *solver, size_t job)
{
    const struct bl_solve_problem *problem = solver->problem;
    struct bl_solve_base base = find_base(problem, job);

    solver->base.at[job] = base;
    for (size_t i = problem->first[job]; i < problem->first[job + 1]; i++) {
        const struct bl_solve_option *at = &problem->option[i];

        if (!base.is_kept && at->value > base.none && at->type >= 0 && at->type < solver->types &&
            at->gpus > 0) {
            solver->largest_gpus[at->type] = at->gpus > solver->largest_gpus[at->type]
                                                 ? at->gpus
                                                 : solver->largest_gpus[at->type];
            if (at->gpus <= problem->capacity[at->type]) {
                solver->largest = fmax(solver->largest, bl_solve_clamp(at->value) - base.none);
            }
        }
    }
}

void bl_solve_sum_up(struct bl_solver *solver)
{
    const struct bl_solve_problem *problem = solver->problem;

    solver->kept_value = 0;
    for (int32_t t = 0; t < solver->types; t++) {
        solver->capacity[t] = problem->capacity[t] > 0 ? problem->capacity[t] : 0;
        solver->room[t] = solver->capacity[t];
    }
    for (size_t j = 0; j < solver->jobs; j++) {
        if (solver->base.at[j].is_kept) {
            const struct bl_solve_option *option =
                &problem->option[problem->first[j] + (size_t)problem->keep[j]];

            solver->room[option->type] -= option->gpus;
            solver->kept_value += isnan(option->value) ? 0 : bl_solve_clamp(option->value);
        } else {
            solver->kept_value += solver->base.at[j].none;
        }
    }
}
