/* A plan of the queue that is kept from round to round. As long as nothing happens but that time
 * passes, that jobs start as planned and that others come behind them, the plan of a later round is
 * the same, and only who came has to be put in. Whatever else has changed, it is made anew: what it
 * says follows from the view alone. */
#ifndef BL_CORE_PLAN_KEPT_H
#define BL_CORE_PLAN_KEPT_H

#include "core/plan.h"

struct bl_plan_kept; /* opaque; its memory is its own */

struct bl_plan_kept *bl_plan_kept_create(void);
void bl_plan_kept_destroy(struct bl_plan_kept *kept);

/* For this view, as a round begins. Answers how many of the first entries of the queue have a place
 * already, all of them later than now. */
size_t bl_plan_kept_begin(struct bl_plan_kept *kept, const struct bl_view *view);

/* Puts in an entry behind all that have a place, and answers its start. An array's element by
 * element: such a plan is not kept. */
bl_time bl_plan_kept_add(struct bl_plan_kept *kept, const struct bl_view *view, size_t index);

/* The job that was put in last was started, on this allocation. */
void bl_plan_kept_start(struct bl_plan_kept *kept, const struct bl_alloc *alloc);

/* The round is over. */
void bl_plan_kept_end(struct bl_plan_kept *kept, const struct bl_view *view);

/* The start of one of the entries that have a place. */
bl_time bl_plan_kept_start_of(const struct bl_plan_kept *kept, size_t index);

#endif
