/* Who used what between two instants: jobs, GPU time, waits, failures, reservations. Made from what
 * is in memory: jobs and bookings that have not ended, and those that ended and were not yet
 * forgotten. */
#ifndef BL_DAEMON_CONSUMPTION_H
#define BL_DAEMON_CONSUMPTION_H

#include "base/arena.h"
#include "daemon/ledger.h"

/* What rows are told apart by. */
enum bl_by {
    BL_BY_USER,
    BL_BY_PROJECT,
    BL_BY_KIND,
    BL_BY_CLASS,
    BL_BY_NODE_TYPE, /* the type of the GPUs that it has or had last */
    BL_BY_COUNT
};

const char *bl_by_name(enum bl_by by); /* "user" … "node-type" */

struct bl_consumption_wish {
    bool by[BL_BY_COUNT]; /* at least one */
    bl_time from, to;     /* [from, to) */
    bl_time now;
};

/* Of the jobs that any instant in the window saw in the queue or on GPUs. NAN where there is
 * nothing to say. */
struct bl_consumer {
    const char *word[BL_BY_COUNT]; /* NULL where it is not asked for, or does not apply */
    int64_t jobs, submitted, started;
    int64_t ended_as[BL_JOB_STATE_COUNT]; /* in the window */
    int64_t preemptions;                  /* of these jobs, so far */
    double gpu_s;                         /* that they held in the window */
    double cost;                          /* of these, by the prices of nodes; NAN without any */
    double wait_mean_s, wait_p50_s, wait_p90_s; /* of first starts in the window */
    double slowdown;                            /* mean of bl_job_slowdown, of ends */
    double
        reserved_gpu_s; /* GPU time of reservations in the window, up to now: whoever made them */
    double reserved_used_gpu_s; /* of it, what their jobs held */
};

/* All from the arena; texts are borrowed from the core. */
struct bl_consumption {
    struct bl_consumer *row; /* by GPU time, most first; then by words */
    size_t count;
    struct bl_consumer total;
    bl_time whole_since; /* what ended earlier is not in it; 0 = all is */
};

struct bl_consumption bl_consumption_make(const struct bl_ledger *ledger,
                                          const struct bl_consumption_wish *wish,
                                          struct bl_arena *arena);

#endif
