/* What policies with a head of the queue share. */
#ifndef BL_CORE_IN_ORDER_H
#define BL_CORE_IN_ORDER_H

#include "core/view.h"

/* The queue in a policy's own order. Zeroes are the order of the queue itself. */
struct bl_line {
    const size_t *order; /* indices into view->queue; NULL = as they stand */
    size_t head;         /* the first that did not start; view->queue_count when all did */
    /* Whether an entry that fits may start, which it then does; NULL = any may. */
    bool (*may_start)(void *self, const struct bl_view *view, size_t index);
    void *self;
};

static inline bool bl_line_may_start(const struct bl_line *line, const struct bl_view *view,
                                     size_t index)
{
    return !line->may_start || line->may_start(line->self, view, index);
}

static inline size_t bl_line_at(const struct bl_line *line, size_t place)
{
    return line->order ? line->order[place] : place;
}

/* A line sorted by `is_before`, a total order but for ties, which stay in the order of the queue.
 * From the view's scratch memory. */
struct bl_line bl_line_sort(const struct bl_view *view,
                            bool (*is_before)(const struct bl_queue_entry *a,
                                              const struct bl_queue_entry *b));

/* The same while explaining: sorted once for all jobs that are asked about before the next step. */
struct bl_line bl_line_keep(const struct bl_view *view,
                            bool (*is_before)(const struct bl_queue_entry *a,
                                              const struct bl_queue_entry *b));

/* Starts jobs from the head of the line while they fit, and sets line->head. */
void bl_start_in_order(const struct bl_view *view, struct bl_line *line,
                       struct bl_decision *decision);

/* Why a queued job waits behind a head: RESOURCES for the head, PRIORITY for those behind it,
 * NODES_DOWN or DRAIN when no node that is up would take it, UNDECIDED when it fits and no round
 * has looked at it yet. */
void bl_explain_in_order(const struct bl_view *view, const struct bl_line *line,
                         const struct bl_job *job, struct bl_reason *out);

/* Starts, from the head of the line on, whatever fits; `place` chooses the GPUs. */
void bl_start_all_that_fit(const struct bl_view *view, const struct bl_line *line,
                           bool (*place)(const struct bl_cluster *cluster, const struct bl_job *job,
                                         int32_t gpus, struct bl_alloc *out),
                           struct bl_decision *decision);

/* Why a queued job waits where nobody waits for a head: as above, but never PRIORITY. */
void bl_explain_by_fit(const struct bl_view *view, const struct bl_job *job, struct bl_reason *out);

/* `explain` of a policy that has no more to say than that. */
void bl_explain_each_by_fit(void *self, const struct bl_view *view, const struct bl_job *job,
                            struct bl_reason *out);

#endif
