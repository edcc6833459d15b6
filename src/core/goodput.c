#include "core/goodput.h"

#include <math.h>

/* Where a quotient is whole but for rounding it is taken as whole. */
#define ROUNDING 1e-8

bool bl_batch_is_given(const struct bl_batch *batch)
{
    return batch->initial > 0 && batch->max >= batch->initial && isfinite(batch->max) &&
           batch->local_min > 0 && batch->local_max >= batch->local_min;
}

double bl_goodput_gain(const struct bl_noise *noise, double scale)
{
    double below = noise->var / scale + noise->sqr;
    double gain = (noise->var + noise->sqr) / below;

    if (!(noise->var > 0) || !(noise->sqr >= 0) || !isfinite(gain)) {
        return scale;
    }
    return fmin(fmax(gain, 1), scale);
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

static bool make_choice(struct bl_batch_choice *out, const struct bl_batch *batch, int32_t gpus,
                        const struct bl_steps *steps)
{
    struct bl_step step;

    out->accumulation = accumulation_of(batch, gpus, out->global);
    out->local = ceil(out->global / gpus / (out->accumulation + 1) - ROUNDING);
    out->global = out->local * gpus * (out->accumulation + 1);
    step = steps->at(steps->self, out->local);
    out->iter_s = bl_step_iteration(step, out->accumulation);
    return is_time(step.step_s) && step.compute_s >= 0 && is_time(out->iter_s);
}

void bl_batch_grid_make(struct bl_batch_grid *grid, const struct bl_batch *batch, int32_t gpus,
                        const struct bl_steps *steps)
{
    double least = fmax(batch->initial, batch->local_min * gpus);
    double ratio = log(batch->max / least) / (BL_BATCH_CHOICES - 1);

    grid->count = 0;
    grid->initial = batch->initial;
    if (!bl_batch_is_given(batch) || gpus < 1 || least > batch->max) {
        return;
    }
    for (int i = 0; i < BL_BATCH_CHOICES; i++) {
        struct bl_batch_choice *choice = &grid->at[grid->count];

        choice->global = i == BL_BATCH_CHOICES - 1 ? batch->max : least * exp(i * ratio);
        grid->count += make_choice(choice, batch, gpus, steps);
    }
}

bool bl_batch_grid_best(const struct bl_batch_grid *grid, const struct bl_noise *noise,
                        struct bl_tuned *out)
{
    double most = 0;
    size_t best = 0;

    for (size_t i = 0; i < grid->count; i++) {
        const struct bl_batch_choice *choice = &grid->at[i];
        double goodput = bl_goodput_gain(noise, choice->global / grid->initial) / choice->iter_s;

        if (goodput > most * (1 + 1e-9)) {
            most = goodput;
            best = i;
        }
    }
    if (most > 0) {
        *out = (struct bl_tuned){grid->at[best], most};
    }
    return most > 0;
}

bool bl_goodput_best(const struct bl_batch *batch, const struct bl_noise *noise, int32_t gpus,
                     const struct bl_steps *steps, struct bl_tuned *out)
{
    struct bl_batch_grid grid;

    bl_batch_grid_make(&grid, batch, gpus, steps);
    return bl_batch_grid_best(&grid, noise, out);
}
