/* Equal shares: water filling over counts that come in steps. */
#ifndef BL_CORE_SHARE_H
#define BL_CORE_SHARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One that has a share: it begins with its least count. */
struct bl_sharer {
    const int32_t *count; /* legal counts, rising */
    size_t count_count;
    size_t at; /* its share is count[at] */
};

/* Raises the smallest share to its next count, the earlier sharer first, as long as `room` holds;
 * one whose next count does not fit stays where it is. */
void bl_share_equally(struct bl_sharer *sharer, size_t sharers, int64_t room);

#endif
