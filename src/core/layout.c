#include "core/layout.h"

#include "base/own.h"
#include "core/hold.h"
#include "core/place.h"

#include <stdlib.h>

struct layout {
    const struct bl_cluster *cluster;
    struct bl_arena *arena;
    struct bl_layout_item *item;
    size_t count;
    int32_t *free_gpus; /* of each node */
    size_t *pending;    /* items without a place, as a stack that is kept sorted: largest on top */
    size_t pending_count;
};

static void take(struct layout *layout, const struct bl_layout_item *item, int32_t sign)
{
    for (size_t i = 0; i < item->part_count; i++) {
        layout->free_gpus[item->part[i].node] -= sign * item->part[i].gpus;
    }
}

static void give_parts(struct layout *layout, struct bl_layout_item *item, size_t count)
{
    item->part = bl_arena_alloc(layout->arena, count * sizeof *item->part);
    item->part_count = count;
}

/* The place that it has now. */
static void keep_place(struct layout *layout, struct bl_layout_item *item)
{
    const struct bl_alloc *alloc = bl_job_aim(item->job);
    const struct bl_alloc_part *part = bl_alloc_parts(alloc);

    give_parts(layout, item, alloc->part_count);
    for (uint32_t i = 0; i < alloc->part_count; i++) {
        item->part[i] = (struct bl_layout_part){part[i].node, part[i].gpus};
    }
    take(layout, item, 1);
}

static int32_t node_gpus(const struct layout *layout, int32_t node)
{
    return bl_hold_open(layout->cluster, node);
}

/* Whole nodes where it takes several, all else on one; and on nodes that are up. */
static bool is_well_placed(const struct layout *layout, const struct bl_layout_item *item)
{
    const struct bl_alloc *alloc = bl_job_aim(item->job);
    const struct bl_alloc_part *part = bl_alloc_parts(alloc);

    if (alloc->part_count == 0 || bl_alloc_gpus(alloc) != item->gpus ||
        layout->cluster->node[part[0].node].type != item->type) {
        return false;
    }
    for (uint32_t i = 0; i < alloc->part_count; i++) {
        if (node_gpus(layout, part[i].node) == 0 ||
            (alloc->part_count > 1 && part[i].gpus < node_gpus(layout, part[i].node) &&
             item->gpus >= node_gpus(layout, part[i].node) &&
             item->gpus % node_gpus(layout, part[i].node) == 0)) {
            return false;
        }
    }
    return true;
}

static bool is_before(const struct bl_layout_item *a, const struct bl_layout_item *b)
{
    return a->gpus != b->gpus ? a->gpus < b->gpus : a->job->id > b->job->id;
}

static void push_pending(struct layout *layout, size_t index)
{
    size_t at = layout->pending_count++;

    for (; at > 0 && is_before(&layout->item[index], &layout->item[layout->pending[at - 1]]);
         at--) {
        layout->pending[at] = layout->pending[at - 1];
    }
    layout->pending[at] = index;
}

/* Somebody smaller who may move, has all it has on this node, and is the smallest such; -1 = none.
 */
static int64_t find_movable(const struct layout *layout, int32_t node, int32_t below)
{
    int64_t best = -1;

    for (size_t i = 0; i < layout->count; i++) {
        const struct bl_layout_item *item = &layout->item[i];

        if (!item->is_fixed && item->part_count == 1 && item->part[0].node == node &&
            item->gpus < below && (best < 0 || is_before(item, &layout->item[best]))) {
            best = (int64_t)i;
        }
    }
    return best;
}

/* GPUs that the node would have free if all smaller jobs that may move were gone. */
static int32_t reachable(const struct layout *layout, int32_t node, int32_t below)
{
    int32_t gpus = layout->free_gpus[node];

    for (size_t i = 0; i < layout->count; i++) {
        const struct bl_layout_item *item = &layout->item[i];

        gpus += !item->is_fixed && item->part_count == 1 && item->part[0].node == node &&
                        item->gpus < below
                    ? item->gpus
                    : 0;
    }
    return gpus;
}

static void clear_node(struct layout *layout, int32_t node, int32_t wanted, int32_t below)
{
    while (layout->free_gpus[node] < wanted) {
        int64_t index = find_movable(layout, node, below);
        struct bl_layout_item *item = &layout->item[index];

        take(layout, item, -1);
        item->part = NULL;
        item->part_count = 0;
        push_pending(layout, (size_t)index);
    }
}

/* A node of the item's type for `wanted` GPUs: best fit among those that have them free, else the
 * one from which least must move. -1 = none. */
static int32_t find_node(const struct layout *layout, const struct bl_layout_item *item,
                         int32_t wanted)
{
    int32_t best = -1;

    for (int32_t node = 0; node < (int32_t)layout->cluster->node_count; node++) {
        int32_t free_now = layout->free_gpus[node];
        bool is_better;

        if (layout->cluster->node[node].type != item->type ||
            !bl_place_suits(layout->cluster, item->job, node) || node_gpus(layout, node) < wanted ||
            (free_now < wanted && reachable(layout, node, item->gpus) < wanted)) {
            continue;
        }
        is_better = best < 0 || (free_now >= wanted ? layout->free_gpus[best] < wanted ||
                                                          free_now < layout->free_gpus[best]
                                                    : free_now > layout->free_gpus[best]);
        best = is_better ? node : best;
    }
    return best;
}

/* One part; false when no node has so many. */
static bool place_part(struct layout *layout, struct bl_layout_item *item,
                       struct bl_layout_part *part, int32_t wanted)
{
    int32_t node = find_node(layout, item, wanted);

    if (node < 0) {
        return false;
    }
    clear_node(layout, node, wanted, item->gpus);
    layout->free_gpus[node] -= wanted;
    *part = (struct bl_layout_part){node, wanted};
    return true;
}

static void place(struct layout *layout, struct bl_layout_item *item)
{
    int32_t whole = layout->cluster->type_node_gpus[item->type];
    int32_t rest = item->gpus;
    size_t placed = 0;

    give_parts(layout, item, (size_t)((item->gpus + whole - 1) / whole));
    if (item->job->spec.nodes_max > 0 && item->part_count > (size_t)item->job->spec.nodes_max) {
        item->part_count = 0;
    }
    while (rest > 0 && placed < item->part_count &&
           place_part(layout, item, &item->part[placed], rest < whole ? rest : whole)) {
        rest -= item->part[placed++].gpus;
    }
    if (rest > 0) {
        item->part_count = placed;
        take(layout, item, -1);
        item->part = NULL;
        item->part_count = 0;
    }
}

static void init(struct layout *layout)
{
    layout->free_gpus = bl_arena_alloc(layout->arena, (layout->cluster->node_count + 1) *
                                                          sizeof *layout->free_gpus);
    layout->pending = bl_arena_alloc(layout->arena, (layout->count + 1) * sizeof *layout->pending);
    for (int32_t node = 0; node < (int32_t)layout->cluster->node_count; node++) {
        layout->free_gpus[node] = node_gpus(layout, node);
    }
}

void bl_layout_make(const struct bl_cluster *cluster, struct bl_arena *arena,
                    struct bl_layout_item *item, size_t count)
{
    struct layout layout = {.cluster = cluster, .arena = arena, .item = item, .count = count};

    init(&layout);
    for (size_t i = 0; i < count; i++) {
        item[i].part = NULL;
        item[i].part_count = 0;
        if (item[i].is_fixed || is_well_placed(&layout, &item[i])) {
            keep_place(&layout, &item[i]);
        } else {
            push_pending(&layout, i);
        }
    }
    while (layout.pending_count > 0) {
        place(&layout, &item[layout.pending[--layout.pending_count]]);
    }
}

bool bl_layout_moves(const struct bl_layout_item *item)
{
    const struct bl_alloc *alloc = bl_job_aim(item->job);
    const struct bl_alloc_part *part = bl_alloc_parts(alloc);

    for (size_t i = 0; item->part_count == alloc->part_count && i < item->part_count; i++) {
        if (part[i].node != item->part[i].node || part[i].gpus != item->part[i].gpus) {
            return true;
        }
    }
    return item->part_count != alloc->part_count;
}

/* By name: its own as far as they go, then free ones. False when there are not enough that it may
 * have from now on. */
static bool name_part(const struct bl_cluster *cluster, const struct bl_layout_item *item,
                      size_t index, struct bl_alloc_part *out)
{
    const struct bl_layout_part *part = &item->part[index];
    const struct bl_alloc_part *own = bl_alloc_part_on(&item->job->alloc, part->node);
    int32_t kept = own && own->gpus < part->gpus ? own->gpus : own ? part->gpus : 0;
    const struct bl_node *node = &cluster->node[part->node];

    *out = bl_place_part(cluster, item->job, item->gpus, part->node, part->gpus);
    if (node->free.amount[BL_RESOURCE_GPU] < part->gpus - kept) {
        return false;
    }
    if (!node->spec.counted) {
        uint64_t mask = bl_place_mask(cluster, item->job, part->node);
        uint64_t mine = bl_gpus_lowest(own ? own->gpu_mask & mask : 0, kept);

        out->gpu_mask = mine | bl_gpus_lowest(node->free_gpu_mask & mask,
                                              part->gpus - __builtin_popcountll(mine));
        return __builtin_popcountll(out->gpu_mask) == part->gpus;
    }
    return true;
}

bool bl_layout_try(const struct bl_cluster *cluster, const struct bl_layout_item *item,
                   struct bl_alloc *out)
{
    struct bl_alloc alloc = {.part_count = (uint32_t)item->part_count};
    struct bl_alloc more;
    bool is_free = item->part_count > 0;

    if (item->part_count > 1) {
        alloc.many = bl_alloc_zero(item->part_count * sizeof *alloc.many);
    }
    for (size_t i = 0; is_free && i < item->part_count; i++) {
        is_free =
            name_part(cluster, item, i, item->part_count > 1 ? &alloc.many[i] : &alloc.single);
    }
    if (is_free) {
        bl_alloc_beyond(&alloc, &item->job->alloc, &more);
        is_free = more.part_count == 0 || (bl_cluster_can_take(cluster, &more) &&
                                           bl_hold_admits(cluster, item->job, &more));
        bl_alloc_finish(&more);
    }
    if (!is_free) {
        bl_alloc_finish(&alloc);
        return false;
    }
    *out = alloc;
    return true;
}
