/* What policies with a strict head of the queue share. */
#ifndef BL_CORE_IN_ORDER_H
#define BL_CORE_IN_ORDER_H

#include "core/view.h"

/* Starts jobs from the head of the queue while they fit; the index of the first that does not
 * (view->queue_count when all started). */
size_t bl_start_in_order(const struct bl_view *view, struct bl_decision *decision);

/* Why a queued job waits behind a strict head: RESOURCES for the head, PRIORITY for those behind
 * it, NODES_DOWN when only nodes that are not up could hold it, UNDECIDED when it fits and no
 * round has looked at it yet. */
void bl_explain_in_order(const struct bl_view *view, const struct bl_job *job,
                         struct bl_reason *out);

#endif
