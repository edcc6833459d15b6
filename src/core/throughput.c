#include "core/throughput.h"

#include <math.h>

double bl_throughput_growth(int32_t gpus)
{
    return gpus > 2 ? log2(gpus / 2.0) : 0;
}

static double network_time(const struct bl_throughput *model, const struct bl_shape *shape)
{
    double growth = bl_throughput_growth(shape->gpus);

    if (shape->nodes > 1) {
        return model->alpha_n + model->beta_n * growth;
    }
    return shape->gpus > 1 ? model->alpha_r + model->beta_r * growth : 0;
}

/* (a^g + b^g)^(1/g) without the powers that overflow. */
static double overlapped(double a, double b, double gamma)
{
    double large = fmax(a, b);
    double small = fmin(a, b);

    return small > 0 ? large * pow(1 + pow(small / large, gamma), 1 / gamma) : large;
}

struct bl_step bl_throughput_step(const struct bl_throughput *model, const struct bl_shape *shape)
{
    double compute = model->alpha_c + model->beta_c * shape->local_batch;

    return (struct bl_step){
        .step_s = overlapped(compute, network_time(model, shape), model->gamma),
        .compute_s = compute,
    };
}

double bl_step_iteration(struct bl_step step, int32_t accumulation)
{
    return step.step_s + accumulation * step.compute_s;
}
