#include "daemon/booking_watch.h"

struct bl_booking_seen {
    int64_t id;
    BL_VEC(uint64_t) print; /* of each occurrence */
    BL_VEC(int32_t) number;
};

static uint64_t mix(uint64_t print, uint64_t value)
{
    return (print ^ value) * UINT64_C(0x9E3779B97F4A7C15) + (print >> 29);
}

/* All that is shown of it; what changes with the whole booking comes with its revision. */
static uint64_t print_of(const struct bl_booking *booking, const struct bl_occurrence *occurrence)
{
    const struct bl_alloc_part *part = bl_alloc_parts(&occurrence->alloc);
    uint64_t print = mix((uint64_t)booking->revision, (uint64_t)occurrence->state);

    print = mix(print, (uint64_t)occurrence->start);
    print = mix(print, (uint64_t)occurrence->end);
    print = mix(print, (uint64_t)occurrence->ended_at);
    print = mix(print, (uint64_t)occurrence->is_degraded * 2 + (uint64_t)occurrence->is_moved);
    for (uint32_t i = 0; i < occurrence->alloc.part_count; i++) {
        print = mix(print, (uint64_t)part[i].node);
        print = mix(print, part[i].gpu_mask);
        print = mix(print, (uint64_t)part[i].gpus);
    }
    return print;
}

static void destroy_seen(struct bl_booking_seen *seen)
{
    BL_VEC_FINISH(&seen->print);
    BL_VEC_FINISH(&seen->number);
    free(seen);
}

void bl_booking_watch_finish(struct bl_booking_watch *watch)
{
    struct bl_booking_seen *seen;
    size_t cursor = 0;

    while ((seen = bl_map_next(&watch->seen, &cursor))) {
        destroy_seen(seen);
    }
    bl_map_finish(&watch->seen);
    BL_VEC_FINISH(&watch->changes);
}

static void note(struct bl_booking_watch *watch, int64_t id, int32_t number, bool is_gone)
{
    BL_VEC_PUSH(&watch->changes, (struct bl_booking_change){id, number, is_gone});
}

/* Those at `index` whose numbers come before `before` are no longer there. */
static void drop_missing(struct bl_booking_watch *watch, struct bl_booking_seen *seen, size_t index,
                         int32_t before)
{
    while (index < seen->number.count && seen->number.at[index] < before) {
        note(watch, seen->id, seen->number.at[index], true);
        BL_VEC_REMOVE(&seen->number, index);
        BL_VEC_REMOVE(&seen->print, index);
    }
}

/* Both lists are in order of their numbers. */
static void look_at(struct bl_booking_watch *watch, const struct bl_booking *booking,
                    struct bl_booking_seen *seen)
{
    for (size_t i = 0; i < booking->occurrence_count; i++) {
        const struct bl_occurrence *occurrence = &booking->occurrence[i];
        uint64_t print = print_of(booking, occurrence);

        drop_missing(watch, seen, i, occurrence->number);
        if (i == seen->number.count || seen->number.at[i] != occurrence->number) {
            BL_VEC_INSERT(&seen->number, i, occurrence->number);
            BL_VEC_INSERT(&seen->print, i, ~print);
        }
        if (seen->print.at[i] != print) {
            note(watch, booking->spec.id, occurrence->number, false);
            seen->print.at[i] = print;
        }
    }
    drop_missing(watch, seen, booking->occurrence_count, INT32_MAX);
}

static void drop_gone(struct bl_booking_watch *watch, const struct bl_core *core)
{
    struct bl_booking_seen *seen;
    size_t cursor = 0;

    while ((seen = bl_map_next(&watch->seen, &cursor))) {
        if (bl_core_find_booking(core, seen->id)) {
            continue;
        }
        for (size_t i = 0; i < seen->number.count; i++) {
            note(watch, seen->id, seen->number.at[i], true);
        }
        bl_map_remove(&watch->seen, seen->id);
        destroy_seen(seen);
    }
}

void bl_booking_watch_look(struct bl_booking_watch *watch, const struct bl_core *core)
{
    const struct bl_booking *booking;
    size_t cursor = 0;
    size_t count = 0;

    watch->changes.count = 0;
    while ((booking = bl_core_next_booking(core, &cursor))) {
        struct bl_booking_seen *seen = bl_map_find(&watch->seen, booking->spec.id);

        if (bl_promised_job(booking)) {
            continue;
        }
        count++;
        if (!seen) {
            seen = bl_alloc_zero(sizeof *seen);
            seen->id = booking->spec.id;
            bl_map_insert(&watch->seen, seen->id, seen);
        }
        look_at(watch, booking, seen);
    }
    if (watch->seen.count > count) {
        drop_gone(watch, core);
    }
}

bool bl_booking_watch_has(const struct bl_booking_watch *watch, int64_t id)
{
    for (size_t i = 0; i < watch->changes.count; i++) {
        if (watch->changes.at[i].id == id) {
            return true;
        }
    }
    return false;
}
