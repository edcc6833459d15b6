/* A plan as an array of steps, each with a full copy of what is free on every node: a model to
 * check core/plan against, and to measure it against. Every question is answered by trying all
 * steps, except that it may remember where earlier searches ended. Memory is the arena's. */
#ifndef BL_KIT_PLAN_ARRAY_H
#define BL_KIT_PLAN_ARRAY_H

#include "core/plan.h"

struct plan_array;

/* What is remembered saves time and is right as long as nothing is removed. */
enum plan_array_memory { PLAN_ARRAY_FORGETS, PLAN_ARRAY_REMEMBERS };

struct plan_array *plan_array_new(const struct bl_view *view, enum plan_array_memory memory);

/* As the functions of core/plan.h. */
struct bl_plan_place plan_array_put(struct plan_array *plan, const struct bl_job *job, int32_t gpus,
                                    bl_time duration, bl_time from);
bl_time plan_array_find(struct plan_array *plan, const struct bl_job *job, int32_t gpus,
                        bl_time duration, bl_time from);
void plan_array_block(struct plan_array *plan, const struct bl_alloc *alloc, bl_time from,
                      bl_time to);
void plan_array_remove(struct plan_array *plan, const struct bl_alloc *alloc, bl_time from,
                       bl_time to);

#endif
