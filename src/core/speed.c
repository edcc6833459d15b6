#include "core/speed.h"

double bl_speed(const struct bl_view *view, const struct bl_job *job, int32_t type, int32_t gpus,
                int32_t nodes)
{
    (void)view;
    (void)type;
    (void)nodes;
    return bl_curve_speed(&job->spec.curve, job->spec.gpus_min, gpus);
}
