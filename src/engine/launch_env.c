#include "engine/launch_env.h"

#include "base/buf.h"
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

static int open_new(const char *state_dir, const char *path)
{
    int flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW;
    int fd = open(path, flags, 0600);

    if (fd < 0 && errno == ENOENT) {
        BL_AUTO_BUF directory = {0};

        bl_buf_printf(&directory, "%s/env", state_dir);
        if (mkdir(bl_buf_text(&directory), 0700) != 0 && errno != EEXIST) {
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

int bl_launch_env_write(const char *state_dir, bl_job_id job, const char *const *environment,
                        struct bl_error *err)
{
    BL_AUTO_BUF path = {0};
    BL_AUTO_BUF bytes = {.ceiling = FILE_BYTES_MAX};

    for (size_t i = 0; environment[i]; i++) {
        bl_buf_append(&bytes, environment[i], strlen(environment[i]) + 1);
    }
    bl_buf_append_char(&bytes, '\0');
    if (bytes.overflowed) {
        return bl_fail(err, BL_ETOOBIG, "the environment has more than %d bytes", FILE_BYTES_MAX);
    }
    append_path(&path, state_dir, job);
    BL_AUTO_FD fd = open_new(state_dir, bl_buf_text(&path));
    if (fd < 0 || !write_all(fd, &bytes)) {
        bl_fail_sys(err, "cannot write the job's environment to %s", bl_buf_text(&path));
        unlink(bl_buf_text(&path));
        return BL_ESYSTEM;
    }
    return BL_OK;
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
