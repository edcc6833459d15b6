#include "daemon/listen.h"

#include "os/fs.h"
#include "os/own_fd.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

enum { BACKLOG = 512 };

/* A directory in /tmp could be somebody else's trap: it must be ours, and no link. */
static int make_private_dir(const char *path, struct bl_error *err)
{
    struct stat info;

    if (mkdir(path, 0700) < 0 && errno != EEXIST) {
        return bl_fail_sys(err, "cannot make the directory %s", path);
    }
    if (lstat(path, &info) < 0) {
        return bl_fail_sys(err, "cannot look at %s", path);
    }
    if (!S_ISDIR(info.st_mode) || info.st_uid != geteuid() || (info.st_mode & 022)) {
        bl_fail(err, BL_EREFUSED, "%s is not a directory of this user alone", path);
        return bl_error_set_hint(err, "remove it, or choose another place with --socket");
    }
    return BL_OK;
}

int bl_listen_default_path(struct bl_buf *out, struct bl_error *err)
{
    BL_AUTO_BUF directory = {0};
    const char *runtime = getenv("XDG_RUNTIME_DIR");
    int status;

    if (geteuid() == 0) {
        bl_buf_append_text(out, "/run/baleen/baleen.sock");
        return bl_fs_make_dirs("/run/baleen", 0755, err);
    }
    if (runtime && runtime[0] == '/') {
        bl_buf_printf(&directory, "%s/baleen", runtime);
    } else {
        bl_buf_printf(&directory, "%s/baleen-%ld", P_tmpdir, (long)geteuid());
    }
    status = make_private_dir(bl_buf_text(&directory), err);
    bl_buf_printf(out, "%s/baleen.sock", bl_buf_text(&directory));
    return status;
}

static int fill_address(const char *path, struct sockaddr_un *out, struct bl_error *err)
{
    *out = (struct sockaddr_un){.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof out->sun_path) {
        bl_fail(err, BL_EINVAL, "the path of the socket is longer than %zu bytes: %s",
                sizeof out->sun_path - 1, path);
        return bl_error_set_hint(err, "choose a shorter one with --socket");
    }
    memcpy(out->sun_path, path, strlen(path) + 1);
    return BL_OK;
}

static int new_socket(struct bl_error *err)
{
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

    if (fd < 0) {
        bl_fail_sys(err, "cannot make a socket");
    }
    return fd;
}

/* Whether the process that listens there lives. A child that a killed daemon was just about to
 * execute still has its files, for a moment. */
static bool is_served(int fd)
{
    struct ucred peer = {0};
    socklen_t length = sizeof peer;

    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) < 0 || peer.pid <= 0 ||
           kill(peer.pid, 0) == 0 || errno != ESRCH;
}

/* Removes a socket that nobody answers on. */
static int remove_stale(const struct sockaddr_un *address, struct bl_error *err)
{
    const char *path = address->sun_path;
    BL_AUTO_FD fd = -1;
    struct stat info;
    int connected;

    if (lstat(path, &info) < 0) {
        return errno == ENOENT ? BL_OK : bl_fail_sys(err, "cannot look at %s", path);
    }
    if (!S_ISSOCK(info.st_mode)) {
        return bl_fail(err, BL_EREFUSED, "%s is there and is no socket: move it away", path);
    }
    fd = new_socket(err);
    if (fd < 0) {
        return BL_ESYSTEM;
    }
    connected = connect(fd, (const struct sockaddr *)address, sizeof *address);
    if ((connected == 0 && is_served(fd)) || (connected < 0 && errno == EAGAIN)) {
        bl_fail(err, BL_EREFUSED, "another daemon listens on %s", path);
        return bl_error_set_hint(err, "use it, stop it, or choose another place with --socket");
    }
    if (connected < 0 && errno != ECONNREFUSED) {
        return bl_fail_sys(err, "cannot try the socket %s", path);
    }
    return unlink(path) < 0 ? bl_fail_sys(err, "cannot remove %s", path) : BL_OK;
}

int bl_listen_open(const char *path, int *out, struct bl_error *err)
{
    struct sockaddr_un address;
    BL_AUTO_FD fd = -1;
    mode_t mode = geteuid() == 0 ? 0666 : 0600;
    mode_t before;
    int bound;

    if (fill_address(path, &address, err) != BL_OK || remove_stale(&address, err) != BL_OK) {
        return err ? (int)err->status : BL_ESYSTEM;
    }
    fd = new_socket(err);
    if (fd < 0) {
        return BL_ESYSTEM;
    }
    /* a socket gets its mode from the umask: nobody may slip in before a chmod */
    before = umask(0777 & ~mode);
    bound = bind(fd, (const struct sockaddr *)&address, sizeof address);
    umask(before);
    if (bound < 0) {
        return bl_fail_sys(err, "cannot make the socket %s", path);
    }
    if (listen(fd, BACKLOG) < 0) {
        return bl_fail_sys(err, "cannot listen on %s", path);
    }
    *out = bl_take_fd(&fd);
    return BL_OK;
}
