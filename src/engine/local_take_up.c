#include "engine/local_inside.h"
#include "os/clock.h"
#include "os/loop.h"
#include "os/spawn_spec.h"

#include <errno.h>
#include <unistd.h>

int bl_local_spawn(struct bl_local *local, const struct bl_local_paths *paths,
                   enum bl_spawn_mode mode, int attempt_fd)
{
    struct bl_spawn_supervisor order = {
        .mode = mode, .path = bl_buf_text(&paths->attempt), .attempt_fd = attempt_fd};

    return bl_nursery_start(local->nursery, &order);
}

/* 0, or an errno with the stage it belongs to. */
static int write_spec(struct bl_local *local, const struct bl_engine_job *job,
                      const struct bl_local_paths *paths, int attempt_fd,
                      enum bl_start_stage *stage)
{
    BL_AUTO_BUF bytes = {.ceiling = BL_SPAWN_SPEC_BYTES_MAX};
    int failed = bl_local_site_write_spec(&local->site, job, paths, &bytes, stage);

    return failed ? failed : bl_local_files_write_spec(attempt_fd, &bytes);
}

/* Takes the locked attempt file: the supervisor inherits it. */
static void launch(struct bl_local *local, struct bl_attempt *attempt,
                   const struct bl_engine_job *job, const struct bl_local_paths *paths,
                   int attempt_fd)
{
    enum bl_spawn_mode mode = attempt->is_adopted ? BL_SPAWN_ADOPT
                              : job->was_running  ? BL_SPAWN_SWEEP
                                                  : BL_SPAWN_RUN;
    enum bl_start_stage stage;
    int failed = write_spec(local, job, paths, attempt_fd, &stage);

    if (!failed) {
        stage = BL_STAGE_SUPERVISOR;
        bl_local_watch(local, attempt, paths);
        failed = bl_local_spawn(local, paths, mode, attempt_fd);
    }
    if (failed) {
        bl_local_unwatch(local,
                         attempt); /* or our own closing would look like a supervisor's end */
    }
    close(attempt_fd);
    if (failed && job->was_running) {
        bl_local_report_ended(local, attempt, BL_END_LOST, 0);
        bl_local_drop(local, attempt);
    } else if (failed) {
        bl_local_report_failed(local, attempt, stage, failed);
        bl_local_drop(local, attempt);
    }
}

static struct bl_attempt *add_attempt(struct bl_local *local, const struct bl_engine_job *job)
{
    struct bl_attempt *attempt = bl_alloc_zero(sizeof *attempt);

    attempt->job = job->job->id;
    attempt->number = job->attempt;
    attempt->watch = -1;
    attempt->is_adopted = job->launch->pid != 0;
    attempt->grace = job->launch->grace;
    attempt->told_started = job->was_running;
    attempt->save_by_signal = job->job->spec.warning;
    bl_map_insert(&local->attempts, attempt->job, attempt);
    return attempt;
}

/* The attempt file was just made: nobody ever started this attempt, unless its files were lost;
 * then what carries its token is ended. */
static void take_up_new(struct bl_local *local, struct bl_attempt *attempt,
                        const struct bl_engine_job *job, const struct bl_local_paths *paths,
                        int attempt_fd)
{
    if (job->stopping && !job->was_running && !attempt->is_adopted) {
        close(attempt_fd);
        bl_local_end_unstarted(local, attempt);
    } else {
        attempt->stop_asked = job->stopping && attempt->is_adopted;
        attempt->save_asked = job->saving;
        launch(local, attempt, job, paths, attempt_fd);
    }
}

/* The attempt file was there: it and its lock tell how far the attempt came. */
static void take_up_old(struct bl_local *local, struct bl_attempt *attempt,
                        const struct bl_engine_job *job, const struct bl_local_paths *paths)
{
    int fd;

    bl_local_watch(local, attempt, paths); /* before the first look, so that nothing is missed */
    if (bl_local_read_records(local, attempt, paths)) {
        return;
    }
    attempt->stop_asked = job->stopping;
    attempt->save_asked = job->saving;
    if (bl_local_files_is_supervised(paths)) {
        bl_attempt_tell_stop(attempt);
        bl_attempt_tell_save(attempt);
        return;
    }
    attempt->gone_by =
        bl_attempt_is_supervised(attempt) ? bl_clock_monotonic() + BL_LOCAL_EXIT_SLACK : 0;
    if (bl_local_read_records(local, attempt, paths)) {
        return;
    }
    if (attempt->status.supervisor) {
        bl_local_follow_dead(local, attempt, paths);
        return;
    }
    if (job->stopping && !attempt->is_adopted) {
        bl_local_end_unstarted(local, attempt);
        return;
    }
    fd = bl_local_files_take(paths);
    if (fd < 0) {
        bl_local_report_failed(local, attempt, BL_STAGE_SPEC, errno);
        bl_local_drop(local, attempt);
        return;
    }
    launch(local, attempt, job, paths, fd);
}

void bl_local_take_up(struct bl_local *local, const struct bl_engine_job *job)
{
    struct bl_attempt *attempt = bl_map_find(&local->attempts, job->job->id);
    BL_AUTO_PATHS paths;
    int fd = -1;

    bl_local_paths_init(&paths, local->site.state_dir, job->job->id, job->attempt);
    if (attempt) { /* asked twice, or the one before has not ended */
        if (attempt->number != job->attempt) {
            bl_local_report_failed(
                local, &(struct bl_attempt){.job = job->job->id, .number = job->attempt},
                BL_STAGE_ENGINE, EBUSY);
        }
        return;
    }
    attempt = add_attempt(local, job);
    if (!job->was_running) {
        bl_local_progress_skip(&attempt->progress, bl_buf_text(&paths.directory));
    }
    switch (bl_local_files_make(&paths, &fd)) {
    case BL_LOCAL_MADE:
        take_up_new(local, attempt, job, &paths, fd);
        break;
    case BL_LOCAL_EXISTS:
        take_up_old(local, attempt, job, &paths);
        break;
    case BL_LOCAL_REFUSED:
        bl_local_report_failed(local, attempt, BL_STAGE_SPEC, errno);
        bl_local_drop(local, attempt);
        break;
    }
    bl_watch_arm(local->idle, 0);
}
