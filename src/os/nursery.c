#include "os/nursery.h"

#include "base/own.h"
#include "base/vec.h"
#include "os/own_fd.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>

/* Room for some thousand orders that wait. */
enum { SEND_BUFFER_BYTES = 4 * 1024 * 1024 };

struct bl_nursery {
    char *program;
    int socket; /* -1 = none at present */
    BL_VEC(pid_t) child;
};

static void note_child(struct bl_nursery *nursery, pid_t pid)
{
    BL_VEC_PUSH(&nursery->child, pid);
}

static void hang_up(struct bl_nursery *nursery)
{
    if (nursery->socket >= 0) {
        close(nursery->socket);
        nursery->socket = -1;
    }
}

/* On failure there is no socket, and orders are carried out directly. */
static void open_process(struct bl_nursery *nursery)
{
    int ends[2];
    int room = SEND_BUFFER_BYTES;
    pid_t pid;
    struct bl_spawn_supervisor self = {
        .program = nursery->program, .mode = BL_SPAWN_NURSERY, .path = ""};

    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
        return;
    }
    /* Past the usual ceiling where this process may; a refusal leaves the standard room. */
    if (setsockopt(ends[0], SOL_SOCKET, SO_SNDBUFFORCE, &room, sizeof room) != 0) {
        setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
    }
    self.attempt_fd = ends[1];
    if (bl_spawn_supervisor(&self, &pid) == 0) {
        note_child(nursery, pid);
        nursery->socket = ends[0];
    } else {
        close(ends[0]);
    }
    close(ends[1]);
}

struct bl_nursery *bl_nursery_create(const char *program)
{
    struct bl_nursery *nursery = bl_alloc_zero(sizeof *nursery);

    nursery->program = bl_copy_text(program);
    nursery->socket = -1;
    open_process(nursery);
    return nursery;
}

void bl_nursery_destroy(struct bl_nursery *nursery)
{
    if (nursery) {
        hang_up(nursery);
        bl_nursery_reap(nursery);
        BL_VEC_FINISH(&nursery->child);
        free(nursery->program);
        free(nursery);
    }
}

bool bl_nursery_started(const struct bl_nursery *nursery, pid_t pid)
{
    for (size_t i = 0; i < nursery->child.count; i++) {
        if (nursery->child.at[i] == pid) {
            return true;
        }
    }
    return false;
}

void bl_nursery_reap(struct bl_nursery *nursery)
{
    for (size_t i = nursery->child.count; i-- > 0;) {
        if (waitpid(nursery->child.at[i], NULL, WNOHANG) != 0) {
            BL_VEC_REMOVE(&nursery->child, i);
        }
    }
}

/* A descriptor on its way. */
union control {
    char bytes[CMSG_SPACE(sizeof(int))];
    struct cmsghdr header; /* for its alignment */
};

static bool send_order(int socket, const struct bl_spawn_supervisor *order)
{
    char mode = (char)order->mode;
    union control control = {0};
    struct iovec parts[] = {
        {.iov_base = &mode, .iov_len = 1},
        {.iov_base = (void *)(uintptr_t)order->path, .iov_len = strlen(order->path)}};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};

    if (order->attempt_fd >= 0) {
        struct cmsghdr *header;

        message.msg_control = control.bytes;
        message.msg_controllen = sizeof control.bytes;
        header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(header), &order->attempt_fd, sizeof(int));
    }
    return sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT) >= 0;
}

int bl_nursery_start(struct bl_nursery *nursery, const struct bl_spawn_supervisor *order)
{
    struct bl_spawn_supervisor direct = *order;
    pid_t pid;
    int failed;

    if (strlen(order->path) < BL_NURSERY_PATH_MAX) {
        if (nursery->socket >= 0 && send_order(nursery->socket, order)) {
            return 0;
        }
        if (nursery->socket < 0 || errno == EPIPE || errno == ECONNRESET) {
            hang_up(nursery);
            open_process(nursery);
            if (nursery->socket >= 0 && send_order(nursery->socket, order)) {
                return 0;
            }
        }
    }
    direct.program = nursery->program;
    failed = bl_spawn_supervisor(&direct, &pid);
    if (!failed) {
        note_child(nursery, pid);
    }
    return failed;
}

/* The descriptor that came with a message; -1 = none. */
static int take_descriptor(struct msghdr *message)
{
    struct cmsghdr *header = CMSG_FIRSTHDR(message);
    int fd = -1;

    if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS &&
        header->cmsg_len == CMSG_LEN(sizeof(int))) {
        memcpy(&fd, CMSG_DATA(header), sizeof fd);
    }
    return fd;
}

bool bl_nursery_receive(int socket, struct bl_nursery_order *out)
{
    char mode = 0;
    union control control = {0};
    struct iovec parts[] = {{.iov_base = &mode, .iov_len = 1},
                            {.iov_base = out->path, .iov_len = sizeof out->path - 1}};
    struct msghdr message = {.msg_iov = parts,
                             .msg_iovlen = 2,
                             .msg_control = control.bytes,
                             .msg_controllen = sizeof control.bytes};
    ssize_t length;

    do {
        length = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    } while (length < 0 && errno == EINTR);
    if (length <= 0) {
        return false;
    }
    out->mode = (enum bl_spawn_mode)mode;
    out->path[length - 1] = '\0';
    out->attempt_fd = take_descriptor(&message);
    return true;
}
