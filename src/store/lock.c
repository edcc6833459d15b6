#include "store/lock.h"

#include "base/buf.h"
#include "os/own_fd.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/file.h>
#include <time.h>

enum { WAIT_NS = 10 * 1000 * 1000, WAITS_MAX = 500 };

/* The pid in the file, 0 when there is none to be read. */
static long read_holder(int fd)
{
    char text[32] = "";

    if (pread(fd, text, sizeof text - 1, 0) <= 0) {
        return 0;
    }
    return strtol(text, NULL, 10);
}

static int write_holder(int fd, const char *path, struct bl_error *err)
{
    BL_AUTO_BUF text = {0};

    bl_buf_printf(&text, "%ld\n", (long)getpid());
    if (ftruncate(fd, 0) < 0 ||
        pwrite(fd, bl_buf_text(&text), text.length, 0) != (ssize_t)text.length) {
        return bl_fail_sys(err, "cannot write %s", path);
    }
    return BL_OK;
}

static bool is_dead(pid_t pid)
{
    return pid > 0 && kill(pid, 0) < 0 && errno == ESRCH;
}

/* A child that a killed daemon was just about to execute still has its files, for a moment: then
 * the lock outlives its holder. */
static bool try_lock(int fd)
{
    const struct timespec moment = {.tv_nsec = WAIT_NS};
    bool is_locked = flock(fd, LOCK_EX | LOCK_NB) == 0;

    for (int i = 0;
         i < WAITS_MAX && !is_locked && errno == EWOULDBLOCK && is_dead((pid_t)read_holder(fd));
         i++) {
        nanosleep(&moment, NULL);
        is_locked = flock(fd, LOCK_EX | LOCK_NB) == 0;
    }
    return is_locked;
}

static int fail_held(int fd, const char *state_dir, struct bl_error *err)
{
    long holder = (long)read_holder(fd);

    bl_fail(err, BL_EREFUSED, "another daemon, pid %ld, works in %s", holder, state_dir);
    return bl_error_set_hint(err,
                             "use it, stop it with 'kill %ld' (jobs run on), or choose another "
                             "directory with --state",
                             holder);
}

int bl_state_lock(const char *state_dir, int *out, struct bl_error *err)
{
    BL_AUTO_BUF path = {0};
    BL_AUTO_FD fd = -1;
    int status;

    bl_buf_printf(&path, "%s/lock", state_dir);
    fd = open(bl_buf_text(&path), O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) {
        return bl_fail_sys(err, "cannot open %s", bl_buf_text(&path));
    }
    if (!try_lock(fd)) {
        return fail_held(fd, state_dir, err);
    }
    status = write_holder(fd, bl_buf_text(&path), err);
    if (status == BL_OK) {
        *out = bl_take_fd(&fd);
    }
    return status;
}
