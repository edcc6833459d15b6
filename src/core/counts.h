/* On how many GPUs a job may run. */
#ifndef BL_CORE_COUNTS_H
#define BL_CORE_COUNTS_H

#include "core/job.h"
#include "core/view.h"

enum {
    BL_COUNTS_MAX = 512,     /* choices that are ever looked at for one job */
    BL_COUNTS_ALL_UP_TO = 64 /* GPUs of a small pool */
};

/* What a range of counts means. */
enum bl_counts {
    BL_COUNTS_AUTO, /* every count where the pool is small, else round ones */
    BL_COUNTS_POW2, /* round ones: powers of two below a node, whole nodes, and both ends */
    BL_COUNTS_ALL   /* every count */
};

/* The GPUs that a job may be given: all of them, and on the largest node. */
struct bl_count_pool {
    int64_t gpus;
    int32_t node_gpus;
    enum bl_counts counts;
};

struct bl_count_pool bl_count_pool_of(const struct bl_cluster *cluster, const struct bl_job *job);

/* Rising, at least one, none over what the pool has unless the least one is: the job's own list,
 * else those of its range that `pool->counts` names. */
size_t bl_job_counts(const struct bl_job_spec *spec, const struct bl_count_pool *pool,
                     int32_t out[BL_COUNTS_MAX]);

/* The same as things stand: what somebody wished is the only choice then. */
size_t bl_job_choices(const struct bl_view *view, const struct bl_job *job, enum bl_counts counts,
                      int32_t out[BL_COUNTS_MAX]);

#endif
