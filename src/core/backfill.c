#include "core/backfill.h"

#include "base/sort.h"
#include "core/barren.h"
#include "core/hold.h"
#include "core/place.h"

#include <stdlib.h>
#include <string.h>

/* The head's reservation: when, and what is free then, the head not yet subtracted. */
struct reservation {
    const struct bl_line *line;
    const struct bl_queue_entry *head;
    bl_time shadow; /* BL_TIME_NEVER when no running job makes room */
    struct bl_free at_shadow;
    /* What is free now and still is at the shadow, the head subtracted: made when it is asked for,
     * good until somebody starts. */
    struct bl_free beside;
    enum { BESIDE_UNKNOWN, BESIDE_KNOWN, BESIDE_NONE } has_beside;
    struct bl_barren barren;
};

/* Gives back what every job whose planned end is the earliest not yet passed holds. */
static size_t pass_next_ends(const struct bl_view *view, size_t from, struct bl_free *plan)
{
    bl_time end = view->running[from].planned_end;
    size_t i = from;

    for (; i < view->running_count && view->running[i].planned_end == end; i++) {
        bl_free_add(plan, &view->running[i].job->alloc);
    }
    return i;
}

static int compare_instants(const void *left, const void *right)
{
    bl_time a = *(const bl_time *)left;
    bl_time b = *(const bl_time *)right;

    return a < b ? -1 : a > b;
}

/* When what is held ahead ends: the head may have waited for that. In order, BL_TIME_NEVER last. */
static const bl_time *list_hold_ends(const struct bl_view *view)
{
    static const bl_time none = BL_TIME_NEVER;
    const struct bl_holds *holds = view->cluster->holds;
    size_t count = 0;
    bl_time *end;

    if (!holds || holds->count == 0) {
        return &none;
    }
    end = bl_arena_alloc(view->scratch, (holds->count + 1) * sizeof *end);
    for (size_t i = 0; i < holds->node_count; i++) {
        for (size_t k = 0; k < holds->node[i].count; k++) {
            end[count++] = holds->node[i].at[k].end;
        }
    }
    bl_sort(end, count, sizeof *end, compare_instants);
    end[count] = BL_TIME_NEVER;
    return end;
}

static bl_time next_planned_end(const struct bl_view *view, size_t passed)
{
    return passed < view->running_count ? view->running[passed].planned_end : BL_TIME_NEVER;
}

static struct reservation reserve(const struct bl_view *view, const struct bl_queue_entry *head)
{
    struct reservation found = {.head = head,
                                .shadow = BL_TIME_NEVER,
                                .at_shadow = bl_free_copy(view->cluster, view->scratch)};
    const bl_time *hold_end = list_hold_ends(view);
    size_t passed = 0;

    for (;;) {
        bl_time end = next_planned_end(view, passed);
        bl_time at = end < *hold_end ? end : *hold_end;

        if (at == BL_TIME_NEVER) {
            return found;
        }
        if (at == end) {
            passed = pass_next_ends(view, passed, &found.at_shadow);
        }
        hold_end += at == *hold_end;
        found.at_shadow.at = at > view->now ? at : view->now;
        if (bl_place_fits(&found.at_shadow, head->job, head->gpus)) {
            found.shadow = found.at_shadow.at;
            return found;
        }
    }
}

/* Whether the head still fits at its shadow when `alloc` is not free then. Leaves the plan with
 * `alloc` taken when it does. */
static bool does_head_still_fit(struct reservation *reservation, const struct bl_alloc *alloc)
{
    bl_free_take(&reservation->at_shadow, alloc);
    if (bl_place_fits(&reservation->at_shadow, reservation->head->job, reservation->head->gpus)) {
        return true;
    }
    bl_free_add(&reservation->at_shadow, alloc);
    return false;
}

/* A head that no running job makes room for waits for a node: nobody can delay it. */
static enum bl_reason_code may_backfill(struct reservation *reservation, const struct bl_view *view,
                                        const struct bl_queue_entry *entry,
                                        const struct bl_alloc *alloc)
{
    if (reservation->shadow == BL_TIME_NEVER ||
        view->now + entry->duration <= reservation->shadow) {
        return BL_REASON_BEFORE_SHADOW;
    }
    return does_head_still_fit(reservation, alloc) ? BL_REASON_BESIDE_HEAD : BL_REASON_NONE;
}

static bool find_beside(struct reservation *reservation, const struct bl_view *view)
{
    const struct bl_queue_entry *head = reservation->head;
    struct bl_free *beside = &reservation->beside;
    size_t bytes = view->cluster->node_count * sizeof *beside->node;
    struct bl_alloc head_alloc = {0};
    struct bl_free now;

    if (view->cluster->node_count < 2 ||
        !bl_place_plan(&reservation->at_shadow, head->job, head->gpus, &head_alloc)) {
        return false;
    }
    now = bl_free_copy(view->cluster, view->scratch);
    *beside = reservation->at_shadow;
    beside->node = bl_arena_alloc(view->scratch, bytes);
    memcpy(beside->node, reservation->at_shadow.node, bytes);
    bl_free_take(beside, &head_alloc);
    bl_free_narrow(beside, &now);
    beside->at = view->now;
    bl_alloc_finish(&head_alloc);
    return true;
}

/* Best fit may choose just the node that the head will need. Then the candidate is placed again, on
 * what is free now and is still free at the shadow beside the head. */
static bool place_beside_head(struct reservation *reservation, const struct bl_view *view,
                              const struct bl_queue_entry *entry, struct bl_alloc *out)
{
    if (reservation->has_beside == BESIDE_UNKNOWN) {
        reservation->has_beside = find_beside(reservation, view) ? BESIDE_KNOWN : BESIDE_NONE;
    }
    return reservation->has_beside == BESIDE_KNOWN &&
           bl_place_within(&reservation->beside, entry->job, entry->gpus, out);
}

/* Where it may start now, or that it may not. */
static enum bl_reason_code place_candidate(struct reservation *reservation,
                                           const struct bl_view *view,
                                           const struct bl_queue_entry *entry,
                                           struct bl_alloc *alloc)
{
    bool is_late =
        reservation->shadow != BL_TIME_NEVER && view->now + entry->duration > reservation->shadow;
    enum bl_reason_code code;

    if (bl_barren_has(&reservation->barren, entry->job, entry->gpus, is_late)) {
        return BL_REASON_NONE;
    }
    if (!bl_place_try(view->cluster, entry->job, entry->gpus, alloc)) {
        bl_barren_note(&reservation->barren, entry->job, entry->gpus, false);
        return BL_REASON_NONE;
    }
    code = may_backfill(reservation, view, entry, alloc);
    if (code == BL_REASON_NONE) {
        bl_alloc_finish(alloc);
        if (place_beside_head(reservation, view, entry, alloc)) {
            code = may_backfill(reservation, view, entry, alloc);
        }
    }
    if (code == BL_REASON_NONE) {
        bl_alloc_finish(alloc);
        bl_barren_note(&reservation->barren, entry->job, entry->gpus, true);
    }
    return code;
}

/* Whether one job could be started from this entry. */
static bool start_candidate(struct reservation *reservation, const struct bl_view *view,
                            size_t index, struct bl_decision *decision)
{
    const struct bl_queue_entry *entry = &view->queue[index];
    struct bl_reason reason = {.job = reservation->head->job->id, .at = reservation->shadow};
    struct bl_alloc alloc = {0};
    bool is_started;

    if (entry->gpus > view->cluster->free.amount[BL_RESOURCE_GPU]) {
        return false;
    }
    reason.code = place_candidate(reservation, view, entry, &alloc);
    if (reason.code == BL_REASON_NONE) {
        return false;
    }
    is_started = bl_line_may_start(reservation->line, view, index);
    if (is_started) {
        bl_decision_start(decision, index, &alloc, &reason);
        bl_barren_clear(&reservation->barren);
        reservation->has_beside = BESIDE_UNKNOWN;
    } else if (reason.code == BL_REASON_BESIDE_HEAD) {
        bl_free_add(&reservation->at_shadow, &alloc);
    }
    bl_alloc_finish(&alloc);
    return is_started;
}

/* An array's entry stands for all its elements: it keeps its job while more may start. */
static void try_candidate(struct reservation *reservation, const struct bl_view *view, size_t index,
                          struct bl_decision *decision)
{
    while (view->queue[index].job && start_candidate(reservation, view, index, decision)) {
    }
}

/* A candidate by planned duration; ties stay in the order of the queue. */
struct candidate {
    bl_time duration;
    size_t index;
};

static int compare_candidates(const void *left, const void *right)
{
    const struct candidate *a = left;
    const struct candidate *b = right;

    if (a->duration != b->duration) {
        return a->duration < b->duration ? -1 : 1;
    }
    return a->index < b->index ? -1 : a->index > b->index;
}

/* Sorted by planned duration. */
static void backfill_shortest(struct reservation *reservation, const struct bl_view *view,
                              const struct bl_line *line, struct bl_decision *decision)
{
    int64_t free_gpus = view->cluster->free.amount[BL_RESOURCE_GPU];
    struct candidate *candidate =
        bl_arena_alloc(view->scratch, view->queue_count * sizeof *candidate);
    size_t count = 0;

    for (size_t i = line->head + 1; i < view->queue_count; i++) {
        size_t index = bl_line_at(line, i);

        if (view->queue[index].gpus <= free_gpus) {
            candidate[count++] = (struct candidate){view->queue[index].duration, index};
        }
    }
    bl_sort(candidate, count, sizeof *candidate, compare_candidates);
    for (size_t i = 0; i < count; i++) {
        try_candidate(reservation, view, candidate[i].index, decision);
    }
}

/* The first place behind the head whose job could fit at all. Planning the head's start is the dear
 * part of a pass: only worth it for somebody. */
static size_t first_that_could_pass(const struct bl_view *view, const struct bl_line *line)
{
    int64_t free_gpus = view->cluster->free.amount[BL_RESOURCE_GPU];
    size_t place = line->head + 1;

    while (place < view->queue_count && view->queue[bl_line_at(line, place)].gpus > free_gpus) {
        place++;
    }
    return place;
}

void bl_backfill(const struct bl_view *view, const struct bl_line *line,
                 enum bl_backfill_order order, struct bl_decision *decision)
{
    size_t first = first_that_could_pass(view, line);
    struct reservation reservation;

    if (first >= view->queue_count) {
        return;
    }
    reservation = reserve(view, &view->queue[bl_line_at(line, line->head)]);
    reservation.line = line;
    bl_barren_init(&reservation.barren, view->cluster);
    if (order == BL_BACKFILL_SHORTEST) {
        backfill_shortest(&reservation, view, line, decision);
        return;
    }
    for (size_t i = first; i < view->queue_count; i++) {
        try_candidate(&reservation, view, bl_line_at(line, i), decision);
    }
}

void bl_backfill_explain(const struct bl_view *view, const struct bl_line *line,
                         const struct bl_job *job, struct bl_reason *out)
{
    const struct bl_queue_entry *head;
    struct bl_alloc alloc;

    bl_explain_in_order(view, line, job, out);
    if ((out->code != BL_REASON_RESOURCES && out->code != BL_REASON_PRIORITY) ||
        view->queue_count == 0) {
        return;
    }
    head = &view->queue[bl_line_at(line, 0)];
    if (out->code == BL_REASON_RESOURCES) {
        out->at = reserve(view, head).shadow;
    } else if (bl_place_try(view->cluster, job, bl_job_gpus_wanted(job), &alloc)) {
        bl_alloc_finish(&alloc);
        *out = (struct bl_reason){BL_REASON_BACKFILL, .job = head->job->id,
                                  .at = reserve(view, head).shadow};
    }
}
