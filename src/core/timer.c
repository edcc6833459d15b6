/* Instants at which a round is due although no event comes. A row is (time, subject and kind); rows
 * are never taken out early: one whose time no longer matters is skipped when it comes up. */
#include "core/state.h"

/* One that saves its work to be resized is still under its limit. */
static bool is_limited(const struct bl_job *job)
{
    return (job->state == BL_JOB_RUNNING || job->state == BL_JOB_RESIZING) &&
           bl_job_limit_end(job) != BL_TIME_NEVER;
}

static bool is_job_row_current(const struct bl_job *job, enum bl_timer kind, bl_time at)
{
    if (!job) {
        return false;
    }
    switch (kind) {
    case BL_TIMER_LIMIT:
        return is_limited(job) && bl_job_limit_end(job) == at;
    case BL_TIMER_WARNING:
        return is_limited(job) && job->state == BL_JOB_RUNNING && !job->is_warned &&
               bl_job_limit_end(job) - job->spec.warning.lead == at;
    case BL_TIMER_READY:
        return job->state == BL_JOB_WAITING && job->ready_at == at;
    case BL_TIMER_DRAIN:
    case BL_TIMER_COUNT:
        break;
    }
    return false;
}

static bool is_current(const struct bl_core *core, const struct bl_heap_item *row)
{
    enum bl_timer kind = (enum bl_timer)(row->key % BL_TIMER_COUNT);
    int64_t subject = row->key / BL_TIMER_COUNT;

    if (kind == BL_TIMER_DRAIN) {
        return core->cluster.node[subject].drain_at == row->time;
    }
    return is_job_row_current(bl_map_find(&core->jobs, subject), kind, row->time);
}

void bl_core_set_timer(struct bl_core *core, enum bl_timer kind, int64_t subject, bl_time at)
{
    bl_heap_push(&core->timers,
                 (struct bl_heap_item){at, subject * BL_TIMER_COUNT + (int64_t)kind, NULL});
}

void bl_core_drop_stale_timers(struct bl_core *core)
{
    struct bl_heap_item dropped;

    while (core->timers.count > 0 && !is_current(core, bl_heap_peek(&core->timers))) {
        bl_heap_pop(&core->timers, &dropped);
    }
}

bool bl_core_pop_due(struct bl_core *core, enum bl_timer *kind, int64_t *subject)
{
    const struct bl_heap_item *first;
    struct bl_heap_item due;

    while ((first = bl_heap_peek(&core->timers)) && first->time <= core->now) {
        bl_heap_pop(&core->timers, &due);
        if (is_current(core, &due)) {
            *kind = (enum bl_timer)(due.key % BL_TIMER_COUNT);
            *subject = due.key / BL_TIMER_COUNT;
            return true;
        }
    }
    return false;
}

/* A job of a trace whose run is known to be over in time needs nobody to watch it. */
static bool ends_within_limit(const struct bl_job *job)
{
    bl_time run = bl_job_attempt_time(job, bl_alloc_gpus(&job->alloc));

    return run > 0 && job->ran_before + run <= job->spec.limit && !job->spec.warning.signal &&
           !job->stop_at;
}

void bl_core_set_limit_timers(struct bl_core *core, const struct bl_job *job)
{
    bl_time end = bl_job_limit_end(job);

    if (!is_limited(job) || ends_within_limit(job)) {
        return;
    }
    bl_core_set_timer(core, BL_TIMER_LIMIT, job->id, end);
    if (job->spec.warning.signal && !job->is_warned) {
        bl_core_set_timer(core, BL_TIMER_WARNING, job->id, end - job->spec.warning.lead);
    }
}

static void shift_active(struct bl_core *core, struct bl_job *job, bl_time by)
{
    job->started_at += by;
    job->running_at += job->running_at ? by : 0;
    job->planned_end += job->planned_end != BL_TIME_NEVER ? by : 0;
    job->held_at += by;
    job->progress.at += job->progress.at ? by : 0;
    job->progress.mark_at += job->progress.mark_at ? by : 0;
    bl_core_set_limit_timers(core, job);
}

/* A back-off is a time that passes; an instant that somebody asked for stays. */
static void shift_back_off(struct bl_core *core, struct bl_job *job, bl_time by)
{
    if (job->ready_at <= core->now - by || job->ready_at == job->spec.not_before) {
        return;
    }
    job->ready_at += by;
    if (job->state == BL_JOB_WAITING) {
        bl_core_set_timer(core, BL_TIMER_READY, job->id, job->ready_at);
    }
}

void bl_core_shift_clock(struct bl_core *core, bl_time by)
{
    size_t cursor = 0;
    struct bl_job *job;

    if (by <= 0 || by > core->now) {
        return;
    }
    core->wake_at += core->wake_at ? by : 0;
    while ((job = bl_map_next(&core->jobs, &cursor))) {
        if (bl_job_state_is_active(job->state)) {
            shift_active(core, job, by);
        } else if (!bl_job_state_is_ended(job->state)) {
            shift_back_off(core, job, by);
        }
    }
    /* all by the same: their order stays */
    for (size_t i = 0; i < core->running.count; i++) {
        core->running.at[i].planned_end = core->running.at[i].job->planned_end;
    }
}
