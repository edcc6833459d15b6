/* On how many GPUs a job may run. */
#ifndef BL_CORE_COUNTS_H
#define BL_CORE_COUNTS_H

#include "core/job.h"
#include "core/view.h"

enum {
    BL_COUNTS_MAX = 512,     /* choices that are ever looked at for one job */
    BL_COUNTS_ALL_UP_TO = 64 /* in a pool of so many GPUs a range means every count */
};

/* The GPUs that a job may be given: all of them, and on the largest node. */
struct bl_count_pool {
    int64_t gpus;
    int32_t node_gpus;
};

struct bl_count_pool bl_count_pool_of(const struct bl_cluster *cluster, const struct bl_job *job);

/* Rising, at least one, none over what the pool has unless the least one is: the job's own list;
 * else every count of its range where the pool is small; else powers of two below a node, whole
 * nodes, and both ends. */
size_t bl_job_counts(const struct bl_job_spec *spec, const struct bl_count_pool *pool,
                     int32_t out[BL_COUNTS_MAX]);

/* The same as things stand: what somebody wished is the only choice then. */
size_t bl_job_choices(const struct bl_view *view, const struct bl_job *job,
                      int32_t out[BL_COUNTS_MAX]);

#endif
