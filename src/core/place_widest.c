/* Placement on the emptiest nodes: what a job is spread over stays as little as that allows. */
#include "core/place.h"

#include "base/own.h"

/* The node of a type on which the job could have most GPUs now; of several the one with most free,
 * then the first. -1 when none has room. `used` marks nodes that it has already. */
static int32_t find_widest(const struct bl_cluster *cluster, const struct bl_job *job, int32_t type,
                           int32_t gpus, const bool *used)
{
    int32_t best = -1;
    int64_t most_room = 0;
    int64_t most_free = 0;

    for (size_t i = 0; i < cluster->node_count; i++) {
        const struct bl_node *node = &cluster->node[i];
        int64_t free_gpus = node->free.amount[BL_RESOURCE_GPU];
        int64_t room =
            used[i] || node->type != type ? 0 : bl_place_room(cluster, job, gpus, (int32_t)i);

        if (room > most_room || (room > 0 && room == most_room && free_gpus > most_free)) {
            most_room = room;
            most_free = free_gpus;
            best = (int32_t)i;
        }
    }
    return best;
}

static void add_part(struct bl_alloc *alloc, struct bl_alloc_part part)
{
    if (alloc->part_count == 0) {
        alloc->single = part;
    } else {
        alloc->many = bl_realloc_array(alloc->many, alloc->part_count + 1, sizeof *alloc->many);
        if (alloc->part_count == 1) {
            alloc->many[0] = alloc->single;
        }
        alloc->many[alloc->part_count] = part;
    }
    alloc->part_count++;
}

static bool place_on_type(const struct bl_cluster *cluster, const struct bl_job *job, int32_t type,
                          int32_t gpus, struct bl_alloc *out)
{
    bool *used = bl_alloc_zero(cluster->node_count * sizeof *used + 1);
    int32_t rest = gpus;
    int32_t nodes_max = job->spec.nodes_max;

    *out = (struct bl_alloc){0};
    while (rest > 0 && (nodes_max == 0 || out->part_count < (uint32_t)nodes_max)) {
        int32_t node = find_widest(cluster, job, type, gpus, used);
        int32_t taken;

        if (node < 0) {
            break;
        }
        taken = bl_place_room(cluster, job, gpus, node);
        taken = taken < rest ? taken : rest;
        add_part(out, bl_place_part(cluster, job, gpus, node, taken));
        used[node] = true;
        rest -= taken;
    }
    free(used);
    return rest == 0;
}

bool bl_place_widest(const struct bl_cluster *cluster, const struct bl_job *job, int32_t gpus,
                     struct bl_alloc *out)
{
    struct bl_alloc best = {0};
    struct bl_alloc tried;

    for (size_t type = 0; gpus > 0 && type < cluster->type_count; type++) {
        if (place_on_type(cluster, job, (int32_t)type, gpus, &tried) &&
            (best.part_count == 0 || tried.part_count < best.part_count)) {
            bl_alloc_finish(&best);
            best = tried;
        } else {
            bl_alloc_finish(&tried);
        }
    }
    if (best.part_count == 0) {
        return gpus == 0 && bl_place_try(cluster, job, gpus, out);
    }
    *out = best;
    return true;
}
