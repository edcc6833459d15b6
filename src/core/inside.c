/* Who books GPUs on which their own jobs run has them inside: what is held is those jobs' as long
 * as they last, and they go on behind its end as they would without it. Only where GPUs have names:
 * else nobody could say which of them are meant. */
#include "core/bookings.h"

#include <string.h>

static bool is_of_user(const struct bl_booking_spec *spec, const struct bl_job *job)
{
    return spec->id >= 0 && spec->user && job->spec.user && job->spec.reservation == 0 &&
           strcmp(spec->user, job->spec.user) == 0;
}

bool bl_booking_takes_in(const struct bl_booking_spec *spec, const struct bl_job *job)
{
    const struct bl_alloc_part *part = bl_alloc_parts(&job->alloc);

    for (uint32_t i = 0; i < job->alloc.part_count; i++) {
        if (!part[i].gpu_mask) {
            return false;
        }
    }
    return is_of_user(spec, job);
}

bool bl_slot_is_around(const struct bl_live *live, const struct bl_job *job)
{
    const struct bl_occurrence *slot = bl_live_occurrence(live);

    return job->inside_at && bl_slot_goes_on(slot, job->inside_at) &&
           is_of_user(&live->booking->spec, job) &&
           bl_alloc_shares_named(&job->alloc, &slot->alloc);
}

static void take_in_one(const struct bl_core *core, const struct bl_booking *booking,
                        struct bl_occurrence *slot, struct bl_job *job)
{
    if (bl_slot_goes_on(slot, core->now) && is_of_user(&booking->spec, job) &&
        bl_alloc_shares_named(&job->alloc, &slot->alloc)) {
        job->inside_at = core->now;
        slot->is_used = true;
    }
}

void bl_core_take_in(struct bl_core *core, struct bl_booking *booking)
{
    for (size_t i = 0; i < booking->occurrence_count; i++) {
        for (size_t k = 0; k < core->running.count; k++) {
            take_in_one(core, booking, &booking->occurrence[i],
                        bl_map_find(&core->jobs, core->running.at[k].job->id));
        }
    }
}

void bl_core_use_own(struct bl_core *core, struct bl_job *job)
{
    for (size_t i = 0; i < core->bookings->live.count; i++) {
        const struct bl_live *live = &core->bookings->live.at[i];

        take_in_one(core, live->booking, bl_live_occurrence(live), job);
    }
}

static bool is_inside(const struct bl_core *core, struct bl_booking *booking,
                      const struct bl_job *job)
{
    for (size_t i = 0; i < booking->occurrence_count; i++) {
        const struct bl_live live = {booking, i};

        if (bl_slot_goes_on(&booking->occurrence[i], core->now) && bl_slot_is_around(&live, job)) {
            return true;
        }
    }
    return false;
}

bool bl_job_is_inside(const struct bl_core *core, const struct bl_job *job, int64_t id)
{
    struct bl_booking *booking = bl_map_find(&core->bookings->map, id);

    return booking && bl_job_state_is_active(job->state) && is_inside(core, booking, job);
}

int64_t bl_job_inside_of(const struct bl_core *core, const struct bl_job *job)
{
    struct bl_booking *booking;
    size_t cursor = 0;

    while (job->inside_at && bl_job_state_is_active(job->state) &&
           (booking = bl_map_next(&core->bookings->map, &cursor))) {
        if (is_inside(core, booking, job)) {
            return booking->spec.id;
        }
    }
    return 0;
}
