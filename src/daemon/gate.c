#include "daemon/gate.h"

#include "base/own.h"
#include "base/span.h"
#include "os/log.h"
#include "os/loop.h"
#include "os/own_fd.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>

enum { ACCEPTS_AT_ONCE = 64, DRAIN_ROOM = 4096, DRAINS_MAX = 8 };

/* How long a listening socket rests when a connection can be neither taken nor refused. */
#define REST (100 * BL_MILLISECOND)

struct bl_gate {
    struct bl_loop *loop;
    int listen_fd;
    int spare; /* given up to refuse a connection when there is no other descriptor left */
    struct bl_watch *readable, *rest;
    void *self;
    enum bl_gate_verdict (*take)(void *self, int fd);
    char *refusal;
    bool was_short; /* of descriptors; it is said once */
};

static int open_spare(void)
{
    return open("/dev/null", O_RDONLY | O_CLOEXEC);
}

/* What has come is read: closing a connection with bytes in it would take the answer away from a
 * peer that has not read it. */
static void refuse(const struct bl_gate *gate, int fd)
{
    char room[DRAIN_ROOM];

    if (send(fd, gate->refusal, strlen(gate->refusal), MSG_DONTWAIT | MSG_NOSIGNAL) > 0) {
        shutdown(fd, SHUT_WR);
    }
    for (int i = 0; i < DRAINS_MAX && recv(fd, room, sizeof room, MSG_DONTWAIT) > 0; i++) {
    }
    close(fd);
}

static int accept_one(const struct bl_gate *gate)
{
    return accept4(gate->listen_fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

static bool is_short_of_descriptors(int error)
{
    return error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM;
}

static void rest(struct bl_gate *gate)
{
    bl_watch_destroy(BL_TAKE(gate->readable));
    bl_watch_arm(gate->rest, REST);
}

/* Refuses one connection with the descriptor that is kept for it. */
static bool refuse_with_spare(struct bl_gate *gate)
{
    int fd;

    if (!gate->was_short) {
        bl_log(BL_LOG_WARNING, "no descriptors are left: connections are refused");
        gate->was_short = true;
    }
    if (gate->spare < 0) {
        return false;
    }
    close(gate->spare);
    fd = accept_one(gate);
    if (fd >= 0) {
        refuse(gate, fd);
    }
    gate->spare = open_spare();
    return fd >= 0;
}

/* Answers false when there is nothing more to take for now. */
static bool take_one(struct bl_gate *gate)
{
    int fd = accept_one(gate);

    if (fd >= 0) {
        gate->was_short = false;
        if (gate->take(gate->self, fd) == BL_GATE_FULL) {
            refuse(gate, fd);
        }
        return true;
    }
    if (is_short_of_descriptors(errno)) {
        if (!refuse_with_spare(gate)) {
            rest(gate);
            return false;
        }
        return true;
    }
    /* others are of the one connection, which has gone */
    return errno != EAGAIN;
}

static void on_readable(void *self, uint32_t events)
{
    struct bl_gate *gate = self;

    (void)events;
    for (int i = 0; i < ACCEPTS_AT_ONCE && take_one(gate); i++) {
    }
}

static void watch_again(void *self)
{
    struct bl_gate *gate = self;

    gate->spare = gate->spare < 0 ? open_spare() : gate->spare;
    gate->readable = bl_loop_watch_fd(gate->loop, gate->listen_fd, EPOLLIN, on_readable, gate);
}

struct bl_gate *bl_gate_create(struct bl_loop *loop, const struct bl_gate_options *options)
{
    struct bl_gate *gate = bl_alloc_zero(sizeof *gate);

    gate->loop = loop;
    gate->listen_fd = options->listen_fd;
    gate->self = options->self;
    gate->take = options->take;
    gate->refusal = bl_copy_text(options->refusal);
    gate->spare = open_spare();
    gate->rest = bl_loop_watch_timer(loop, watch_again, gate);
    watch_again(gate);
    return gate;
}

void bl_gate_destroy(struct bl_gate *gate)
{
    if (gate) {
        bl_watch_destroy(gate->readable);
        bl_watch_destroy(gate->rest);
        close(gate->listen_fd);
        if (gate->spare >= 0) {
            close(gate->spare);
        }
        free(gate->refusal);
        free(gate);
    }
}
