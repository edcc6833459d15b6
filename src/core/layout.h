/* From counts to nodes, for all jobs of a round at once: who keeps its count keeps its place where
 * it can, whole nodes come first, then the largest, by best fit; where the pieces are too small,
 * smaller jobs move. With equal nodes of 2^m GPUs and counts that are powers of two below a node or
 * whole nodes, every set of counts that fits in number finds a place. */
#ifndef BL_CORE_LAYOUT_H
#define BL_CORE_LAYOUT_H

#include "base/arena.h"
#include "core/cluster.h"
#include "core/job.h"

#include <stdbool.h>

struct bl_layout_part {
    int32_t node, gpus;
};

/* A job that is to have GPUs. */
struct bl_layout_item {
    const struct bl_job *job;
    int32_t type, gpus;
    bool is_fixed;               /* stays where it is, whatever type and gpus say */
    struct bl_layout_part *part; /* its place, from the arena; NULL = there is none */
    size_t part_count;
};

/* Places every item, on nodes that are up, as if nobody else held anything. Only GPUs are looked
 * at: whether CPUs and memory suffice shows when the place is taken. */
void bl_layout_make(const struct bl_cluster *cluster, struct bl_arena *arena,
                    struct bl_layout_item *item, size_t count);

/* Whether the item is to be elsewhere than it is now. */
bool bl_layout_moves(const struct bl_layout_item *item);

/* Its place with GPUs named, its own where it has some there. False while some of them are not free
 * in the books. */
bool bl_layout_try(const struct bl_cluster *cluster, const struct bl_layout_item *item,
                   struct bl_alloc *out);

#endif
