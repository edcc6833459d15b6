/* What a policy may read. Borrowed, and unchanged during the round except as bl_decision_start
 * says. */
#ifndef BL_CORE_VIEW_H
#define BL_CORE_VIEW_H

#include "base/arena.h"
#include "base/span.h"
#include "core/cluster.h"
#include "core/curves.h"
#include "core/job.h"
#include "core/oracle.h"
#include "core/policy.h"

/* A queued job with what a pass over the queue looks at first; in order of (submitted, id). */
struct bl_queue_entry {
    const struct bl_job *job; /* NULL once it has started in this round */
    int32_t gpus;             /* wanted */
    bl_time duration;         /* planned, on `gpus` */
};

/* A job that holds resources; in order of (planned_end, id). Jobs that were started in this round
 * are among them. */
struct bl_running_entry {
    const struct bl_job *job;
    bl_time planned_end;
};
void bl_running_sort(struct bl_running_entry *entry, size_t count);

/* What was worked out to explain one job and serves the next: a page of the queue asks for many.
 * It lasts until the core's next step. */
struct bl_memo {
    struct bl_arena arena;
    void *kept; /* the policy's own, from the arena; NULL at first */
};

struct bl_view {
    bl_time now;
    const struct bl_cluster *cluster;
    const struct bl_policy_choice *choice;
    const struct bl_queue_entry *queue;
    size_t queue_count;
    const struct bl_running_entry *running;
    size_t running_count;
    struct bl_arena *scratch; /* memory that ends with the round, or with the explanation */
    struct bl_curves *curves; /* what is known of speeds; asking makes fits, which change nothing */
    const struct bl_oracle *oracle; /* who knows better than the curves; NULL = nobody */
    struct bl_memo *memo;           /* while explaining; NULL in a round */
};

#endif
