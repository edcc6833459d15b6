#include "core/fit_field.h"

#include <math.h>
#include <string.h>

/* Natural logarithms over which likeness falls to 1/e: about two doublings of GPUs or nodes, and
 * four of the batch, which changes a time less. */
#define REACH_GPUS  1.4
#define REACH_NODES 1.4
#define REACH_BATCH 2.8

struct bl_fit_place bl_fit_field_place(const struct bl_shape *shape)
{
    return (struct bl_fit_place){
        .gpus = log(shape->gpus) / REACH_GPUS,
        .nodes = shape->nodes > 1 ? log(shape->nodes) / REACH_NODES : 0,
        .batch = log(shape->local_batch) / REACH_BATCH,
    };
}

static double likeness(const struct bl_fit_place *a, const struct bl_fit_place *b)
{
    return exp(-fabs(a->gpus - b->gpus) - fabs(a->nodes - b->nodes) - fabs(a->batch - b->batch));
}

void bl_fit_field_make(struct bl_fit *fit, const double *left)
{
    double *entry = fit->factor;

    if (!fit->point_count) {
        return;
    }
    for (size_t i = 0; i < fit->point_count; i++) {
        for (size_t j = 0; j < i; j++) {
            *entry++ = fit->variance * likeness(&fit->place[i], &fit->place[j]);
        }
        *entry++ = fit->variance + fit->weight[i] + 1e-9;
    }
    memcpy(fit->weight, left, fit->point_count * sizeof *left);
    if (!bl_cholesky_factor(fit->factor, fit->point_count)) {
        fit->point_count = 0;
        return;
    }
    bl_cholesky_forward(fit->factor, fit->point_count, fit->weight);
    bl_cholesky_backward(fit->factor, fit->point_count, fit->weight);
}

double bl_fit_field_mean(const struct bl_fit *fit, const struct bl_shape *shape)
{
    struct bl_fit_place place = bl_fit_field_place(shape);
    double sum = 0;

    for (size_t i = 0; i < fit->point_count; i++) {
        sum += fit->weight[i] * (fit->variance * likeness(&fit->place[i], &place));
    }
    return sum;
}

struct bl_fit_look bl_fit_field_look(const struct bl_fit *fit, const struct bl_shape *shape)
{
    struct bl_fit_place place = bl_fit_field_place(shape);
    double known[BL_FIT_POINTS_MAX];
    double mean = 0;
    double told = 0;

    for (size_t i = 0; i < fit->point_count; i++) {
        known[i] = fit->variance * likeness(&fit->place[i], &place);
        mean += fit->weight[i] * known[i];
    }
    bl_cholesky_forward(fit->factor, fit->point_count, known);
    for (size_t i = 0; i < fit->point_count; i++) {
        told += known[i] * known[i];
    }
    return (struct bl_fit_look){mean, fmax(fit->variance - told, 0)};
}
