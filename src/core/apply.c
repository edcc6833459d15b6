/* What events change. Every event is legal in every state: one that comes too late changes
 * nothing. */
#include "core/state.h"

#include <assert.h>

/* Jobs that ended in this step and whose dependents are still to be told, in order. */
struct endings {
    BL_VEC(struct bl_job *) list;
};

static void end_job(struct bl_core *core, struct bl_job *job, enum bl_job_state as,
                    struct endings *endings)
{
    if (bl_job_state_is_active(job->state)) {
        bl_core_drop_running(core, job);
        bl_cluster_give_back(&core->cluster, &job->alloc);
        bl_metrics_note_books(core->metrics, &core->cluster, &job->alloc);
        core->wants_round = true;
    } else if (job->state == BL_JOB_QUEUED) {
        bl_core_dequeue(core, job);
        core->wants_round = true;
    }
    bl_job_set_state(job, as);
    job->ended_at = core->now;
    job->planned_end = BL_TIME_NEVER;
    bl_metrics_note_ended(core->metrics, job);
    bl_alloc_finish(&job->alloc);
    BL_VEC_PUSH(&endings->list, job);
}

/* One answer for a job that waits: met brings it nearer to the queue, impossible ends it. */
static void answer_dependent(struct bl_core *core, struct bl_job *waiting,
                             enum bl_dependency_kind kind, const struct bl_job *ended,
                             struct endings *endings)
{
    if (!waiting || (waiting->state != BL_JOB_WAITING && waiting->state != BL_JOB_HELD)) {
        return;
    }
    if (!bl_dependency_is_met(kind, ended->state)) {
        waiting->reason = (struct bl_reason){BL_REASON_DEPENDENCY_FAILED, .job = ended->id};
        end_job(core, waiting, BL_JOB_CANCELLED, endings);
        return;
    }
    waiting->waits_for--;
    if (waiting->waits_for == 0 && waiting->state == BL_JOB_WAITING) {
        bl_job_set_state(waiting, BL_JOB_QUEUED);
        waiting->eligible_at = core->now;
        bl_core_enqueue(core, waiting);
    }
}

static void forget_job(struct bl_core *core, struct bl_job *job)
{
    if (core->retention == BL_FORGET_ENDED) {
        bl_map_remove(&core->jobs, job->id);
        bl_job_destroy(core->forgotten);
        core->forgotten = job;
    }
}

/* Tells dependents, who may end in turn and have dependents of their own. */
static void settle_endings(struct bl_core *core, struct endings *endings)
{
    for (size_t i = 0; i < endings->list.count; i++) {
        struct bl_job *ended = endings->list.at[i];
        const struct bl_dependents *dependents = bl_graph_find(&core->graph, ended->id);

        for (size_t d = 0; dependents && d < dependents->count; d++) {
            answer_dependent(core, bl_map_find(&core->jobs, dependents->job[d]),
                             dependents->kind[d], ended, endings);
        }
        bl_graph_remove(&core->graph, ended->id);
        forget_job(core, ended);
    }
    BL_VEC_FINISH(&endings->list);
}

/* Counts what the new job waits for; false when one of them can never be met. */
static bool link_dependencies(struct bl_core *core, struct bl_job *job)
{
    for (size_t i = 0; i < job->spec.after_count; i++) {
        struct bl_dependency after = job->spec.after[i];
        const struct bl_job *other = bl_map_find(&core->jobs, after.job);

        if (!other || (bl_job_state_is_ended(other->state) &&
                       !bl_dependency_is_met(after.kind, other->state))) {
            job->reason = (struct bl_reason){BL_REASON_DEPENDENCY_FAILED, .job = after.job};
            return false;
        }
        if (!bl_job_state_is_ended(other->state)) {
            bl_graph_add(&core->graph, job->id, after);
            job->waits_for++;
        }
    }
    return true;
}

static void apply_submitted(struct bl_core *core, const struct bl_event *event,
                            struct endings *endings)
{
    struct bl_job *job;

    if (event->job <= 0 || bl_map_find(&core->jobs, event->job)) {
        return;
    }
    job = bl_job_create(event);
    bl_job_resolve(job, &core->cluster);
    bl_map_insert(&core->jobs, job->id, job);
    bl_metrics_note_submitted(core->metrics, job);
    job->state = BL_JOB_WAITING;
    if (!link_dependencies(core, job)) {
        end_job(core, job, BL_JOB_CANCELLED, endings);
    } else if (job->waits_for == 0) {
        bl_job_set_state(job, BL_JOB_QUEUED);
        job->eligible_at = event->at;
        bl_core_enqueue(core, job);
    }
}

/* Why a stop was asked for first stays the reason; a second one changes nothing. */
static void apply_cancelled(struct bl_core *core, const struct bl_event *event, struct bl_job *job,
                            struct endings *endings)
{
    if (bl_job_state_is_ended(job->state) || job->state == BL_JOB_STOPPING) {
        return;
    }
    job->reason = (struct bl_reason){BL_REASON_USER, .need = event->u.cancelled.uid};
    if (!bl_job_state_is_active(job->state)) {
        end_job(core, job, BL_JOB_CANCELLED, endings);
        return;
    }
    bl_job_set_state(job, BL_JOB_STOPPING);
    job->stop_as = BL_JOB_CANCELLED;
    BL_VEC_PUSH(&core->to_stop, job->id);
    core->wants_round = true;
}

static void apply_started(struct bl_core *core, struct bl_job *job)
{
    if (!bl_job_state_is_active(job->state) || job->running_at) {
        return;
    }
    job->running_at = core->now;
    if (job->state == BL_JOB_STARTING) {
        bl_job_set_state(job, BL_JOB_RUNNING);
    }
    if (job->planned_end != BL_TIME_NEVER && job->running_at != job->started_at) {
        bl_time planned_end = job->planned_end + (job->running_at - job->started_at);

        bl_core_drop_running(core, job);
        bl_core_note_running(core, job, planned_end);
    }
    if (job->spec.limit > 0) {
        bl_heap_push(&core->limits,
                     (struct bl_heap_item){job->running_at + job->spec.limit, job->id, NULL});
    }
}

static void apply_start_failed(struct bl_core *core, const struct bl_event *event,
                               struct bl_job *job, struct endings *endings)
{
    if (!bl_job_state_is_active(job->state)) {
        return;
    }
    if (job->state == BL_JOB_STOPPING) {
        end_job(core, job, job->stop_as, endings);
        return;
    }
    job->reason = (struct bl_reason){BL_REASON_START_FAILED, .need = event->u.start_failed.stage,
                                     .have = event->u.start_failed.error_number};
    end_job(core, job, BL_JOB_FAILED, endings);
}

enum { SIGNAL_CODE_BASE = 128 };

static void apply_ended(struct bl_core *core, const struct bl_event *event, struct bl_job *job,
                        struct endings *endings)
{
    int32_t code = event->u.ended.code;
    bool is_signal = event->u.ended.cause == BL_END_SIGNALLED;
    enum bl_job_state as = !is_signal && code == 0 ? BL_JOB_COMPLETED : BL_JOB_FAILED;

    if (!bl_job_state_is_active(job->state)) {
        return;
    }
    if (event->u.ended.cause == BL_END_LOST) {
        as = BL_JOB_LOST;
    } else {
        job->has_exit_code = true;
        job->exit_code = is_signal ? SIGNAL_CODE_BASE + code : code;
    }
    if (job->state == BL_JOB_STOPPING) {
        as = job->stop_as;
    } else if (as == BL_JOB_LOST) {
        job->reason = (struct bl_reason){.code = BL_REASON_LOST};
    } else {
        job->reason = (struct bl_reason){BL_REASON_EXIT, .need = job->exit_code,
                                         .have = is_signal ? code : 0};
    }
    end_job(core, job, as, endings);
}

static void apply_policy(struct bl_core *core, const struct bl_policy_choice *choice)
{
    if (core->choice.policy && core->choice.policy->destroy) {
        core->choice.policy->destroy(core->policy_self);
    }
    core->choice = *choice;
    core->policy_self = choice->policy->create ? choice->policy->create(choice) : NULL;
    bl_core_replan_all(core);
    core->wants_round = true;
}

static void apply_node_added(struct bl_core *core, const struct bl_node_spec *spec)
{
    size_t cursor = 0;
    struct bl_job *job;

    if (bl_cluster_add_node(&core->cluster, spec) < 0) {
        return;
    }
    bl_metrics_note_books(core->metrics, &core->cluster, NULL);
    while ((job = bl_map_next(&core->jobs, &cursor))) {
        bl_job_resolve(job, &core->cluster);
    }
    core->wants_round = true;
}

static void apply_node_state(struct bl_core *core, const struct bl_event *event)
{
    int32_t node = bl_cluster_find_node(&core->cluster, event->u.node_state.name);

    if (node >= 0) {
        bl_cluster_set_state(&core->cluster, node, event->u.node_state.state);
        bl_metrics_note_books(core->metrics, &core->cluster, NULL);
        core->wants_round = true;
    }
}

/* The job an engine's report is about, unless it is about an attempt that is over. */
static struct bl_job *find_attempt(const struct bl_core *core, const struct bl_event *event)
{
    struct bl_job *job = bl_map_find(&core->jobs, event->job);

    return job && job->attempt == event->attempt ? job : NULL;
}

static void apply_job_event(struct bl_core *core, const struct bl_event *event,
                            struct endings *endings)
{
    struct bl_job *job = event->kind == BL_EVENT_JOB_CANCELLED
                             ? bl_map_find(&core->jobs, event->job)
                             : find_attempt(core, event);

    if (!job) {
        return;
    }
    if (event->kind == BL_EVENT_JOB_CANCELLED) {
        apply_cancelled(core, event, job, endings);
    } else if (event->kind == BL_EVENT_JOB_STARTED) {
        apply_started(core, job);
    } else if (event->kind == BL_EVENT_JOB_START_FAILED) {
        apply_start_failed(core, event, job, endings);
    } else {
        apply_ended(core, event, job, endings);
    }
}

void bl_core_apply(struct bl_core *core, const struct bl_event *event)
{
    struct endings endings = {0};

    switch (event->kind) {
    case BL_EVENT_POLICY_SET:
        apply_policy(core, &event->u.policy);
        break;
    case BL_EVENT_NODE_ADDED:
        apply_node_added(core, &event->u.node);
        break;
    case BL_EVENT_NODE_STATE:
        apply_node_state(core, event);
        break;
    case BL_EVENT_JOB_SUBMITTED:
        apply_submitted(core, event, &endings);
        break;
    case BL_EVENT_JOB_CANCELLED:
    case BL_EVENT_JOB_STARTED:
    case BL_EVENT_JOB_START_FAILED:
    case BL_EVENT_JOB_ENDED:
        apply_job_event(core, event, &endings);
        break;
    case BL_EVENT_CLOCK_JUMPED:
    case BL_EVENT_ROUND:
    case BL_EVENT_COUNT:
        break;
    }
    settle_endings(core, &endings);
}
