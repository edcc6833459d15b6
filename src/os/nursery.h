/* Supervisors by fork from a small process that waits for orders, instead of by executing the
 * program each time: half of the cost of a start would be the C library's own, before main.
 *
 * The nursery is the supervisor's program in another mode. It ends when its socket closes, that
 * is, with the daemon; the supervisors that it made live on. Where it cannot be had, supervisors
 * are executed one by one, so that it only ever makes things faster. */
#ifndef BL_OS_NURSERY_H
#define BL_OS_NURSERY_H

#include "os/spawn_spec.h"

struct bl_nursery;

struct bl_nursery *bl_nursery_create(const char *program);
/* Does not wait for its process. */
void bl_nursery_destroy(struct bl_nursery *nursery);

/* Starts a supervisor; `program` of the order is not used. Its pid is in its first record. 0 or an
 * errno. A nursery that died meanwhile may take the order with it: then nobody holds the attempt
 * file's lock, and it has no record. */
int bl_nursery_start(struct bl_nursery *nursery, const struct bl_spawn_supervisor *order);

/* Whether it is a process that was started here, the nursery's own among them. Those that the
 * nursery made are not. */
bool bl_nursery_started(const struct bl_nursery *nursery, pid_t pid);

/* Collects what ended of this process's own children made here; call it now and then. */
void bl_nursery_reap(struct bl_nursery *nursery);

/* ---- for the nursery's own process ---- */

enum { BL_NURSERY_PATH_MAX = 4096 };

struct bl_nursery_order {
    enum bl_spawn_mode mode;
    int attempt_fd; /* -1 = none; the receiver's to close */
    char path[BL_NURSERY_PATH_MAX];
};

/* False when the other side is gone. An order that makes no sense comes with an empty path. */
bool bl_nursery_receive(int socket, struct bl_nursery_order *out);

#endif
