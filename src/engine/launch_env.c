#include "engine/launch_env.h"

#include "base/own.h"
#include "base/vec.h"
#include "os/fs.h"
#include "os/own_fd.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Texts with their ends, then an empty one: what has no empty one was cut short. */
enum { FILE_BYTES_MAX = 8 * 1024 * 1024 };

static void append_path(struct bl_buf *out, const char *state_dir, bl_job_id job)
{
    bl_buf_printf(out, "%s/env/%lld", state_dir, (long long)job);
}

static int open_new(const char *path)
{
    int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW;
    int fd = open(path, flags, 0600);

    if (fd < 0 && errno == EEXIST) {
        unlink(path); /* not overwritten: other jobs may share it */
        fd = open(path, flags, 0600);
    }
    if (fd < 0 && errno == ENOENT) {
        BL_AUTO_FREE char *directory = bl_copy_part(path, (size_t)(strrchr(path, '/') - path));

        if (mkdir(directory, 0700) != 0 && errno != EEXIST) {
            return -1;
        }
        fd = open(path, flags, 0600);
    }
    return fd;
}

static bool write_all(int fd, const struct bl_buf *bytes)
{
    size_t done = 0;

    while (done < bytes->length) {
        ssize_t wrote = write(fd, bytes->text + done, bytes->length - done);

        if (wrote <= 0) {
            return false;
        }
        done += (size_t)wrote;
    }
    return true;
}

static int join(const char *const *environment, struct bl_buf *out, struct bl_error *err)
{
    out->ceiling = FILE_BYTES_MAX;
    for (size_t i = 0; environment[i]; i++) {
        bl_buf_append(out, environment[i], strlen(environment[i]) + 1);
    }
    bl_buf_append_char(out, '\0');
    return out->overflowed
               ? bl_fail(err, BL_ETOOBIG, "the environment has more than %d bytes", FILE_BYTES_MAX)
               : BL_OK;
}

static int write_file(const char *path, const struct bl_buf *bytes, struct bl_error *err)
{
    BL_AUTO_FD fd = open_new(path);

    if (fd < 0 || !write_all(fd, bytes)) {
        bl_fail_sys(err, "cannot write the job's environment to %s", path);
        unlink(path);
        return BL_ESYSTEM;
    }
    return BL_OK;
}

int bl_launch_env_write(const char *state_dir, bl_job_id job, const char *const *environment,
                        struct bl_error *err)
{
    BL_AUTO_BUF path = {0};
    BL_AUTO_BUF bytes = {0};
    int status = join(environment, &bytes, err);

    append_path(&path, state_dir, job);
    return status ? status : write_file(bl_buf_text(&path), &bytes, err);
}

/* The last one's file may be gone, have as many links as it can, or lie where there are none. */
static bool link_to(const char *state_dir, bl_job_id last, const char *path)
{
    BL_AUTO_BUF from = {0};

    append_path(&from, state_dir, last);
    return last && link(bl_buf_text(&from), path) == 0;
}

int bl_launch_env_write_next(const char *state_dir, struct bl_launch_env_last *last, bl_job_id job,
                             const char *const *environment, struct bl_error *err)
{
    BL_AUTO_BUF path = {0};
    BL_AUTO_BUF bytes = {0};
    int status = join(environment, &bytes, err);
    bool is_same = status == BL_OK && bytes.length == last->bytes.length &&
                   memcmp(bytes.text, last->bytes.text, bytes.length) == 0;

    append_path(&path, state_dir, job);
    if (is_same && link_to(state_dir, last->job, bl_buf_text(&path))) {
        return BL_OK;
    }
    status = status ? status : write_file(bl_buf_text(&path), &bytes, err);
    if (status == BL_OK) {
        bl_buf_clear(&last->bytes);
        bl_buf_append(&last->bytes, bytes.text, bytes.length);
        last->job = job;
    }
    return status;
}

void bl_launch_env_last_finish(struct bl_launch_env_last *last)
{
    bl_buf_finish(&last->bytes);
    last->job = 0;
}

/* The file's texts, copied; their number, or -1 when the last, empty one is missing. */
static int64_t split(const struct bl_buf *bytes, struct bl_arena *arena, char **out)
{
    int64_t count = 0;
    size_t at = 0;

    while (at < bytes->length && bytes->text[at]) {
        size_t length = strlen(bytes->text + at);

        if (out) {
            out[count] = bl_arena_copy_text(arena, bytes->text + at);
        }
        count++;
        at += length + 1;
    }
    return at + 1 == bytes->length ? count : -1;
}

int bl_launch_env_read(const char *state_dir, bl_job_id job, struct bl_arena *arena, char ***out,
                       struct bl_error *err)
{
    BL_AUTO_BUF path = {0};
    BL_AUTO_BUF bytes = {0};
    int64_t count;
    int status;

    append_path(&path, state_dir, job);
    status = bl_fs_read(bl_buf_text(&path), FILE_BYTES_MAX, &bytes, err);
    if (status) {
        return status;
    }
    count = split(&bytes, arena, NULL);
    if (count < 0) {
        return bl_fail(err, BL_EINVAL, "%s: the environment is cut short", bl_buf_text(&path));
    }
    *out = bl_arena_alloc(arena, ((size_t)count + 1) * sizeof **out);
    split(&bytes, arena, *out);
    return BL_OK;
}

void bl_launch_env_remove(const char *state_dir, bl_job_id job)
{
    BL_AUTO_BUF path = {0};

    append_path(&path, state_dir, job);
    unlink(bl_buf_text(&path));
}
