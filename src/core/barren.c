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

/* Zeroed first: shapes are compared as bytes. */
static void take_shape(const struct bl_job *job, int32_t gpus, struct bl_request_shape *out)
{
    memset(out, 0, sizeof *out);
    out->type_mask = job->type_mask;
    out->gpu_mem_bytes = job->spec.gpu_mem_bytes;
    out->need = bl_job_need(&job->spec, gpus);
    out->pool = job->pool;
    out->nodes_max = job->spec.nodes_max;
    out->wants_gpus = job->spec.gpus_max > 0;
}

bool bl_barren_has(const struct bl_barren *barren, const struct bl_job *job, int32_t gpus,
                   bool is_late)
{
    struct bl_request_shape shape;

    if (barren->count == 0) {
        return false;
    }
    take_shape(job, gpus, &shape);
    for (size_t i = 0; i < barren->count; i++) {
        if ((is_late || !barren->at[i].is_late) &&
            memcmp(&barren->at[i].shape, &shape, sizeof shape) == 0) {
            return true;
        }
    }
    return false;
}

void bl_barren_note(struct bl_barren *barren, const struct bl_job *job, int32_t gpus, bool is_late)
{
    if (!barren->is_off && barren->count < BL_BARREN_MAX) {
        take_shape(job, gpus, &barren->at[barren->count].shape);
        barren->at[barren->count++].is_late = is_late;
    }
}
