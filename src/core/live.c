/* Which occurrences are not over, and what they hold on each node: lists that follow from the
 * bookings and are made anew when those have changed. */
#include "base/sort.h"
#include "core/bookings.h"

#include <string.h>

static int compare_live(const void *left, const void *right)
{
    const struct bl_live *a = left;
    const struct bl_live *b = right;
    const struct bl_occurrence *first = bl_live_occurrence(a);
    const struct bl_occurrence *second = bl_live_occurrence(b);

    if (first->start != second->start) {
        return first->start < second->start ? -1 : 1;
    }
    if (a->booking->spec.id != b->booking->spec.id) {
        return a->booking->spec.id < b->booking->spec.id ? -1 : 1;
    }
    return first->number < second->number ? -1 : first->number > second->number;
}

static void list_live_of(struct bl_bookings *bookings, struct bl_booking *booking)
{
    for (size_t i = 0; i < booking->occurrence_count; i++) {
        if (bl_occurrence_is_live(&booking->occurrence[i])) {
            BL_VEC_PUSH(&bookings->live, (struct bl_live){booking, i});
        }
    }
}

static void list_live(struct bl_bookings *bookings)
{
    struct bl_booking *booking;
    size_t cursor = 0;

    bookings->live.count = 0;
    while ((booking = bl_map_next(&bookings->map, &cursor))) {
        list_live_of(bookings, booking);
    }
    bl_sort(bookings->live.at, bookings->live.count, sizeof *bookings->live.at, compare_live);
}

/* Bookings come and go, and may be changed; what stands in the holds stays. */
static const char *keep_owner(struct bl_bookings *bookings, const struct bl_booking *booking)
{
    const char *name = booking->spec.id > 0 ? booking->spec.user : NULL;

    for (size_t i = 0; name && i < bookings->owners.count; i++) {
        if (strcmp(bookings->owners.at[i], name) == 0) {
            return bookings->owners.at[i];
        }
    }
    if (name) {
        BL_VEC_PUSH(&bookings->owners, bl_copy_text(name));
        return bookings->owners.at[bookings->owners.count - 1];
    }
    return NULL;
}

static void hold_all(struct bl_core *core)
{
    struct bl_bookings *bookings = core->bookings;

    bl_holds_clear(&bookings->holds, core->cluster.node_count);
    for (size_t i = 0; i < bookings->live.count; i++) {
        const struct bl_live *live = &bookings->live.at[i];
        const struct bl_occurrence *occurrence = bl_live_occurrence(live);
        const struct bl_alloc_part *part = bl_alloc_parts(&occurrence->alloc);

        for (uint32_t k = 0; k < occurrence->alloc.part_count; k++) {
            struct bl_hold hold = {.booking = live->booking->spec.id,
                                   .owner = keep_owner(bookings, live->booking),
                                   .start = occurrence->start,
                                   .end = occurrence->end,
                                   .is_open = occurrence->state == BL_OCCURRENCE_ACTIVE,
                                   .part = part[k]};

            bl_holds_add(&bookings->holds, &hold);
        }
    }
    bl_holds_settle(&bookings->holds);
}

void bl_core_refresh_live(struct bl_core *core)
{
    if (core->bookings->is_stale) {
        list_live(core->bookings);
        hold_all(core);
        core->bookings->is_stale = false;
    }
}

/* What a job that is resized will go on with stays. */
static void cover(struct bl_holds *holds, const struct bl_job *job, bl_time until)
{
    struct bl_alloc old;

    if (job->state != BL_JOB_RESIZING) {
        bl_holds_cover(holds, &job->alloc, job, until);
        return;
    }
    bl_alloc_beyond(&job->alloc, &job->next, &old);
    bl_holds_cover(holds, &old, job, until);
    bl_alloc_finish(&old);
}

void bl_core_cover_holds(struct bl_core *core)
{
    struct bl_holds *holds = &core->bookings->holds;

    if (holds->count == 0) {
        return;
    }
    bl_holds_uncover(holds);
    for (size_t i = 0; i < core->running.count; i++) {
        const struct bl_job *job = core->running.at[i].job;
        bl_time until = bl_core_job_until(core, job);

        /* who was not asked yet will be asked after this round at the earliest */
        until += bl_job_gives_way(&job->spec) && job->state != BL_JOB_STOPPING &&
                 job->state != BL_JOB_RESIZING;
        cover(holds, job, until);
    }
}

/* What is stopped or gives way is asked and then needs as long as it takes to leave; so does one
 * that is stopped by its limit, which is asked so early that it is gone then, if there is time. */
bl_time bl_core_job_until(const struct bl_core *core, const struct bl_job *job)
{
    bool is_saving = job->state == BL_JOB_RESIZING ||
                     (job->state == BL_JOB_STOPPING && job->reason.code == BL_REASON_PREEMPTED);
    bl_time lead = bl_saves_lead(&core->bookings->saves, job);
    bl_time leave = (is_saving ? job->held_at : core->now) + lead;
    bl_time end = bl_job_limit_end(job);

    if (job->stop_at > 0 && end == job->stop_at) {
        end += lead; /* when the slot begins, or ends, for which it is stopped */
    }
    if (job->state == BL_JOB_STARTING) {
        end = job->spec.limit > 0 ? core->now + job->spec.limit - job->ran_before : BL_TIME_NEVER;
    }
    if (job->state == BL_JOB_STOPPING || bl_job_gives_way(&job->spec)) {
        end = core->now;
    }
    return end > leave ? end : leave;
}

static bool shares(const struct bl_alloc *a, const struct bl_alloc *b)
{
    for (uint32_t i = 0; i < a->part_count; i++) {
        const struct bl_alloc_part *x = &bl_alloc_parts(a)[i];

        for (uint32_t k = 0; k < b->part_count; k++) {
            const struct bl_alloc_part *y = &bl_alloc_parts(b)[k];

            if (x->node == y->node &&
                (!x->gpu_mask || !y->gpu_mask || (x->gpu_mask & y->gpu_mask) != 0)) {
                return true;
            }
        }
    }
    return false;
}

struct bl_occurrence *bl_core_open_slot(const struct bl_core *core, int64_t id,
                                        const struct bl_alloc *alloc)
{
    struct bl_booking *booking = id > 0 ? bl_map_find(&core->bookings->map, id) : NULL;
    struct bl_occurrence *first = NULL;

    for (size_t i = 0; booking && i < booking->occurrence_count; i++) {
        struct bl_occurrence *occurrence = &booking->occurrence[i];

        if (occurrence->state == BL_OCCURRENCE_ACTIVE && occurrence->start <= core->now &&
            core->now < occurrence->end && (!alloc || shares(alloc, &occurrence->alloc)) &&
            (!first || occurrence->end < first->end)) {
            first = occurrence;
        }
    }
    return first;
}
