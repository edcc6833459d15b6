#include "core/goodput.h"

#include <math.h>

/* Where a quotient is whole but for rounding it is taken as whole. */
#define ROUNDING 1e-8

bool bl_batch_is_given(const struct bl_batch *batch)
{
    return batch->initial > 0 && batch->max >= batch->initial && isfinite(batch->max) &&
           batch->local_min > 0 && batch->local_max >= batch->local_min;
}

bool bl_noise_is_known(const struct bl_noise *noise)
{
    return noise->var > 0 && noise->sqr >= 0 && isfinite(noise->var + noise->sqr);
}

struct bl_noise bl_noise_or_high(const struct bl_noise *noise)
{
    return bl_noise_is_known(noise) ? *noise : (struct bl_noise){0, 1};
}

double bl_goodput_gain(const struct bl_noise *noise, double scale)
{
    if (!bl_noise_is_known(noise)) {
        return scale;
    }
    return (noise->var + noise->sqr) / (noise->var / scale + noise->sqr);
}

static bool is_time(double seconds)
{
    return isfinite(seconds) && seconds > 0;
}

/* Micro-steps beyond the first: as many as the GPU's memory asks for. One GPU alone with a larger
 * batch than the initial one takes two, for noise is measured between micro-steps. */
static int32_t accumulation_of(const struct bl_batch *batch, int32_t gpus, double global)
{
    double steps = ceil(global / gpus / batch->local_max - ROUNDING) - 1;
    bool must_split = gpus == 1 && global > batch->initial + ROUNDING;

    return (int32_t)fmin(fmax(steps, must_split), 1e6);
}

static struct bl_batch_choice choice_near(const struct bl_batch *batch, int32_t gpus, double global)
{
    struct bl_batch_choice choice = {.accumulation = accumulation_of(batch, gpus, global)};

    choice.local = ceil(global / gpus / (choice.accumulation + 1) - ROUNDING);
    choice.global = choice.local * gpus * (choice.accumulation + 1);
    return choice;
}

/* Small batches, made of whole samples, come several times. */
static bool is_repeated(const struct bl_batch_grid *grid, const struct bl_batch_choice *choice)
{
    const struct bl_batch_choice *last = &grid->at[grid->count - 1];

    return last->local >= choice->local && last->local <= choice->local &&
           last->accumulation == choice->accumulation;
}

void bl_batch_grid_plan(struct bl_batch_grid *grid, const struct bl_batch *batch, int32_t gpus)
{
    double least = fmax(batch->initial, batch->local_min * gpus);
    double ratio = log(batch->max / least) / (BL_BATCH_CHOICES - 1);

    grid->count = 0;
    grid->initial = batch->initial;
    if (!bl_batch_is_given(batch) || gpus < 1 || least > batch->max) {
        return;
    }
    for (int i = 0; i < BL_BATCH_CHOICES; i++) {
        double global = i == BL_BATCH_CHOICES - 1 ? batch->max : least * exp(i * ratio);
        struct bl_batch_choice choice = choice_near(batch, gpus, global);

        if (grid->count == 0 || !is_repeated(grid, &choice)) {
            grid->at[grid->count++] = choice;
        }
    }
}

void bl_batch_choice_time(struct bl_batch_choice *choice, double initial, struct bl_step step)
{
    double seconds = bl_step_iteration(step, choice->accumulation);
    bool is_timed = is_time(step.step_s) && step.compute_s >= 0 && is_time(seconds);

    choice->iter_s = is_timed ? seconds : INFINITY;
    choice->scaled_s = choice->iter_s * initial / choice->global;
}

double bl_batch_choice_goodput(const struct bl_batch_choice *choice, double initial,
                               const struct bl_noise *noise)
{
    return bl_goodput_gain(noise, choice->global / initial) / choice->iter_s;
}

void bl_batch_grid_make(struct bl_batch_grid *grid, const struct bl_batch *batch, int32_t gpus,
                        const struct bl_steps *steps)
{
    size_t kept = 0;

    bl_batch_grid_plan(grid, batch, gpus);
    for (size_t i = 0; i < grid->count; i++) {
        struct bl_batch_choice choice = grid->at[i];

        bl_batch_choice_time(&choice, grid->initial, steps->at(steps->self, choice.local));
        if (isfinite(choice.iter_s)) {
            grid->at[kept++] = choice;
        }
    }
    grid->count = kept;
}

/* A choice's time for one unit of work is (var initial / global + sqr) iter / (var + sqr): the
 * least is found without a division. */
bool bl_batch_grid_best(const struct bl_batch_grid *grid, const struct bl_noise *noise,
                        struct bl_tuned *out)
{
    struct bl_noise known = bl_noise_or_high(noise);
    double least = INFINITY;
    double limit = INFINITY;
    size_t best = 0;

    for (size_t i = 0; i < grid->count; i++) {
        const struct bl_batch_choice *choice = &grid->at[i];
        double time = known.var * choice->scaled_s + known.sqr * choice->iter_s;

        if (time < limit) {
            least = time;
            limit = time * (1 - BL_BATCH_TIE);
            best = i;
        }
    }
    if (!isfinite(least)) {
        return false;
    }
    out->choice = grid->at[best];
    out->goodput = bl_batch_choice_goodput(&out->choice, grid->initial, &known);
    return true;
}

bool bl_goodput_best(const struct bl_batch *batch, const struct bl_noise *noise, int32_t gpus,
                     const struct bl_steps *steps, struct bl_tuned *out)
{
    struct bl_batch_grid grid;

    bl_batch_grid_make(&grid, batch, gpus, steps);
    return bl_batch_grid_best(&grid, noise, out);
}
