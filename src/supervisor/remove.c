/* Removes what a job left in its directory, however much that is, without keeping the daemon. */
#include "supervisor/supervisor.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEPTH_MAX = 512 }; /* one descriptor a level */

static void empty_directory(int fd, int depth);

static void remove_entry(int parent, const char *name, int depth)
{
    int fd;

    if (unlinkat(parent, name, 0) == 0 || (errno != EISDIR && errno != EPERM)) {
        return;
    }
    fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 && errno == EACCES && fchmodat(parent, name, 0700, 0) == 0) {
        fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    }
    if (fd >= 0) {
        empty_directory(fd, depth + 1);
    }
    unlinkat(parent, name, AT_REMOVEDIR);
}

/* Takes the descriptor. */
static void empty_directory(int fd, int depth)
{
    DIR *directory = depth < DEPTH_MAX ? fdopendir(fd) : NULL;
    const struct dirent *entry;

    if (!directory) {
        close(fd);
        return;
    }
    while ((entry = readdir(directory))) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            remove_entry(fd, entry->d_name, depth);
        }
    }
    closedir(directory);
}

int mode_remove(const char *path)
{
    remove_entry(AT_FDCWD, path, 0);
    return access(path, F_OK) == 0 ? 1 : 0;
}
