/* Who gives way before a slot begins: asked early enough to be gone by then, and no earlier. A job
 * that can go on with fewer GPUs, or on others, does; the rest go back to the queue. */
#include "core/bookings.h"
#include "core/place.h"

#include <assert.h>

/* The hold that the job must give way to now; NULL when it may stay. */
static const struct bl_hold *hold_on(const struct bl_core *core, const struct bl_job *job)
{
    const struct bl_alloc *alloc = bl_job_aim(job);
    const struct bl_alloc_part *part = bl_alloc_parts(alloc);
    bl_time until = bl_hold_until(&core->cluster, job, core->now);

    for (uint32_t i = 0; i < alloc->part_count; i++) {
        const struct bl_node_holds *node = bl_holds_of(&core->cluster, (size_t)part[i].node);

        for (size_t k = 0; node && k < node->count && node->at[k].start < until; k++) {
            const struct bl_hold *hold = &node->at[k];

            if ((hold->part.gpu_mask & part[i].gpu_mask) != 0 &&
                bl_hold_bars(hold, job, core->now, until)) {
                return hold;
            }
        }
    }
    return NULL;
}

static void note_clearing(struct bl_core *core, const struct bl_hold *hold)
{
    struct bl_booking *booking = bl_map_find(&core->bookings->map, hold->booking);

    for (size_t i = 0; i < booking->occurrence_count; i++) {
        struct bl_occurrence *occurrence = &booking->occurrence[i];

        if (occurrence->state == BL_OCCURRENCE_BOOKED && occurrence->start == hold->start) {
            occurrence->state = BL_OCCURRENCE_CLEARING;
        }
    }
}

/* The next smaller legal count; 0 when there is none. */
static int32_t fewer(const struct bl_job *job, int32_t gpus)
{
    do {
        gpus--;
    } while (gpus > 0 && !bl_job_is_legal_count(&job->spec, gpus));
    return gpus;
}

static bool is_same(const struct bl_alloc *a, const struct bl_alloc *b)
{
    struct bl_alloc more;
    struct bl_alloc less;
    bool same;

    bl_alloc_beyond(a, b, &more);
    bl_alloc_beyond(b, a, &less);
    same = more.part_count == 0 && less.part_count == 0;
    bl_alloc_finish(&more);
    bl_alloc_finish(&less);
    return same;
}

/* As many as it has, elsewhere, or the most that it can keep. */
static bool move_over(struct bl_core *core, struct bl_decision *decision, size_t index,
                      const struct bl_reason *why)
{
    const struct bl_job *job = core->running.at[index].job;
    struct bl_reason reason = *why;
    struct bl_alloc alloc;

    reason.code = BL_REASON_CLEARED;
    reason.have = bl_alloc_gpus(&job->alloc);
    for (int32_t gpus = (int32_t)reason.have; gpus > 0; gpus = fewer(job, gpus)) {
        bool is_found = bl_place_again(&core->cluster, job, gpus, &alloc);
        bool is_another = is_found && !is_same(&alloc, &job->alloc);

        if (is_another) {
            reason.need = gpus;
            bl_decision_resize(decision, index, &alloc, &reason);
        }
        if (is_found) {
            bl_alloc_finish(&alloc);
        }
        if (is_another) {
            return true;
        }
    }
    return false;
}

/* Whether the running jobs are still the same. */
static bool send_off(struct bl_core *core, struct bl_decision *decision, size_t index,
                     const struct bl_hold *hold)
{
    struct bl_job *job = bl_map_find(&core->jobs, core->running.at[index].job->id);
    struct bl_reason reason = {BL_REASON_PREEMPTED, .job = hold->booking, .at = hold->start};

    note_clearing(core, hold);
    if (job->state == BL_JOB_RUNNING) {
        if (!bl_job_is_elastic(&job->spec) || !move_over(core, decision, index, &reason)) {
            bl_decision_preempt(decision, index, &reason);
        }
        return true;
    }
    job->reason = reason;
    if (bl_core_is_untold(core, job)) {
        bl_core_put_back(core, job);
        return false;
    }
    bl_core_settle_held(core, job);
    bl_core_stop_job(core, job, BL_JOB_QUEUED);
    return true;
}

static bool may_be_asked(const struct bl_job *job)
{
    return bl_job_clears(&job->spec) && job->state != BL_JOB_STOPPING;
}

static void clear_named(struct bl_core *core, struct bl_decision *decision)
{
    size_t i = 0;

    while (i < core->running.count) {
        const struct bl_job *job = core->running.at[i].job;
        const struct bl_hold *hold = may_be_asked(job) ? hold_on(core, job) : NULL;

        i += !hold || send_off(core, decision, i, hold);
    }
}

static const struct bl_alloc_part *part_on(const struct bl_alloc *alloc, int32_t node)
{
    const struct bl_alloc_part *part = bl_alloc_parts(alloc);

    for (uint32_t i = 0; i < alloc->part_count; i++) {
        if (part[i].node == node) {
            return &part[i];
        }
    }
    return NULL;
}

static int64_t amount_of(const struct bl_alloc_part *part, int resource)
{
    return !part                         ? 0
           : resource == BL_RESOURCE_GPU ? part->gpus
           : resource == BL_RESOURCE_CPU ? part->cpu_milli
                                         : part->mem_bytes;
}

/* What is on its way back, or is the holder's own. */
static int64_t coming(const struct bl_core *core, const struct bl_hold *hold, int resource)
{
    int64_t sum = 0;

    for (size_t i = 0; i < core->running.count; i++) {
        const struct bl_job *job = core->running.at[i].job;
        int64_t has = amount_of(part_on(&job->alloc, hold->part.node), resource);

        if (job->state == BL_JOB_STOPPING || job->spec.reservation == hold->booking) {
            sum += has;
        } else if (job->state == BL_JOB_RESIZING) {
            sum += has - amount_of(part_on(&job->next, hold->part.node), resource);
        } else if (!bl_job_clears(&job->spec) && bl_core_job_until(core, job) <= hold->start) {
            sum += has;
        }
    }
    return sum;
}

/* Whether the node will not have what is held there when the hold begins. Named GPUs are seen to
 * by name. */
static bool is_short(const struct bl_core *core, const struct bl_hold *hold)
{
    const struct bl_node *node = &core->cluster.node[hold->part.node];
    int first = node->spec.counted ? BL_RESOURCE_GPU : BL_RESOURCE_CPU;

    for (int r = first; r < BL_RESOURCE_COUNT; r++) {
        if (hold->sum.amount[r] > node->free.amount[r] + coming(core, hold, r)) {
            return true;
        }
    }
    return false;
}

/* The one on the node that started last, and the longest it may take any of them to leave. */
static size_t find_last(const struct bl_core *core, int32_t node, bl_time *lead)
{
    size_t last = core->running.count;

    for (size_t i = 0; i < core->running.count; i++) {
        const struct bl_job *job = core->running.at[i].job;

        if (may_be_asked(job) && part_on(bl_job_aim(job), node)) {
            bl_time need = bl_saves_lead(&core->bookings->saves, job);
            const struct bl_job *other =
                last < core->running.count ? core->running.at[last].job : NULL;

            *lead = need > *lead ? need : *lead;
            if (!other || job->started_at > other->started_at ||
                (job->started_at == other->started_at && job->id > other->id)) {
                last = i;
            }
        }
    }
    return last;
}

/* False when it is too early for this hold and all behind it. */
static bool clear_unnamed_for(struct bl_core *core, struct bl_decision *decision,
                              const struct bl_hold *hold)
{
    for (;;) {
        bl_time lead = 0;
        size_t last = find_last(core, hold->part.node, &lead);

        if (last == core->running.count || hold->start > core->now + lead) {
            return false;
        }
        if (hold->end <= core->now || !is_short(core, hold)) {
            return true;
        }
        send_off(core, decision, last, hold);
    }
}

static void clear_unnamed(struct bl_core *core, struct bl_decision *decision)
{
    for (size_t i = 0; i < core->cluster.node_count; i++) {
        const struct bl_node_holds *node = bl_holds_of(&core->cluster, i);

        for (size_t k = 0;
             node && k < node->count && clear_unnamed_for(core, decision, &node->at[k]); k++) {
        }
    }
}

void bl_core_clear_slots(struct bl_core *core, struct bl_decision *decision)
{
    if (core->bookings->holds.count > 0) {
        clear_named(core, decision);
        clear_unnamed(core, decision);
    }
}
