/* What several looks ahead (core/foretell.h) come to: a range of instants. */
#ifndef BL_CORE_FORETOLD_H
#define BL_CORE_FORETOLD_H

#include "core/foretell.h"

struct bl_foretell_learnt;

enum { BL_FORETOLD_RUNS_MAX = 64 };

/* Instants in rising order, a run each; BL_TIME_NEVER where it never came to that. */
struct bl_foretold {
    bl_time now; /* when it was asked for */
    bl_time at[BL_FORETOLD_RUNS_MAX];
    size_t count;
};

/* BL_TIME_NEVER = no instant; otherwise rising and not before the present. */
struct bl_range {
    bl_time p10, p50, p90;
};

/* What is told of one job. */
struct bl_foretold_row {
    bl_job_id job;
    struct bl_range start; /* of one that runs: when it did, three times */
    struct bl_range end;
    bool is_active; /* it had its GPUs already */
    int32_t runs;   /* on which it rests; 1 = on the middle of what is foreseen */
    struct bl_outline start_runs, end_runs; /* what the ranges were read off; of one that waits, and
                                               rests on several runs */
    bool from_limits; /* nothing is foreseen of it or of what it waits for: on limits alone */
};

/* In rising order of job. */
struct bl_foretold_table {
    struct bl_foretold_row *row; /* from the arena */
    size_t count;
};

/* When a job that waits will start, run for run, of at most BL_FORETOLD_RUNS_MAX. The same core and
 * question give the same answer. */
struct bl_foretold_question {
    bl_job_id job;
    size_t runs;
    uint64_t seed;
    const struct bl_arrivals *arrivals; /* who may come later; NULL = nobody */
};
void bl_foretold_start(const struct bl_core *core, const struct bl_foretold_question *question,
                       struct bl_foretold *out);

/* The instant that is not passed with this chance: between runs in proportion, a little beyond the
 * first and the last of them in the tails; BL_TIME_NEVER when too many runs never came to it. */
bl_time bl_foretold_at(const struct bl_foretold *foretold, double level);

struct bl_outline bl_foretold_outline(const struct bl_foretold *foretold);

/* The ranges of all jobs, of those that wait as was learnt of late; NULL = as the runs say. The
 * runs are whole and of one state, at least one, at most BL_FORETOLD_RUNS_MAX. */
struct bl_foretold_table bl_foretold_table(const struct bl_foretell_run *run, size_t runs,
                                           const struct bl_foretell_learnt *learnt,
                                           struct bl_arena *arena);

/* The row of a job, or NULL. */
const struct bl_foretold_row *bl_foretold_find(const struct bl_foretold_table *table,
                                               bl_job_id job);

#endif
