/* Reservations as time goes on: they begin and end, are given up when nobody comes, and their jobs
 * start in them and are stopped at their end. */
#include "core/bookings.h"
#include "core/place.h"

/* Idle GPUs count as idle for a reservation this long before it. */
#define EDGE BL_DAY

enum { ASKED_MAX = 64 /* jobs of the queue that are asked what keeps them */ };

/* A process may live this much later than it was decided to. */
#define START_SLACK BL_MINUTE

static bool is_promise_kept(const struct bl_core *core, const struct bl_booking *booking)
{
    const struct bl_job *job = bl_map_find(&core->jobs, bl_promised_job(booking));

    return !job || (job->state != BL_JOB_QUEUED && job->state != BL_JOB_WAITING &&
                    job->state != BL_JOB_HELD);
}

/* It is held, or waits for others, when its time has come. */
static bool is_promise_missed(const struct bl_core *core, const struct bl_live *live)
{
    const struct bl_job *job = bl_map_find(&core->jobs, bl_promised_job(live->booking));

    return job && bl_promised_job(live->booking) && job->state != BL_JOB_QUEUED &&
           bl_live_occurrence(live)->start <= core->now;
}

static bool is_unused(const struct bl_core *core, const struct bl_booking *booking,
                      const struct bl_occurrence *occurrence)
{
    bl_time after = booking->spec.release_after;

    return after > 0 && !occurrence->is_used && occurrence->state == BL_OCCURRENCE_ACTIVE &&
           core->now >= occurrence->start + after;
}

static enum bl_occurrence_state state_due(const struct bl_core *core, const struct bl_live *live)
{
    const struct bl_occurrence *occurrence = bl_live_occurrence(live);

    if (bl_promised_job(live->booking) && is_promise_kept(core, live->booking)) {
        return BL_OCCURRENCE_ENDED;
    }
    if (is_promise_missed(core, live)) {
        return BL_OCCURRENCE_RELEASED;
    }
    if (occurrence->end <= core->now) {
        return BL_OCCURRENCE_ENDED;
    }
    if (is_unused(core, live->booking, occurrence)) {
        return BL_OCCURRENCE_RELEASED;
    }
    return occurrence->start <= core->now ? BL_OCCURRENCE_ACTIVE : occurrence->state;
}

static void turn(struct bl_core *core, const struct bl_live *live)
{
    struct bl_occurrence *occurrence = bl_live_occurrence(live);
    enum bl_occurrence_state due = state_due(core, live);

    if (due == BL_OCCURRENCE_ENDED || due == BL_OCCURRENCE_RELEASED) {
        bl_core_end_occurrence(core, occurrence, due);
    } else if (due != occurrence->state) {
        occurrence->state = due;
        core->bookings->is_stale = true;
    }
}

/* When a job that starts or runs in the slot is stopped: early enough to be gone at its end. */
static bl_time stop_at(const struct bl_core *core, const struct bl_job *job,
                       const struct bl_occurrence *slot)
{
    bl_time at = slot ? slot->end - bl_saves_lead(&core->bookings->saves, job) : core->now;

    return at > core->now ? at : core->now;
}

/* One whose limit passes just when a slot begins on its GPUs is gone by then: its process came to
 * life some time after it was decided, and takes some time to stop. 0 = it is not one. */
static bl_time stop_before_slot(const struct bl_core *core, const struct bl_job *job)
{
    const struct bl_alloc_part *part = bl_alloc_parts(&job->alloc);
    bl_time lead = bl_saves_lead(&core->bookings->saves, job);
    struct bl_job alone = *job;
    bl_time run = bl_job_attempt_time(job, bl_alloc_gpus(&job->alloc));
    bl_time end;

    alone.stop_at = 0;
    end = bl_job_limit_end(&alone);
    if (run > 0 && job->running_at + run <= end) {
        return 0; /* of a trace: it is known to be over in time */
    }
    for (uint32_t i = 0; end != BL_TIME_NEVER && i < job->alloc.part_count; i++) {
        const struct bl_node_holds *node = bl_holds_of(&core->cluster, (size_t)part[i].node);

        for (size_t k = 0; node && k < node->count && node->at[k].start < end + lead; k++) {
            const struct bl_hold *hold = &node->at[k];

            if ((hold->part.gpu_mask & part[i].gpu_mask) != 0 && hold->start >= end - START_SLACK &&
                hold->booking != bl_promise_of(job->id) && !bl_hold_is_for(hold, job)) {
                return hold->start - lead;
            }
        }
    }
    return 0;
}

/* Slots may have been moved, cancelled or ended. */
static void bind_jobs(struct bl_core *core)
{
    for (size_t i = 0; i < core->running.count; i++) {
        struct bl_job *job = bl_map_find(&core->jobs, core->running.at[i].job->id);
        bl_time at =
            job->spec.reservation
                ? stop_at(core, job, bl_core_open_slot(core, job->spec.reservation, &job->alloc))
            : bl_job_gives_way(&job->spec) ? 0
                                           : stop_before_slot(core, job);

        if (at != job->stop_at) {
            job->stop_at = at;
            bl_core_set_limit_timers(core, job);
        }
    }
}

void bl_core_turn_calendar(struct bl_core *core)
{
    struct bl_bookings *bookings = core->bookings;

    if (bookings->map.count == 0) {
        return;
    }
    bl_core_refresh_live(core);
    for (size_t i = 0; i < bookings->live.count; i++) {
        turn(core, &bookings->live.at[i]);
    }
    bl_core_refresh_live(core);
    bind_jobs(core);
    bl_core_cover_holds(core);
}

/* Whether the job could run in the slot at all, and there is some of it left. */
static bool fits_slot(const struct bl_core *core, const struct bl_job *job,
                      const struct bl_occurrence *slot)
{
    return bl_slot_takes(core, job, slot) && stop_at(core, job, slot) > core->now;
}

/* As many as it wants, or the most that it may have of what is there. */
static bool place_in_slot(const struct bl_core *core, const struct bl_job *job,
                          struct bl_alloc *alloc)
{
    for (int32_t gpus = bl_job_gpus_wanted(job); gpus >= job->spec.gpus_min; gpus--) {
        if (bl_job_is_legal_count(&job->spec, gpus) &&
            bl_place_try(&core->cluster, job, gpus, alloc)) {
            return true;
        }
    }
    return false;
}

static void start_booked(struct bl_core *core, struct bl_decision *decision,
                         struct bl_queue_entry *entry)
{
    int64_t booking = entry->job->spec.reservation;
    const struct bl_reason reason = {BL_REASON_IN_SLOT, .job = booking};
    struct bl_alloc alloc;

    while (entry->job && place_in_slot(core, entry->job, &alloc)) {
        struct bl_occurrence *slot = bl_core_open_slot(core, booking, &alloc);
        struct bl_job *job;

        if (!slot || !fits_slot(core, entry->job, slot)) {
            bl_alloc_finish(&alloc);
            return;
        }

        bl_core_start_entry(decision, entry, &alloc, &reason);
        job = bl_map_find(&core->jobs,
                          decision->actions->list.at[decision->actions->list.count - 1].job);
        job->stop_at = stop_at(core, job, slot);
        slot->is_used = true;
        bl_alloc_finish(&alloc);
        bl_core_cover_holds(core);
    }
}

/* At its latest start a promised job gets what was held for it, which is no longer held then. */
static bool start_promised(struct bl_core *core, struct bl_decision *decision,
                           const struct bl_live *live)
{
    bl_job_id id = bl_promised_job(live->booking);
    struct bl_occurrence *occurrence = bl_live_occurrence(live);
    const struct bl_reason reason = {BL_REASON_PROMISED, .at = occurrence->start};

    for (size_t i = 0; i < core->queue.count; i++) {
        if (core->queue.at[i].job && core->queue.at[i].job->id == id &&
            bl_cluster_can_take(&core->cluster, &occurrence->alloc) &&
            bl_hold_admits(&core->cluster, core->queue.at[i].job, &occurrence->alloc)) {
            occurrence->is_used = true;
            bl_core_start_entry(decision, &core->queue.at[i], &occurrence->alloc, &reason);
            bl_core_end_occurrence(core, occurrence, BL_OCCURRENCE_ENDED);
            bl_core_refresh_live(core);
            bl_core_cover_holds(core);
            return true;
        }
    }
    return false;
}

void bl_core_start_slots(struct bl_core *core, struct bl_decision *decision)
{
    struct bl_bookings *bookings = core->bookings;

    if (!core->choice.policy || bookings->live.count == 0) {
        return;
    }
    for (size_t i = 0; i < core->booked.count; i++) {
        start_booked(core, decision, &core->booked.at[i]);
    }
    for (size_t i = 0; i < bookings->live.count;) {
        const struct bl_live *live = &bookings->live.at[i];
        bool is_due = bl_promised_job(live->booking) &&
                      bl_live_occurrence(live)->state == BL_OCCURRENCE_ACTIVE;

        i = is_due && start_promised(core, decision, live) ? 0 : i + 1; /* the list is another */
    }
    bl_queue_drop_started(&core->booked);
    bl_queue_drop_started(&core->queue);
    *decision->view = bl_core_view(core);
}

static void note_earlier(struct bl_core *core, bl_time at)
{
    bl_time *wake = &core->bookings->wake_at;

    *wake = at > core->now && at < *wake ? at : *wake;
}

/* When a running job must give way to the first slot on each of its nodes. */
static void note_clearing_of(struct bl_core *core, const struct bl_job *job)
{
    const struct bl_alloc_part *part = bl_alloc_parts(&job->alloc);
    bl_time lead = 0;

    for (uint32_t i = 0; i < job->alloc.part_count; i++) {
        const struct bl_node_holds *node = bl_holds_of(&core->cluster, (size_t)part[i].node);

        lead = node && lead == 0 ? bl_saves_lead(&core->bookings->saves, job) : lead;
        for (size_t k = 0; node && k < node->count; k++) {
            bl_time at = node->at[k].start - lead;

            if (at > core->now) {
                note_earlier(core, at);
                break;
            }
        }
    }
}

static void note_wakes(struct bl_core *core)
{
    struct bl_bookings *bookings = core->bookings;

    for (size_t i = 0; i < bookings->live.count; i++) {
        const struct bl_occurrence *occurrence = bl_live_occurrence(&bookings->live.at[i]);
        bl_time after = bookings->live.at[i].booking->spec.release_after;

        note_earlier(core, occurrence->start);
        note_earlier(core, occurrence->end);
        if (after > 0 && !occurrence->is_used) {
            note_earlier(core, occurrence->start + after);
        }
    }
    for (size_t i = 0; i < core->running.count; i++) {
        const struct bl_job *job = core->running.at[i].job;

        if (bl_job_gives_way(&job->spec) && job->state != BL_JOB_STOPPING) {
            note_clearing_of(core, job);
        }
    }
}

/* GPUs of a node that are held for slots to come, not for one that goes on, and that nobody is on.
 */
static int64_t idle_on(const struct bl_core *core, const struct bl_node *node,
                       const struct bl_node_holds *holds)
{
    uint64_t open = 0;
    uint64_t to_come = 0;
    int64_t open_gpus = 0;
    int64_t most = 0;
    int64_t left = node->free.amount[BL_RESOURCE_GPU];

    for (size_t i = 0; i < holds->count && holds->at[i].start <= core->now + EDGE; i++) {
        const struct bl_alloc_part *part = &holds->at[i].part;

        if (holds->at[i].start <= core->now) {
            open |= part->gpu_mask;
            open_gpus += part->gpus;
        } else {
            to_come |= part->gpu_mask;
            most = part->gpus > most ? part->gpus : most;
        }
    }
    if (!node->spec.counted) {
        return __builtin_popcountll(node->free_gpu_mask & to_come & ~open);
    }
    left = left > open_gpus ? left - open_gpus : 0;
    return left < most ? left : most;
}

static int64_t idle_gpus(const struct bl_core *core)
{
    int64_t idle = 0;

    for (size_t i = 0; i < core->cluster.node_count; i++) {
        const struct bl_node *node = &core->cluster.node[i];
        const struct bl_node_holds *holds = bl_holds_of(&core->cluster, i);

        idle += holds && node->state == BL_NODE_UP ? idle_on(core, node, holds) : 0;
    }
    return idle;
}

/* Whether a job that queues could have them but for what is held: what a policy leaves idle by
 * itself is not the reservation's. */
static bool is_anybody_kept_off(const struct bl_core *core)
{
    for (size_t i = 0; i < core->queue.count && i < ASKED_MAX; i++) {
        if (bl_hold_in_the_way(&core->cluster, core->queue.at[i].job, core->now + 1)) {
            return true;
        }
    }
    return false;
}

void bl_core_settle_calendar(struct bl_core *core)
{
    core->bookings->wake_at = BL_TIME_NEVER;
    if (core->bookings->map.count > 0) {
        note_wakes(core);
        bl_metrics_note_held_idle(core->metrics, is_anybody_kept_off(core) ? idle_gpus(core) : 0);
    }
}

/* What goes on has no time left for the job when it would have to be asked to stop at once. */
static bool is_too_late(const struct bl_core *core, const struct bl_job *job,
                        const struct bl_occurrence *slot)
{
    return slot->state == BL_OCCURRENCE_ACTIVE && stop_at(core, job, slot) <= core->now;
}

/* The slot that could take it and is to come next, or goes on with time for the job. */
static const struct bl_occurrence *next_slot(const struct bl_core *core, const struct bl_job *job)
{
    const struct bl_booking *booking = bl_map_find(&core->bookings->map, job->spec.reservation);
    const struct bl_occurrence *next = NULL;

    for (size_t i = 0; booking && i < booking->occurrence_count; i++) {
        const struct bl_occurrence *occurrence = &booking->occurrence[i];

        if (bl_occurrence_is_live(occurrence) && !is_too_late(core, job, occurrence) &&
            bl_slot_takes(core, job, occurrence) && (!next || occurrence->start < next->start)) {
            next = occurrence;
        }
    }
    return next;
}

struct bl_reason bl_core_explain_booked(const struct bl_core *core, const struct bl_job *job)
{
    const struct bl_occurrence *slot = next_slot(core, job);
    struct bl_reason reason = {BL_REASON_RESERVATION_OVER, .job = job->spec.reservation};

    if (!slot) {
        struct bl_reason misfit = bl_slot_misfit(core, job);

        return misfit.code != BL_REASON_NONE ? misfit : reason;
    }
    if (slot->state != BL_OCCURRENCE_ACTIVE) {
        reason.code = BL_REASON_FOR_RESERVATION;
        reason.at = slot->start;
        return reason;
    }
    reason.code = BL_REASON_IN_RESERVATION;
    reason.need = bl_job_gpus_wanted(job);
    reason.have = bl_place_count_free(&core->cluster, job);
    return reason;
}
