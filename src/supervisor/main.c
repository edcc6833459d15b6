#include "supervisor/supervisor.h"

#include "os/own_fd.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>

enum { RECORD_BYTES_MAX = 128, OOM_SCORE = -900 };

bl_time time_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (bl_time)now.tv_sec * BL_SECOND + now.tv_nsec / 1000;
}

void record_write(const char *format, ...)
{
    char text[RECORD_BYTES_MAX];
    struct timespec pause = {.tv_sec = 1};
    va_list args;
    int length;

    va_start(args, format);
    length = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    /* The room was set aside when the file was made. Should the disk fail all the same, the record
     * is worth waiting for: nobody else knows. */
    while (write(BL_SPAWN_STATUS_FD, text, (size_t)length) != length) {
        nanosleep(&pause, NULL);
    }
}

/* Lets go of the daemon: its descriptors, its terminal, its directory, its signals. */
static void detach(void)
{
    sigset_t all;
    int null;

    sigfillset(&all); /* SIGTERM and SIGCHLD are read from a descriptor */
    sigprocmask(SIG_SETMASK, &all, NULL);
    syscall(SYS_close_range, BL_SPAWN_STATUS_FD + 1, ~0U, 0);
    fcntl(BL_SPAWN_STATUS_FD, F_SETFD, FD_CLOEXEC);
    null = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = STDIN_FILENO; null >= 0 && fd <= STDERR_FILENO; fd++) {
        dup2(null, fd);
    }
    if (null > BL_SPAWN_STATUS_FD) {
        close(null);
    }
    if (chdir("/") != 0) {
        errno = 0; /* it only keeps some file system from being unmounted */
    }
}

/* The one process that must not fall to the out-of-memory killer: it knows how the job ended. */
static void protect(void)
{
    char text[16];
    BL_AUTO_FD fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    int length = snprintf(text, sizeof text, "%d", OOM_SCORE);

    if (fd >= 0 && write(fd, text, (size_t)length) < 0) {
        errno = 0;
    }
}

/* The whole file with a zero byte behind it; NULL when it cannot be read. Owned by the caller. */
static char *read_spec(const char *path, size_t *length)
{
    struct stat about;
    size_t done = 0;
    ssize_t got = 1;
    char *bytes;
    BL_AUTO_FD fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0 || fstat(fd, &about) != 0 || about.st_size > BL_SPAWN_SPEC_BYTES_MAX) {
        return NULL;
    }
    bytes = bl_alloc_zero((size_t)about.st_size + 1);
    while (got > 0 && done < (size_t)about.st_size) {
        got = read(fd, bytes + done, (size_t)about.st_size - done);
        done += got > 0 ? (size_t)got : 0;
    }
    *length = done;
    return bytes;
}

static int run_mode(const char *mode, const char *path)
{
    struct bl_spawn_spec spec = {0};
    struct bl_proc self = {0};
    size_t length = 0;
    char *bytes;
    int answer = 0;

    bl_proc_read(getpid(), &self);
    record_write("supervisor %d %llu\n", (int)getpid(), (unsigned long long)self.start_ticks);
    bytes = read_spec(path, &length);
    if (!bytes || bl_spawn_spec_read(bytes, length, &spec, NULL)) {
        record_write("failed %s %d\n", bl_spawn_stage_name(BL_SPAWN_SPEC), bytes ? EINVAL : errno);
        answer = 1;
    } else if (strcmp(mode, "sweep") == 0) {
        answer = mode_sweep(&spec);
    } else {
        answer = mode_run(&spec);
    }
    bl_spawn_spec_finish(&spec);
    free(bytes);
    return answer;
}

int main(int argc, char **argv)
{
    bool with_status = argc == 3 && (!strcmp(argv[1], "run") || !strcmp(argv[1], "sweep"));
    bool remove = argc == 3 && !strcmp(argv[1], "remove");

    if (!remove && !(with_status && fcntl(BL_SPAWN_STATUS_FD, F_GETFD) >= 0)) {
        fprintf(stderr, "baleen-supervisor is started by the baleen daemon, one for each job; "
                        "see baleen daemon --help\n");
        return 2;
    }
    if (remove) {
        return mode_remove(argv[2]);
    }
    detach();
    protect();
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    return run_mode(argv[1], argv[2]);
}
