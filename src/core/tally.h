/* What is counted for ever: through a snapshot, and so through every restart of a daemon. */
#ifndef BL_CORE_TALLY_H
#define BL_CORE_TALLY_H

#include "base/histogram.h"
#include "core/job.h"

enum bl_count {
    BL_COUNT_SUBMITTED, /* an element of an array when it starts */
    BL_COUNT_STARTS,    /* attempts */
    BL_COUNT_RESTARTS,
    BL_COUNT_PREEMPTIONS,
    BL_COUNT_COMPLETED, /* what jobs ended as */
    BL_COUNT_FAILED,
    BL_COUNT_CANCELLED,
    BL_COUNT_TIMEOUT,
    BL_COUNT_LOST,
    BL_COUNT_ROUNDS,
    BL_COUNT_PROMISES,
    BL_COUNT_PROMISES_BROKEN,
    BL_COUNT_FORGOTTEN_BEFORE, /* no count but an instant: what ended earlier has left memory;
                                  0 = nothing has */
    BL_COUNT_USED,             /* GPU-microseconds of GPUs that jobs held, */
    BL_COUNT_IDLE,             /* of those that were up and nobody held, */
    BL_COUNT_HELD_IDLE,        /* and of those among them that were kept for a slot to come */
    BL_COUNT_COUNT
};

struct bl_tally {
    int64_t count[BL_COUNT_COUNT];
    struct bl_histogram waits; /* by bl_bounds_of_waits: up to the first start, when that comes */
    struct bl_histogram runs;  /* the same: since a job last left the queue, when it ends */
};

/* The count that belongs to the state in which a job ended. */
enum bl_count bl_count_of_end(enum bl_job_state state);

/* One piece of what is kept, by its name; what the values are is the affair of who keeps them. */
struct bl_kept {
    const char *name;
    const char *of; /* NULL, or what it is of */
    const int64_t *value;
    size_t count;
};

enum { BL_KEPT_VALUES_MAX = 1024 };

void bl_tally_export(const struct bl_tally *tally,
                     void (*emit)(void *to, const struct bl_kept *kept), void *to);
/* Sets what was exported; passes over what it does not know, and what was counted otherwise. */
void bl_tally_take(struct bl_tally *tally, const struct bl_kept *kept);

#endif
