/* All jobs of a joint decision, with what each may have: those that queue and those that run, be it
 * that they may not be changed now or ever. What they may have comes in buckets: the GPUs of one
 * type in one pool or, where nobody is spread over nodes and nodes are few, the GPUs of one node.
 */
#ifndef BL_CORE_CREW_H
#define BL_CORE_CREW_H

#include "core/counts.h"
#include "core/solve.h"
#include "core/speed.h"
#include "core/view.h"

enum { BL_CREW_BUCKETS_MAX = BL_SOLVE_TYPES_MAX, BL_CREW_NONE = -1 };

struct bl_bucket {
    int32_t type, pool;
    int32_t node; /* BL_CREW_NONE = all of the type in the pool */
    int64_t room; /* GPUs, whoever has them */
};

struct bl_crew_option {
    int32_t bucket, gpus;
    double speed; /* relative to the job's reference */
};

enum bl_crew_bond {
    BL_CREW_OPEN,   /* may be changed, or started */
    BL_CREW_HELD,   /* keeps what it has, or is on its way to, for now */
    BL_CREW_PINNED, /* until it ends */
    BL_CREW_LEAVING /* on its way back to the queue: it cannot be started yet */
};

struct bl_crew_member {
    const struct bl_job *job;
    bool is_running;
    enum bl_crew_bond bond;
    int32_t keep; /* HELD, PINNED: the option that it has; else BL_CREW_NONE */
    size_t index; /* in view->queue, of one that queues */
    bool is_due;  /* it waited so long that it goes first */
    double waited_s;
    double age_s;         /* since it was submitted */
    double restart_s;     /* what a start costs it */
    double left_s;        /* expected work at speed 1, > 0 */
    size_t first, count;  /* of crew->option: by bucket, then GPUs */
    int32_t bucket, gpus; /* what it has; BL_CREW_NONE, 0 */
    int32_t bucket_to, gpus_to;
};

struct bl_crew {
    const struct bl_view *view;
    enum bl_counts counts;
    struct bl_bucket bucket[BL_CREW_BUCKETS_MAX];
    int32_t bucket_count;
    bool is_by_node;
    struct bl_crew_member *member; /* those that run by id, then the queue as it stands */
    size_t count;
    struct bl_crew_option *option;
    size_t option_count;
    bl_time wake_at; /* when somebody may be changed, or is due; BL_TIME_NEVER */
};

enum bl_crew_preempt {
    BL_CREW_PREEMPT_ELASTIC,    /* preemptible and elastic jobs may be put back */
    BL_CREW_PREEMPT_RESTARTABLE /* and all that may be started again */
};

struct bl_crew_rules {
    bl_time hold;     /* a job runs so long between two changes, unless they cost nothing */
    bl_time patience; /* one that waited longer goes first */
    enum bl_crew_preempt preempt;
    enum bl_counts counts; /* of ranges, that are looked at */
};

/* From the view's scratch memory. */
struct bl_crew bl_crew_gather(const struct bl_view *view, const struct bl_crew_rules *rules);

/* Work that is expected to be left, in seconds at speed 1, > 0: what a trace or the job itself
 * says, or others of its application did; else what the user's jobs took; else a part of the limit.
 * One that ran longer than that is expected to have come half way. `speed` is what it has now. */
double bl_crew_left_s(const struct bl_speeds *speeds, double speed);

#endif
