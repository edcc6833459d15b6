/* The timeline of free resources: what will be free when, if all goes as planned. Steps in time,
 * each with what is free on every node; jobs are put in at the earliest instant at which they fit
 * for as long as they are planned to run. */
#ifndef BL_CORE_PLAN_H
#define BL_CORE_PLAN_H

#include "core/place.h"
#include "core/view.h"

struct bl_plan; /* opaque; lives in the view's scratch memory */

/* What runs now, each job to its planned end; one that is overdue is expected any moment. */
struct bl_plan *bl_plan_create(const struct bl_view *view);

/* The earliest instant, `from` or later, at which `gpus` GPUs of the job are free for `duration`;
 * BL_TIME_NEVER when no instant will do (nodes that are down, a drain). */
bl_time bl_plan_find(struct bl_plan *plan, const struct bl_job *job, int32_t gpus, bl_time duration,
                     bl_time from);

/* Books that: finds as above and takes the place. */
bl_time bl_plan_add(struct bl_plan *plan, const struct bl_job *job, int32_t gpus, bl_time duration,
                    bl_time from);

#endif
