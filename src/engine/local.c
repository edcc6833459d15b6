/* Jobs as processes of this machine, each under its own supervisor (src/supervisor).
 *
 * What a supervisor writes to its attempt file is learnt by inotify: the same way for one that this
 * process started and for one that an earlier daemon did. That one has died is learnt the same way:
 * it alone has the file open for writing, so its end is the file's closing. Where inotify is used
 * up, the files are looked at on a timer. */
#include "base/map.h"
#include "engine/engine.h"
#include "engine/launch_env.h"
#include "engine/local_attempt.h"
#include "engine/local_health.h"
#include "engine/local_signal.h"
#include "engine/local_site.h"
#include "engine/local_tidy.h"
#include "os/clock.h"
#include "os/fs.h"
#include "os/log.h"
#include "os/loop.h"
#include "os/nursery.h"
#include "os/own_fd.h"
#include "os/proc.h"
#include "os/spawn_spec.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/inotify.h>

#define LOOK_PAUSE  (20 * BL_MILLISECOND) /* between looks at what cannot be waited for */
#define SWEEP_PAUSE BL_SECOND             /* before another try to end what a dead one left */
enum { TRIES_MAX = 3 };                   /* of supervisors that die at once */

#define PROGRESS_PAUSE (5 * BL_SECOND) /* between looks at what the jobs say of their progress */
#define EXIT_SLACK     (2 * BL_SECOND) /* between a supervisor's letting go of its file and its end */

struct local {
    struct bl_loop *loop;
    struct bl_engine_host host;
    struct bl_local_site site;
    int inotify;
    struct bl_watch *inotify_watch;
    struct bl_watch *timer;
    struct bl_watch *idle;
    struct bl_map attempts; /* job id -> struct bl_attempt *, owned */
    struct bl_map watched;  /* inotify watch -> struct bl_attempt * */
    struct bl_nursery *nursery;
    struct bl_local_health *health;
    BL_VEC(struct bl_event) reports;
    bl_time progress_at; /* monotonic: the next look at the jobs' progress */
};

/* ---- reports ---- */

static struct bl_event *add_report(struct local *local, const struct bl_attempt *attempt,
                                   enum bl_event_kind kind)
{
    BL_VEC_PUSH(&local->reports,
                (struct bl_event){.kind = kind, .job = attempt->job, .attempt = attempt->number});
    bl_watch_arm(local->idle, 0);
    return &local->reports.at[local->reports.count - 1];
}

/* The host may start and stop jobs in answer: that only adds to the list. */
static void flush_reports(struct local *local)
{
    bl_local_health_check(local->health);
    for (size_t i = 0; i < local->reports.count; i++) {
        struct bl_event event = local->reports.at[i];

        local->host.report(local->host.self, &event);
    }
    local->reports.count = 0;
}

static void report_failed(struct local *local, const struct bl_attempt *attempt,
                          enum bl_start_stage stage, int error_number)
{
    struct bl_event *event = add_report(local, attempt, BL_EVENT_JOB_START_FAILED);

    event->u.start_failed.stage = stage;
    event->u.start_failed.error_number = error_number;
}

static void report_ended(struct local *local, const struct bl_attempt *attempt,
                         enum bl_end_cause cause, int code)
{
    struct bl_event *event = add_report(local, attempt, BL_EVENT_JOB_ENDED);

    bl_local_health_suspect(local->health, cause, code);
    event->u.ended.cause = cause;
    event->u.ended.code = code;
}

static void report_end_of(struct local *local, const struct bl_attempt *attempt)
{
    const struct bl_spawn_status *status = &attempt->status;

    switch (status->end) {
    case BL_SPAWN_FAILED:
        report_failed(local, attempt, bl_attempt_stage_of(status->stage), status->code);
        return;
    case BL_SPAWN_EXITED:
        report_ended(local, attempt, BL_END_EXITED, status->code);
        return;
    case BL_SPAWN_SIGNALLED:
        report_ended(local, attempt, BL_END_SIGNALLED, status->code);
        return;
    case BL_SPAWN_LOST:
    case BL_SPAWN_NOT_ENDED:
        report_ended(local, attempt, BL_END_LOST, 0);
        return;
    }
}

/* ---- attempts ---- */

static struct bl_attempt *find_attempt(const struct local *local, bl_job_id job, int32_t number)
{
    struct bl_attempt *attempt = bl_map_find(&local->attempts, job);

    return attempt && attempt->number == number ? attempt : NULL;
}

static void unwatch(struct local *local, struct bl_attempt *attempt)
{
    if (attempt->watch >= 0) {
        bl_map_remove(&local->watched, attempt->watch);
        inotify_rm_watch(local->inotify, attempt->watch);
        attempt->watch = -1;
    }
}

static void drop_attempt(struct local *local, struct bl_attempt *attempt)
{
    unwatch(local, attempt);
    bl_map_remove(&local->attempts, attempt->job);
    free(attempt);
}

static void watch(struct local *local, struct bl_attempt *attempt,
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
static void arm_timer(struct local *local)
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

/* ---- progress ---- */

static void report_progress(struct local *local, struct bl_attempt *attempt,
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

static void report_all_progress(struct local *local, bl_time now)
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
            report_progress(local, attempt, &paths);
        }
    }
}

/* ---- start ---- */

static int spawn(struct local *local, const struct bl_local_paths *paths, enum bl_spawn_mode mode,
                 int attempt_fd)
{
    struct bl_spawn_supervisor order = {
        .mode = mode, .path = bl_buf_text(&paths->attempt), .attempt_fd = attempt_fd};

    return bl_nursery_start(local->nursery, &order);
}

/* 0, or an errno with the stage it belongs to. */
static int write_spec(struct local *local, const struct bl_engine_job *job,
                      const struct bl_local_paths *paths, int attempt_fd,
                      enum bl_start_stage *stage)
{
    BL_AUTO_BUF bytes = {.ceiling = BL_SPAWN_SPEC_BYTES_MAX};
    int failed = bl_local_site_write_spec(&local->site, job, paths, &bytes, stage);

    return failed ? failed : bl_local_files_write_spec(attempt_fd, &bytes);
}

/* Takes the locked attempt file: the supervisor inherits it. */
static void launch(struct local *local, struct bl_attempt *attempt, const struct bl_engine_job *job,
                   const struct bl_local_paths *paths, int attempt_fd)
{
    enum bl_spawn_mode mode = job->was_running ? BL_SPAWN_SWEEP : BL_SPAWN_RUN;
    enum bl_start_stage stage;
    int failed = write_spec(local, job, paths, attempt_fd, &stage);

    if (!failed) {
        stage = BL_STAGE_SUPERVISOR;
        watch(local, attempt, paths);
        failed = spawn(local, paths, mode, attempt_fd);
    }
    if (failed) {
        unwatch(local, attempt); /* or our own closing would look like a supervisor's end */
    }
    close(attempt_fd);
    if (failed && mode == BL_SPAWN_SWEEP) {
        report_ended(local, attempt, BL_END_LOST, 0);
        drop_attempt(local, attempt);
    } else if (failed) {
        report_failed(local, attempt, stage, failed);
        drop_attempt(local, attempt);
    }
}

/* ---- what a attempt file tells ---- */

/* It never lived, and never will. */
static void end_unstarted(struct local *local, struct bl_attempt *attempt)
{
    report_ended(local, attempt, BL_END_SIGNALLED, SIGTERM);
    drop_attempt(local, attempt);
}

static void end_unknown(struct local *local, struct bl_attempt *attempt,
                        const struct bl_local_paths *paths)
{
    bl_log(BL_LOG_ERROR, "job %lld: %s was removed: nothing is known of the job any more",
           (long long)attempt->job, bl_buf_text(&paths->attempt));
    report_ended(local, attempt, BL_END_LOST, 0);
    drop_attempt(local, attempt);
}

/* Ends what a dead supervisor left, by another one; tries until it is done. */
static void sweep(struct local *local, struct bl_attempt *attempt,
                  const struct bl_local_paths *paths)
{
    int fd = bl_local_files_take(paths);

    if (fd < 0 && errno == ENOENT) {
        end_unknown(local, attempt, paths);
        return;
    }
    if (!attempt->sweeping) {
        bl_log(BL_LOG_WARNING, "job %lld: its supervisor died; ending what is left of the job",
               (long long)attempt->job);
    }
    attempt->stop_by = 0;
    attempt->gone_by = 0;
    attempt->sweeping = true;
    attempt->look_at = bl_clock_monotonic() + SWEEP_PAUSE;
    attempt->let_go = fd < 0 || spawn(local, paths, BL_SPAWN_SWEEP, fd) != 0;
    if (fd >= 0) {
        close(fd);
    }
}

/* It died before its first record, so before it started anything; its spec is still there. */
static void start_again(struct local *local, struct bl_attempt *attempt,
                        const struct bl_local_paths *paths)
{
    int fd = bl_local_files_take(paths);
    int failed = fd < 0 ? errno : 0;

    attempt->tries++;
    if (!failed && attempt->tries < TRIES_MAX) {
        failed = spawn(local, paths, BL_SPAWN_RUN, fd);
    } else if (!failed) {
        failed = ECHILD;
    }
    if (failed) {
        unwatch(local, attempt);
        report_failed(local, attempt, BL_STAGE_SUPERVISOR, failed);
        drop_attempt(local, attempt);
    }
    if (fd >= 0) {
        close(fd);
    }
}

/* It holds its own file to its end. One that lives on without holding this one holds another: the
 * state directory is a copy, and the job is another daemon's. */
static void await_exit(struct local *local, struct bl_attempt *attempt)
{
    bl_time now = bl_clock_monotonic();

    attempt->gone_by = attempt->gone_by ? attempt->gone_by : now + EXIT_SLACK;
    attempt->let_go = true;
    attempt->look_at = now + LOOK_PAUSE;
    if (now >= attempt->gone_by) {
        bl_log(BL_LOG_ERROR,
               "job %lld: it runs under a supervisor (pid %d) that belongs to another state "
               "directory, of which this one seems to be a copy; it is left alone",
               (long long)attempt->job, (int)attempt->status.supervisor);
        report_ended(local, attempt, BL_END_LOST, 0);
        drop_attempt(local, attempt);
    }
}

/* The supervisor is gone without a word about the job's end. */
static void take_up_dead(struct local *local, struct bl_attempt *attempt,
                         const struct bl_local_paths *paths)
{
    if (bl_attempt_is_supervised(attempt)) {
        await_exit(local, attempt);
    } else if (attempt->status.supervisor) {
        sweep(local, attempt, paths);
    } else if (attempt->stop_asked) {
        end_unstarted(local, attempt);
    } else {
        start_again(local, attempt, paths);
    }
}

/* Reads the records and reports what is new. True when the attempt is over and dropped. */
static bool read_records(struct local *local, struct bl_attempt *attempt,
                         const struct bl_local_paths *paths)
{
    BL_AUTO_FD fd = open(bl_buf_text(&paths->attempt), O_RDONLY | O_CLOEXEC);

    if (fd >= 0) {
        bl_spawn_status_read(fd, &attempt->status);
    }
    if (attempt->status.pid && !attempt->told_started) {
        attempt->told_started = true;
        add_report(local, attempt, BL_EVENT_JOB_STARTED)->u.started.pid = attempt->status.pid;
    }
    if (attempt->status.end == BL_SPAWN_NOT_ENDED) {
        bl_attempt_tell_stop(attempt);
        bl_attempt_tell_save(attempt);
        return false;
    }
    report_progress(local, attempt, paths);
    report_end_of(local, attempt);
    drop_attempt(local, attempt);
    return true;
}

static void look(struct local *local, struct bl_attempt *attempt)
{
    BL_AUTO_PATHS paths;

    bl_local_paths_init(&paths, local->site.state_dir, attempt->job, attempt->number);
    if (read_records(local, attempt, &paths) || !bl_attempt_must_look(attempt) ||
        (attempt->sweeping && attempt->look_at > bl_clock_monotonic())) {
        return;
    }
    /* The lock goes a moment after the file's closing is told; until then the timer looks again. */
    attempt->look_at = bl_clock_monotonic() + LOOK_PAUSE;
    if (!bl_local_files_is_supervised(&paths)) {
        attempt->let_go = false;
        if (!read_records(local, attempt, &paths)) { /* it may have written its last just now */
            take_up_dead(local, attempt, &paths);
        }
    }
}

static void look_at_all(struct local *local)
{
    struct bl_attempt *attempt;
    size_t cursor = 0;

    while ((attempt = bl_map_next(&local->attempts, &cursor))) {
        attempt->let_go = true;
        look(local, attempt);
    }
}

static void take_event(struct local *local, const struct inotify_event *event)
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
    struct local *local = self;
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
    flush_reports(local);
}

static void on_timer(void *self)
{
    struct local *local = self;
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
    report_all_progress(local, now);
    arm_timer(local);
    flush_reports(local);
}

static void on_idle(void *self)
{
    struct local *local = self;

    arm_timer(local);
    flush_reports(local);
}

/* ---- the interface ---- */

static struct bl_attempt *add_attempt(struct local *local, const struct bl_engine_job *job)
{
    struct bl_attempt *attempt = bl_alloc_zero(sizeof *attempt);

    attempt->job = job->job->id;
    attempt->number = job->attempt;
    attempt->watch = -1;
    attempt->grace = job->launch->grace;
    attempt->told_started = job->was_running;
    attempt->save_by_signal = job->job->spec.warning;
    bl_map_insert(&local->attempts, attempt->job, attempt);
    return attempt;
}

/* The attempt file was just made: nobody ever started this attempt, unless its files were lost;
 * then what carries its token is ended. */
static void take_up_new(struct local *local, struct bl_attempt *attempt,
                        const struct bl_engine_job *job, const struct bl_local_paths *paths,
                        int attempt_fd)
{
    if (job->stopping && !job->was_running) {
        close(attempt_fd);
        end_unstarted(local, attempt);
    } else {
        attempt->save_asked = job->saving;
        launch(local, attempt, job, paths, attempt_fd);
    }
}

/* The attempt file was there: it and its lock tell how far the attempt came. */
static void take_up_old(struct local *local, struct bl_attempt *attempt,
                        const struct bl_engine_job *job, const struct bl_local_paths *paths)
{
    int fd;

    watch(local, attempt, paths); /* before the first look, so that nothing is missed */
    if (read_records(local, attempt, paths)) {
        return;
    }
    attempt->stop_asked = job->stopping;
    attempt->save_asked = job->saving;
    if (bl_local_files_is_supervised(paths)) {
        bl_attempt_tell_stop(attempt);
        bl_attempt_tell_save(attempt);
        return;
    }
    attempt->gone_by = bl_attempt_is_supervised(attempt) ? bl_clock_monotonic() + EXIT_SLACK : 0;
    if (read_records(local, attempt, paths)) {
        return;
    }
    if (attempt->status.supervisor) {
        take_up_dead(local, attempt, paths);
        return;
    }
    if (job->stopping) {
        end_unstarted(local, attempt);
        return;
    }
    fd = bl_local_files_take(paths);
    if (fd < 0) {
        report_failed(local, attempt, BL_STAGE_SPEC, errno);
        drop_attempt(local, attempt);
        return;
    }
    launch(local, attempt, job, paths, fd);
}

static void take_up(struct local *local, const struct bl_engine_job *job)
{
    struct bl_attempt *attempt = bl_map_find(&local->attempts, job->job->id);
    BL_AUTO_PATHS paths;
    int fd = -1;

    bl_local_paths_init(&paths, local->site.state_dir, job->job->id, job->attempt);
    if (attempt) { /* asked twice, or the one before has not ended */
        if (attempt->number != job->attempt) {
            report_failed(local, &(struct bl_attempt){.job = job->job->id, .number = job->attempt},
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
        report_failed(local, attempt, BL_STAGE_SPEC, errno);
        drop_attempt(local, attempt);
        break;
    }
    bl_watch_arm(local->idle, 0);
}

static void local_start(void *self, const struct bl_engine_job *job)
{
    take_up(self, job);
}

static void local_adopt(void *self, const struct bl_engine_job *job)
{
    take_up(self, job);
}

static void local_stop(void *self, bl_job_id job, int32_t number)
{
    struct local *local = self;
    struct bl_attempt *attempt = find_attempt(local, job, number);

    if (attempt) {
        attempt->stop_asked = true;
        bl_attempt_tell_stop(attempt);
        bl_watch_arm(local->idle, 0);
    }
}

static void local_save(void *self, const struct bl_engine_job *job)
{
    struct local *local = self;
    struct bl_attempt *attempt = find_attempt(local, job->job->id, job->attempt);

    if (attempt) {
        attempt->save_asked = true;
        bl_attempt_tell_save(attempt);
        bl_watch_arm(local->idle, 0);
    }
}

static void local_signal(void *self, bl_job_id job, int32_t number, int signal, bool shell_only)
{
    struct local *local = self;
    const struct bl_attempt *attempt = find_attempt(local, job, number);

    if (!attempt || !attempt->status.pid) {
        return;
    }
    if (shell_only) {
        bl_proc_signal(attempt->status.pid, attempt->status.pid_start, signal);
    } else {
        bl_local_signal_handlers(attempt->status.supervisor, signal);
    }
}

static void local_forget(void *self, bl_job_id job, int32_t number)
{
    const struct local *local = self;
    BL_AUTO_PATHS paths;

    bl_local_paths_init(&paths, local->site.state_dir, job, number);
    if (!find_attempt(local, job, number)) {
        bl_local_files_forget_attempt(&paths);
    }
}

static void local_forget_job(void *self, bl_job_id job)
{
    struct local *local = self;
    BL_AUTO_PATHS paths;

    bl_local_paths_init(&paths, local->site.state_dir, job, 0);
    if (bl_map_find(&local->attempts, job)) {
        return;
    }
    bl_launch_env_remove(local->site.state_dir, job);
    if (!bl_local_files_forget_job(&paths)) { /* the user's own files: that can take long */
        struct bl_spawn_supervisor remover = {
            .mode = BL_SPAWN_REMOVE, .path = bl_buf_text(&paths.directory), .attempt_fd = -1};

        bl_nursery_start(local->nursery, &remover);
    }
}

static void local_tidy(void *self, const struct bl_engine_needs *needs)
{
    const struct local *local = self;
    bl_local_names stale = {0};

    bl_local_tidy_find(local->site.state_dir, needs, &stale);
    for (size_t i = 0; i < stale.count; i++) {
        const struct bl_local_name *name = &stale.at[i];

        if (name->place == BL_LOCAL_ATTEMPTS) {
            local_forget(self, name->job, name->attempt);
        } else if (name->place == BL_LOCAL_JOBS) {
            local_forget_job(self, name->job);
        } else {
            bl_launch_env_remove(local->site.state_dir, name->job);
        }
    }
    BL_VEC_FINISH(&stale);
}

static int local_discover(void *self, struct bl_clusterspec *out, struct bl_error *err)
{
    struct local *local = self;

    (void)err;
    out->node_count = local->site.nodes.count;
    out->node = bl_arena_alloc(&local->site.nodes.arena, out->node_count * sizeof *out->node);
    for (size_t i = 0; i < out->node_count; i++) {
        out->node[i] = local->site.nodes.node[i].spec;
    }
    return BL_OK;
}

/* ---- creation ---- */

static int open_nursery(struct local *local, const struct bl_engine_config *config,
                        struct bl_error *err)
{
    BL_AUTO_BUF path = {0};

    if (config->supervisor) {
        bl_buf_append_text(&path, config->supervisor);
    } else {
        if (bl_fs_program_dir(&path, err)) {
            return (int)err->status;
        }
        bl_buf_append_text(&path, "/baleen-supervisor");
    }
    if (access(bl_buf_text(&path), X_OK) != 0) {
        bl_fail_sys(err, "cannot execute the supervisor %s", bl_buf_text(&path));
        return bl_error_set_hint(err, "install baleen as a whole");
    }
    local->nursery = bl_nursery_create(bl_buf_text(&path));
    return BL_OK;
}

static void open_watches(struct local *local)
{
    local->inotify = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    if (local->inotify >= 0) {
        local->inotify_watch =
            bl_loop_watch_fd(local->loop, local->inotify, EPOLLIN, on_inotify, local);
    }
    local->timer = bl_loop_watch_timer(local->loop, on_timer, local);
    local->idle = bl_loop_watch_idle(local->loop, on_idle, local);
}

static void local_destroy(void *self)
{
    struct local *local = self;
    struct bl_attempt *attempt;
    size_t cursor = 0;

    if (!local) {
        return;
    }
    if (local->site.has_groups && !local->attempts.count) { /* else one may be about to use it */
        rmdir(bl_buf_text(&local->site.groups.path));
    }
    while ((attempt = bl_map_next(&local->attempts, &cursor))) {
        free(attempt);
    }
    bl_map_finish(&local->attempts);
    bl_map_finish(&local->watched);
    bl_watch_destroy(local->inotify_watch);
    bl_watch_destroy(local->timer);
    bl_watch_destroy(local->idle);
    if (local->inotify >= 0) {
        close(local->inotify);
    }
    bl_nursery_destroy(local->nursery);
    bl_local_health_destroy(local->health);
    BL_VEC_FINISH(&local->reports);
    bl_local_site_finish(&local->site);
    free(local);
}

static int local_create(const struct bl_engine_config *config, struct bl_engine_host host,
                        void **out, struct bl_error *err)
{
    struct local *local = bl_alloc_zero(sizeof *local);
    int status;

    local->loop = config->loop;
    local->host = host;
    local->inotify = -1;
    status = open_nursery(local, config, err);
    if (!status) {
        status = bl_local_site_open(&local->site, config, err);
    }
    if (status) {
        local_destroy(local);
        return status;
    }
    open_watches(local);
    local->health = bl_local_health_create(&(struct bl_local_health_parts){
        local->loop, host, &local->site.nodes, local->site.state_dir, NULL});
    *out = local;
    return BL_OK;
}

const struct bl_engine bl_engine_local = {
    .name = "local",
    .summary = "processes of this machine, each under a supervisor that outlives the daemon",
    .create = local_create,
    .destroy = local_destroy,
    .discover = local_discover,
    .start = local_start,
    .stop = local_stop,
    .save = local_save,
    .signal = local_signal,
    .adopt = local_adopt,
    .forget = local_forget,
    .forget_job = local_forget_job,
    .tidy = local_tidy,
};
