#include "core/noise_table.h"

#include <math.h>
#include <string.h>

/* Ratios beyond these say no more than these. */
#define RATIO_LEAST 1e-9
#define RATIO_MOST  1e9

static struct bl_noise_step joined(struct bl_noise_step a, struct bl_noise_step b)
{
    double count = a.count + b.count;

    if (count <= 0) {
        return (struct bl_noise_step){0, 0};
    }
    return (struct bl_noise_step){(a.mean * a.count + b.mean * b.count) / count,
                                  fmin(count, BL_NOISE_COUNT_MAX)};
}

static void widen(struct bl_noise_table *table)
{
    struct bl_noise_step *step = table->step;

    for (size_t i = 0; i < BL_NOISE_STEPS / 2; i++) {
        step[i] = joined(step[2 * i], step[2 * i + 1]);
    }
    memset(step + BL_NOISE_STEPS / 2, 0, BL_NOISE_STEPS / 2 * sizeof *step);
    table->width *= 2;
}

/* The first report beyond zero sets the scale: it comes early in a run. */
static int step_of(struct bl_noise_table *table, double done)
{
    if (table->width <= 0) {
        table->width = done > 0 ? done : 1;
    }
    while (done >= table->width * BL_NOISE_STEPS) {
        widen(table);
    }
    return (int)(done / table->width);
}

void bl_noise_table_add(struct bl_noise_table *table, double done, const struct bl_noise *noise)
{
    struct bl_noise_step *step;

    if (!bl_noise_is_known(noise) || !(done >= 0) || done > 1e300) {
        return;
    }
    step = &table->step[step_of(table, done)];
    step->count = fmin(step->count + 1, BL_NOISE_COUNT_MAX);
    step->mean +=
        (log(fmin(fmax(noise->var / fmax(noise->sqr, noise->var * RATIO_LEAST), RATIO_LEAST),
                  RATIO_MOST)) -
         step->mean) /
        step->count;
}

struct bl_noise bl_noise_table_at(const struct bl_noise_table *table, double done)
{
    double place = table->width > 0 && done > 0 ? done / table->width - 0.5 : 0;
    int before = -1;
    int after = -1;
    double mean;

    for (int i = 0; i < BL_NOISE_STEPS; i++) {
        if (table->step[i].count > 0 && i <= place) {
            before = i;
        } else if (table->step[i].count > 0) {
            after = i;
            break;
        }
    }
    if (before < 0 && after < 0) {
        return (struct bl_noise){0, 0};
    }
    mean = table->step[before >= 0 ? before : after].mean;
    if (before >= 0 && after >= 0) {
        mean += (table->step[after].mean - mean) * (place - before) / (after - before);
    }
    return (struct bl_noise){.sqr = 1, .var = exp(mean)};
}
