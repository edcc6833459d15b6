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
    char all[BL_SPAWN_RECORDS_BYTES] = "";
    char record[RECORD_BYTES_MAX];
    struct timespec pause = {.tv_sec = 1};
    ssize_t used = pread(BL_SPAWN_FD, all, sizeof all, 0);
    size_t end = used > 0 ? strnlen(all, (size_t)used) : 0;
    size_t from = end; /* what is in front of it stands there already */
    size_t length;
    va_list args;

    va_start(args, format);
    length = (size_t)vsnprintf(record, sizeof record, format, args);
    va_end(args);
    if (end + length > sizeof all) { /* the spec stands behind them */
        end = bl_spawn_status_shorten(all);
        from = 0;
    }
    memcpy(all + end, record, length);
    length = from == end ? length : sizeof all;
    /* Should the disk fail, the record is worth waiting for: nobody else knows. */
    while (pwrite(BL_SPAWN_FD, all + from, length, (off_t)from) != (ssize_t)length) {
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
    syscall(SYS_close_range, BL_SPAWN_FD + 1, ~0U, 0);
    fcntl(BL_SPAWN_FD, F_SETFD, FD_CLOEXEC);
    null = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = STDIN_FILENO; null >= 0 && fd <= STDERR_FILENO; fd++) {
        dup2(null, fd);
    }
    if (null > BL_SPAWN_FD) {
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

/* What stands behind the records, with a zero byte behind it; NULL when it cannot be read. Owned by
 * the caller. */
static char *read_spec(size_t *length)
{
    struct stat about;
    size_t done = 0;
    ssize_t got = 1;
    char *bytes;

    if (fstat(BL_SPAWN_FD, &about) != 0 || about.st_size < BL_SPAWN_RECORDS_BYTES ||
        about.st_size > BL_SPAWN_SPEC_BYTES_MAX) {
        return NULL;
    }
    about.st_size -= BL_SPAWN_RECORDS_BYTES;
    bytes = bl_alloc_zero((size_t)about.st_size + 1);
    while (got > 0 && done < (size_t)about.st_size) {
        got = pread(BL_SPAWN_FD, bytes + done, (size_t)about.st_size - done,
                    BL_SPAWN_RECORDS_BYTES + (off_t)done);
        done += got > 0 ? (size_t)got : 0;
    }
    *length = done;
    return bytes;
}

/* The modes with a spec. */
static int run_mode(enum bl_spawn_mode mode)
{
    struct bl_spawn_spec spec = {0};
    struct bl_proc self = {0};
    size_t length = 0;
    char *bytes;
    int answer = 0;

    prctl(PR_SET_CHILD_SUBREAPER, 1);
    bl_proc_read(getpid(), &self);
    record_write("supervisor %d %llu\n", (int)getpid(), (unsigned long long)self.start_ticks);
    bytes = read_spec(&length);
    if (!bytes || bl_spawn_spec_read(bytes, length, &spec, NULL) ||
        (mode == BL_SPAWN_ADOPT) != (spec.pid != 0)) {
        record_write("failed %s %d\n", bl_spawn_stage_name(BL_SPAWN_SPEC), EINVAL);
        answer = 1;
    } else if (mode == BL_SPAWN_ADOPT) {
        answer = mode_adopt(&spec);
    } else if (mode == BL_SPAWN_SWEEP) {
        answer = mode_sweep(&spec);
    } else {
        answer = mode_run(&spec);
    }
    bl_spawn_spec_finish(&spec);
    free(bytes);
    return answer;
}

int mode_by_name(enum bl_spawn_mode mode, const char *path)
{
    return mode == BL_SPAWN_REMOVE ? mode_remove(path) : run_mode(mode);
}

/* -1 when the arguments are not those of a daemon. */
static int find_mode(int argc, char *const *argv)
{
    for (int mode = 0; argc == 3 && mode <= BL_SPAWN_NURSERY; mode++) {
        bool needs_fd = mode != BL_SPAWN_REMOVE;

        if (strcmp(argv[1], bl_spawn_mode_name((enum bl_spawn_mode)mode)) == 0 &&
            (!needs_fd || fcntl(BL_SPAWN_FD, F_GETFD) >= 0)) {
            return mode;
        }
    }
    return -1;
}

int main(int argc, char **argv)
{
    int mode = find_mode(argc, argv);

    if (mode < 0) {
        fprintf(stderr, "baleen-supervisor is started by the baleen daemon, one for each job; "
                        "see baleen daemon --help\n");
        return 2;
    }
    detach();
    protect();
    return mode == BL_SPAWN_NURSERY ? mode_nursery(argv)
                                    : mode_by_name((enum bl_spawn_mode)mode, argv[2]);
}
