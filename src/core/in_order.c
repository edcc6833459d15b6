#include "core/in_order.h"

#include "core/place.h"

size_t bl_start_in_order(const struct bl_view *view, struct bl_decision *decision)
{
    const struct bl_reason reason = {.code = BL_REASON_IN_ORDER};
    size_t i = 0;

    while (i < view->queue_count) {
        struct bl_alloc alloc;

        if (!bl_place_try(view->cluster, view->queue[i].job, view->queue[i].gpus, &alloc)) {
            break;
        }
        bl_decision_start(decision, i, &alloc, &reason);
        bl_alloc_finish(&alloc);
        i += view->queue[i].job == NULL;
    }
    return i;
}

/* Whether it would fit if all that runs on nodes that are up were gone. */
static bool fits_on_nodes_that_are_up(const struct bl_view *view, const struct bl_job *job)
{
    struct bl_free plan = bl_free_copy(view->cluster, view->scratch);

    for (size_t i = 0; i < view->running_count; i++) {
        bl_free_add(&plan, &view->running[i].job->alloc);
    }
    return bl_place_fits(&plan, job, job->spec.gpus_want);
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

static size_t place_in_line(const struct bl_view *view, const struct bl_job *job)
{
    size_t place = 0;

    while (place < view->queue_count && view->queue[place].job != job) {
        place++;
    }
    return place;
}

void bl_explain_in_order(const struct bl_view *view, const struct bl_job *job,
                         struct bl_reason *out)
{
    size_t place = place_in_line(view, job);
    struct bl_alloc alloc;

    if (!fits_on_nodes_that_are_up(view, job)) {
        *out = explain_nodes(view, job);
    } else if (place > 0) {
        *out = (struct bl_reason){BL_REASON_PRIORITY, .job = view->queue[place - 1].job->id,
                                  .need = (int64_t)place};
    } else if (bl_place_try(view->cluster, job, job->spec.gpus_want, &alloc)) {
        bl_alloc_finish(&alloc);
        *out = (struct bl_reason){.code = BL_REASON_UNDECIDED};
    } else {
        *out = (struct bl_reason){BL_REASON_RESOURCES, .need = job->spec.gpus_want,
                                  .have = bl_place_count_free(view->cluster, job),
                                  .at = BL_TIME_NEVER};
    }
}
