#include "daemon/pending.h"

#include "base/own.h"

void bl_pending_init(struct bl_pending_ring *ring)
{
    *ring = (struct bl_pending_ring){0};
    ring->head.next = ring->head.previous = &ring->head;
}

void bl_pending_finish_ring(struct bl_pending_ring *ring)
{
    bl_map_finish(&ring->submitted);
}

struct bl_pending *bl_pending_push(struct bl_pending_ring *ring, int64_t seq, char *bytes,
                                   size_t length)
{
    struct bl_pending *item = bl_alloc_zero(sizeof *item);

    item->seq = seq;
    item->bytes = bytes;
    item->length = length;
    item->next = &ring->head;
    item->previous = ring->head.previous;
    item->previous->next = item;
    ring->head.previous = item;
    return item;
}

void bl_pending_set_submitted(struct bl_pending_ring *ring, struct bl_pending *item, bl_job_id job,
                              int64_t owner)
{
    item->submitted = job;
    item->owner = owner;
    bl_map_insert(&ring->submitted, job, item);
}

struct bl_pending *bl_pending_first(struct bl_pending_ring *ring)
{
    return ring->head.next == &ring->head ? NULL : ring->head.next;
}

const struct bl_pending *bl_pending_find(const struct bl_pending_ring *ring, bl_job_id job)
{
    return bl_map_find(&ring->submitted, job);
}

void bl_pending_remove(struct bl_pending_ring *ring, struct bl_pending *item)
{
    item->previous->next = item->next;
    item->next->previous = item->previous;
    if (item->submitted) {
        bl_map_remove(&ring->submitted, item->submitted);
    }
}

void bl_pending_finish(struct bl_pending *item, bool is_accepted)
{
    if (item->done.call) {
        item->done.call(item->done.self, is_accepted);
    }
    free(item->bytes);
    free(item);
}
