/* What events change. Every event is legal in every state: one that comes too late changes
 * nothing. */
#include "core/bookings.h"
#include "core/durations.h"
#include "core/state.h"

#include <assert.h>

/* Links one dependency; false when it can never be met. */
static bool link_dependency(struct bl_core *core, struct bl_job *job, struct bl_dependency after)
{
    const struct bl_job *other = bl_map_find(&core->jobs, after.job);

    if (!other) {
        return false;
    }
    if (after.kind == BL_AFTER_EACH) {
        bl_graph_add(&core->graph, job->id, after);
        return job->array && bl_array_link_each(job, other);
    }
    if (bl_job_state_is_ended(other->state)) {
        return bl_dependency_is_met(after.kind, other->state);
    }
    bl_graph_add(&core->graph, job->id, after);
    job->waits_for++;
    return true;
}

static bool link_dependencies(struct bl_core *core, struct bl_job *job)
{
    for (size_t i = 0; i < job->spec.after_count; i++) {
        if (!link_dependency(core, job, job->spec.after[i])) {
            job->reason =
                (struct bl_reason){BL_REASON_DEPENDENCY_FAILED, .job = job->spec.after[i].job};
            return false;
        }
    }
    return true;
}

static void apply_submitted(struct bl_core *core, const struct bl_event *event,
                            struct bl_endings *endings)
{
    struct bl_job *job;

    if (event->job <= 0 || bl_map_find(&core->jobs, event->job)) {
        return;
    }
    if (event->u.submitted.is_adopted) {
        bl_core_adopt(core, event);
        return;
    }
    job = bl_job_create(event);
    if (core->learns) {
        bl_predictions_ask(core->predictions, job, core->running.at, core->running.count,
                           core->now);
        bl_arrivals_note_submitted(core->arrivals, job);
    }
    bl_job_resolve(job, &core->cluster);
    bl_map_insert(&core->jobs, job->id, job);
    job->state = BL_JOB_WAITING;
    if (!job->array) {
        bl_metrics_note_submitted(core->metrics, job);
    }
    if (!link_dependencies(core, job)) {
        bl_core_end_job(core, job, BL_JOB_CANCELLED, endings);
        return;
    }
    bl_core_line_up(core, job);
    bl_core_promise(core, job);
    if (job->array) {
        bl_array_end_if_done(core, job, endings);
    }
}

/* Its size could not be changed until now: whoever wanted that is asked again. */
static bool may_be_resized_now(const struct bl_core *core, const struct bl_job *job)
{
    const struct bl_policy *policy = core->choice.policy;
    bool is_missed = policy && policy->is_elastic && core->now > job->started_at;
    bool has_wish = job->gpus_wish > 0 && job->gpus_wish != bl_alloc_gpus(&job->alloc);

    return bl_job_may_be_preempted(&job->spec) && (is_missed || has_wish);
}

static void apply_started(struct bl_core *core, struct bl_job *job)
{
    if (job->running_at) {
        return;
    }
    job->running_at = core->now;
    if (job->state == BL_JOB_STARTING) {
        bl_job_set_state(job, BL_JOB_RUNNING);
        core->wants_round = core->wants_round || may_be_resized_now(core, job);
    }
    if (job->planned_end != BL_TIME_NEVER && job->running_at != job->started_at) {
        bl_time planned_end = job->planned_end + (job->running_at - job->started_at);

        bl_core_drop_running(core, job);
        bl_core_note_running(core, job, planned_end);
    }
    bl_core_set_limit_timers(core, job);
}

static void apply_policy(struct bl_core *core, const struct bl_policy_choice *choice)
{
    if (core->choice.policy && core->choice.policy->destroy) {
        core->choice.policy->destroy(core->policy_self);
    }
    core->choice = *choice;
    core->learns = !core->is_fork && (core->learns || bl_durations_are_predicted(choice));
    bl_predictions_choose(core->predictions, bl_durations_predictor(choice));
    core->policy_self = choice->policy->create ? choice->policy->create(choice) : NULL;
    bl_core_replan_all(core);
    core->wants_round = true;
}

static void apply_node_added(struct bl_core *core, const struct bl_node_spec *spec)
{
    int32_t known = bl_cluster_find_node(&core->cluster, spec->name);
    size_t cursor = 0;
    struct bl_job *job;

    if (known >= 0 ? !bl_cluster_reshape_node(&core->cluster, known, spec)
                   : bl_cluster_add_node(&core->cluster, spec) < 0) {
        return;
    }
    bl_metrics_note_books(core->metrics, &core->cluster, NULL);
    while ((job = bl_map_next(&core->jobs, &cursor))) {
        bl_job_resolve(job, &core->cluster);
    }
    core->wants_round = true;
}

/* A drain to come is planned only for a node that is up: another offers nothing anyway. */
static void apply_node_state(struct bl_core *core, const struct bl_event *event)
{
    int32_t node = bl_cluster_find_node(&core->cluster, event->u.node_state.name);
    bl_time from = event->u.node_state.from;

    if (node < 0) {
        return;
    }
    if (event->u.node_state.state != BL_NODE_DRAINED || from <= core->now) {
        bl_cluster_set_state(&core->cluster, node, event->u.node_state.state);
        bl_metrics_note_books(core->metrics, &core->cluster, NULL);
    } else if (core->cluster.node[node].state == BL_NODE_UP) {
        bl_cluster_set_drain(&core->cluster, node, from);
        bl_core_set_timer(core, BL_TIMER_DRAIN, node, from);
    }
    core->wants_round = true;
}

static void apply_node(struct bl_core *core, const struct bl_event *event)
{
    if (event->kind == BL_EVENT_NODE_ADDED) {
        apply_node_added(core, &event->u.node);
    } else if (event->kind == BL_EVENT_GPU_STATE) {
        bl_core_gpus_lost(core, event);
    } else {
        apply_node_state(core, event);
    }
    bl_core_rehome(core);
}

/* The job that an engine's report is about, unless it is about an attempt that is over. */
static struct bl_job *find_attempt(const struct bl_core *core, const struct bl_event *event)
{
    struct bl_job *job = bl_map_find(&core->jobs, event->job);

    return job && job->attempt == event->attempt && bl_job_state_is_active(job->state) ? job : NULL;
}

static void apply_progress(struct bl_core *core, const struct bl_event *event, struct bl_job *job)
{
    struct bl_progress *progress = &job->progress;

    bl_core_learn_progress(core, event, job);
    progress->steps = event->u.progress.done;
    progress->at = core->now;
    if (event->u.progress.total > 0) {
        progress->total = event->u.progress.total;
        progress->done =
            event->u.progress.done < progress->total ? event->u.progress.done / progress->total : 1;
    }
    if (event->u.progress.has_observation) {
        const struct bl_observation *seen = &event->u.progress.observation;
        struct bl_noise noise = {seen->grad_sqr, seen->grad_var};

        progress->rate = seen->rate;
        progress->noise = bl_noise_is_known(&noise) ? noise : progress->noise;
    }
}

static void apply_report(struct bl_core *core, const struct bl_event *event,
                         struct bl_endings *endings)
{
    struct bl_job *job = find_attempt(core, event);

    if (!job) {
        return;
    }
    if (event->kind == BL_EVENT_JOB_STARTED) {
        apply_started(core, job);
    } else if (event->kind == BL_EVENT_JOB_PROGRESS) {
        apply_progress(core, event, job);
    } else if (event->kind == BL_EVENT_JOB_START_FAILED) {
        bl_core_start_failed(core, event, job, endings);
    } else {
        bl_core_attempt_ended(core, event, job, endings);
    }
}

static void apply_control(struct bl_core *core, const struct bl_event *event,
                          struct bl_endings *endings)
{
    struct bl_job *job = bl_map_find(&core->jobs, event->job);

    if (job) {
        bl_core_control(core, event, job, endings);
    } else if (event->kind == BL_EVENT_JOB_CANCELLED) {
        bl_array_cancel_pending(core, event->job, endings);
    }
}

/* What only a snapshot or a profile tells. */
static void apply_learned(struct bl_core *core, const struct bl_event *event)
{
    if (event->kind == BL_EVENT_RUN_LEARNED) {
        bl_predictions_take_run(core->predictions, event);
    } else if (event->kind == BL_EVENT_FACT_LEARNED) {
        bl_predictions_take_fact(core->predictions, event);
    } else if (event->kind == BL_EVENT_ROUND_WISHED) {
        core->wake_at = event->u.wished.at;
    } else if (event->kind == BL_EVENT_COUNTS_LEARNED) {
        bl_metrics_take(core->metrics, &event->u.kept);
        bl_scores_take(core->scores, &event->u.kept);
    } else if (event->kind == BL_EVENT_CURVE_LEARNED) {
        bl_core_learn_lesson(core, event);
    } else {
        bl_saves_learn(&core->bookings->saves, event->u.save.application, event->u.save.time);
    }
}

static void forget_ended(struct bl_core *core, bl_time before)
{
    bl_core_forget_jobs(core, before);
    bl_metrics_note_forgotten(core->metrics, before);
    bl_core_forget_bookings(core, before);
}

static void apply_foretold(struct bl_core *core, const struct bl_event *event)
{
    for (size_t i = 0; i < event->u.foretold.count; i++) {
        const struct bl_told_row *row = &event->u.foretold.row[i];
        const struct bl_job *job = bl_map_find(&core->jobs, row->job);

        if (job) {
            bl_scores_tell(core->scores, job, &row->told);
        }
    }
}

static void apply_of_all(struct bl_core *core, const struct bl_event *event)
{
    if (event->kind == BL_EVENT_JOBS_FORGOTTEN) {
        forget_ended(core, event->u.forgotten.before);
    } else if (event->kind == BL_EVENT_FORETOLD) {
        apply_foretold(core, event);
    } else {
        bl_core_shift_clock(core, event->u.jumped.by);
        bl_core_rehome(core);
        bl_scores_forget_all(core->scores);
    }
}

void bl_core_apply(struct bl_core *core, const struct bl_event *event)
{
    struct bl_endings endings = {0};

    switch (event->kind) {
    case BL_EVENT_POLICY_SET:
        apply_policy(core, &event->u.policy);
        break;
    case BL_EVENT_NODE_ADDED:
    case BL_EVENT_NODE_STATE:
    case BL_EVENT_GPU_STATE:
        apply_node(core, event);
        break;
    case BL_EVENT_JOB_SUBMITTED:
        apply_submitted(core, event, &endings);
        break;
    case BL_EVENT_JOB_STARTED:
    case BL_EVENT_JOB_START_FAILED:
    case BL_EVENT_JOB_ENDED:
    case BL_EVENT_JOB_PROGRESS:
        apply_report(core, event, &endings);
        break;
    case BL_EVENT_JOB_CANCELLED:
    case BL_EVENT_JOB_HELD:
    case BL_EVENT_JOB_RELEASED:
    case BL_EVENT_JOB_REQUEUED:
    case BL_EVENT_JOB_CHANGED:
    case BL_EVENT_JOB_MOVED:
    case BL_EVENT_JOB_RESIZE_ASKED:
        apply_control(core, event, &endings);
        break;
    case BL_EVENT_JOB_RESTORED:
        bl_core_restore_job(core, event);
        break;
    case BL_EVENT_RUN_LEARNED:
    case BL_EVENT_FACT_LEARNED:
    case BL_EVENT_COUNTS_LEARNED:
    case BL_EVENT_CURVE_LEARNED:
    case BL_EVENT_SAVE_LEARNED:
    case BL_EVENT_ROUND_WISHED:
        apply_learned(core, event);
        break;
    case BL_EVENT_JOBS_FORGOTTEN:
    case BL_EVENT_CLOCK_JUMPED:
    case BL_EVENT_FORETOLD:
        apply_of_all(core, event);
        break;
    case BL_EVENT_RESERVED:
    case BL_EVENT_RESERVATION_CHANGED:
    case BL_EVENT_RESERVATION_CANCELLED:
    case BL_EVENT_RESERVATION_RESTORED:
        bl_core_apply_booking(core, event);
        break;
    case BL_EVENT_ROUND:
    case BL_EVENT_COUNT:
        break;
    }
    if (endings.list.count > 0 || endings.news.count > 0) {
        bl_core_settle_endings(core, &endings);
    }
}
