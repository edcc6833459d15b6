#include "engine/local_files.h"

#include "os/own_fd.h"
#include "os/spawn_spec.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

void bl_local_paths_init(struct bl_local_paths *paths, const char *state_dir, bl_job_id job,
                         int32_t attempt)
{
    *paths = (struct bl_local_paths){0};
    bl_buf_printf(&paths->job, "%s/jobs/%lld", state_dir, (long long)job);
    bl_buf_printf(&paths->directory, "%s/dir", bl_buf_text(&paths->job));
    bl_buf_printf(&paths->attempt, "%s/%d", bl_buf_text(&paths->job), attempt);
    bl_buf_printf(&paths->spec, "%s/spec", bl_buf_text(&paths->attempt));
    bl_buf_printf(&paths->status, "%s/status", bl_buf_text(&paths->attempt));
}

void bl_local_paths_finish(struct bl_local_paths *paths)
{
    bl_buf_finish(&paths->job);
    bl_buf_finish(&paths->directory);
    bl_buf_finish(&paths->attempt);
    bl_buf_finish(&paths->spec);
    bl_buf_finish(&paths->status);
}

/* Lets others pass through a directory of ours. */
static bool let_pass(const char *path)
{
    struct stat about;

    return stat(path, &about) == 0 &&
           ((about.st_mode & 0111) == 0111 || chmod(path, (about.st_mode & 07777) | 0111) == 0);
}

int bl_local_files_prepare(const char *state_dir, struct bl_error *err)
{
    BL_AUTO_BUF jobs = {0};

    bl_buf_printf(&jobs, "%s/jobs", state_dir);
    if (mkdir(bl_buf_text(&jobs), 0711) != 0 && errno != EEXIST) {
        return bl_fail_sys(err, "cannot make the directory %s", bl_buf_text(&jobs));
    }
    if (geteuid() == 0 && (!let_pass(state_dir) || !let_pass(bl_buf_text(&jobs)))) {
        return bl_fail_sys(err, "cannot open the way to %s for the jobs' users",
                           bl_buf_text(&jobs));
    }
    return BL_OK;
}

static bool make_directory(const struct bl_buf *path, mode_t mode)
{
    return mkdir(bl_buf_text(path), mode) == 0 || errno == EEXIST;
}

enum bl_local_opening bl_local_files_make_status(const struct bl_local_paths *paths, int *fd)
{
    if (!make_directory(&paths->job, 0711) || !make_directory(&paths->attempt, 0700)) {
        return BL_LOCAL_REFUSED;
    }
    BL_AUTO_FD opened =
        open(bl_buf_text(&paths->status), O_RDWR | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (opened < 0) {
        return errno == EEXIST ? BL_LOCAL_EXISTS : BL_LOCAL_REFUSED;
    }
    /* Room now, so that a full disk cannot lose the record of how the job ended. */
    if (flock(opened, LOCK_EX | LOCK_NB) != 0 ||
        (fallocate(opened, FALLOC_FL_KEEP_SIZE, 0, BL_SPAWN_STATUS_BYTES_MAX) != 0 &&
         errno != EOPNOTSUPP && errno != ENOSYS)) {
        int saved = errno;

        unlink(bl_buf_text(&paths->status));
        errno = saved;
        return BL_LOCAL_REFUSED;
    }
    *fd = bl_take_fd(&opened);
    return BL_LOCAL_MADE;
}

int bl_local_files_take_status(const struct bl_local_paths *paths)
{
    BL_AUTO_FD fd = open(bl_buf_text(&paths->status), O_RDWR | O_APPEND | O_CLOEXEC);

    if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) != 0) {
        return -1;
    }
    return bl_take_fd(&fd);
}

bool bl_local_files_is_supervised(const struct bl_local_paths *paths)
{
    /* Not opened for writing: closing it must not look like a supervisor letting go. */
    BL_AUTO_FD fd = open(bl_buf_text(&paths->status), O_RDONLY | O_CLOEXEC);

    return fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0;
}

int bl_local_files_write_spec(const struct bl_local_paths *paths, const struct bl_buf *bytes)
{
    size_t done = 0;
    BL_AUTO_FD fd = open(bl_buf_text(&paths->spec), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

    if (fd < 0) {
        return errno;
    }
    while (done < bytes->length) {
        ssize_t wrote = write(fd, bytes->text + done, bytes->length - done);

        if (wrote <= 0) {
            return wrote < 0 ? errno : ENOSPC;
        }
        done += (size_t)wrote;
    }
    return 0;
}

void bl_local_files_forget_attempt(const struct bl_local_paths *paths)
{
    unlink(bl_buf_text(&paths->spec));
    unlink(bl_buf_text(&paths->status));
    rmdir(bl_buf_text(&paths->attempt));
}

bool bl_local_files_forget_job(const struct bl_local_paths *paths)
{
    int directory =
        open(bl_buf_text(&paths->directory), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

    if (directory >= 0) {
        unlinkat(directory, "alloc.json", 0);
        unlinkat(directory, "progress", 0);
        close(directory);
        rmdir(bl_buf_text(&paths->directory));
    }
    return rmdir(bl_buf_text(&paths->job)) == 0 || errno == ENOENT;
}
