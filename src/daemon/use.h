/* How a job's GPUs were used over one attempt, as points of a curve: a fixed number at the most.
 * When they are full, two become one, and each stands for twice the time from then on. */
#ifndef BL_DAEMON_USE_H
#define BL_DAEMON_USE_H

#include "base/span.h"
#include "core/reason.h"

#include <stddef.h>
#include <stdint.h>

enum { BL_USE_POINTS_MAX = 240 };

/* What was measured of a GPU; -1 = not known. */
struct bl_use_value {
    float busy;        /* in [0, 1] */
    int64_t mem_bytes; /* used */
};

struct bl_use {
    bl_job_id job;
    int32_t attempt;
    size_t gpu_count;
    size_t count;                  /* of points */
    int32_t stride;                /* measurements that a point stands for */
    int32_t pending;               /* of them in the last point; 0 = the next begins another */
    bl_time at[BL_USE_POINTS_MAX]; /* when each began */
    struct bl_use_value value[];   /* BL_USE_POINTS_MAX of each GPU */
};

/* Free it with free. */
struct bl_use *bl_use_create(bl_job_id job, int32_t attempt, size_t gpus);

/* One measurement of all its GPUs: the mean of busy shares and the most of memory are kept. */
void bl_use_add(struct bl_use *use, bl_time at, const struct bl_use_value *values);

const struct bl_use_value *bl_use_value(const struct bl_use *use, size_t gpu, size_t point);

#endif
