/* When a job that waits will start, as a distribution: the policy runs forward on copies of the
 * core, with run times drawn from what is foreseen of each job. What one user's jobs take beyond or
 * below that is drawn once a run for all of them: such errors are seldom one job's alone. Jobs that
 * will be submitted later are not part of it. */
#ifndef BL_CORE_FORETELL_H
#define BL_CORE_FORETELL_H

#include "core/core.h"

enum { BL_FORETELL_RUNS_MAX = 64 };

/* Instants in rising order, a run each; BL_TIME_NEVER where it never started. */
struct bl_foretold {
    bl_time now; /* when it was asked for */
    bl_time start[BL_FORETELL_RUNS_MAX];
    size_t count;
};

/* The core must be one of which bl_core_can_export says yes; the job is queued. The same core, seed
 * and number of runs give the same answer. */
void bl_foretell_start(const struct bl_core *core, bl_job_id job, size_t runs, uint64_t seed,
                       struct bl_foretold *out);

/* The instant that is not passed with this chance: between runs in proportion, a little beyond the
 * first and the last of them in the tails; BL_TIME_NEVER when too many runs never started
 * the job. */
bl_time bl_foretold_at(const struct bl_foretold *foretold, double level);

#endif
