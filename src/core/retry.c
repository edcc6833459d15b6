/* What follows when an attempt ended otherwise than well: the end, another try after a while, or a
 * hold that says why. A try that follows at once would spin, and would keep others from the GPUs.
 */
#include "core/state.h"

enum {
    SIGNAL_CODE_BASE = 128,
    PUT_ME_BACK = 85,     /* the exit code of the contract */
    STARTS_MAX = 3,       /* starts that may fail in a row */
    REQUEUES_MAX = 20,    /* short runs in a row that end lost or with PUT_ME_BACK */
    BACKOFF_DOUBLINGS = 9 /* the pause grows no further */
};

#define START_PAUSE (2 * BL_SECOND)  /* after the first failed start; doubles */
#define RETRY_PAUSE (10 * BL_SECOND) /* after the first failed run; doubles */
#define SHORT_RUN   BL_MINUTE        /* a longer one has done some work: no loop */

static bl_time pause_after(bl_time first, int32_t failures)
{
    int32_t doublings = failures - 1;

    return first << (doublings < BACKOFF_DOUBLINGS ? doublings : BACKOFF_DOUBLINGS);
}

static void try_again(struct bl_core *core, struct bl_job *job, bl_time pause)
{
    job->ready_at = pause > 0 ? core->now + pause : 0;
    bl_core_put_back(core, job);
}

static void hold(struct bl_core *core, struct bl_job *job)
{
    job->is_held = true;
    bl_core_put_back(core, job);
}

void bl_core_start_failed(struct bl_core *core, const struct bl_event *event, struct bl_job *job,
                          struct bl_endings *endings)
{
    if (job->state == BL_JOB_STOPPING) {
        bl_core_attempt_ended(core, event, job, endings);
        return;
    }
    job->start_failures++;
    job->reason = (struct bl_reason){BL_REASON_START_FAILED, .need = event->u.start_failed.stage,
                                     .have = event->u.start_failed.error_number};
    if (job->spec.is_adopted) {
        bl_core_end_job(core, job, BL_JOB_FAILED, endings);
    } else if (job->start_failures >= STARTS_MAX) {
        hold(core, job);
    } else {
        try_again(core, job, pause_after(START_PAUSE, job->start_failures));
    }
}

/* Lost or asking to be put back: no failure, but not without end when each run is short. */
static void requeue(struct bl_core *core, struct bl_job *job)
{
    bool is_short = job->state == BL_JOB_STARTING || core->now - job->running_at < SHORT_RUN;

    job->requeues = is_short ? job->requeues + 1 : 0;
    if (job->requeues > REQUEUES_MAX) {
        job->reason =
            (struct bl_reason){BL_REASON_CRASH_LOOP, .need = job->requeues, .have = job->exit_code};
        hold(core, job);
    } else {
        try_again(core, job, is_short ? pause_after(BL_SECOND, job->requeues) : 0);
    }
}

static void fail_again(struct bl_core *core, struct bl_job *job)
{
    job->failures++;
    if (job->failures > job->spec.retries_max) {
        job->reason =
            (struct bl_reason){BL_REASON_CRASH_LOOP, .need = job->failures, .have = job->exit_code};
        hold(core, job);
    } else {
        try_again(core, job, pause_after(RETRY_PAUSE, job->failures));
    }
}

static void note_exit(const struct bl_event *event, struct bl_job *job)
{
    bool is_signal = event->u.ended.cause == BL_END_SIGNALLED;
    int32_t code = event->u.ended.code;

    job->has_exit_code =
        event->kind == BL_EVENT_JOB_ENDED && (event->u.ended.cause == BL_END_EXITED || is_signal);
    job->exit_code = !job->has_exit_code ? 0 : is_signal ? SIGNAL_CODE_BASE + code : code;
}

/* While it was to save its work it came to its end. An exit code of 0 alone does not say that: a
 * job may well leave like that after a checkpoint. */
static bool has_finished(const struct bl_job *job)
{
    return job->has_exit_code && job->exit_code == 0 && job->progress.done >= 1;
}

static void finish_stop(struct bl_core *core, struct bl_job *job, struct bl_endings *endings)
{
    if (job->reason.code == BL_REASON_PREEMPTED) {
        bl_core_note_saved(core, job);
    }
    if (job->reason.code == BL_REASON_PREEMPTED && has_finished(job)) {
        bl_core_end_job(core, job, BL_JOB_COMPLETED, endings);
    } else if (job->stop_as == BL_JOB_QUEUED) {
        bl_core_put_back(core, job);
    } else {
        bl_core_end_job(core, job, job->stop_as, endings);
    }
}

static void end_lost(struct bl_core *core, struct bl_job *job, struct bl_endings *endings)
{
    job->reason = (struct bl_reason){.code = BL_REASON_LOST};
    if (job->spec.may_restart && !job->spec.is_adopted) {
        requeue(core, job);
    } else {
        bl_core_end_job(core, job, BL_JOB_LOST, endings);
    }
}

static void end_with_code(struct bl_core *core, const struct bl_event *event, struct bl_job *job,
                          struct bl_endings *endings)
{
    job->reason = (struct bl_reason){
        BL_REASON_EXIT, .need = job->exit_code,
        .have = event->u.ended.cause == BL_END_SIGNALLED ? event->u.ended.code : 0};
    if (job->exit_code == PUT_ME_BACK && !job->spec.is_adopted) {
        job->reason = (struct bl_reason){BL_REASON_REQUEUE, .need = -1};
        requeue(core, job);
    } else if (job->exit_code != 0 && job->spec.retries_max > 0 && !job->spec.is_adopted) {
        fail_again(core, job);
    } else {
        bl_core_end_job(core, job, job->exit_code ? BL_JOB_FAILED : BL_JOB_COMPLETED, endings);
    }
}

void bl_core_attempt_ended(struct bl_core *core, const struct bl_event *event, struct bl_job *job,
                           struct bl_endings *endings)
{
    note_exit(event, job);
    if (job->state == BL_JOB_STOPPING) {
        finish_stop(core, job, endings);
        return;
    }
    job->start_failures = 0;
    if (job->state == BL_JOB_RESIZING && event->u.ended.cause != BL_END_LOST &&
        !has_finished(job)) {
        bl_core_resize_ended(core, job);
        return;
    }
    if (event->u.ended.cause == BL_END_LOST) {
        end_lost(core, job, endings);
    } else if (event->u.ended.cause == BL_END_GONE) {
        job->reason = (struct bl_reason){.code = BL_REASON_GONE};
        bl_core_end_job(core, job, BL_JOB_COMPLETED, endings);
    } else {
        end_with_code(core, event, job, endings);
    }
}
