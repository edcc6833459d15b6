/* Events on their way to the disk, in order of their numbers, each with whoever waits for it. */
#ifndef BL_DAEMON_PENDING_H
#define BL_DAEMON_PENDING_H

#include "base/map.h"
#include "daemon/driver.h"

struct bl_pending {
    struct bl_pending *next, *previous;
    int64_t seq;
    char *bytes;
    size_t length;
    struct bl_completion done; /* `call` NULL when nobody waits; at the last of a group */
    size_t group;              /* records of the group that it ends */
    bl_job_id submitted;       /* 0 unless it is a submission */
    int64_t owner;
};

struct bl_pending_ring {
    struct bl_pending head;  /* `next` is the oldest, `previous` the newest */
    struct bl_map submitted; /* id -> struct bl_pending, borrowed */
};

void bl_pending_init(struct bl_pending_ring *ring);
/* What is in it must have been removed. */
void bl_pending_finish_ring(struct bl_pending_ring *ring);

/* Takes the bytes. */
struct bl_pending *bl_pending_push(struct bl_pending_ring *ring, int64_t seq, char *bytes,
                                   size_t length);
/* Says that it is the submission of a job. */
void bl_pending_set_submitted(struct bl_pending_ring *ring, struct bl_pending *item, bl_job_id job,
                              int64_t owner);

/* The oldest; NULL when there is none. */
struct bl_pending *bl_pending_first(struct bl_pending_ring *ring);
/* The submission of a job; NULL when it is not on its way. */
const struct bl_pending *bl_pending_find(const struct bl_pending_ring *ring, bl_job_id job);

/* Takes it out; the caller finishes it. */
void bl_pending_remove(struct bl_pending_ring *ring, struct bl_pending *item);
/* Tells who waits, and frees it. */
void bl_pending_finish(struct bl_pending *item, bool is_accepted);

#endif
