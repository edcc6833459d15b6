/* What a job of a spec could hold on a machine, as options of a bound: only those that are not
 * worse than a mixture of others. */
#ifndef BL_CORE_BOUND_OPTIONS_H
#define BL_CORE_BOUND_OPTIONS_H

#include "core/bound.h"
#include "core/job.h"

/* GPUs that are alike for a job: of one pool and type. */
struct bl_bound_class {
    int32_t pool, type;
    int64_t gpus;          /* of all nodes that are not down */
    int64_t most_on_node;  /* of the largest */
    int64_t gpu_mem_bytes; /* of the best */
};

struct bl_bound_machine {
    struct bl_bound_class *class; /* owned */
    double *capacity;             /* owned: of each class, for bl_bound_problem */
    size_t class_count;           /* at least 1: a machine without GPUs has one that nobody uses */
};

void bl_bound_machine_init(struct bl_bound_machine *machine, const struct bl_cluster *cluster);
void bl_bound_machine_finish(struct bl_bound_machine *machine);

/* How many options a job can have at most on this machine. */
size_t bl_bound_options_max(const struct bl_bound_machine *machine);

/* Fills `out`; answers how many. The job's type and pool are resolved. Speeds are those of its own
 * curve, or what brings it to its end by its limit where that is more. */
size_t bl_bound_options(const struct bl_bound_machine *machine, const struct bl_job *job,
                        struct bl_bound_option *out);

/* Adds an option of the same type with more GPUs than the `count` that are there, and keeps only
 * the corners of the least concave curve above nothing and all of them. Answers how many are left.
 */
size_t bl_bound_push(struct bl_bound_option *out, size_t count, struct bl_bound_option next);

#endif
