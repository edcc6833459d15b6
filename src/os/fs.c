#include "os/fs.h"

#include "base/own.h"
#include "os/own_fd.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { CHUNK_BYTES = 64 * 1024, DEPTH_MAX = 256 };

/* EINTR is tried again. */
static ssize_t read_some(int fd, char *into, size_t room)
{
    ssize_t got;

    do {
        got = read(fd, into, room);
    } while (got < 0 && errno == EINTR);
    return got;
}

static int read_all(int fd, const char *name, size_t ceiling, struct bl_buf *out,
                    struct bl_error *err)
{
    BL_AUTO_FREE char *chunk = bl_realloc_array(NULL, CHUNK_BYTES, 1);
    size_t total = 0;
    ssize_t got;

    while ((got = read_some(fd, chunk, CHUNK_BYTES)) > 0) {
        total += (size_t)got;
        if (total > ceiling) {
            return bl_fail(err, BL_ETOOBIG, "%s: larger than the %zu bytes that are allowed", name,
                           ceiling);
        }
        bl_buf_append(out, chunk, (size_t)got);
    }
    if (got < 0) {
        return bl_fail_sys(err, "cannot read %s", name);
    }
    if (out->overflowed) {
        return bl_fail(err, BL_ETOOBIG, "%s: larger than its buffer", name);
    }
    return BL_OK;
}

int bl_fs_read(const char *path, size_t ceiling, struct bl_buf *out, struct bl_error *err)
{
    BL_AUTO_FD fd = -1;

    if (strcmp(path, "-") == 0) {
        return read_all(STDIN_FILENO, "standard input", ceiling, out, err);
    }
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        int status = errno == ENOENT ? BL_ENOTFOUND : BL_ESYSTEM;

        bl_fail_sys(err, "cannot open %s", path);
        if (err) {
            err->status = status;
        }
        return status;
    }
    return read_all(fd, path, ceiling, out, err);
}

static int write_all(int fd, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t put = write(fd, bytes, length);

        if (put < 0 && errno != EINTR) {
            return -1;
        }
        if (put > 0) {
            bytes += put;
            length -= (size_t)put;
        }
    }
    return 0;
}

/* The name is on disk once its directory is. */
static int sync_parent(const char *path)
{
    BL_AUTO_FREE char *parent = bl_copy_text(path);
    char *slash = strrchr(parent, '/');
    BL_AUTO_FD fd = -1;

    if (slash) {
        slash[slash == parent] = '\0';
    }
    fd = open(slash ? parent : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return fd < 0 ? -1 : fsync(fd);
}

int bl_fs_write_atomic(const char *path, mode_t mode, const char *bytes, size_t length,
                       struct bl_error *err)
{
    BL_AUTO_BUF name = {.ceiling = PATH_MAX};
    BL_AUTO_FD fd = -1;

    bl_buf_printf(&name, "%s.XXXXXX", path);
    if (name.overflowed) {
        return bl_fail(err, BL_EINVAL, "%s: the path is too long", path);
    }
    fd = mkostemp(name.text, O_CLOEXEC);
    if (fd < 0) {
        return bl_fail_sys(err, "cannot create a file beside %s", path);
    }
    if (fchmod(fd, mode) < 0 || write_all(fd, bytes, length) < 0 || fsync(fd) < 0 ||
        rename(name.text, path) < 0 || sync_parent(path) < 0) {
        bl_fail_sys(err, "cannot write %s", path);
        unlink(name.text);
        return BL_ESYSTEM;
    }
    return BL_OK;
}

static bool is_dir(const char *path)
{
    struct stat about;

    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

int bl_fs_make_dirs(const char *path, mode_t mode, struct bl_error *err)
{
    BL_AUTO_FREE char *part = bl_copy_text(path);

    for (char *at = part + (part[0] == '/');; at++) {
        char found = *at;

        if (found != '/' && found != '\0') {
            continue;
        }
        *at = '\0';
        if (part[0] && mkdir(part, mode) < 0 && !(errno == EEXIST && is_dir(part))) {
            if (errno == EEXIST) {
                errno = ENOTDIR;
            }
            return bl_fail_sys(err, "cannot make the directory %s", part);
        }
        *at = found;
        if (found == '\0') {
            return BL_OK;
        }
    }
}

/* Each level holds one descriptor; names are never followed as links. */
static int remove_children(int dir_fd, int depth)
{
    DIR *dir;
    const struct dirent *item;
    int result = 0;

    if (depth > DEPTH_MAX) {
        close(dir_fd);
        errno = ELOOP;
        return -1;
    }
    dir = fdopendir(dir_fd);
    if (!dir) {
        close(dir_fd);
        return -1;
    }
    while (result == 0 && (item = readdir(dir))) {
        if (strcmp(item->d_name, ".") == 0 || strcmp(item->d_name, "..") == 0) {
            continue;
        }
        if (unlinkat(dirfd(dir), item->d_name, 0) == 0 || errno == ENOENT) {
            continue;
        }
        if (errno == EISDIR || errno == EPERM) {
            int child =
                openat(dirfd(dir), item->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

            result = child < 0 ? -1 : remove_children(child, depth + 1);
            if (result == 0 && unlinkat(dirfd(dir), item->d_name, AT_REMOVEDIR) < 0) {
                result = -1;
            }
        } else {
            result = -1;
        }
    }
    closedir(dir);
    return result;
}

int bl_fs_remove_tree(const char *path, struct bl_error *err)
{
    int fd;

    if (unlink(path) == 0 || errno == ENOENT) {
        return BL_OK;
    }
    if (errno != EISDIR && errno != EPERM) {
        return bl_fail_sys(err, "cannot remove %s", path);
    }
    fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 || remove_children(fd, 0) < 0 || rmdir(path) < 0) {
        return bl_fail_sys(err, "cannot remove %s", path);
    }
    return BL_OK;
}

bool bl_fs_find_beside(const char *const *places, struct bl_buf *out)
{
    BL_AUTO_BUF folder = {0};

    if (bl_fs_program_dir(&folder, NULL) != BL_OK) {
        return false;
    }
    for (size_t i = 0; places[i]; i++) {
        BL_AUTO_BUF path = {0};

        if (places[i][0] != '/') {
            bl_buf_printf(&path, "%s/", bl_buf_text(&folder));
        }
        bl_buf_append_text(&path, places[i]);
        if (access(bl_buf_text(&path), X_OK) == 0) {
            bl_buf_append_text(out, bl_buf_text(&path));
            return true;
        }
    }
    return false;
}

int bl_fs_program_dir(struct bl_buf *out, struct bl_error *err)
{
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    char *slash;

    if (length < 0) {
        return bl_fail_sys(err, "cannot read /proc/self/exe");
    }
    path[length] = '\0';
    slash = strrchr(path, '/');
    if (!slash) {
        return bl_fail(err, BL_ESYSTEM, "/proc/self/exe is no path: '%s'", path);
    }
    bl_buf_append(out, path, slash == path ? 1 : (size_t)(slash - path));
    return BL_OK;
}
