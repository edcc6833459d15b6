/* How fast a job runs on an allocation, as policies see it. */
#ifndef BL_CORE_SPEED_H
#define BL_CORE_SPEED_H

#include "core/view.h"

/* Relative to the job's reference, its least count on the slowest type that it may use: > 0 and
 * finite. `type` is an index of the cluster's, -1 = any; `nodes` 0 = as few as hold it. */
double bl_speed(const struct bl_view *view, const struct bl_job *job, int32_t type, int32_t gpus,
                int32_t nodes);

#endif
