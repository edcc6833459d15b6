/* Bookings made, changed, cancelled and restored. An event that conflicts changes nothing. */
#include "core/reservation.h"

#include "core/bookings.h"
#include "core/survey.h"
#include "core/words.h"

#include <string.h>

static const char *const state_words[BL_OCCURRENCE_STATE_COUNT] = {
    [BL_OCCURRENCE_BOOKED] = "booked",     [BL_OCCURRENCE_CLEARING] = "clearing",
    [BL_OCCURRENCE_ACTIVE] = "active",     [BL_OCCURRENCE_ENDED] = "ended",
    [BL_OCCURRENCE_RELEASED] = "released", [BL_OCCURRENCE_CANCELLED] = "cancelled",
};

const char *bl_occurrence_state_name(enum bl_occurrence_state state)
{
    return state_words[state];
}

int bl_occurrence_state_find(const char *name)
{
    return bl_words_find(state_words, BL_OCCURRENCE_STATE_COUNT, name);
}

bool bl_occurrence_is_live(const struct bl_occurrence *occurrence)
{
    return occurrence->state <= BL_OCCURRENCE_ACTIVE;
}

bool bl_booking_is_of_project(const struct bl_booking *booking, const struct bl_job_spec *spec)
{
    return booking->spec.project && spec->project &&
           strcmp(booking->spec.project, spec->project) == 0;
}

struct bl_bookings *bl_bookings_create(void)
{
    struct bl_bookings *bookings = bl_alloc_zero(sizeof *bookings);

    bookings->holds.saves = &bookings->saves;
    bookings->wake_at = BL_TIME_NEVER;
    return bookings;
}

static void finish_occurrences(struct bl_booking *booking)
{
    for (size_t i = 0; i < booking->occurrence_count; i++) {
        bl_alloc_finish(&booking->occurrence[i].alloc);
    }
    free(booking->occurrence);
}

static void free_text(const char *text)
{
    free((char *)(uintptr_t)text);
}

static void finish_spec(struct bl_booking_spec *spec)
{
    free_text(spec->name);
    free_text(spec->user);
    free_text(spec->project);
    free_text(spec->gpu_type);
    free_text(spec->pool);
    free_text(spec->rule);
    free_text(spec->zone);
    for (size_t i = 0; i < spec->on_count; i++) {
        free_text(spec->on[i].node);
    }
    free((struct bl_booking_place *)(uintptr_t)spec->on);
}

static struct bl_booking_spec copy_spec(const struct bl_booking_spec *spec)
{
    struct bl_booking_spec copy = *spec;
    struct bl_booking_place *on = NULL;

    copy.name = bl_copy_text(spec->name);
    copy.user = bl_copy_text(spec->user);
    copy.project = bl_copy_text(spec->project);
    copy.gpu_type = bl_copy_text(spec->gpu_type);
    copy.pool = bl_copy_text(spec->pool);
    copy.rule = bl_copy_text(spec->rule);
    copy.zone = bl_copy_text(spec->zone);
    if (spec->on_count > 0) {
        on = bl_realloc_array(NULL, spec->on_count, sizeof *on);
    }
    for (size_t i = 0; i < spec->on_count; i++) {
        on[i] = (struct bl_booking_place){bl_copy_text(spec->on[i].node), spec->on[i].gpu_mask};
    }
    copy.on = on;
    copy.slot = NULL;
    copy.number = NULL;
    copy.slot_count = 0;
    return copy;
}

void bl_booking_destroy(struct bl_booking *booking)
{
    finish_spec(&booking->spec);
    finish_occurrences(booking);
    free(booking);
}

void bl_bookings_destroy(struct bl_bookings *bookings)
{
    struct bl_booking *booking;
    size_t cursor = 0;

    while ((booking = bl_map_next(&bookings->map, &cursor))) {
        bl_booking_destroy(booking);
    }
    bl_map_finish(&bookings->map);
    for (size_t i = 0; i < bookings->owners.count; i++) {
        free(bookings->owners.at[i]);
    }
    BL_VEC_FINISH(&bookings->owners);
    BL_VEC_FINISH(&bookings->live);
    bl_holds_finish(&bookings->holds);
    bl_saves_finish(&bookings->saves);
    free(bookings);
}

/* Something about bookings is no longer as the lists say. */
static void note_change(struct bl_core *core)
{
    core->bookings->is_stale = true;
    core->cluster.holds = &core->bookings->holds;
    core->cluster.version++;
    core->wants_round = true;
}

void bl_core_end_occurrence(struct bl_core *core, struct bl_occurrence *occurrence,
                            enum bl_occurrence_state as)
{
    occurrence->state = as;
    occurrence->ended_at = core->now;
    note_change(core);
}

/* Takes over from `old` what stands before the first of `made` (or behind the last), as far as it
 * stays: all before `first`, and what is over. The rest is let go. */
static void merge_old(struct bl_booking *booking, size_t *next, int32_t before, size_t keep,
                      struct bl_occurrence *all, size_t *count)
{
    for (; *next < booking->occurrence_count && booking->occurrence[*next].number < before;
         (*next)++) {
        struct bl_occurrence *old = &booking->occurrence[*next];

        if (*next < keep || !bl_occurrence_is_live(old)) {
            all[(*count)++] = *old;
        } else {
            bl_alloc_finish(&old->alloc);
        }
    }
}

/* Those of `booking` from `keep` on give way to copies of `made`, which may name the same GPUs in
 * the same memory; those that are over stay, unless one of `made` has their number. */
static void replace_occurrences(struct bl_booking *booking, size_t keep,
                                const struct bl_occurrence *made, size_t count)
{
    struct bl_occurrence *all =
        bl_realloc_array(NULL, booking->occurrence_count + count, sizeof *all);
    size_t total = 0;
    size_t next = 0;

    for (size_t i = 0; i < count; i++) {
        struct bl_occurrence *own;

        merge_old(booking, &next, made[i].number, keep, all, &total);
        own = &all[total++];
        *own = made[i];
        bl_alloc_copy(&own->alloc, &made[i].alloc);
        if (next < booking->occurrence_count && booking->occurrence[next].number == own->number) {
            bl_alloc_finish(&booking->occurrence[next++].alloc);
        }
    }
    merge_old(booking, &next, INT32_MAX, keep, all, &total);
    free(booking->occurrence);
    booking->occurrence = all;
    booking->occurrence_count = total;
}

struct bl_booking *bl_core_add_booking(struct bl_core *core, const struct bl_booking_spec *spec,
                                       const struct bl_occurrence *occurrence, size_t count)
{
    struct bl_bookings *bookings = core->bookings;
    struct bl_booking *booking = bl_alloc_zero(sizeof *booking);

    booking->spec = copy_spec(spec);
    booking->made_at = core->now;
    replace_occurrences(booking, 0, occurrence, count);
    bl_map_insert(&bookings->map, spec->id, booking);
    bookings->last_id = spec->id > bookings->last_id ? spec->id : bookings->last_id;
    note_change(core);
    return booking;
}

/* From the arena: what the wish becomes, or NULL when something is in its way. */
static const struct bl_occurrence *attempt(struct bl_core *core, const struct bl_booking_wish *wish,
                                           struct bl_arena *arena)
{
    struct bl_booking_try made;
    size_t slot;

    bl_core_refresh_live(core);
    if (bl_booking_check(core, wish, &slot) != BL_BOOKING_FINE) {
        return NULL;
    }
    made = bl_booking_attempt(core, wish, bl_survey_create(core, wish, arena), arena);
    return made.fault == BL_BOOKING_FINE ? made.occurrence : NULL;
}

static void reserve(struct bl_core *core, const struct bl_booking_spec *spec)
{
    struct bl_booking_wish wish = {.spec = spec};
    struct bl_arena arena = {0};
    const struct bl_occurrence *made;

    if (spec->id <= core->bookings->last_id) {
        return;
    }
    made = attempt(core, &wish, &arena);
    if (made) {
        bl_core_take_in(core, bl_core_add_booking(core, spec, made, spec->slot_count));
    }
    bl_arena_finish(&arena);
}

/* Numbers rise: the place of the occurrence with this one, or the count where there is none. */
static size_t index_of(const struct bl_booking *booking, int32_t number)
{
    size_t low = 0;
    size_t high = booking->occurrence_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (booking->occurrence[middle].number < number) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < booking->occurrence_count && booking->occurrence[low].number == number
               ? low
               : booking->occurrence_count;
}

/* What goes on, or is being cleared, does so still. */
static void carry_over(const struct bl_occurrence *old, struct bl_occurrence *made)
{
    if (bl_occurrence_is_live(old) && old->start == made->start) {
        made->state = old->state;
        made->is_used = old->is_used;
    }
}

static void change(struct bl_core *core, const struct bl_booking_wish *wish)
{
    struct bl_booking *booking = bl_map_find(&core->bookings->map, wish->spec->id);
    struct bl_arena arena = {0};
    struct bl_occurrence *made =
        booking ? (struct bl_occurrence *)(uintptr_t)attempt(core, wish, &arena) : NULL;
    size_t first;

    if (made) {
        first = index_of(booking, wish->first);
        for (size_t i = 0; i < wish->spec->slot_count; i++) {
            size_t old = index_of(booking, made[i].number);

            if (old < booking->occurrence_count) {
                carry_over(&booking->occurrence[old], &made[i]);
            }
        }
        if (wish->only) {
            struct bl_occurrence changed = made[0];

            bl_alloc_copy(&changed.alloc, &made[0].alloc);
            bl_alloc_finish(&booking->occurrence[first].alloc);
            booking->occurrence[first] = changed;
        } else {
            struct bl_booking_spec old = booking->spec;

            replace_occurrences(booking, first, made, wish->spec->slot_count);
            booking->spec = copy_spec(wish->spec);
            booking->spec.uid = old.uid;
            finish_spec(&old);
        }
        booking->revision++;
        bl_core_take_in(core, booking);
        note_change(core);
    }
    bl_arena_finish(&arena);
}

static bool is_meant(const struct bl_event *event, const struct bl_occurrence *occurrence)
{
    int32_t number = event->u.unreserved.occurrence;

    return bl_occurrence_is_live(occurrence) &&
           (number == 0 || occurrence->number == number ||
            (event->u.unreserved.following && occurrence->number > number));
}

static void cancel(struct bl_core *core, const struct bl_event *event)
{
    struct bl_booking *booking = bl_map_find(&core->bookings->map, event->u.unreserved.id);
    bool is_any = false;

    for (size_t i = 0; booking && i < booking->occurrence_count; i++) {
        if (is_meant(event, &booking->occurrence[i])) {
            bl_core_end_occurrence(core, &booking->occurrence[i], BL_OCCURRENCE_CANCELLED);
            is_any = true;
        }
    }
    if (is_any) {
        booking->spec.is_closed = booking->spec.is_closed || event->u.unreserved.following ||
                                  event->u.unreserved.occurrence == 0;
        booking->revision++;
    }
}

/* What a snapshot says must lie on the machine as it is. */
static bool is_on_machine(const struct bl_cluster *cluster, const struct bl_alloc *alloc)
{
    const struct bl_alloc_part *part = bl_alloc_parts(alloc);

    for (uint32_t i = 0; i < alloc->part_count; i++) {
        if (part[i].node < 0 || (size_t)part[i].node >= cluster->node_count) {
            return false;
        }
    }
    return true;
}

static void restore(struct bl_core *core, const struct bl_booking_past *past)
{
    struct bl_booking *booking;

    if (past->spec.id == 0 || bl_map_find(&core->bookings->map, past->spec.id)) {
        return;
    }
    for (size_t i = 0; i < past->occurrence_count; i++) {
        if (!is_on_machine(&core->cluster, &past->occurrence[i].alloc)) {
            return;
        }
    }
    booking = bl_core_add_booking(core, &past->spec, past->occurrence, past->occurrence_count);
    booking->revision = past->revision;
    booking->made_at = past->made_at;
}

void bl_core_apply_booking(struct bl_core *core, const struct bl_event *event)
{
    if (event->kind == BL_EVENT_RESERVED) {
        reserve(core, event->u.reserved);
    } else if (event->kind == BL_EVENT_RESERVATION_CHANGED) {
        change(core, &event->u.rebooked);
    } else if (event->kind == BL_EVENT_RESERVATION_CANCELLED) {
        cancel(core, event);
    } else if (event->kind == BL_EVENT_RESERVATION_RESTORED) {
        restore(core, event->u.booking);
    }
}

static bool is_over(const struct bl_booking *booking, bl_time before)
{
    for (size_t i = 0; i < booking->occurrence_count; i++) {
        const struct bl_occurrence *occurrence = &booking->occurrence[i];

        if (bl_occurrence_is_live(occurrence) || occurrence->ended_at >= before) {
            return false;
        }
    }
    return true;
}

/* The newest one stays, so that ids go on rising after a snapshot. */
void bl_core_forget_bookings(struct bl_core *core, bl_time before)
{
    struct bl_booking *booking;
    size_t cursor = 0;

    while ((booking = bl_map_next(&core->bookings->map, &cursor))) {
        if (booking->spec.id != core->bookings->last_id && is_over(booking, before)) {
            bl_map_remove(&core->bookings->map, booking->spec.id);
            bl_booking_destroy(booking);
            core->bookings->is_stale = true;
        }
    }
}

const struct bl_booking *bl_core_find_booking(const struct bl_core *core, int64_t id)
{
    return bl_map_find(&core->bookings->map, id);
}

const struct bl_booking *bl_core_next_booking(const struct bl_core *core, size_t *cursor)
{
    return bl_map_next(&core->bookings->map, cursor);
}

int64_t bl_core_last_booking(const struct bl_core *core)
{
    return core->bookings->last_id;
}

/* An occurrence that was given up or cancelled is seen until then. */
static bool overlaps(const struct bl_occurrence *occurrence, bl_time from, bl_time to)
{
    bl_time end = occurrence->ended_at && occurrence->ended_at < occurrence->end
                      ? occurrence->ended_at
                      : occurrence->end;

    return occurrence->start < to && end > from;
}

void bl_core_each_occurrence(const struct bl_core *core, bl_time from, bl_time to,
                             void (*see)(void *self, const struct bl_booking *booking,
                                         const struct bl_occurrence *occurrence),
                             void *self)
{
    const struct bl_booking *booking;
    size_t cursor = 0;

    while ((booking = bl_map_next(&core->bookings->map, &cursor))) {
        for (size_t i = 0; i < booking->occurrence_count; i++) {
            if (overlaps(&booking->occurrence[i], from, to)) {
                see(self, booking, &booking->occurrence[i]);
            }
        }
    }
}
