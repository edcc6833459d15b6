#include "engine/local_files.h"

#include "os/own_fd.h"
#include "os/spawn_spec.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/uio.h>

void bl_local_paths_init(struct bl_local_paths *paths, const char *state_dir, bl_job_id job,
                         int32_t attempt)
{
    *paths = (struct bl_local_paths){0};
    bl_buf_printf(&paths->directory, "%s/jobs/%lld", state_dir, (long long)job);
    bl_buf_printf(&paths->attempt, "%s/attempts/%lld.%d", state_dir, (long long)job, attempt);
}

void bl_local_paths_finish(struct bl_local_paths *paths)
{
    bl_buf_finish(&paths->directory);
    bl_buf_finish(&paths->attempt);
}

/* Lets others pass through a directory of ours. */
static bool let_pass(const char *path)
{
    struct stat about;

    return stat(path, &about) == 0 &&
           ((about.st_mode & 0111) == 0111 || chmod(path, (about.st_mode & 07777) | 0111) == 0);
}

static bool make_directory(const struct bl_buf *path, mode_t mode)
{
    return mkdir(bl_buf_text(path), mode) == 0 || errno == EEXIST;
}

int bl_local_files_prepare(const char *state_dir, struct bl_error *err)
{
    BL_AUTO_BUF jobs = {0};
    BL_AUTO_BUF attempts = {0};

    bl_buf_printf(&jobs, "%s/jobs", state_dir);
    bl_buf_printf(&attempts, "%s/attempts", state_dir);
    if (!make_directory(&jobs, 0711) || !make_directory(&attempts, 0700)) {
        return bl_fail_sys(err, "cannot make directories in %s", state_dir);
    }
    if (geteuid() == 0 && (!let_pass(state_dir) || !let_pass(bl_buf_text(&jobs)))) {
        return bl_fail_sys(err, "cannot open the way to %s for the jobs' users",
                           bl_buf_text(&jobs));
    }
    return BL_OK;
}

enum bl_local_opening bl_local_files_make(const struct bl_local_paths *paths, int *fd)
{
    BL_AUTO_FD opened =
        open(bl_buf_text(&paths->attempt), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

    if (opened < 0) {
        return errno == EEXIST ? BL_LOCAL_EXISTS : BL_LOCAL_REFUSED;
    }
    if (flock(opened, LOCK_EX | LOCK_NB) != 0) {
        return BL_LOCAL_REFUSED;
    }
    *fd = bl_take_fd(&opened);
    return BL_LOCAL_MADE;
}

int bl_local_files_take(const struct bl_local_paths *paths)
{
    BL_AUTO_FD fd = open(bl_buf_text(&paths->attempt), O_RDWR | O_CLOEXEC);

    if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) != 0) {
        return -1;
    }
    return bl_take_fd(&fd);
}

bool bl_local_files_is_supervised(const struct bl_local_paths *paths)
{
    /* Not opened for writing: closing it must not look like a supervisor letting go. */
    BL_AUTO_FD fd = open(bl_buf_text(&paths->attempt), O_RDONLY | O_CLOEXEC);

    return fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0;
}

int bl_local_files_write_spec(int fd, const struct bl_buf *spec)
{
    static const char room[BL_SPAWN_RECORDS_BYTES];
    struct iovec parts[] = {{.iov_base = (void *)(uintptr_t)room, .iov_len = sizeof room},
                            {.iov_base = spec->text, .iov_len = spec->length}};
    ssize_t wrote;

    if (ftruncate(fd, 0) != 0) {
        return errno;
    }
    wrote = pwritev(fd, parts, 2, 0);
    if (wrote < 0) {
        return errno;
    }
    return wrote == (ssize_t)(sizeof room + spec->length) ? 0 : ENOSPC;
}

void bl_local_files_forget_attempt(const struct bl_local_paths *paths)
{
    unlink(bl_buf_text(&paths->attempt));
}

bool bl_local_files_forget_job(const struct bl_local_paths *paths)
{
    int directory =
        open(bl_buf_text(&paths->directory), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

    if (directory < 0) {
        return errno == ENOENT;
    }
    unlinkat(directory, "alloc.json", 0);
    unlinkat(directory, "progress", 0);
    unlinkat(directory, "script", 0);
    close(directory);
    return rmdir(bl_buf_text(&paths->directory)) == 0 || errno == ENOENT;
}
