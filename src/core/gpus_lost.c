/* Single GPUs that break or vanish, and come back. Whoever is on one is stopped and goes back to
 * the queue: it did nothing wrong. What was adopted could not be started again, and is left alone.
 */
#include "core/state.h"

static bool is_on(const struct bl_job *job, int32_t node, uint64_t mask)
{
    const struct bl_alloc_part *part = bl_alloc_parts(&job->alloc);

    for (uint32_t i = 0; i < job->alloc.part_count; i++) {
        if (part[i].node == node && (part[i].gpu_mask & mask) != 0) {
            return true;
        }
    }
    return false;
}

static uint64_t lost_of(const struct bl_job *job, int32_t node, uint64_t lost)
{
    const struct bl_alloc_part *part = bl_alloc_parts(&job->alloc);
    uint64_t own = 0;

    for (uint32_t i = 0; i < job->alloc.part_count; i++) {
        own |= part[i].node == node ? part[i].gpu_mask & lost : 0;
    }
    return own;
}

/* What is stopped already ends anyway. */
static void stop(struct bl_core *core, struct bl_job *job, int32_t node, uint64_t lost)
{
    if (job->state == BL_JOB_STOPPING) {
        return;
    }
    job->reason = (struct bl_reason){
        BL_REASON_GPU_LOST, .need = __builtin_ctzll(lost_of(job, node, lost)), .have = node};
    if (bl_core_is_untold(core, job)) {
        bl_core_put_back(core, job);
    } else {
        bl_core_stop_job(core, job, BL_JOB_QUEUED);
    }
}

/* By id, as a job that is put back leaves the list of those that run. */
static void stop_all_on(struct bl_core *core, int32_t node, uint64_t lost)
{
    BL_VEC(bl_job_id) hit = {0};

    for (size_t i = 0; i < core->running.count; i++) {
        const struct bl_job *job = core->running.at[i].job;

        if (!job->spec.is_adopted && is_on(job, node, lost)) {
            BL_VEC_PUSH(&hit, job->id);
        }
    }
    for (size_t i = 0; i < hit.count; i++) {
        stop(core, bl_map_find(&core->jobs, hit.at[i]), node, lost);
    }
    BL_VEC_FINISH(&hit);
}

void bl_core_gpus_lost(struct bl_core *core, const struct bl_event *event)
{
    int32_t index = bl_cluster_find_node(&core->cluster, event->u.gpu_state.name);
    struct bl_node *node = index >= 0 ? &core->cluster.node[index] : NULL;
    uint64_t before;

    if (!node) {
        return;
    }
    before = node->lost;
    bl_cluster_set_lost(&core->cluster, index, (uint64_t)event->u.gpu_state.lost);
    if (event->u.gpu_state.since) {
        node->lost_since = event->u.gpu_state.since;
    } else if (node->lost & ~before) {
        node->lost_since = core->now;
    }
    node->lost_since = node->lost ? node->lost_since : 0;
    bl_metrics_note_books(core->metrics, &core->cluster, NULL);
    stop_all_on(core, index, node->lost & ~before);
    core->wants_round = true;
}
