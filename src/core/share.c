#include "core/share.h"

/* The one to be raised next; `sharers` when none can be. */
static size_t find_least(const struct bl_sharer *sharer, size_t sharers, int64_t room)
{
    size_t least = sharers;

    for (size_t i = 0; i < sharers; i++) {
        const struct bl_sharer *s = &sharer[i];

        if (s->at + 1 < s->count_count && s->count[s->at + 1] - s->count[s->at] <= room &&
            (least == sharers || s->count[s->at] < sharer[least].count[sharer[least].at])) {
            least = i;
        }
    }
    return least;
}

void bl_share_equally(struct bl_sharer *sharer, size_t sharers, int64_t room)
{
    size_t next;

    while ((next = find_least(sharer, sharers, room)) < sharers) {
        struct bl_sharer *s = &sharer[next];

        room -= s->count[s->at + 1] - s->count[s->at];
        s->at++;
    }
}
