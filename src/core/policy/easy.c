/* EASY backfilling (Lifka 1995; Mu'alem and Feitelson 2001): the head of the queue has a
 * reservation, and a later job may start if it does not delay that one: it ends before the head
 * can start, or it uses what the head will not need.
 *
 * The head's start, the shadow, is the earliest planned end of a running job at which it fits. On
 * several nodes "what the head will not need" is asked of the plan itself: a candidate may stay
 * beyond the shadow if the head still fits at the shadow without the candidate's share. On one pool
 * of alike slots that is the textbook rule with its count of extra slots. */
#include "core/in_order.h"
#include "core/place.h"
#include "core/policy.h"
#include "core/view.h"

#include <stdlib.h>

enum { OPTION_DURATIONS, OPTION_ORDER };
enum { DURATIONS_LIMIT, DURATIONS_EXACT };
enum { ORDER_FCFS, ORDER_SHORTEST };

static const char *const duration_words[] = {"limit", "exact", NULL};
static const char *const order_words[] = {"fcfs", "shortest", NULL};

static const struct bl_option options[] = {
    [OPTION_DURATIONS] = {.name = "durations",
                          .kind = BL_OPTION_WORD,
                          .words = duration_words,
                          .standard = DURATIONS_LIMIT,
                          .help = "how long a job is taken to run: its limit, or the exact time "
                                  "where a trace tells it"},
    [OPTION_ORDER] = {.name = "order",
                      .kind = BL_OPTION_WORD,
                      .words = order_words,
                      .standard = ORDER_FCFS,
                      .help = "who is tried first behind the head: the oldest, or the shortest"},
};

static bl_time plan_duration(const struct bl_policy_choice *choice, const struct bl_job *job,
                             int32_t gpus)
{
    bl_time exact =
        choice->value[OPTION_DURATIONS] == DURATIONS_EXACT ? bl_job_run_time(&job->spec, gpus) : 0;

    return exact > 0 ? exact : bl_job_longest_run(&job->spec);
}

/* The head's reservation: when, and what is free then, the head not yet subtracted. */
struct reservation {
    const struct bl_queue_entry *head;
    bl_time shadow; /* BL_TIME_NEVER when no running job makes room */
    struct bl_free at_shadow;
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

static struct reservation reserve(const struct bl_view *view, const struct bl_queue_entry *head)
{
    struct reservation found = {.head = head,
                                .shadow = BL_TIME_NEVER,
                                .at_shadow = bl_free_copy(view->cluster, view->scratch)};
    size_t passed = 0;

    while (passed < view->running_count) {
        bl_time end = view->running[passed].planned_end;

        passed = pass_next_ends(view, passed, &found.at_shadow);
        if (bl_place_fits(&found.at_shadow, head->job, head->gpus)) {
            found.shadow = end > view->now ? end : view->now;
            break;
        }
    }
    return found;
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

/* Whether one job could be started from this entry. */
static bool start_candidate(struct reservation *reservation, const struct bl_view *view,
                            size_t index, struct bl_decision *decision)
{
    const struct bl_queue_entry *entry = &view->queue[index];
    struct bl_reason reason = {.job = reservation->head->job->id, .at = reservation->shadow};
    struct bl_alloc alloc;

    if (entry->gpus > view->cluster->free.amount[BL_RESOURCE_GPU] ||
        !bl_place_try(view->cluster, entry->job, entry->gpus, &alloc)) {
        return false;
    }
    reason.code = may_backfill(reservation, view, entry, &alloc);
    if (reason.code != BL_REASON_NONE) {
        bl_decision_start(decision, index, &alloc, &reason);
    }
    bl_alloc_finish(&alloc);
    return reason.code != BL_REASON_NONE;
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

static void backfill_shortest(struct reservation *reservation, const struct bl_view *view,
                              size_t first, struct bl_decision *decision)
{
    int64_t free_gpus = view->cluster->free.amount[BL_RESOURCE_GPU];
    struct candidate *candidate =
        bl_arena_alloc(view->scratch, view->queue_count * sizeof *candidate);
    size_t count = 0;

    for (size_t i = first; i < view->queue_count; i++) {
        if (view->queue[i].gpus <= free_gpus) {
            candidate[count++] = (struct candidate){view->queue[i].duration, i};
        }
    }
    qsort(candidate, count, sizeof *candidate, compare_candidates);
    for (size_t i = 0; i < count; i++) {
        try_candidate(reservation, view, candidate[i].index, decision);
    }
}

/* Planning the head's start is the dear part of a pass: only worth it for somebody. */
static bool could_anyone_pass(const struct bl_view *view, size_t head)
{
    int64_t free_gpus = view->cluster->free.amount[BL_RESOURCE_GPU];

    for (size_t i = head + 1; i < view->queue_count; i++) {
        if (view->queue[i].gpus <= free_gpus) {
            return true;
        }
    }
    return false;
}

static void backfill(const struct bl_view *view, size_t head, struct bl_decision *decision)
{
    struct reservation reservation;

    if (!could_anyone_pass(view, head)) {
        return;
    }
    reservation = reserve(view, &view->queue[head]);
    if (view->choice->value[OPTION_ORDER] == ORDER_SHORTEST) {
        backfill_shortest(&reservation, view, head + 1, decision);
        return;
    }
    for (size_t i = head + 1; i < view->queue_count; i++) {
        try_candidate(&reservation, view, i, decision);
    }
}

static void decide(void *self, const struct bl_view *view, struct bl_decision *decision)
{
    (void)self;
    backfill(view, bl_start_in_order(view, decision), decision);
}

static void explain(void *self, const struct bl_view *view, const struct bl_job *job,
                    struct bl_reason *out)
{
    struct reservation reservation;
    struct bl_alloc alloc;

    (void)self;
    bl_explain_in_order(view, job, out);
    if (out->code == BL_REASON_UNDECIDED || view->queue_count == 0) {
        return;
    }
    reservation = reserve(view, &view->queue[0]);
    if (out->code == BL_REASON_RESOURCES) {
        out->at = reservation.shadow;
    } else if (out->code == BL_REASON_PRIORITY &&
               bl_place_try(view->cluster, job, job->spec.gpus_want, &alloc)) {
        bl_alloc_finish(&alloc);
        *out = (struct bl_reason){BL_REASON_BACKFILL, .job = view->queue[0].job->id,
                                  .at = reservation.shadow};
    }
}

const struct bl_policy bl_policy_easy = {
    .name = "easy",
    .summary = "EASY backfilling: later jobs may start if they do not delay the head of the queue",
    .option = options,
    .option_count = sizeof options / sizeof options[0],
    .plan_duration = plan_duration,
    .decide = decide,
    .explain = explain,
};
