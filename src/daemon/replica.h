/* A core beside the daemon's own, made of the same records: it stands where that one stood after
 * the last of them. It keeps what that one keeps, and forgets what that one forgets. */
#ifndef BL_DAEMON_REPLICA_H
#define BL_DAEMON_REPLICA_H

#include "base/arena.h"
#include "core/core.h"

struct bl_replica {
    struct bl_core *core;
    int64_t seq;     /* of the last record */
    int64_t version; /* grows when something changed that a forecast rests on */
    bl_time now;     /* of the record that did so last */
    struct bl_arena arena;
    struct bl_actions actions;
};

void bl_replica_init(struct bl_replica *replica);
void bl_replica_finish(struct bl_replica *replica);

/* A record that was applied to the other one: it can be read. */
void bl_replica_apply(struct bl_replica *replica, int64_t seq, const char *bytes, size_t length);

/* Whether it can be forked now; right after a round it can. */
bool bl_replica_can_fork(struct bl_replica *replica);

#endif
