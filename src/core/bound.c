#include "core/bound.h"

#include "base/own.h"
#include "core/bound_job.h"
#include "core/bound_search.h"

#include <assert.h>
#include <math.h>

/* How much of a job's value the certificate may give away to be quick, and how much of the bound is
 * given away for instants that are whole microseconds and for sums in double. */
#define PRECISION  1e-6
#define PART_GIVEN 1e-9
#define TIME_GIVEN 2e-6

double bl_bound_alone(const struct bl_bound_problem *problem)
{
    double sum = 0;

    for (size_t i = 0; i < problem->job_count; i++) {
        sum += bl_bound_fastest(&problem->job[i]);
    }
    return problem->job_count > 0
               ? fmax(0, sum / (double)problem->job_count * (1 - PART_GIVEN) - TIME_GIVEN)
               : NAN;
}

double bl_bound_supply(const struct bl_bound_problem *problem, const struct bl_price_path *path)
{
    double supply = 0;

    for (size_t type = 0; type < path->type_count; type++) {
        supply += problem->capacity[type] * bl_price_path_paid(path, type, bl_price_path_end(path));
    }
    return supply;
}

double bl_bound_at(const struct bl_bound_problem *problem, const struct bl_price_path *path)
{
    struct bl_bound_scratch scratch;
    double supply = bl_bound_supply(problem, path);
    double count = (double)problem->job_count;
    double sum = 0;

    if (problem->job_count == 0) {
        return NAN;
    }
    bl_bound_scratch_init(&scratch, path->cell_count);
    for (size_t i = 0; i < problem->job_count; i++) {
        struct bl_bound_answer answer;
        double reward = 0;

        assert(problem->job[i].release >= path->edge[0]);
        bl_bound_buy(&scratch, &problem->job[i], path, PRECISION, &reward, &answer);
        sum += answer.value;
    }
    bl_bound_scratch_finish(&scratch);
    return (sum - supply) / count - PART_GIVEN * (fabs(sum) + supply) / count - TIME_GIVEN;
}

double bl_bound_mean(const struct bl_bound_problem *problem)
{
    double alone = bl_bound_alone(problem);
    struct bl_price_path path;
    double found;

    if (!bl_bound_find_prices(problem, &path)) {
        return alone;
    }
    found = bl_bound_at(problem, &path);
    bl_price_path_finish(&path);
    return fmax(alone, found);
}
