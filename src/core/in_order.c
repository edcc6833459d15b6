#include "core/in_order.h"

#include "core/hold.h"
#include "core/place.h"

enum moment { NOW, WHEN_EMPTY /* of what runs */ };

/* Merge sort, from the bottom: stable, and no comparison needs an index. */
static void merge_runs(const struct bl_view *view, const size_t *from, size_t *to, size_t length,
                       bool (*is_before)(const struct bl_queue_entry *a,
                                         const struct bl_queue_entry *b))
{
    size_t count = view->queue_count;

    for (size_t low = 0; low < count; low += 2 * length) {
        size_t middle = low + length < count ? low + length : count;
        size_t high = low + 2 * length < count ? low + 2 * length : count;
        size_t left = low;
        size_t right = middle;

        for (size_t at = low; at < high; at++) {
            bool take_right =
                left == middle ||
                (right < high && is_before(&view->queue[from[right]], &view->queue[from[left]]));

            to[at] = take_right ? from[right++] : from[left++];
        }
    }
}

struct bl_line bl_line_sort(const struct bl_view *view,
                            bool (*is_before)(const struct bl_queue_entry *a,
                                              const struct bl_queue_entry *b))
{
    size_t *order = bl_arena_alloc(view->scratch, view->queue_count * sizeof *order);
    size_t *other = bl_arena_alloc(view->scratch, view->queue_count * sizeof *other);

    for (size_t i = 0; i < view->queue_count; i++) {
        order[i] = i;
    }
    for (size_t length = 1; length < view->queue_count; length *= 2) {
        size_t *sorted = other;

        merge_runs(view, order, sorted, length, is_before);
        other = order;
        order = sorted;
    }
    return (struct bl_line){.order = order};
}

struct bl_line bl_line_keep(const struct bl_view *view,
                            bool (*is_before)(const struct bl_queue_entry *a,
                                              const struct bl_queue_entry *b))
{
    struct bl_line *line = view->memo->kept;

    if (!line) {
        struct bl_view lasting = *view;

        lasting.scratch = &view->memo->arena;
        line = bl_arena_alloc(lasting.scratch, sizeof *line);
        *line = bl_line_sort(&lasting, is_before);
        view->memo->kept = line;
    }
    return *line;
}

void bl_start_in_order(const struct bl_view *view, struct bl_line *line,
                       struct bl_decision *decision)
{
    const struct bl_reason reason = {.code = BL_REASON_IN_ORDER};

    while (line->head < view->queue_count) {
        size_t index = bl_line_at(line, line->head);
        struct bl_alloc alloc;

        if (!bl_place_try(view->cluster, view->queue[index].job, view->queue[index].gpus, &alloc)) {
            break;
        }
        if (!bl_line_may_start(line, view, index)) {
            bl_alloc_finish(&alloc);
            break;
        }
        bl_decision_start(decision, index, &alloc, &reason);
        bl_alloc_finish(&alloc);
        line->head += view->queue[index].job == NULL;
    }
}

/* Whether it would fit if all that runs on nodes that are up were gone. */
static bool fits_on_nodes_that_are_up(const struct bl_view *view, const struct bl_job *job)
{
    struct bl_free plan = bl_free_copy(view->cluster, view->scratch);

    for (size_t i = 0; i < view->running_count; i++) {
        bl_free_add(&plan, &view->running[i].job->alloc);
    }
    return bl_place_fits(&plan, job, bl_job_gpus_wanted(job));
}

/* Whether it fits where it would if nothing were held ahead. */
static bool fits_but_for_holds(const struct bl_view *view, const struct bl_job *job,
                               enum moment moment)
{
    struct bl_cluster bare = *view->cluster;
    struct bl_view open = *view;
    struct bl_alloc alloc;

    if (!bl_hold_in_the_way(view->cluster, job, INT64_MIN)) {
        return false;
    }
    bare.holds = NULL;
    open.cluster = &bare;
    if (moment == WHEN_EMPTY) {
        return fits_on_nodes_that_are_up(&open, job);
    }
    if (!bl_place_try(&bare, job, bl_job_gpus_wanted(job), &alloc)) {
        return false;
    }
    bl_alloc_finish(&alloc);
    return true;
}

static struct bl_reason explain_holds(const struct bl_view *view, const struct bl_job *job)
{
    const struct bl_hold *hold = bl_hold_in_the_way(view->cluster, job, INT64_MIN);

    return hold->start > view->now
               ? (struct bl_reason){BL_REASON_RESERVED, .job = hold->booking, .at = hold->start}
               : (struct bl_reason){BL_REASON_BOOKED, .job = hold->booking, .at = hold->end};
}

/* No node that is up would take it: because of a drain to come, or because it is down now. */
static struct bl_reason explain_nodes(const struct bl_view *view, const struct bl_job *job)
{
    struct bl_reason reason = {.code = BL_REASON_NODES_DOWN};

    for (size_t i = 0; i < view->cluster->node_count; i++) {
        const struct bl_node *node = &view->cluster->node[i];

        if (node->state == BL_NODE_UP && node->drain_at < BL_TIME_NEVER &&
            view->now + bl_job_longest_run(&job->spec) > node->drain_at &&
            (reason.code == BL_REASON_NODES_DOWN || node->drain_at > reason.at)) {
            reason = (struct bl_reason){.code = BL_REASON_DRAIN, .at = node->drain_at};
        }
    }
    return reason;
}

static size_t place_in_line(const struct bl_view *view, const struct bl_line *line,
                            const struct bl_job *job)
{
    size_t place = 0;

    while (place < view->queue_count && view->queue[bl_line_at(line, place)].job != job) {
        place++;
    }
    return place;
}

void bl_explain_by_fit(const struct bl_view *view, const struct bl_job *job, struct bl_reason *out)
{
    struct bl_alloc alloc;

    if (!fits_on_nodes_that_are_up(view, job)) {
        *out = fits_but_for_holds(view, job, WHEN_EMPTY) ? explain_holds(view, job)
                                                         : explain_nodes(view, job);
    } else if (bl_place_try(view->cluster, job, bl_job_gpus_wanted(job), &alloc)) {
        bl_alloc_finish(&alloc);
        *out = (struct bl_reason){.code = BL_REASON_UNDECIDED};
    } else if (fits_but_for_holds(view, job, NOW)) {
        *out = explain_holds(view, job);
    } else {
        *out = (struct bl_reason){BL_REASON_RESOURCES, .need = bl_job_gpus_wanted(job),
                                  .have = bl_place_count_free(view->cluster, job),
                                  .at = BL_TIME_NEVER};
    }
}

void bl_explain_each_by_fit(void *self, const struct bl_view *view, const struct bl_job *job,
                            struct bl_reason *out)
{
    (void)self;
    bl_explain_by_fit(view, job, out);
}

void bl_explain_in_order(const struct bl_view *view, const struct bl_line *line,
                         const struct bl_job *job, struct bl_reason *out)
{
    size_t place = place_in_line(view, line, job);

    bl_explain_by_fit(view, job, out);
    if (place > 0 && view->queue_count > 0 && out->code != BL_REASON_NODES_DOWN &&
        out->code != BL_REASON_DRAIN && out->code != BL_REASON_RESERVED &&
        out->code != BL_REASON_BOOKED) {
        *out = (struct bl_reason){BL_REASON_PRIORITY,
                                  .job = view->queue[bl_line_at(line, place - 1)].job->id,
                                  .need = (int64_t)place};
    }
}

void bl_start_all_that_fit(const struct bl_view *view, const struct bl_line *line,
                           bool (*place)(const struct bl_cluster *cluster, const struct bl_job *job,
                                         int32_t gpus, struct bl_alloc *out),
                           struct bl_decision *decision)
{
    const struct bl_reason reason = {.code = BL_REASON_IN_ORDER};

    for (size_t i = line->head; i < view->queue_count; i++) {
        const struct bl_queue_entry *entry = &view->queue[bl_line_at(line, i)];
        struct bl_alloc alloc;

        while (entry->job && place(view->cluster, entry->job, entry->gpus, &alloc)) {
            bl_decision_start(decision, bl_line_at(line, i), &alloc, &reason);
            bl_alloc_finish(&alloc);
        }
    }
}
