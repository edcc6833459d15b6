/* How long jobs take to save their work and leave: what was measured, by application. */
#ifndef BL_CORE_SAVES_H
#define BL_CORE_SAVES_H

#include "base/map.h"
#include "core/job.h"

enum { BL_SAVES_KEPT = 32 }; /* of one application: the newest ones */

/* What a job is given to leave when it is stopped and nothing is known of it. */
#define BL_SAVE_GRACE (30 * BL_SECOND)

/* Zeroes are an empty one. */
struct bl_saves {
    struct bl_map logs; /* owned */
};

/* Jobs without an application are not remembered. A time below a microsecond counts as one. */
void bl_saves_note(struct bl_saves *saves, const struct bl_job_spec *spec, bl_time time);
void bl_saves_learn(struct bl_saves *saves, const char *application, bl_time time);

/* How long before an instant the job must be asked to be gone by then: the 95th percentile of what
 * its application took; else what it took itself last time; else its lead before its limit, and the
 * grace of a stop. */
bl_time bl_saves_lead(const struct bl_saves *saves, const struct bl_job *job);

/* Calls `emit` for each time, oldest first, by application in the order in which they came. */
void bl_saves_export(const struct bl_saves *saves,
                     void (*emit)(void *to, const char *application, bl_time time), void *to);

void bl_saves_finish(struct bl_saves *saves);

#endif
