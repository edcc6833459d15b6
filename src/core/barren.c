#include "core/barren.h"

#include "core/hold.h"

#include <string.h>

static bool has_drains(const struct bl_cluster *cluster)
{
    for (size_t i = 0; i < cluster->node_count; i++) {
        if (cluster->node[i].drain_at != BL_TIME_NEVER) {
            return true;
        }
    }
    return false;
}

void bl_barren_init(struct bl_barren *barren, const struct bl_cluster *cluster)
{
    barren->count = 0;
    barren->is_off = (cluster->holds && cluster->holds->count > 0) || has_drains(cluster);
}

void bl_barren_clear(struct bl_barren *barren)
{
    barren->count = 0;
}

static struct bl_request_shape shape_of(const struct bl_job *job, int32_t gpus)
{
    return (struct bl_request_shape){.type_mask = job->type_mask,
                                     .gpu_mem_bytes = job->spec.gpu_mem_bytes,
                                     .need = bl_job_need(&job->spec, gpus),
                                     .pool = job->pool,
                                     .nodes_max = job->spec.nodes_max,
                                     .wants_gpus = job->spec.gpus_max > 0};
}

static bool is_same(const struct bl_request_shape *a, const struct bl_request_shape *b)
{
    return a->type_mask == b->type_mask && a->gpu_mem_bytes == b->gpu_mem_bytes &&
           memcmp(&a->need, &b->need, sizeof a->need) == 0 && a->pool == b->pool &&
           a->nodes_max == b->nodes_max && a->wants_gpus == b->wants_gpus;
}

bool bl_barren_has(const struct bl_barren *barren, const struct bl_job *job, int32_t gpus,
                   bool is_late)
{
    struct bl_request_shape shape;

    if (barren->count == 0) {
        return false;
    }
    shape = shape_of(job, gpus);
    for (size_t i = 0; i < barren->count; i++) {
        if ((is_late || !barren->at[i].is_late) && is_same(&barren->at[i].shape, &shape)) {
            return true;
        }
    }
    return false;
}

void bl_barren_note(struct bl_barren *barren, const struct bl_job *job, int32_t gpus, bool is_late)
{
    if (!barren->is_off && barren->count < BL_BARREN_MAX) {
        barren->at[barren->count].shape = shape_of(job, gpus);
        barren->at[barren->count++].is_late = is_late;
    }
}
