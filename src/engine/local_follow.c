/* What a supervisor writes to its attempt file is learnt by inotify: the same way for one that this
 * process started and for one that an earlier daemon did. That one has died is learnt the same way:
 * it alone has the file open for writing, so its end is the file's closing. Where inotify is used
 * up, the files are looked at on a timer. */
#include "engine/local_inside.h"
#include "os/clock.h"
#include "os/log.h"
#include "os/loop.h"
#include "os/own_fd.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <unistd.h>

#define LOOK_PAUSE  (20 * BL_MILLISECOND) /* between looks at what cannot be waited for */
#define SWEEP_PAUSE BL_SECOND             /* before another try to end what a dead one left */
enum { TRIES_MAX = 3 };                   /* of supervisors that die at once */

/* ---- attempts ---- */

struct bl_attempt *bl_local_find_attempt(const struct bl_local *local, bl_job_id job,
                                         int32_t number)
{
    struct bl_attempt *attempt = bl_map_find(&local->attempts, job);

    return attempt && attempt->number == number ? attempt : NULL;
}

void bl_local_unwatch(struct bl_local *local, struct bl_attempt *attempt)
{
    if (attempt->watch >= 0) {
        bl_map_remove(&local->watched, attempt->watch);
        inotify_rm_watch(local->inotify, attempt->watch);
        attempt->watch = -1;
    }
}

void bl_local_drop(struct bl_local *local, struct bl_attempt *attempt)
{
    bl_local_unwatch(local, attempt);
    bl_map_remove(&local->attempts, attempt->job);
    free(attempt);
}

void bl_local_watch(struct bl_local *local, struct bl_attempt *attempt,
                    const struct bl_local_paths *paths)
{
    if (attempt->watch >= 0) {
        return;
    }
    attempt->watch = local->inotify < 0
                         ? -1
                         : inotify_add_watch(local->inotify, bl_buf_text(&paths->attempt),
                                             IN_MODIFY | IN_CLOSE_WRITE);
    if (attempt->watch >= 0) {
        bl_map_insert(&local->watched, attempt->watch, attempt);
    }
}

/* When something must be looked at although nobody will tell. */
static void arm_timer(struct bl_local *local)
{
    bl_time now = bl_clock_monotonic();
    bl_time next = BL_TIME_NEVER;
    const struct bl_attempt *attempt;
    size_t cursor = 0;

    while ((attempt = bl_map_next(&local->attempts, &cursor))) {
        if (bl_attempt_must_look(attempt) && attempt->look_at < next) {
            next = attempt->look_at;
        }
        if (attempt->stop_by && attempt->stop_by < next) {
            next = attempt->stop_by;
        }
        if (attempt->save_by && attempt->save_by < next) {
            next = attempt->save_by;
        }
        if (attempt->told_started && local->progress_at < next) {
            next = local->progress_at;
        }
    }
    if (next < BL_TIME_NEVER) {
        bl_watch_arm(local->timer, next - now);
    }
}

/* ---- what a attempt file tells ---- */

void bl_local_end_unstarted(struct bl_local *local, struct bl_attempt *attempt)
{
    bl_local_report_ended(local, attempt, BL_END_SIGNALLED, SIGTERM);
    bl_local_drop(local, attempt);
}

static void end_unknown(struct bl_local *local, struct bl_attempt *attempt,
                        const struct bl_local_paths *paths)
{
    bl_log(BL_LOG_ERROR, "job %lld: %s was removed: nothing is known of the job any more",
           (long long)attempt->job, bl_buf_text(&paths->attempt));
    bl_local_report_ended(local, attempt, BL_END_LOST, 0);
    bl_local_drop(local, attempt);
}

/* Ends what a dead supervisor left, by another one; tries until it is done. */
static void sweep(struct bl_local *local, struct bl_attempt *attempt,
                  const struct bl_local_paths *paths)
{
    int fd = bl_local_files_take(paths);

    if (fd < 0 && errno == ENOENT) {
        end_unknown(local, attempt, paths);
        return;
    }
    if (!attempt->sweeping) {
        bl_log(BL_LOG_WARNING, "job %lld: its supervisor died; %s", (long long)attempt->job,
               attempt->is_adopted ? "another one watches its process from now on"
                                   : "ending what is left of the job");
    }
    attempt->stop_by = 0;
    attempt->gone_by = 0;
    attempt->stop_told = false;
    attempt->sweeping = true;
    attempt->look_at = bl_clock_monotonic() + SWEEP_PAUSE;
    attempt->let_go =
        fd < 0 || bl_local_spawn(local, paths,
                                 attempt->is_adopted ? BL_SPAWN_ADOPT : BL_SPAWN_SWEEP, fd) != 0;
    if (fd >= 0) {
        close(fd);
    }
}

/* It died before its first record, so before it started anything; its spec is still there. */
static void start_again(struct bl_local *local, struct bl_attempt *attempt,
                        const struct bl_local_paths *paths)
{
    int fd = bl_local_files_take(paths);
    int failed = fd < 0 ? errno : 0;

    attempt->tries++;
    if (!failed && attempt->tries < TRIES_MAX) {
        failed =
            bl_local_spawn(local, paths, attempt->is_adopted ? BL_SPAWN_ADOPT : BL_SPAWN_RUN, fd);
    } else if (!failed) {
        failed = ECHILD;
    }
    if (failed) {
        bl_local_unwatch(local, attempt);
        bl_local_report_failed(local, attempt, BL_STAGE_SUPERVISOR, failed);
        bl_local_drop(local, attempt);
    }
    if (fd >= 0) {
        close(fd);
    }
}

/* It holds its own file to its end. One that lives on without holding this one holds another: the
 * state directory is a copy, and the job is another daemon's. */
static void await_exit(struct bl_local *local, struct bl_attempt *attempt)
{
    bl_time now = bl_clock_monotonic();

    attempt->gone_by = attempt->gone_by ? attempt->gone_by : now + BL_LOCAL_EXIT_SLACK;
    attempt->let_go = true;
    attempt->look_at = now + LOOK_PAUSE;
    if (now >= attempt->gone_by) {
        bl_log(BL_LOG_ERROR,
               "job %lld: it runs under a supervisor (pid %d) that belongs to another state "
               "directory, of which this one seems to be a copy; it is left alone",
               (long long)attempt->job, (int)attempt->status.supervisor);
        bl_local_report_ended(local, attempt, BL_END_LOST, 0);
        bl_local_drop(local, attempt);
    }
}

void bl_local_follow_dead(struct bl_local *local, struct bl_attempt *attempt,
                          const struct bl_local_paths *paths)
{
    if (bl_attempt_is_supervised(attempt)) {
        await_exit(local, attempt);
    } else if (attempt->status.supervisor) {
        sweep(local, attempt, paths);
    } else if (attempt->stop_asked && !attempt->is_adopted) {
        bl_local_end_unstarted(local, attempt);
    } else {
        start_again(local, attempt, paths);
    }
}

bool bl_local_read_records(struct bl_local *local, struct bl_attempt *attempt,
                           const struct bl_local_paths *paths)
{
    BL_AUTO_FD fd = open(bl_buf_text(&paths->attempt), O_RDONLY | O_CLOEXEC);

    if (fd >= 0) {
        bl_spawn_status_read(fd, &attempt->status);
    }
    if (attempt->status.pid && !attempt->told_started) {
        attempt->told_started = true;
        bl_local_report_started(local, attempt);
    }
    if (attempt->status.end == BL_SPAWN_NOT_ENDED) {
        bl_attempt_tell_stop(attempt);
        bl_attempt_tell_save(attempt);
        return false;
    }
    bl_local_report_progress(local, attempt, paths);
    bl_local_report_end_of(local, attempt);
    bl_local_drop(local, attempt);
    return true;
}

static void look(struct bl_local *local, struct bl_attempt *attempt)
{
    BL_AUTO_PATHS paths;

    bl_local_paths_init(&paths, local->site.state_dir, attempt->job, attempt->number);
    if (bl_local_read_records(local, attempt, &paths) || !bl_attempt_must_look(attempt) ||
        (attempt->sweeping && attempt->look_at > bl_clock_monotonic())) {
        return;
    }
    /* The lock goes a moment after the file's closing is told; until then the timer looks again. */
    attempt->look_at = bl_clock_monotonic() + LOOK_PAUSE;
    if (!bl_local_files_is_supervised(&paths)) {
        attempt->let_go = false;
        if (!bl_local_read_records(local, attempt,
                                   &paths)) { /* it may have written its last just now */
            bl_local_follow_dead(local, attempt, &paths);
        }
    }
}

static void look_at_all(struct bl_local *local)
{
    struct bl_attempt *attempt;
    size_t cursor = 0;

    while ((attempt = bl_map_next(&local->attempts, &cursor))) {
        attempt->let_go = true;
        look(local, attempt);
    }
}

static void take_event(struct bl_local *local, const struct inotify_event *event)
{
    struct bl_attempt *attempt = bl_map_find(&local->watched, event->wd);

    if (event->mask & IN_Q_OVERFLOW) {
        look_at_all(local);
    } else if (attempt) {
        attempt->let_go = attempt->let_go || (event->mask & IN_CLOSE_WRITE);
        look(local, attempt);
    }
}

static void on_inotify(void *self, uint32_t events)
{
    struct bl_local *local = self;
    char bytes[16 * 1024] __attribute__((aligned(__alignof__(struct inotify_event))));
    ssize_t length = read(local->inotify, bytes, sizeof bytes);
    ssize_t at = 0;

    (void)events;
    while (at < length) {
        const struct inotify_event *event = (const struct inotify_event *)(void *)(bytes + at);

        take_event(local, event);
        at += (ssize_t)(sizeof *event + event->len);
    }
    bl_nursery_reap(local->nursery);
    arm_timer(local);
    bl_local_flush_reports(local);
}

static void on_timer(void *self)
{
    struct bl_local *local = self;
    bl_time now = bl_clock_monotonic();
    struct bl_attempt *attempt;
    size_t cursor = 0;

    bl_nursery_reap(local->nursery);
    while ((attempt = bl_map_next(&local->attempts, &cursor))) {
        bl_attempt_end_stuck(attempt, now);
        bl_attempt_end_save(attempt, now);
        if (bl_attempt_must_look(attempt) && now >= attempt->look_at) {
            look(local, attempt);
        }
    }
    bl_local_report_all_progress(local, now);
    arm_timer(local);
    bl_local_flush_reports(local);
}

static void on_idle(void *self)
{
    struct bl_local *local = self;

    arm_timer(local);
    bl_local_flush_reports(local);
}

void bl_local_open_watches(struct bl_local *local)
{
    local->inotify = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    if (local->inotify >= 0) {
        local->inotify_watch =
            bl_loop_watch_fd(local->loop, local->inotify, EPOLLIN, on_inotify, local);
    }
    local->timer = bl_loop_watch_timer(local->loop, on_timer, local);
    local->idle = bl_loop_watch_idle(local->loop, on_idle, local);
}
