/* The timeline of free resources: what will be free when, if all goes as planned. Jobs are put in
 * at the earliest instant at which they fit for as long as they are planned to run, around what is
 * taken already: what runs, to its planned end, and what is blocked for others.
 *
 * Putting in, taking out and finding what is free at an instant take time that grows with the
 * logarithm of what is planned; a search for the earliest start looks at no more of the timeline
 * than lies between the first start that could do and the one that does. */
#ifndef BL_CORE_PLAN_H
#define BL_CORE_PLAN_H

#include "core/place.h"
#include "core/view.h"

struct bl_plan; /* opaque; lives in the view's scratch memory */

/* A place in the plan. */
struct bl_plan_place {
    bl_time start; /* BL_TIME_NEVER: there is none */
    bl_time end;
    struct bl_alloc alloc; /* nodes and counts, GPUs not named; memory of the plan */
};

/* What runs now, each job to its planned end; one that is overdue is expected any moment. */
struct bl_plan *bl_plan_create(const struct bl_view *view);

/* The earliest instant, `from` or later, at which `gpus` GPUs of the job are free for `duration`;
 * BL_TIME_NEVER when no instant will do (nodes that are down, a drain). */
bl_time bl_plan_find(struct bl_plan *plan, const struct bl_job *job, int32_t gpus, bl_time duration,
                     bl_time from);

/* Books that: finds as above and takes the place. */
bl_time bl_plan_add(struct bl_plan *plan, const struct bl_job *job, int32_t gpus, bl_time duration,
                    bl_time from);
/* The same, and says where. */
struct bl_plan_place bl_plan_put(struct bl_plan *plan, const struct bl_job *job, int32_t gpus,
                                 bl_time duration, bl_time from);

/* Takes an allocation over [from, to), whether it is free or not: what is booked for others. Nodes
 * that are not up have nothing to take. */
void bl_plan_block(struct bl_plan *plan, const struct bl_alloc *alloc, bl_time from, bl_time to);

/* Gives back over [from, to) what was put in or blocked. */
void bl_plan_remove(struct bl_plan *plan, const struct bl_alloc *alloc, bl_time from, bl_time to);

#endif
