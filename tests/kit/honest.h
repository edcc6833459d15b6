/* An engine for a copy of a core, to see what really comes of it: each job runs for as long as the
 * middle of what is foreseen of it, and saves its work at once when it has to leave. */
#ifndef BL_KIT_HONEST_H
#define BL_KIT_HONEST_H

#include "base/heap.h"
#include "base/map.h"
#include "core/core.h"

struct honest {
    struct bl_core *core;
    struct bl_heap ends; /* key = job, value = its attempt */
    struct bl_actions actions;
    struct bl_map started; /* job -> bl_time *: its first start here, or when one that runs began;
                              of an array its next element's */
    bl_time began, now;
};

/* On a copy of a core, which it takes; a round is decided at once. */
struct honest honest_new(struct bl_core *fork);
void honest_free(struct honest *honest);

/* Goes on until the job has started: when; BL_TIME_NEVER when it has not after a year. */
bl_time honest_start_of(struct honest *honest, bl_job_id job);

/* When it started, if it has; else BL_TIME_NEVER. */
bl_time honest_started(const struct honest *honest, bl_job_id job);

/* Goes on until nothing happens any more, a year at most. */
void honest_run(struct honest *honest);

#endif
