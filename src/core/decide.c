/* A round: stops that are due, then the policy's starts. */
#include "core/durations.h"
#include "core/hold.h"
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
        .curves = core->curves,
        .oracle = core->oracle,
    };
}

static void push_stops(struct bl_core *core, struct bl_actions *actions)
{
    for (size_t i = 0; i < core->to_stop.count; i++) {
        const struct bl_job *job = bl_map_find(&core->jobs, core->to_stop.at[i]);

        if (job && job->state == BL_JOB_STOPPING) {
            BL_VEC_PUSH(&actions->list, (struct bl_action){.kind = BL_ACTION_STOP,
                                                           .job = job->id,
                                                           .attempt = job->attempt,
                                                           .reason = job->reason});
        }
    }
    core->to_stop.count = 0;
}

static void stop_over_limit(struct bl_core *core, struct bl_job *job)
{
    job->reason = (struct bl_reason){.code = BL_REASON_TIME_LIMIT, .at = core->now};
    if (job->spec.reservation && job->stop_at <= core->now) {
        job->reason.code = BL_REASON_SLOT_OVER;
        job->reason.job = job->spec.reservation;
    }
    bl_core_stop_job(core, job, BL_JOB_TIMEOUT);
}

static void push_warning(struct bl_actions *actions, struct bl_job *job)
{
    job->is_warned = true;
    BL_VEC_PUSH(&actions->list, (struct bl_action){.kind = BL_ACTION_SIGNAL,
                                                   .job = job->id,
                                                   .attempt = job->attempt,
                                                   .reason = {.code = BL_REASON_TIME_LIMIT,
                                                              .at = bl_job_limit_end(job)},
                                                   .signal = job->spec.warning.signal,
                                                   .shell_only = job->spec.warning.shell_only});
}

static void meet_due(struct bl_core *core, enum bl_timer kind, int64_t subject,
                     struct bl_actions *actions)
{
    struct bl_job *job = kind == BL_TIMER_DRAIN ? NULL : bl_map_find(&core->jobs, subject);

    switch (kind) {
    case BL_TIMER_LIMIT:
        stop_over_limit(core, job);
        break;
    case BL_TIMER_WARNING:
        push_warning(actions, job);
        break;
    case BL_TIMER_READY:
        bl_core_line_up(core, job);
        break;
    case BL_TIMER_DRAIN:
        bl_cluster_set_state(&core->cluster, (int32_t)subject, BL_NODE_DRAINED);
        bl_metrics_note_books(core->metrics, &core->cluster, NULL);
        break;
    case BL_TIMER_COUNT:
        break;
    }
}

static void meet_all_due(struct bl_core *core, struct bl_actions *actions)
{
    enum bl_timer kind;
    int64_t subject;

    while (bl_core_pop_due(core, &kind, &subject)) {
        meet_due(core, kind, subject, actions);
    }
}

/* The job that starts: the queued one itself, or the next element of an array. */
static struct bl_job *take_from_queue(struct bl_core *core, struct bl_queue_entry *entry)
{
    struct bl_job *queued = bl_map_find(&core->jobs, entry->job->id);
    struct bl_job *element;

    if (!queued->array) {
        entry->job = NULL;
        return queued;
    }
    element = bl_array_take(core, queued);
    if (bl_array_peek(queued) < 0) {
        queued->array->is_listed = false;
        entry->job = NULL;
    }
    return element;
}

void bl_core_book(struct bl_core *core, struct bl_job *job, const struct bl_alloc *alloc,
                  const struct bl_reason *reason, bl_time planned_end)
{
    bl_cluster_take(&core->cluster, alloc);
    bl_alloc_copy(&job->alloc, alloc);
    bl_job_set_state(job, BL_JOB_STARTING);
    job->attempt++;
    job->reason = *reason;
    job->started_at = core->now;
    job->running_at = 0;
    job->is_warned = false;
    job->held_at = core->now;
    job->first_started_at = job->first_started_at ? job->first_started_at : core->now;
    bl_core_note_running(core, job, planned_end);
    bl_metrics_note_books(core->metrics, &core->cluster, &job->alloc);
    bl_metrics_note_started(core->metrics, job);
    bl_scores_note_started(core->scores, job, core->choice.policy->name);
}

void bl_core_start_entry(struct bl_decision *decision, struct bl_queue_entry *entry,
                         const struct bl_alloc *alloc, const struct bl_reason *reason)
{
    struct bl_core *core = decision->core;
    struct bl_job *job = take_from_queue(core, entry);
    int32_t gpus = bl_alloc_gpus(alloc);
    bl_time duration;

    assert(bl_job_is_legal_count(&job->spec, gpus));
    assert(bl_hold_admits(&core->cluster, job, alloc));
    duration = gpus == entry->gpus ? entry->duration
                                   : core->choice.policy->plan_duration(&core->choice, job, gpus);
    bl_core_book(core, job, alloc, reason, core->now + duration);
    decision->view->running = core->running.at;
    decision->view->running_count = core->running.count;
    decision->started++;
    BL_VEC_PUSH(&decision->actions->list, (struct bl_action){.kind = BL_ACTION_START,
                                                             .job = job->id,
                                                             .attempt = job->attempt,
                                                             .reason = *reason,
                                                             .alloc = &job->alloc});
}

void bl_decision_start(struct bl_decision *decision, size_t index, const struct bl_alloc *alloc,
                       const struct bl_reason *reason)
{
    bl_core_start_entry(decision, &decision->core->queue.at[index], alloc, reason);
}

void bl_decision_wake(struct bl_decision *decision, bl_time at)
{
    struct bl_core *core = decision->core;

    assert(at > core->now);
    core->wake_at = core->wake_at && core->wake_at < at ? core->wake_at : at;
}

void bl_decision_set_level(struct bl_decision *decision, bl_job_id id, int32_t level)
{
    struct bl_job *job = bl_map_find(&decision->core->jobs, id);

    assert(job && level >= 0);
    job->level = level;
    job->level_at = decision->core->now;
}

void bl_decision_guard(struct bl_decision *decision, bl_job_id id, const struct bl_guarded *guarded)
{
    struct bl_job *job = bl_map_find(&decision->core->jobs, id);

    assert(job && guarded->due != 0);
    job->guard = *guarded;
}

void bl_queue_drop_started(struct bl_queue *queue)
{
    size_t kept = 0;

    for (size_t i = 0; i < queue->count; i++) {
        if (queue->at[i].job) {
            queue->at[kept++] = queue->at[i];
        }
    }
    queue->count = kept;
}

static bool has_to_decide(const struct bl_core *core)
{
    const struct bl_policy *policy = core->choice.policy;

    return policy && (core->queue.count > 0 || (policy->is_elastic && core->running.count > 0));
}

/* Jobs that wait are asked about anew when a job of the same user has ended. */
static void refresh_predictions(struct bl_core *core)
{
    if (!core->learns || !core->choice.policy || !bl_durations_are_predicted(&core->choice)) {
        return;
    }
    for (size_t i = 0; i < core->queue.count; i++) {
        struct bl_queue_entry *entry = &core->queue.at[i];

        if (bl_predictions_is_stale(core->predictions, entry->job)) {
            bl_predictions_refresh(core->predictions, bl_map_find(&core->jobs, entry->job->id));
            entry->duration =
                core->choice.policy->plan_duration(&core->choice, entry->job, entry->gpus);
        }
    }
}

void bl_core_decide(struct bl_core *core, struct bl_actions *actions)
{
    struct bl_view view;
    struct bl_decision decision = {core, &view, actions, 0};

    bl_core_turn_calendar(core);
    meet_all_due(core, actions);
    bl_core_extend_overdue(core);
    bl_core_clear_slots(core, &decision);
    bl_core_push_restarts(core, actions);
    push_stops(core, actions);
    view = bl_core_view(core);
    bl_core_start_slots(core, &decision);
    bl_core_grant_wishes(core, &decision);
    core->wake_at = 0;
    refresh_predictions(core);
    if (has_to_decide(core)) {
        core->choice.policy->decide(core->policy_self, &view, &decision);
        if (decision.started > 0) {
            bl_queue_drop_started(&core->queue);
        }
        bl_arena_reset(&core->scratch);
    }
    core->wants_round = false;
    bl_core_settle_calendar(core);
    bl_metrics_note_round(core->metrics);
}
