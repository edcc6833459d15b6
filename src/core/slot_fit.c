/* Whether a job could ever run in a slot of its booking, whoever else does. */
#include "core/bookings.h"

static bool suits(const struct bl_node *node, const struct bl_job *job)
{
    return (job->pool < 0 || node->pool == job->pool) &&
           (job->type_mask == 0 || (node->type >= 0 && job->type_mask >> node->type & 1)) &&
           node->spec.gpu_mem_bytes >= job->spec.gpu_mem_bytes;
}

/* GPUs of the slot that suit the job. */
static int32_t gpus_for(const struct bl_core *core, const struct bl_job *job,
                        const struct bl_occurrence *slot)
{
    const struct bl_alloc_part *part = bl_alloc_parts(&slot->alloc);
    int32_t gpus = 0;

    for (uint32_t i = 0; i < slot->alloc.part_count; i++) {
        gpus += suits(&core->cluster.node[part[i].node], job) ? part[i].gpus : 0;
    }
    return gpus;
}

/* What the best slot has, of those with the most: its GPUs, then its length. */
struct best {
    int32_t gpus;
    bl_time length; /* of the longest that has enough GPUs */
    bool is_any;
};

static void look_at(const struct bl_core *core, const struct bl_job *job,
                    const struct bl_occurrence *slot, struct best *best)
{
    int32_t gpus = gpus_for(core, job, slot);
    bl_time length = slot->end - slot->start;

    best->is_any = true;
    best->gpus = gpus > best->gpus ? gpus : best->gpus;
    if (gpus >= job->spec.gpus_min && length > best->length) {
        best->length = length;
    }
}

static struct bl_reason judge(const struct bl_core *core, const struct bl_job *job,
                              const struct best *best)
{
    struct bl_reason reason = {.job = job->spec.reservation};
    bl_time lead = bl_saves_lead(&core->bookings->saves, job);

    if (!best->is_any) {
        reason.code = BL_REASON_RESERVATION_OVER;
    } else if (job->spec.gpus_min > best->gpus) {
        reason.code = BL_REASON_SLOT_TOO_SMALL;
        reason.need = job->spec.gpus_min;
        reason.have = best->gpus;
    } else if (job->spec.limit > best->length) {
        reason.code = BL_REASON_SLOT_TOO_SHORT;
        reason.need = job->spec.limit / BL_SECOND;
        reason.have = best->length / BL_SECOND;
    } else if (lead >= best->length) {
        reason.code = BL_REASON_SLOT_NO_TIME;
        reason.need = lead / BL_SECOND;
        reason.have = best->length / BL_SECOND;
    }
    return reason;
}

struct bl_reason bl_slot_misfit(const struct bl_core *core, const struct bl_job *job)
{
    const struct bl_booking *booking = bl_map_find(&core->bookings->map, job->spec.reservation);
    struct best best = {0};

    for (size_t i = 0; booking && i < booking->occurrence_count; i++) {
        if (bl_occurrence_is_live(&booking->occurrence[i])) {
            look_at(core, job, &booking->occurrence[i], &best);
        }
    }
    return judge(core, job, &best);
}

struct bl_reason bl_slot_misfit_of(const struct bl_core *core, const struct bl_job_spec *spec)
{
    struct bl_job job = {.spec = *spec};

    bl_job_resolve(&job, &core->cluster);
    return bl_slot_misfit(core, &job);
}

bool bl_slot_takes(const struct bl_core *core, const struct bl_job *job,
                   const struct bl_occurrence *slot)
{
    struct best best = {0};

    look_at(core, job, slot, &best);
    return judge(core, job, &best).code == BL_REASON_NONE;
}
