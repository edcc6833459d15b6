/* A round: stops that are due, then the policy's starts. */
#include "core/state.h"

#include <assert.h>

struct bl_view bl_core_view(struct bl_core *core)
{
    return (struct bl_view){
        .now = core->now,
        .cluster = &core->cluster,
        .choice = &core->choice,
        .queue = core->queue.at,
        .queue_count = core->queue.count,
        .running = core->running.at,
        .running_count = core->running.count,
        .scratch = &core->scratch,
    };
}

static void push_stop(struct bl_actions *actions, const struct bl_job *job)
{
    BL_VEC_PUSH(&actions->list,
                (struct bl_action){BL_ACTION_STOP, job->id, job->attempt, job->reason, NULL});
}

static void stop_cancelled(struct bl_core *core, struct bl_actions *actions)
{
    for (size_t i = 0; i < core->to_stop.count; i++) {
        const struct bl_job *job = bl_map_find(&core->jobs, core->to_stop.at[i]);

        if (job && job->state == BL_JOB_STOPPING) {
            push_stop(actions, job);
        }
    }
    core->to_stop.count = 0;
}

static void stop_over_limit(struct bl_core *core, struct bl_actions *actions)
{
    const struct bl_heap_item *first;

    while ((first = bl_heap_peek(&core->limits)) && first->time <= core->now) {
        struct bl_heap_item due;
        struct bl_job *job;

        bl_heap_pop(&core->limits, &due);
        if (!bl_core_is_limit_stale(core, &due)) {
            job = bl_map_find(&core->jobs, due.key);
            bl_job_set_state(job, BL_JOB_STOPPING);
            job->stop_as = BL_JOB_TIMEOUT;
            job->reason = (struct bl_reason){.code = BL_REASON_TIME_LIMIT, .at = due.time};
            push_stop(actions, job);
        }
    }
}

void bl_decision_start(struct bl_decision *decision, size_t index, const struct bl_alloc *alloc,
                       const struct bl_reason *reason)
{
    struct bl_core *core = decision->core;
    struct bl_queue_entry *entry = &core->queue.at[index];
    struct bl_job *job = bl_map_find(&core->jobs, entry->job->id);
    int32_t gpus = bl_alloc_gpus(alloc);
    bl_time duration;

    assert(gpus >= job->spec.gpus_min && gpus <= job->spec.gpus_max);
    duration = gpus == entry->gpus ? entry->duration
                                   : core->choice.policy->plan_duration(&core->choice, job, gpus);
    entry->job = NULL;
    bl_cluster_take(&core->cluster, alloc);
    bl_alloc_copy(&job->alloc, alloc);
    bl_job_set_state(job, BL_JOB_STARTING);
    job->attempt++;
    job->reason = *reason;
    job->started_at = core->now;
    job->running_at = 0;
    bl_core_note_running(core, job, core->now + duration);
    decision->view->running = core->running.at;
    decision->view->running_count = core->running.count;
    decision->started++;
    BL_VEC_PUSH(&decision->actions->list,
                (struct bl_action){BL_ACTION_START, job->id, job->attempt, *reason, &job->alloc});
    bl_metrics_note_books(core->metrics, &core->cluster, &job->alloc);
    bl_metrics_note_started(core->metrics, job);
}

static void drop_started_entries(struct bl_core *core)
{
    size_t kept = 0;

    for (size_t i = 0; i < core->queue.count; i++) {
        if (core->queue.at[i].job) {
            core->queue.at[kept++] = core->queue.at[i];
        }
    }
    core->queue.count = kept;
}

void bl_core_decide(struct bl_core *core, struct bl_actions *actions)
{
    struct bl_view view = bl_core_view(core);
    struct bl_decision decision = {core, &view, actions, 0};

    stop_cancelled(core, actions);
    stop_over_limit(core, actions);
    if (core->choice.policy && core->queue.count > 0) {
        core->choice.policy->decide(core->policy_self, &view, &decision);
        if (decision.started > 0) {
            drop_started_entries(core);
        }
        bl_arena_reset(&core->scratch);
    }
    core->wants_round = false;
    bl_metrics_note_round(core->metrics);
}
