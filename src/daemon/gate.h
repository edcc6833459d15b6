/* Takes connections off a listening socket. A connection that finds no room is told so and closed:
 * it neither waits nor keeps the daemon busy, not even when there are no descriptors left. */
#ifndef BL_DAEMON_GATE_H
#define BL_DAEMON_GATE_H

#include "base/error.h"

struct bl_loop;
struct bl_gate;

enum bl_gate_verdict { BL_GATE_TAKEN, BL_GATE_FULL };

struct bl_gate_options {
    int listen_fd; /* taken; not blocking */
    void *self;
    /* Takes the descriptor over, or answers BL_GATE_FULL and leaves it. */
    enum bl_gate_verdict (*take)(void *self, int fd);
    const char *refusal; /* what those hear for whom there is no room; copied */
};

struct bl_gate *bl_gate_create(struct bl_loop *loop, const struct bl_gate_options *options);
void bl_gate_destroy(struct bl_gate *gate);

#endif
