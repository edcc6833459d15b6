/* What is held ahead on each node, for placement: GPUs that are not free for a job although nobody
 * is on them, because they are somebody else's before the job is sure to be gone.
 *
 * The cluster points to the index; whoever places asks it node by node, and asks for nothing where
 * nothing is held. */
#ifndef BL_CORE_HOLD_H
#define BL_CORE_HOLD_H

#include "core/cluster.h"
#include "core/job.h"
#include "core/saves.h"

/* One occurrence's share of a node. */
struct bl_hold {
    int64_t booking;   /* negative: a promise to that job */
    const char *owner; /* of a booking, where it has one; borrowed for as long as the core lives */
    bl_time start, end;
    bool is_open; /* it has begun: its own jobs may start */
    struct bl_alloc_part part;
    struct bl_resources sum;     /* of all that is held on the node when this one starts */
    struct bl_resources covered; /* of what runs there now: that will be gone then */
};

/* Of a node, in order of their starts. */
struct bl_node_holds {
    struct bl_hold *at;
    size_t count;
    size_t capacity;
};

struct bl_holds {
    struct bl_node_holds *node; /* by the cluster's indices */
    size_t node_count;
    size_t count; /* of all nodes */
    const struct bl_saves *saves;
};

void bl_holds_clear(struct bl_holds *holds, size_t node_count);
/* In order of `hold->start`. */
void bl_holds_add(struct bl_holds *holds, const struct bl_hold *hold);
/* After the last one. */
void bl_holds_settle(struct bl_holds *holds);
/* Forgets what runs; then each job on its GPUs that will be gone by `until`. */
void bl_holds_uncover(struct bl_holds *holds);
void bl_holds_cover(struct bl_holds *holds, const struct bl_alloc *alloc, const struct bl_job *job,
                    bl_time until);
void bl_holds_finish(struct bl_holds *holds);

/* Whether the job has a right to what is held: it is of the booking, or its user booked the GPUs,
 * by name, on which it was already. */
bool bl_hold_is_for(const struct bl_hold *hold, const struct bl_job *job);

/* Those of a node; NULL when there are none. */
static inline const struct bl_node_holds *bl_holds_of(const struct bl_cluster *cluster, size_t node)
{
    const struct bl_holds *holds = cluster->holds;

    return holds && holds->count > 0 && node < holds->node_count && holds->node[node].count > 0
               ? &holds->node[node]
               : NULL;
}

/* Whether placing the job has to look at what is held ahead at all. */
static inline bool bl_holds_matter(const struct bl_cluster *cluster, const struct bl_job *job)
{
    return job->spec.reservation != 0 || (cluster->holds && cluster->holds->count > 0);
}

/* When a job that starts at `at` is off its GPUs at the latest, if they are wanted: one that gives
 * way right after it could be asked. */
bl_time bl_hold_until(const struct bl_cluster *cluster, const struct bl_job *job, bl_time at);

/* Whether the hold keeps a job that starts at `at` and is gone by `until` off its GPUs. */
bool bl_hold_bars(const struct bl_hold *hold, const struct bl_job *job, bl_time at, bl_time until);

/* GPUs with an identity on the node that the job may have from `at` on, free or not. */
uint64_t bl_hold_mask(const struct bl_cluster *cluster, const struct bl_job *job, bl_time at,
                      int32_t node);

/* What is left of `room`, which is free on the node at `at`, for the job. */
struct bl_resources bl_hold_room(const struct bl_cluster *cluster, const struct bl_job *job,
                                 bl_time at, int32_t node, const struct bl_resources *room);

/* GPUs of the node that nobody is on, and nobody but their holder may start on any more. */
int32_t bl_hold_closed(const struct bl_cluster *cluster, int32_t node);
/* All others of it; 0 when it is not up. */
int32_t bl_hold_open(const struct bl_cluster *cluster, int32_t node);

/* Whether the job may be on these GPUs by name from now on. */
bool bl_hold_allows(const struct bl_cluster *cluster, const struct bl_job *job,
                    const struct bl_alloc *alloc);
/* Whether it may start on all of this, which is free in the books, now. */
bool bl_hold_admits(const struct bl_cluster *cluster, const struct bl_job *job,
                    const struct bl_alloc *alloc);

/* Of the holds that keep the job off GPUs that would suit it, and begin at `from` or later, the one
 * that begins first; NULL when none does. */
const struct bl_hold *bl_hold_in_the_way(const struct bl_cluster *cluster, const struct bl_job *job,
                                         bl_time from);

#endif
