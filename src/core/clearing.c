/* Who gives way before a slot begins: asked early enough to be gone by then, and no earlier. A job
 * that can go on with fewer GPUs, or on others, does; the rest go back to the queue. */
#include "base/sort.h"
#include "core/bookings.h"
#include "core/place.h"

/* Nobody needs longer to save its work; who does is asked by name alone. */
#define LEAD_MAX BL_DAY

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
    if (job->state == BL_JOB_STARTING) {
        bl_core_settle_held(core,
                            job); /* one that is resized was asked before: since then it saves */
    }
    bl_core_stop_job(core, job, BL_JOB_QUEUED);
    return true;
}

static bool may_be_asked(const struct bl_job *job)
{
    return bl_job_gives_way(&job->spec) && job->state != BL_JOB_STOPPING;
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

static int64_t amount_of(const struct bl_alloc_part *part, int resource)
{
    return !part                         ? 0
           : resource == BL_RESOURCE_GPU ? part->gpus
           : resource == BL_RESOURCE_CPU ? part->cpu_milli
                                         : part->mem_bytes;
}

/* The holder's own, and who is gone in time with all that it has. */
static bool brings_all(const struct bl_core *core, const struct bl_hold *hold,
                       const struct bl_job *job, bool is_gone)
{
    bool runs_out =
        job->state != BL_JOB_RESIZING && !bl_job_gives_way(&job->spec) && hold->start > core->now;

    return bl_hold_is_for(hold, job) || (is_gone && (job->state == BL_JOB_STOPPING || runs_out));
}

/* What other holds that last then have for the job: it uses what stands in the sum already. */
static int64_t held_for(const struct bl_core *core, const struct bl_hold *hold,
                        const struct bl_job *job, int resource)
{
    const struct bl_node_holds *node = bl_holds_of(&core->cluster, (size_t)hold->part.node);
    int64_t sum = 0;

    for (size_t i = 0; node && i < node->count && node->at[i].start <= hold->start; i++) {
        if (node->at[i].end > hold->start && bl_hold_is_for(&node->at[i], job)) {
            sum += amount_of(&node->at[i].part, resource);
        }
    }
    return sum;
}

/* What is on its way back, or is the holder's own. */
static int64_t coming(const struct bl_core *core, const struct bl_hold *hold, int resource)
{
    int64_t sum = 0;

    for (size_t i = 0; i < core->running.count; i++) {
        const struct bl_job *job = core->running.at[i].job;
        int64_t has = amount_of(bl_alloc_part_on(&job->alloc, hold->part.node), resource);
        bool is_gone = bl_core_job_until(core, job) <= hold->start || hold->start <= core->now;

        if (brings_all(core, hold, job, is_gone)) {
            sum += has;
        } else if (job->state == BL_JOB_RESIZING && is_gone) {
            sum += has - amount_of(bl_alloc_part_on(&job->next, hold->part.node), resource);
        } else {
            int64_t held = held_for(core, hold, job, resource);

            sum += has < held ? has : held;
        }
    }
    return sum;
}

/* Somebody on the node who could leave. */
struct guest {
    bl_job_id job;
    bl_time lead, started_at;
};

/* Who needs longest first, then who has been there longest. */
static int compare_guests(const void *left, const void *right)
{
    const struct guest *a = left;
    const struct guest *b = right;

    if (a->lead != b->lead) {
        return a->lead > b->lead ? -1 : 1;
    }
    if (a->started_at != b->started_at) {
        return a->started_at < b->started_at ? -1 : 1;
    }
    return a->job < b->job ? -1 : a->job > b->job;
}

/* Those who can be gone when the hold begins, as one that is resized can be sooner than if it were
 * asked now: it saves already. All, once the hold has begun. */
static size_t list_guests(const struct bl_core *core, const struct bl_hold *hold,
                          struct guest *guest)
{
    size_t count = 0;

    for (size_t i = 0; i < core->running.count; i++) {
        const struct bl_job *job = core->running.at[i].job;
        bl_time lead;

        if (!may_be_asked(job) || !bl_alloc_part_on(bl_job_aim(job), hold->part.node)) {
            continue;
        }
        lead = bl_saves_lead(&core->bookings->saves, job);
        if (bl_core_job_until(core, job) <= hold->start || hold->start <= core->now) {
            guest[count++] = (struct guest){job->id, lead, job->started_at};
        }
    }
    bl_sort(guest, count, sizeof *guest, compare_guests);
    return count;
}

/* What the node will lack when the hold begins, if no guest leaves. Named GPUs are seen to by name.
 */
static struct bl_resources shortage(const struct bl_core *core, const struct bl_hold *hold)
{
    const struct bl_node *node = &core->cluster.node[hold->part.node];
    struct bl_resources lacking = {0};

    for (int r = node->spec.counted ? BL_RESOURCE_GPU : BL_RESOURCE_CPU; r < BL_RESOURCE_COUNT;
         r++) {
        lacking.amount[r] = hold->sum.amount[r] - node->free.amount[r] - coming(core, hold, r);
    }
    return lacking;
}

static bool is_short(const struct bl_resources *lacking)
{
    for (int r = 0; r < BL_RESOURCE_COUNT; r++) {
        if (lacking->amount[r] > 0) {
            return true;
        }
    }
    return false;
}

/* What guests have on the node. */
static struct bl_resources amounts_of(const struct bl_core *core, const struct guest *guest,
                                      size_t count, int32_t node)
{
    struct bl_resources sum = {0};

    for (size_t i = 0; i < count; i++) {
        const struct bl_job *job = bl_map_find(&core->jobs, guest[i].job);
        const struct bl_alloc_part *part = bl_alloc_part_on(bl_job_aim(job), node);

        for (int r = 0; r < BL_RESOURCE_COUNT; r++) {
            sum.amount[r] += amount_of(part, r);
        }
    }
    return sum;
}

static size_t running_index(const struct bl_core *core, bl_job_id id)
{
    size_t i = 0;

    while (core->running.at[i].job->id != id) {
        i++;
    }
    return i;
}

/* Each guest is looked at when it is high time to ask it: it stays if those who need less time are
 * enough. */
static void clear_unnamed_for(struct bl_core *core, struct bl_decision *decision,
                              const struct bl_hold *hold, struct guest *guest)
{
    size_t count = list_guests(core, hold, guest);

    for (size_t i = 0; i < count && hold->start <= core->now + guest[i].lead; i++) {
        struct bl_resources lacking = shortage(core, hold);
        struct bl_resources others =
            amounts_of(core, &guest[i + 1], count - i - 1, hold->part.node);

        if (!is_short(&lacking)) {
            return;
        }
        bl_resources_subtract(&lacking, &others);
        if (is_short(&lacking)) {
            send_off(core, decision, running_index(core, guest[i].job), hold);
        }
    }
}

static void clear_unnamed(struct bl_core *core, struct bl_decision *decision)
{
    BL_AUTO_FREE struct guest *guest = bl_alloc_zero((core->running.count + 1) * sizeof *guest);

    for (size_t i = 0; i < core->cluster.node_count; i++) {
        const struct bl_node_holds *node = bl_holds_of(&core->cluster, i);

        for (size_t k = 0; node && k < node->count; k++) {
            if (node->at[k].end > core->now && node->at[k].start <= core->now + LEAD_MAX) {
                clear_unnamed_for(core, decision, &node->at[k], guest);
            }
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
