/* What people ask for: cancel, hold, release, requeue, change, move. Each works from every state;
 * what makes no sense in a state changes nothing. */
#include "core/bookings.h"
#include "core/state.h"

static void cancel(struct bl_core *core, const struct bl_event *event, struct bl_job *job,
                   struct bl_endings *endings)
{
    bool is_untold = bl_core_is_untold(core, job);

    if (job->state == BL_JOB_STOPPING && job->stop_as != BL_JOB_QUEUED) {
        return;
    }
    job->reason = (struct bl_reason){BL_REASON_USER, .need = event->u.cancelled.uid};
    if (!is_untold && bl_job_state_is_active(job->state)) {
        bl_core_stop_job(core, job, BL_JOB_CANCELLED);
    } else if (!is_untold && job->array) {
        bl_array_cancel(core, job, endings);
    } else {
        bl_core_end_job(core, job, BL_JOB_CANCELLED, endings);
    }
}

/* Nothing is held for a job that may not start: others use it, and it is promised anew later. */
static void hold(struct bl_core *core, const struct bl_event *event, struct bl_job *job)
{
    if (job->is_held || bl_job_state_is_active(job->state)) {
        return;
    }
    bl_core_step_out(core, job);
    job->is_held = true;
    job->reason = (struct bl_reason){BL_REASON_HELD, .need = event->u.cancelled.uid};
    bl_core_line_up(core, job);
    bl_core_promise(core, job);
}

/* Whoever releases a job says that what was wrong is mended: its failures are forgotten. */
static void release(struct bl_core *core, struct bl_job *job)
{
    if (job->state != BL_JOB_HELD) {
        return;
    }
    job->is_held = false;
    job->failures = 0;
    job->start_failures = 0;
    job->requeues = 0;
    job->ready_at = job->spec.not_before;
    job->reason = (struct bl_reason){.code = BL_REASON_UNDECIDED};
    bl_core_line_up(core, job);
    bl_core_promise(core, job);
}

static void requeue(struct bl_core *core, const struct bl_event *event, struct bl_job *job)
{
    if (!bl_job_state_is_active(job->state) || job->state == BL_JOB_STOPPING ||
        job->spec.is_adopted) {
        return;
    }
    job->reason = (struct bl_reason){BL_REASON_REQUEUE, .need = event->u.cancelled.uid};
    if (bl_core_is_untold(core, job)) {
        bl_core_put_back(core, job);
    } else {
        bl_core_stop_job(core, job, BL_JOB_QUEUED);
    }
}

/* Whether a running job may go on until this limit: what others have booked stands. */
static bool may_run_on(const struct bl_core *core, const struct bl_job *job, bl_time limit)
{
    struct bl_job longer = *job;

    longer.spec.limit = limit;
    longer.ran_before += job->state == BL_JOB_STARTING ? 0 : core->now - job->running_at;
    return bl_hold_allows(&core->cluster, &longer, &job->alloc);
}

/* The cluster keeps the names of types: a job's own memory was measured when it came. */
static void change_shape(struct bl_core *core, struct bl_job *job,
                         const struct bl_job_change *change)
{
    struct bl_job_spec spec = bl_job_changed_shape(&job->spec, change);

    for (size_t i = 0; change->set_gpu_types && i < spec.gpu_type_count; i++) {
        int32_t type = bl_cluster_add_type(&core->cluster, spec.gpu_type[i]);

        if (type < 0) {
            return;
        }
        spec.gpu_type[i] = core->cluster.type_name[type];
    }
    job->spec = spec;
    job->gpus_wish = change->set_gpus ? 0 : job->gpus_wish;
    bl_job_resolve(job, &core->cluster);
}

static void change_spec(struct bl_core *core, struct bl_job *job,
                        const struct bl_job_change *change, bool is_active)
{
    if (change->set_limit && (!is_active || may_run_on(core, job, change->limit))) {
        job->spec.limit = change->limit;
    }
    job->spec.priority = change->set_priority ? change->priority : job->spec.priority;
    job->spec.may_restart = change->set_restart ? change->may_restart : job->spec.may_restart;
    if (!is_active) {
        change_shape(core, job, change);
    }
    if (change->set_not_before && !is_active) {
        job->spec.not_before = change->not_before;
        job->ready_at = change->not_before;
    }
}

static void change(struct bl_core *core, const struct bl_job_change *wanted, struct bl_job *job)
{
    bool is_active = bl_job_state_is_active(job->state);

    if (!is_active) {
        bl_core_step_out(core, job);
    }
    bl_core_refresh_live(core);
    change_spec(core, job, wanted, is_active);
    if (is_active) {
        job->is_warned = job->is_warned && !wanted->set_limit;
        bl_core_replan_running(core, job);
        bl_core_set_limit_timers(core, job);
    } else {
        bl_core_line_up(core, job);
        bl_core_promise(core, job);
    }
    core->wants_round = true;
}

/* Right before another job: the same place in time, one rank earlier. */
static void move(struct bl_core *core, bl_job_id before, struct bl_job *job)
{
    const struct bl_job *other = bl_map_find(&core->jobs, before);

    if (!other || other == job || bl_job_state_is_active(job->state)) {
        return;
    }
    bl_core_step_out(core, job);
    job->order_at = other->order_at;
    job->order_rank = other->order_rank - 1;
    bl_core_line_up(core, job);
}

/* A fixed size from now on, or none again. What runs changes in a round; what queues asks for it.
 */
static void ask_for_size(struct bl_core *core, int32_t gpus, struct bl_job *job)
{
    bool is_active = bl_job_state_is_active(job->state);

    if (gpus != 0 && (!bl_job_is_elastic(&job->spec) || !bl_job_is_legal_count(&job->spec, gpus))) {
        return;
    }
    if (!is_active) {
        bl_core_step_out(core, job);
    }
    job->gpus_wish = gpus;
    if (!is_active) {
        bl_core_line_up(core, job);
    }
    core->has_wishes = true;
    core->wants_round = true;
}

void bl_core_control(struct bl_core *core, const struct bl_event *event, struct bl_job *job,
                     struct bl_endings *endings)
{
    if (bl_job_state_is_ended(job->state)) {
        return;
    }
    if (event->kind != BL_EVENT_JOB_CANCELLED) {
        bl_scores_forget(core->scores, job->id); /* it was told of another plan */
    }
    if (event->kind == BL_EVENT_JOB_CANCELLED) {
        cancel(core, event, job, endings);
    } else if (event->kind == BL_EVENT_JOB_HELD) {
        hold(core, event, job);
    } else if (event->kind == BL_EVENT_JOB_RELEASED) {
        release(core, job);
    } else if (event->kind == BL_EVENT_JOB_REQUEUED) {
        requeue(core, event, job);
    } else if (event->kind == BL_EVENT_JOB_CHANGED) {
        change(core, &event->u.changed, job);
    } else if (event->kind == BL_EVENT_JOB_MOVED) {
        move(core, event->u.moved.before, job);
    } else if (event->kind == BL_EVENT_JOB_RESIZE_ASKED) {
        ask_for_size(core, event->u.resize_asked.gpus, job);
    }
}
