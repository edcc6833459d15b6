/* The life of one attempt: start, wait, terminate, kill, record. */
#include "supervisor/supervisor.h"

#include "os/cgroup.h"
#include "os/own_fd.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define GROUP_PAUSE (5 * BL_MILLISECOND)

struct attempt {
    const struct bl_spawn_spec *spec;
    struct ending ending;
    bool stop_asked;
    int report; /* from the child, until it is executed; -1 afterwards */
    int signals;
    pid_t main;
    bool main_ended;
    bool has_children;
    siginfo_t main_info;
    bool failed;
    struct child_failure failure;
};

/* ---- start ---- */

/* 0 or an errno. */
static int make_directory(const struct bl_spawn_spec *spec)
{
    if (mkdir(spec->directory, 0700) != 0 && errno != EEXIST) {
        return errno;
    }
    if (!spec->become_user) {
        return 0;
    }
    BL_AUTO_FD fd = open(spec->directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    return fd < 0 || fchown(fd, spec->uid, spec->gid) != 0 ? errno : 0;
}

static void fail(struct attempt *attempt, enum bl_spawn_stage stage, int error_number)
{
    attempt->failed = true;
    attempt->failure = (struct child_failure){.stage = (int)stage, .error_number = error_number};
}

static void fork_main(struct attempt *attempt)
{
    int ends[2];
    int failed = 0;

    if (pipe2(ends, O_CLOEXEC) != 0) {
        fail(attempt, BL_SPAWN_SPEC, errno);
        return;
    }
    attempt->main = child_fork(attempt->spec, &failed);
    if (attempt->main == 0) {
        if (failed) {
            struct child_failure failure = {BL_SPAWN_CGROUP, failed};
            ssize_t written = write(ends[1], &failure, sizeof failure);

            _exit(written == (ssize_t)sizeof failure ? 127 : 126);
        }
        child_run(attempt->spec, ends[1]);
    }
    close(ends[1]);
    attempt->report = ends[0];
    if (attempt->main < 0) {
        fail(attempt, BL_SPAWN_EXEC, failed);
    }
}

static void start(struct attempt *attempt)
{
    const struct bl_spawn_spec *spec = attempt->spec;
    struct bl_cgroup_limits limits = {spec->mem_high, spec->mem_max, spec->cpu_weight};
    int failed = make_directory(spec);

    if (failed) {
        fail(attempt, BL_SPAWN_SPEC, failed);
        return;
    }
    if (spec->cgroup && (failed = bl_cgroup_make(spec->cgroup, &limits))) {
        fail(attempt, BL_SPAWN_CGROUP, failed);
        return;
    }
    fork_main(attempt);
}

/* The report ends empty when the command was executed, and also when the child was killed before:
 * a stop that was asked for meanwhile leaves no `started` behind. */
static void read_report(struct attempt *attempt)
{
    struct child_failure failure;
    struct bl_proc proc = {0};

    if (read(attempt->report, &failure, sizeof failure) == (ssize_t)sizeof failure) {
        attempt->failed = true;
        attempt->failure = failure;
    } else if (!attempt->stop_asked && bl_proc_read(attempt->main, &proc)) {
        record_write("started %d %llu\n", (int)attempt->main, (unsigned long long)proc.start_ticks);
    }
    close(attempt->report);
    attempt->report = -1;
    if (attempt->ending.phase == STARTING) {
        attempt->ending.phase = RUNNING;
    }
}

/* ---- end ---- */

static void reap(struct attempt *attempt)
{
    siginfo_t info;

    for (;;) {
        info.si_pid = 0;
        if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | __WALL) != 0) {
            attempt->has_children = errno != ECHILD;
            return;
        }
        attempt->has_children = true;
        if (info.si_pid == 0) {
            return;
        }
        if (info.si_pid == attempt->main) {
            attempt->main_ended = true;
            attempt->main_info = info;
        }
    }
}

static bool is_empty(const struct attempt *attempt)
{
    const char *cgroup = attempt->spec->cgroup;

    return !attempt->has_children && !(cgroup && bl_cgroup_is_populated(cgroup));
}

/* Once it is being ended, the group empties without a signal to us. */
static int patience(const struct attempt *attempt)
{
    bool is_emptying = attempt->ending.phase >= TERMINATING && !attempt->has_children;

    return ending_patience(&attempt->ending, is_emptying ? GROUP_PAUSE : BL_TIME_NEVER);
}

static void read_signals(struct attempt *attempt)
{
    struct signalfd_siginfo info;

    while (read(attempt->signals, &info, sizeof info) == (ssize_t)sizeof info) {
        if (info.ssi_signo == SIGTERM) {
            attempt->stop_asked = true;
            ending_begin(&attempt->ending);
        }
    }
}

static void wait_for_more(struct attempt *attempt)
{
    struct pollfd sources[2] = {{.fd = attempt->signals, .events = POLLIN},
                                {.fd = attempt->report, .events = POLLIN}};

    poll(sources, 2, patience(attempt)); /* a negative descriptor is passed over */
    if (sources[1].revents) {
        read_report(attempt);
    }
    if (sources[0].revents) {
        read_signals(attempt);
    }
}

static void see_through(struct attempt *attempt)
{
    bool over = attempt->failed && attempt->main <= 0;

    while (!over) {
        wait_for_more(attempt);
        reap(attempt);
        if (attempt->main_ended && attempt->report >= 0) {
            read_report(attempt); /* it ended before we looked */
        }
        over = attempt->main_ended && is_empty(attempt);
        if (!over && attempt->main_ended) {
            ending_begin(&attempt->ending);
        }
        if (!over) {
            ending_go_on(&attempt->ending);
        }
    }
}

static void record_end(const struct attempt *attempt)
{
    const siginfo_t *info = &attempt->main_info;

    if (attempt->failed) {
        record_write("failed %s %d\n",
                     bl_spawn_stage_name((enum bl_spawn_stage)attempt->failure.stage),
                     attempt->failure.error_number);
    } else if (info->si_code == CLD_EXITED) {
        record_write("exited %d\n", info->si_status);
    } else {
        record_write("signalled %d\n", info->si_status);
    }
}

int mode_run(const struct bl_spawn_spec *spec)
{
    struct attempt attempt = {
        .spec = spec, .ending = {.victims = {.spec = spec, .by = BY_DESCENT}}, .report = -1};
    sigset_t read_ones;

    sigemptyset(&read_ones);
    sigaddset(&read_ones, SIGTERM);
    sigaddset(&read_ones, SIGCHLD);
    attempt.signals = signalfd(-1, &read_ones, SFD_CLOEXEC | SFD_NONBLOCK);
    if (attempt.signals < 0) {
        fail(&attempt, BL_SPAWN_SPEC, errno);
    } else {
        start(&attempt);
    }
    see_through(&attempt);
    group_remove(spec);
    record_end(&attempt);
    victims_finish(&attempt.ending.victims);
    close(attempt.signals);
    return 0;
}
