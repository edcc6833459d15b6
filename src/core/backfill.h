/* EASY backfilling (Lifka 1995; Mu'alem and Feitelson 2001), for any order of the queue: the head
 * has a reservation, and a later job may start if it does not delay that one: it ends before the
 * head can start, or it uses what the head will not need.
 *
 * The head's start, the shadow, is the earliest planned end of a running job, or end of what is
 * held ahead for others, at which it fits. On several nodes "what the head will not need" is asked
 * of the plan itself: a candidate may stay beyond the shadow if the head still fits at the shadow
 * without the candidate's share. On one pool of alike slots that is the textbook rule with its
 * count of extra slots. */
#ifndef BL_CORE_BACKFILL_H
#define BL_CORE_BACKFILL_H

#include "core/in_order.h"

enum bl_backfill_order {
    BL_BACKFILL_IN_LINE, /* the candidates in the order of the line */
    BL_BACKFILL_SHORTEST /* shortest planned duration first */
};

/* After bl_start_in_order: starts those behind line->head that do not delay it. */
void bl_backfill(const struct bl_view *view, const struct bl_line *line,
                 enum bl_backfill_order order, struct bl_decision *decision);

/* Why a queued job waits where others may pass the head. */
void bl_backfill_explain(const struct bl_view *view, const struct bl_line *line,
                         const struct bl_job *job, struct bl_reason *out);

#endif
