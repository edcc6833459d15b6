/* From a count to GPUs on nodes: best fit, as few nodes as possible, no more than is free. */
#ifndef BL_CORE_PLACE_H
#define BL_CORE_PLACE_H

#include "base/arena.h"
#include "core/cluster.h"
#include "core/job.h"

/* Free resources of every node at some instant, to plan on: start from the books, add and take. */
struct bl_free {
    const struct bl_cluster *cluster;
    bl_time at; /* the instant that it is about: what starts then must end before a drain */
    struct bl_resources
        *node; /* one per node of the cluster; down and drained nodes have nothing */
    struct bl_resources total;
};

/* From the arena; a copy of what is free in the books. */
struct bl_free bl_free_copy(const struct bl_cluster *cluster, struct bl_arena *arena);
void bl_free_add(struct bl_free *free_now, const struct bl_alloc *alloc);
/* May make amounts negative: callers that plan ask with bl_place_fits afterwards. */
void bl_free_take(struct bl_free *free_now, const struct bl_alloc *alloc);

/* Takes away what is not free in `more`, so that what is left is free in both. */
void bl_free_narrow(struct bl_free *window, const struct bl_free *more);

/* Nodes and counts for the job in these amounts, GPUs not named. As bl_place_try otherwise. */
bool bl_place_plan(const struct bl_free *free_then, const struct bl_job *job, int32_t gpus,
                   struct bl_alloc *out);

/* The same with GPUs named, for amounts that are all free in the books now. */
bool bl_place_within(const struct bl_free *limits, const struct bl_job *job, int32_t gpus,
                     struct bl_alloc *out);

/* Whether `gpus` GPUs of the job fit into these amounts. */
bool bl_place_fits(const struct bl_free *free_then, const struct bl_job *job, int32_t gpus);

/* Chooses nodes and GPUs in the cluster's books. True and *out filled (owned by the caller, who
 * finishes it), or false and *out untouched. Deterministic: ties by node index, lowest GPU first.
 */
bool bl_place_try(const struct bl_cluster *cluster, const struct bl_job *job, int32_t gpus,
                  struct bl_alloc *out);

/* The same, but on the first node that holds it all; spread only when none does. */
bool bl_place_first(const struct bl_cluster *cluster, const struct bl_job *job, int32_t gpus,
                    struct bl_alloc *out);

/* A place for a running job on another number of GPUs: on those that it has as far as they go,
 * then on its own nodes, then anywhere. What it does not hold itself must be free. As bl_place_try
 * otherwise. */
bool bl_place_again(const struct bl_cluster *cluster, const struct bl_job *job, int32_t gpus,
                    struct bl_alloc *out);

/* The same in a plan: what is free then, without what the job itself has. GPUs that are not free in
 * the books have no names. */
bool bl_place_again_within(const struct bl_free *free_then, const struct bl_job *job, int32_t gpus,
                           struct bl_alloc *out);

/* As bl_place_try, but on the emptiest nodes, the first of several; of the types, the one with
 * fewest nodes. The parts stand in the order in which they were chosen. */
bool bl_place_widest(const struct bl_cluster *cluster, const struct bl_job *job, int32_t gpus,
                     struct bl_alloc *out);

/* A job of several GPUs that is spread takes its share of flat amounts on each node, rounded up. */
int64_t bl_place_share(int64_t total, int32_t gpus, int64_t all_gpus);

/* GPUs with an identity on the node that the job may have from now on, free or not: others may hold
 * some ahead. */
uint64_t bl_place_mask(const struct bl_cluster *cluster, const struct bl_job *job, int32_t node);

/* For those who place by themselves: whether the job may start on the node now, how many of its
 * `gpus` GPUs it could have there, and `here` of them on a node where they are free, by name. */
bool bl_place_suits(const struct bl_cluster *cluster, const struct bl_job *job, int32_t node);
int32_t bl_place_room(const struct bl_cluster *cluster, const struct bl_job *job, int32_t gpus,
                      int32_t node);
struct bl_alloc_part bl_place_part(const struct bl_cluster *cluster, const struct bl_job *job,
                                   int32_t gpus, int32_t node, int32_t here);

/* GPUs that are free now on nodes that suit the job, wherever they lie. */
int64_t bl_place_count_free(const struct bl_cluster *cluster, const struct bl_job *job);

/* What bars a job even from the empty machine. */
enum bl_misfit {
    BL_MISFIT_NONE,
    BL_MISFIT_GPUS, /* most = GPUs that it could have at most */
    BL_MISFIT_GPU_TYPE,
    BL_MISFIT_POOL,
    BL_MISFIT_GPU_MEM, /* most = bytes of the largest suitable GPU */
    BL_MISFIT_CPU,     /* most = milli-CPUs of the largest suitable node */
    BL_MISFIT_MEM      /* most = bytes of the largest suitable node */
};

struct bl_misfit_report {
    enum bl_misfit kind;
    int64_t most;
};

/* Whether the whole machine, empty and with every node up, could hold the spec; else what is the
 * first thing in its way and how much of it there is. Types and pools are looked up by name. */
struct bl_misfit_report bl_place_check(const struct bl_cluster *cluster,
                                       const struct bl_job_spec *spec);

#endif
