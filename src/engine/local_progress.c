#include "engine/local_progress.h"

#include "os/own_fd.h"

#include <fcntl.h>
#include <sys/stat.h>

enum { TAIL_BYTES = 4096 };

/* Its end, if it is a plain file; the number of bytes, or -1. A pipe or a device could block, and a
 * link could lead anywhere. */
static ssize_t read_tail(const char *directory, struct stat *about, char tail[TAIL_BYTES])
{
    BL_AUTO_FD folder = open(directory, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    BL_AUTO_FD fd =
        folder < 0 ? -1
                   : openat(folder, "progress", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

    if (fd < 0 || fstat(fd, about) != 0 || !S_ISREG(about->st_mode)) {
        return -1;
    }
    return pread(fd, tail, TAIL_BYTES,
                 about->st_size > TAIL_BYTES ? about->st_size - TAIL_BYTES : 0);
}

static bool is_new(struct bl_local_progress *seen, const struct stat *about)
{
    bool is_same = seen->size == about->st_size && seen->changed.tv_sec == about->st_mtim.tv_sec &&
                   seen->changed.tv_nsec == about->st_mtim.tv_nsec;

    *seen = (struct bl_local_progress){about->st_mtim, about->st_size};
    return !is_same;
}

bool bl_local_progress_read(struct bl_local_progress *seen, const char *directory,
                            struct bl_progress_report *out)
{
    struct stat about = {0};
    char tail[TAIL_BYTES];
    ssize_t length = read_tail(directory, &about, tail);

    return length > 0 && is_new(seen, &about) && bl_progress_find(tail, (size_t)length, out);
}

void bl_local_progress_skip(struct bl_local_progress *seen, const char *directory)
{
    struct stat about = {0};
    char tail[TAIL_BYTES];

    if (read_tail(directory, &about, tail) >= 0) {
        is_new(seen, &about);
    }
}
