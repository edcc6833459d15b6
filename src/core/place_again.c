/* Where a running job goes when its size changes: it keeps what it has as far as it can. */
#include "core/place.h"

#include "core/hold.h"

#include <string.h>

enum scope {
    OWN_GPUS, /* nothing beyond what it holds */
    OWN_NODES,
    ANYWHERE,
    SCOPE_COUNT
};

/* Its own, without what others have from now on. */
static void give_own(struct bl_free *amounts, const struct bl_job *job, struct bl_arena *arena)
{
    const struct bl_alloc_part *part = bl_alloc_parts(&job->alloc);
    struct bl_alloc own = job->alloc;

    own.many = bl_arena_alloc(arena, (own.part_count + 1) * sizeof *own.many);
    for (uint32_t i = 0; i < own.part_count; i++) {
        own.many[i] = part[i];
        if (part[i].gpu_mask) {
            own.many[i].gpu_mask &= bl_place_mask(amounts->cluster, job, part[i].node);
            own.many[i].gpus = __builtin_popcountll(own.many[i].gpu_mask);
        }
    }
    own.single = own.many[0];
    bl_free_add(amounts, &own);
}

/* What the job may draw on: what is free where the scope allows it, and its own. */
static struct bl_free amounts_of(const struct bl_free *free_then, const struct bl_job *job,
                                 enum scope scope, struct bl_arena *arena)
{
    size_t nodes = free_then->cluster->node_count;
    struct bl_free amounts = *free_then;

    amounts.node = bl_arena_alloc(arena, nodes * sizeof *amounts.node);
    memcpy(amounts.node, free_then->node, nodes * sizeof *amounts.node);
    for (size_t i = 0; i < nodes && scope != ANYWHERE; i++) {
        if (scope == OWN_GPUS || !bl_alloc_part_on(&job->alloc, (int32_t)i)) {
            bl_resources_subtract(&amounts.total, &amounts.node[i]);
            amounts.node[i] = (struct bl_resources){0};
        }
    }
    give_own(&amounts, job, arena);
    return amounts;
}

static void name_gpus(const struct bl_cluster *cluster, const struct bl_job *job,
                      struct bl_alloc_part *part)
{
    uint64_t mask = bl_place_mask(cluster, job, part->node);
    const struct bl_alloc_part *own = bl_alloc_part_on(&job->alloc, part->node);
    uint64_t mine = own ? own->gpu_mask & mask : 0;
    int32_t kept = __builtin_popcountll(mine);

    if (cluster->node[part->node].spec.counted) {
        part->gpu_mask = 0;
        return;
    }
    kept = kept < part->gpus ? kept : part->gpus;
    part->gpu_mask =
        bl_gpus_lowest(mine, kept) |
        bl_gpus_lowest(cluster->node[part->node].free_gpu_mask & mask, part->gpus - kept);
}

static bool try_scope(const struct bl_free *free_then, const struct bl_job *job, int32_t gpus,
                      enum scope scope, struct bl_alloc *out)
{
    struct bl_arena arena = {0};
    struct bl_free amounts = amounts_of(free_then, job, scope, &arena);
    bool found = bl_place_plan(&amounts, job, gpus, out);

    for (uint32_t i = 0; found && i < out->part_count; i++) {
        name_gpus(free_then->cluster, job, out->part_count > 1 ? &out->many[i] : &out->single);
    }
    bl_arena_finish(&arena);
    return found;
}

bool bl_place_again_within(const struct bl_free *free_then, const struct bl_job *job, int32_t gpus,
                           struct bl_alloc *out)
{
    enum scope first = gpus > bl_alloc_gpus(&job->alloc) ? OWN_NODES : OWN_GPUS;

    for (enum scope scope = first; scope < SCOPE_COUNT; scope++) {
        if (try_scope(free_then, job, gpus, scope, out)) {
            return true;
        }
    }
    return false;
}

bool bl_place_again(const struct bl_cluster *cluster, const struct bl_job *job, int32_t gpus,
                    struct bl_alloc *out)
{
    struct bl_arena arena = {0};
    struct bl_free free_now = bl_free_copy(cluster, &arena);
    bool found = bl_place_again_within(&free_now, job, gpus, out);

    bl_arena_finish(&arena);
    return found;
}
