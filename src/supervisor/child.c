#include "supervisor/supervisor.h"

#include "os/cgroup.h"
#include "os/own_fd.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>

/* Many data loaders need more descriptors than the usual 1024; the hard limit still rules. */
enum { OPEN_FILES_WANTED = 65536 };

static pid_t fork_into_group(const char *group)
{
    BL_AUTO_FD fd = open(group, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    struct clone_args args = {.flags = CLONE_INTO_CGROUP, .exit_signal = SIGCHLD};

    if (fd < 0) {
        return -1;
    }
    args.cgroup = (uint64_t)fd;
    return (pid_t)syscall(SYS_clone3, &args, sizeof args);
}

pid_t child_fork(const struct bl_spawn_spec *spec, int *failed)
{
    pid_t pid;

    *failed = 0;
    /* Born in its group, a process need not be moved, which makes all others of the machine wait.
     */
    if (spec->cgroup) {
        pid = fork_into_group(spec->cgroup);
        if (pid >= 0) {
            return pid;
        }
    }
    pid = fork();
    if (pid < 0) {
        *failed = errno;
    } else if (pid == 0 && spec->cgroup) {
        *failed = bl_cgroup_enter(spec->cgroup, 0);
    }
    return pid;
}

static void give_up(int report, enum bl_spawn_stage stage, int error_number)
{
    struct child_failure failure = {.stage = (int)stage, .error_number = error_number};
    ssize_t written = write(report, &failure, sizeof failure);

    (void)written; /* a supervisor that died has nobody to tell */
    _exit(127);
}

/* Without privilege a lower score is refused; that is no reason not to run. */
static void set_oom_score(int score)
{
    char text[16];
    BL_AUTO_FD fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    int length = snprintf(text, sizeof text, "%d", score);

    if (fd >= 0 && write(fd, text, (size_t)length) < 0) {
        errno = 0;
    }
}

/* 0 or an errno. */
static int become_user(const struct bl_spawn_spec *spec)
{
    if (spec->become_user && (setgroups(spec->group_count, spec->group) != 0 ||
                              setresgid(spec->gid, spec->gid, spec->gid) != 0 ||
                              setresuid(spec->uid, spec->uid, spec->uid) != 0)) {
        return errno;
    }
    return 0;
}

static void raise_open_files(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur =
            limit.rlim_max < OPEN_FILES_WANTED ? limit.rlim_max : (rlim_t)OPEN_FILES_WANTED;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

/* 0 or an errno. A file of an earlier attempt is replaced: the directory is the user's own. */
static int write_in_directory(int directory, const char *name, const char *text, mode_t mode)
{
    int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
    size_t length = strlen(text);
    int fd = openat(directory, name, flags, mode);

    if (fd < 0 && errno == EEXIST && unlinkat(directory, name, 0) == 0) {
        fd = openat(directory, name, flags, mode);
    }
    if (fd < 0) {
        return errno;
    }
    if (write(fd, text, length) != (ssize_t)length) {
        close(fd);
        return ENOSPC;
    }
    close(fd);
    return 0;
}

/* 0 or an errno. */
static int fill_directory(const struct bl_spawn_spec *spec)
{
    BL_AUTO_FD directory = open(spec->directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
    int failed;

    if (directory < 0) {
        return errno;
    }
    unlinkat(directory, "progress", 0); /* of an earlier attempt */
    failed = write_in_directory(directory, "alloc.json", spec->alloc, 0600);
    if (!failed && spec->script) {
        failed = write_in_directory(directory, "script", spec->script, 0700);
    }
    return failed;
}

/* Makes the directories above `path`; what fails shows when the file itself is opened. */
static void make_parents(const char *path)
{
    char *copy = strdup(path);

    for (char *at = copy ? strchr(copy + 1, '/') : NULL; at; at = strchr(at + 1, '/')) {
        *at = '\0';
        mkdir(copy, 0777);
        *at = '/';
    }
    free(copy);
}

/* Never truncates, and never waits for the reader of a pipe. -1 with errno. */
static int open_log(const char *path)
{
    int flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
    int fd = open(path, flags, 0666);

    if (fd < 0 && errno == ENOENT) {
        make_parents(path);
        fd = open(path, flags, 0666);
    }
    if (fd >= 0) {
        fcntl(fd, F_SETFL, O_APPEND);
    }
    return fd;
}

/* 0 or an errno. */
static int connect_log(const char *path, int to)
{
    BL_AUTO_FD fd = open_log(path);

    return fd < 0 || dup2(fd, to) < 0 ? errno : 0;
}

/* 0 or an errno. Standard input is the supervisor's: /dev/null. */
static int connect_output(const struct bl_spawn_spec *spec)
{
    int failed = connect_log(spec->log, STDOUT_FILENO);

    if (!failed && spec->error) {
        return connect_log(spec->error, STDERR_FILENO);
    }
    return !failed && dup2(STDOUT_FILENO, STDERR_FILENO) < 0 ? errno : failed;
}

static void reset_signals(void)
{
    static const char standard[64]; /* a kernel's struct sigaction: zeroes are SIG_DFL */
    sigset_t none;

    /* Not by the C library, which keeps two for itself and leaves them ignored. */
    for (int number = 1; number <= SIGRTMAX; number++) {
        syscall(SYS_rt_sigaction, number, standard, NULL, (size_t)(NSIG / 8));
    }
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

void child_run(const struct bl_spawn_spec *spec, int report)
{
    int failed;

    setsid();
    umask(spec->umask);
    raise_open_files();
    set_oom_score(spec->oom_score_adj);
    if ((failed = become_user(spec))) {
        give_up(report, BL_SPAWN_USER, failed);
    }
    if ((failed = fill_directory(spec))) {
        give_up(report, BL_SPAWN_SPEC, failed);
    }
    if (chdir(spec->workdir) != 0) {
        give_up(report, BL_SPAWN_WORKDIR, errno);
    }
    if ((failed = connect_output(spec))) {
        give_up(report, BL_SPAWN_LOG, failed);
    }
    environ = spec->envp; /* where the search for the command finds its PATH */
    reset_signals();
    execvp(spec->argv[0], spec->argv);
    failed = errno;
    give_up(report, BL_SPAWN_EXEC, failed);
    _exit(127);
}
