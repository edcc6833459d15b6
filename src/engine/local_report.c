#include "engine/local_inside.h"
#include "os/loop.h"

#define PROGRESS_PAUSE (5 * BL_SECOND) /* between looks at what the jobs say of their progress */

static struct bl_event *add_report(struct bl_local *local, const struct bl_attempt *attempt,
                                   enum bl_event_kind kind)
{
    BL_VEC_PUSH(&local->reports,
                (struct bl_event){.kind = kind, .job = attempt->job, .attempt = attempt->number});
    bl_watch_arm(local->idle, 0);
    return &local->reports.at[local->reports.count - 1];
}

/* The host may start and stop jobs in answer: that only adds to the list. */
void bl_local_flush_reports(struct bl_local *local)
{
    bl_local_health_check(local->health);
    for (size_t i = 0; i < local->reports.count; i++) {
        struct bl_event event = local->reports.at[i];

        local->host.report(local->host.self, &event);
    }
    local->reports.count = 0;
}

void bl_local_report_started(struct bl_local *local, const struct bl_attempt *attempt)
{
    add_report(local, attempt, BL_EVENT_JOB_STARTED)->u.started.pid = attempt->status.pid;
}

void bl_local_report_failed(struct bl_local *local, const struct bl_attempt *attempt,
                            enum bl_start_stage stage, int error_number)
{
    struct bl_event *event = add_report(local, attempt, BL_EVENT_JOB_START_FAILED);

    event->u.start_failed.stage = stage;
    event->u.start_failed.error_number = error_number;
}

void bl_local_report_ended(struct bl_local *local, const struct bl_attempt *attempt,
                           enum bl_end_cause cause, int code)
{
    struct bl_event *event = add_report(local, attempt, BL_EVENT_JOB_ENDED);

    bl_local_health_suspect(local->health, cause, code);
    event->u.ended.cause = cause;
    event->u.ended.code = code;
}

void bl_local_report_end_of(struct bl_local *local, const struct bl_attempt *attempt)
{
    const struct bl_spawn_status *status = &attempt->status;

    switch (status->end) {
    case BL_SPAWN_FAILED:
        bl_local_report_failed(local, attempt, bl_attempt_stage_of(status->stage), status->code);
        return;
    case BL_SPAWN_EXITED:
        bl_local_report_ended(local, attempt, BL_END_EXITED, status->code);
        return;
    case BL_SPAWN_SIGNALLED:
        bl_local_report_ended(local, attempt, BL_END_SIGNALLED, status->code);
        return;
    case BL_SPAWN_GONE:
        bl_local_report_ended(local, attempt, BL_END_GONE, 0);
        return;
    case BL_SPAWN_LOST:
    case BL_SPAWN_NOT_ENDED:
        bl_local_report_ended(local, attempt, BL_END_LOST, 0);
        return;
    }
}

/* ---- progress ---- */

void bl_local_report_progress(struct bl_local *local, struct bl_attempt *attempt,
                              const struct bl_local_paths *paths)
{
    struct bl_progress_report said;
    struct bl_event *event;

    if (!bl_local_progress_read(&attempt->progress, bl_buf_text(&paths->directory), &said)) {
        return;
    }
    event = add_report(local, attempt, BL_EVENT_JOB_PROGRESS);
    event->u.progress.done = said.done;
    event->u.progress.total = said.total;
    event->u.progress.has_observation = said.has_observation;
    event->u.progress.observation = said.observation;
}

void bl_local_report_all_progress(struct bl_local *local, bl_time now)
{
    struct bl_attempt *attempt;
    size_t cursor = 0;

    if (now < local->progress_at) {
        return;
    }
    local->progress_at = now + PROGRESS_PAUSE;
    while ((attempt = bl_map_next(&local->attempts, &cursor))) {
        BL_AUTO_PATHS paths;

        bl_local_paths_init(&paths, local->site.state_dir, attempt->job, attempt->number);
        if (attempt->told_started) {
            bl_local_report_progress(local, attempt, &paths);
        }
    }
}
