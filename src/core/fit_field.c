#include "core/fit_field.h"

#include <math.h>
#include <string.h>

/* Natural logarithms over which likeness falls to 1/e: about two doublings of GPUs or nodes, and
 * four of the batch, which changes a time less. */
#define REACH_GPUS  1.4
#define REACH_NODES 1.4
#define REACH_BATCH 2.8

static double likeness(const struct bl_shape *a, const struct bl_shape *b)
{
    double gpus = a->gpus == b->gpus ? 0 : fabs(log((double)a->gpus / b->gpus));
    double nodes = a->nodes == b->nodes ? 0 : fabs(log((double)a->nodes / b->nodes));
    double batch = fabs(log(a->local_batch / b->local_batch));

    return exp(-gpus / REACH_GPUS - nodes / REACH_NODES - batch / REACH_BATCH);
}

void bl_fit_field_make(struct bl_fit *fit, const double *left)
{
    double *entry = fit->factor;

    if (!fit->point_count) {
        return;
    }
    for (size_t i = 0; i < fit->point_count; i++) {
        for (size_t j = 0; j < i; j++) {
            *entry++ = fit->variance * likeness(&fit->shape[i], &fit->shape[j]);
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
    double sum = 0;

    for (size_t i = 0; i < fit->point_count; i++) {
        sum += fit->weight[i] * likeness(&fit->shape[i], shape);
    }
    return fit->variance * sum;
}

double bl_fit_field_variance(const struct bl_fit *fit, const struct bl_shape *shape)
{
    double known[BL_FIT_POINTS_MAX];
    double sum = 0;

    for (size_t i = 0; i < fit->point_count; i++) {
        known[i] = fit->variance * likeness(&fit->shape[i], shape);
    }
    bl_cholesky_forward(fit->factor, fit->point_count, known);
    for (size_t i = 0; i < fit->point_count; i++) {
        sum += known[i] * known[i];
    }
    return fmax(fit->variance - sum, 0);
}

double bl_fit_field_freedom(const struct bl_fit *fit, const struct bl_shape *shape)
{
    return bl_fit_field_variance(fit, shape) / fit->variance;
}
