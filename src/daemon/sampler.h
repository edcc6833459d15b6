/* Turns looks ahead into what is told of each job. One quick look, by the middle of what is
 * foreseen, tells of all jobs soon; sampled runs from one state, one by one, make ranges of it.
 * Both may be of different states: the ranges stay what is told of jobs that stand as they stood,
 * until there are new ones. Everything follows from the states, never from when it was asked. */
#ifndef BL_DAEMON_SAMPLER_H
#define BL_DAEMON_SAMPLER_H

#include "core/foretell_levels.h"
#include "daemon/replica.h"

enum { BL_SAMPLER_RUNS_MAX = 32 };

/* What is told. Never changed once it is made. */
struct bl_foretelling {
    struct bl_foretold_table table;
    int64_t seq;     /* of the state of the newest part */
    bl_time made_at; /* its present */
    size_t arrivals; /* submissions of late that those to come are drawn from; 0 = nobody comes */
    int32_t runs;    /* on which every range rests at the least; 1 = some on the quick look */
    struct bl_arena arena;
};

void bl_foretelling_destroy(struct bl_foretelling *told);

struct bl_sampler {
    struct bl_foretell_run quick;
    int64_t quick_version, quick_seq; /* of the replica then; version 0 = none was made */
    struct bl_arena quick_arena;

    struct bl_core *base;               /* the state of the ranges; NULL = none began */
    bool without_arrivals;              /* set before the first: nobody comes later */
    const struct bl_arrivals *arrivals; /* the replica's; NULL = nobody comes */
    bl_time at;                         /* their present */
    int64_t version, seq;
    struct bl_foretell_learnt learnt; /* as it was then */
    bool has_learnt;
    struct bl_foretell_run run[BL_SAMPLER_RUNS_MAX];
    size_t count;
    struct bl_arena arena;

    struct bl_foretold_table kept; /* the last ranges that were told */
    struct bl_arena kept_arena;
};

/* Asked between rounds: true when the run is to be given up. */
struct bl_sampler_stop {
    bool (*is_stopped)(void *self);
    void *self;
};

void bl_sampler_finish(struct bl_sampler *sampler);

/* The quick look at the replica, which can be forked. False when it was given up. */
bool bl_sampler_glance(struct bl_sampler *sampler, const struct bl_replica *replica, bl_time at,
                       struct bl_sampler_stop stop);

/* Ranges begin anew from the replica as it stands. `at` is the present. */
void bl_sampler_begin(struct bl_sampler *sampler, const struct bl_replica *replica, bl_time at);

/* The next sampled run, of at most BL_SAMPLER_RUNS_MAX; after bl_sampler_begin. False when it was
 * given up. */
bool bl_sampler_run(struct bl_sampler *sampler, struct bl_sampler_stop stop);

/* After a quick look. The caller's, to be destroyed. */
struct bl_foretelling *bl_sampler_tell(struct bl_sampler *sampler);

#endif
