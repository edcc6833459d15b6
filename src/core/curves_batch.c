/* The best batch of a placement with few step times: these are dear, and bounds below them are
 * cheap. The norm that joins computing and synchronising is convex, so that its tangent lies below
 * it; so does the Taylor polynomial of odd degree below the exponential of the correction. */
#include "core/curves_parts.h"

#include <math.h>
#include <string.h>

/* Times apart by so little are all looked at: far more than what rounding and ties can do. */
#define NEAR 1e-6

double bl_curves_between(const double found[3], const struct bl_curves_lie *lie)
{
    return found[lie->part] + (found[lie->part + 1] - found[lie->part]) * lie->share;
}

/* By logarithms; level outside. */
static struct bl_curves_lie lie_of(const double batch[3], double local)
{
    int part = log(local) > log(batch[1]) ? 1 : 0;
    double span = log(batch[part + 1]) - log(batch[part]);
    double share = span > 0 ? (log(local) - log(batch[part])) / span : 0;

    return (struct bl_curves_lie){part, fmin(fmax(share, 0), 1)};
}

static struct bl_step plain_step(const struct bl_curves_asking *asking, double local)
{
    const struct bl_curves_subject *subject = &asking->placement->subject;

    return bl_throughput_step(&asking->fit->model,
                              &(struct bl_shape){subject->gpus, subject->nodes, local, 0});
}

struct bl_step bl_curves_step_at(const struct bl_curves_asking *asking, double local,
                                 const struct bl_curves_lie *lie)
{
    struct bl_step step = plain_step(asking, local);
    double factor = exp(bl_curves_between(asking->placement->correction, lie));

    return (struct bl_step){step.step_s * factor, step.compute_s * factor};
}

void bl_curves_plan_batches(struct bl_curves_placement *placement)
{
    const struct bl_batch *limits = &placement->subject.batch;
    struct bl_batch_grid *grid = &placement->grid;

    placement->batch[0] = limits->local_min;
    placement->batch[1] = sqrt(limits->local_min * limits->local_max);
    placement->batch[2] = limits->local_max;
    bl_batch_grid_plan(grid, limits, placement->subject.gpus);
    for (size_t i = 0; i < grid->count; i++) {
        placement->lie[i] = lie_of(placement->batch, grid->at[i].local);
    }
    placement->best = grid->count / 2;
}

void bl_curves_bound_batches(const struct bl_curves_asking *asking)
{
    struct bl_curves_placement *placement = asking->placement;
    const struct bl_throughput *model = &asking->fit->model;
    struct bl_batch_grid *grid = &placement->grid;
    struct bl_step at = plain_step(asking, grid->at[placement->best].local);
    double slope = pow(at.compute_s / at.step_s, model->gamma - 1);
    double here = bl_curves_between(placement->correction, &placement->lie[placement->best]);
    double factor = exp(here);

    for (size_t i = 0; i < grid->count; i++) {
        struct bl_batch_choice *choice = &grid->at[i];
        double more = bl_curves_between(placement->correction, &placement->lie[i]) - here;
        double compute = model->alpha_c + model->beta_c * choice->local;
        double step = at.step_s + slope * (compute - at.compute_s);
        double bound = (compute > step ? compute : step) + choice->accumulation * compute;

        bound *= factor * (1 + more * (1 + more * (0.5 + more / 6)));
        choice->iter_s = bound > 0 ? bound : 0;
        choice->scaled_s = choice->iter_s * grid->initial / choice->global;
    }
    placement->exact = 0;
    memset(placement->reign, 0, sizeof placement->reign);
}

static bool is_exact(const struct bl_curves_placement *placement, size_t i)
{
    return placement->exact >> i & 1;
}

static void time_exactly(const struct bl_curves_asking *asking, size_t i)
{
    struct bl_curves_placement *placement = asking->placement;
    struct bl_batch_choice *choice = &placement->grid.at[i];

    bl_batch_choice_time(choice, placement->grid.initial,
                         bl_curves_step_at(asking, choice->local, &placement->lie[i]));
    placement->exact |= UINT64_C(1) << i;
}

/* For one unit of work, but for a factor that all have. */
static double work_time(const struct bl_batch_choice *choice, const struct bl_noise *noise)
{
    return noise->var * choice->scaled_s + noise->sqr * choice->iter_s;
}

/* Batches whose times, or bounds below them, are under a limit. */
struct shortlist {
    size_t count;
    size_t at[BL_BATCH_CHOICES];
    double time[BL_BATCH_CHOICES];
};

/* The least of the exact times. */
static double least_exact(const struct bl_curves_placement *placement, const struct bl_noise *noise)
{
    double least = INFINITY;

    for (uint64_t left = placement->exact; left; left &= left - 1) {
        double time = work_time(&placement->grid.at[__builtin_ctzll(left)], noise);

        least = time < least ? time : least;
    }
    return least;
}

static void list_below(const struct bl_batch_grid *grid, const struct bl_noise *noise, double limit,
                       struct shortlist *list)
{
    list->count = 0;
    for (size_t i = 0; i < grid->count; i++) {
        list->at[list->count] = i;
        list->time[list->count] = work_time(&grid->at[i], noise);
        list->count += !(list->time[list->count] > limit);
    }
}

static void time_listed(const struct bl_curves_asking *asking, const struct bl_noise *noise,
                        struct shortlist *list, size_t k)
{
    time_exactly(asking, list->at[k]);
    list->time[k] = work_time(&asking->placement->grid.at[list->at[k]], noise);
}

/* Times the batches of the list until one that is timed is the least; answers its time. */
static double time_least(const struct bl_curves_asking *asking, const struct bl_noise *noise,
                         struct shortlist *list)
{
    for (;;) {
        double least = INFINITY;
        size_t found = list->count;

        for (size_t k = 0; k < list->count; k++) {
            /* NOLINTNEXTLINE(clang-analyzer-core.*): up to `count` they are all written */
            found = list->time[k] < least ? k : found;
            least = list->time[k] < least ? list->time[k] : least;
        }
        if (found == list->count || is_exact(asking->placement, list->at[found])) {
            return least;
        }
        time_listed(asking, noise, list, found);
    }
}

/* Times what could matter, and takes what bl_batch_grid_best would. */
static bool find_best(const struct bl_curves_asking *asking, const struct bl_noise *noise)
{
    struct bl_curves_placement *placement = asking->placement;
    double limit = INFINITY;
    struct shortlist list;
    double near;

    list_below(&placement->grid, noise, least_exact(placement, noise) * (1 + NEAR), &list);
    near = time_least(asking, noise, &list) * (1 + NEAR);
    for (size_t k = 0; k < list.count; k++) {
        if (list.time[k] <= near && !is_exact(placement, list.at[k])) {
            time_listed(asking, noise, &list, k);
        }
        if (list.time[k] <= near && list.time[k] < limit) {
            limit = list.time[k] * (1 - BL_BATCH_TIE);
            placement->best = list.at[k];
        }
    }
    return isfinite(limit);
}

/* Between which ratios of the noise the best batch is better than any other by more than ties are:
 * work times are linear in the ratio. */
static struct bl_curves_reign reign_of(const struct bl_curves_placement *placement)
{
    const struct bl_batch_grid *grid = &placement->grid;
    struct bl_curves_reign reign = {.best = placement->best, .high = INFINITY};
    double scaled_s = grid->at[reign.best].scaled_s * (1 + NEAR);
    double iter_s = grid->at[reign.best].iter_s * (1 + NEAR);

    for (size_t i = 0; i < grid->count; i++) {
        double by_var = grid->at[i].scaled_s - scaled_s;
        double by_sqr = grid->at[i].iter_s - iter_s;

        if (i == reign.best || (by_var >= 0 && by_sqr >= 0)) {
            continue;
        }
        if (by_var > 0) {
            reign.low = -by_sqr > reign.low * by_var ? -by_sqr / by_var : reign.low;
        } else {
            reign.high = by_sqr < reign.high * -by_var ? by_sqr / -by_var : reign.high;
        }
    }
    return reign;
}

/* Whether the best batch is known for the noise; then it is set. */
static bool recall_best(struct bl_curves_placement *placement, double ratio)
{
    for (size_t k = 0; k < BL_CURVES_REIGNS; k++) {
        const struct bl_curves_reign *reign = &placement->reign[k];

        if (ratio > reign->low && ratio < reign->high) {
            placement->best = reign->best;
            return true;
        }
    }
    return false;
}

bool bl_curves_best_batch(const struct bl_curves_asking *asking, const struct bl_noise *noise,
                          struct bl_tuned *out)
{
    struct bl_curves_placement *placement = asking->placement;
    struct bl_noise known = bl_noise_or_high(noise);
    const struct bl_batch_grid *grid = &placement->grid;

    if (grid->count == 0) {
        return false;
    }
    if (!recall_best(placement, known.var / known.sqr)) {
        if (!find_best(asking, &known)) {
            return false;
        }
        placement->reign[placement->reigns++ % BL_CURVES_REIGNS] = reign_of(placement);
    }
    out->choice = grid->at[placement->best];
    out->goodput = bl_batch_choice_goodput(&out->choice, grid->initial, &known);
    return true;
}
