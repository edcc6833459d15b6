#include "sim/output.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { FLUSH_BYTES = 64 * 1024 };

int bl_sim_output_open(struct bl_sim_output *output, const char *path, struct bl_error *err)
{
    int fd = strcmp(path, "-") == 0 ? STDOUT_FILENO
                                    : open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

    if (fd < 0) {
        return bl_fail_sys(err, "cannot create %s", path);
    }
    output->path = path;
    output->fd_plus_one = fd + 1;
    return BL_OK;
}

static void flush(struct bl_sim_output *output)
{
    const char *at = bl_buf_text(&output->text);
    size_t left = output->text.length;

    while (left > 0 && !output->error_number) {
        ssize_t put = write(output->fd_plus_one - 1, at, left);

        if (put < 0) {
            output->error_number = errno == EINTR ? 0 : errno;
            continue;
        }
        at += put;
        left -= (size_t)put;
    }
    bl_buf_clear(&output->text);
}

void bl_sim_output_flush_full(struct bl_sim_output *output)
{
    if (output->text.length >= FLUSH_BYTES) {
        flush(output);
    }
}

int bl_sim_output_close(struct bl_sim_output *output, struct bl_error *err)
{
    int status = BL_OK;

    if (!output->fd_plus_one) {
        return BL_OK;
    }
    flush(output);
    if (output->fd_plus_one - 1 != STDOUT_FILENO && close(output->fd_plus_one - 1) < 0 &&
        !output->error_number) {
        output->error_number = errno;
    }
    if (output->error_number) {
        errno = output->error_number;
        status = bl_fail_sys(err, "cannot write %s", output->path);
    }
    bl_buf_finish(&output->text);
    *output = (struct bl_sim_output){0};
    return status;
}
