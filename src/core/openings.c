/* What fits instead of a booking that does not. */
#include "base/sort.h"
#include "core/bookings.h"
#include "core/survey.h"

#include <string.h>

enum {
    TRIES_MAX = 512, /* instants that are tried in each direction */
    TRIES_LEAST = 16,
    SHIFTS_MAX = 1 << 16,
    LATER_MAX = 2 /* openings of that kind */
};

struct shifts {
    bl_time *at;
    size_t count;
};

struct search {
    const struct bl_core *core;
    struct bl_booking_wish wish;
    struct bl_survey *survey;
    struct bl_arena *arena;
    struct bl_openings *out;
    struct bl_slot slot; /* the one that is taken */
};

static bool tries(struct search *search, const struct bl_booking_spec *spec,
                  struct bl_booking_try *made)
{
    struct bl_booking_wish wish = search->wish;

    wish.spec = spec;
    bl_survey_ask(search->survey, spec);
    *made = bl_booking_attempt(search->core, &wish, search->survey, search->arena);
    return made->fault == BL_BOOKING_FINE;
}

static const char *type_of(const struct search *search, const struct bl_alloc *alloc)
{
    int32_t node = bl_alloc_parts(alloc)->node;

    return search->core->cluster.node[node].spec.gpu_type;
}

static void add(struct search *search, enum bl_opening_kind kind, const struct bl_booking_try *made,
                bl_time shift)
{
    const struct bl_occurrence *there = &made->occurrence[search->out->slot];

    if (search->out->opening_count < BL_OPENINGS_MAX) {
        search->out->opening[search->out->opening_count++] =
            (struct bl_opening){.kind = kind,
                                .shift = shift,
                                .start = there->start,
                                .end = there->end,
                                .gpus = bl_alloc_gpus(&there->alloc),
                                .gpu_type = type_of(search, &there->alloc),
                                .alloc = there->alloc};
    }
}

/* The spec with every slot moved; NULL when one of them may not be there. */
static struct bl_booking_spec *moved(struct search *search, bl_time shift)
{
    const struct bl_booking_spec *spec = search->wish.spec;
    struct bl_booking_spec *copy = bl_arena_alloc(search->arena, sizeof *copy);
    struct bl_slot *slot = bl_arena_alloc(search->arena, spec->slot_count * sizeof *slot);
    struct bl_booking_wish wish = search->wish;
    size_t wrong;

    wish.spec = copy;
    *copy = *spec;
    copy->slot = slot;
    copy->flex = 0;
    for (size_t i = 0; i < spec->slot_count; i++) {
        slot[i] = (struct bl_slot){spec->slot[i].start + shift, spec->slot[i].end + shift};
    }
    if (slot[0].start < search->core->now ||
        bl_booking_check(search->core, &wish, &wrong) != BL_BOOKING_FINE) {
        return NULL;
    }
    return copy;
}

static bool try_shift(struct search *search, enum bl_opening_kind kind, bl_time shift)
{
    struct bl_booking_spec *spec = moved(search, shift);
    struct bl_booking_try made;

    if (!spec || !tries(search, spec, &made)) {
        return false;
    }
    add(search, kind, &made, shift);
    return true;
}

static bl_time minute_before(bl_time at)
{
    return at - ((at % BL_MINUTE) + BL_MINUTE) % BL_MINUTE;
}

/* On the minute, which people can read. */
static bl_time minute_after(bl_time at)
{
    bl_time before = minute_before(at);

    return before < at ? before + BL_MINUTE : at;
}

static void note_shift(struct shifts *shifts, bl_time shift)
{
    if (shift != 0 && shifts->count < SHIFTS_MAX) {
        shifts->at[shifts->count++] = shift;
    }
}

/* A slot begins when something ends, or ends when something begins. */
static void note_shifts_of(struct shifts *shifts, struct bl_slot slot, bl_time instant)
{
    note_shift(shifts, minute_after(instant) - slot.start);
    if (instant < slot.end) {
        note_shift(shifts, minute_before(instant - (slot.end - slot.start)) - slot.start);
    }
}

/* The nearest first; later before earlier. */
static int compare_shifts(const void *left, const void *right)
{
    bl_time a = *(const bl_time *)left;
    bl_time b = *(const bl_time *)right;
    bl_time far_a = a < 0 ? -a : a;
    bl_time far_b = b < 0 ? -b : b;

    if (far_a != far_b) {
        return far_a < far_b ? -1 : 1;
    }
    return a > b ? -1 : a < b;
}

static struct shifts list_shifts(struct search *search)
{
    const struct bl_booking_spec *spec = search->wish.spec;
    bl_time reach = spec->slot_count > 1 ? BL_DAY : BL_BOOKING_HORIZON;
    struct shifts shifts = {bl_arena_alloc(search->arena, SHIFTS_MAX * sizeof *shifts.at), 0};
    bl_time *instant;
    size_t count = bl_survey_instants(search->survey, &instant);

    note_shift(&shifts, minute_after(search->core->now) - spec->slot[0].start);
    for (size_t k = 0; k < spec->slot_count; k++) {
        for (size_t i = 0; i < count; i++) {
            bl_time away = instant[i] - spec->slot[k].start;

            if (away <= reach && away >= -reach) {
                note_shifts_of(&shifts, spec->slot[k], instant[i]);
            }
        }
    }
    bl_sort(shifts.at, shifts.count, sizeof *shifts.at, compare_shifts);
    return shifts;
}

/* The work is bounded: a series is looked at slot by slot. A second opening is told if it is not
 * nearly the same. */
static void find_moved(struct search *search, const struct shifts *shifts,
                       enum bl_opening_kind kind, size_t most)
{
    size_t tries = TRIES_MAX / search->wish.spec->slot_count + TRIES_LEAST;
    bl_time apart = (search->slot.end - search->slot.start) / 2;
    bl_time last = 0;
    bl_time from = 0;

    for (size_t i = 0; i < shifts->count && tries > 0 && most > 0; i++) {
        bl_time shift = shifts->at[i];
        bl_time away = shift < 0 ? -shift : shift;

        if (shift == last || away < from || (shift > 0) != (kind == BL_OPENING_LATER)) {
            continue;
        }
        last = shift;
        tries--;
        if (try_shift(search, kind, shift)) {
            most--;
            from = away + apart;
        }
    }
}

/* With as many as every slot has at least. */
static void find_fewer(struct search *search)
{
    struct bl_booking_spec spec = *search->wish.spec;
    struct bl_booking_try made;

    spec.gpus = search->out->most;
    for (size_t i = 0; i < spec.slot_count && spec.gpus > 0; i++) {
        if (tries(search, &spec, &made)) {
            add(search, BL_OPENING_FEWER, &made, 0);
            return;
        }
        spec.gpus--;
        while (spec.gpus > 0 &&
               bl_survey_most(search->survey, spec.slot[made.slot], spec.gpu_type) < spec.gpus) {
            spec.gpus--;
        }
    }
}

static void find_other(struct search *search, enum bl_opening_kind kind,
                       const struct bl_booking_spec *spec)
{
    struct bl_booking_try made;

    if (tries(search, spec, &made)) {
        add(search, kind, &made, 0);
    }
}

static void find_other_types(struct search *search)
{
    const struct bl_cluster *cluster = &search->core->cluster;
    struct bl_booking_spec spec = *search->wish.spec;

    for (size_t type = 0; spec.gpu_type && type < cluster->type_count; type++) {
        if (strcmp(cluster->type_name[type], search->wish.spec->gpu_type) != 0) {
            spec.gpu_type = cluster->type_name[type];
            find_other(search, BL_OPENING_OTHER_TYPE, &spec);
        }
    }
}

static void find_all(struct search *search)
{
    struct bl_booking_spec anywhere = *search->wish.spec;
    struct shifts shifts = list_shifts(search);

    find_moved(search, &shifts, BL_OPENING_LATER, LATER_MAX);
    find_moved(search, &shifts, BL_OPENING_EARLIER, 1);
    if (anywhere.on_count > 0) {
        anywhere.gpus = search->out->gpus;
        anywhere.on_count = 0;
        find_other(search, BL_OPENING_ELSEWHERE, &anywhere);
    } else {
        find_fewer(search);
        find_other_types(search);
    }
}

/* What the machine has that suits, whoever has it now. */
static int32_t all_that_suits(const struct bl_core *core, const struct bl_booking_spec *spec)
{
    int64_t gpus = 0;

    for (size_t i = 0; i < core->cluster.node_count; i++) {
        const struct bl_node *node = &core->cluster.node[i];

        if (node->state != BL_NODE_DOWN && node->spec.gpus > 0 &&
            (!spec->gpu_type || strcmp(node->spec.gpu_type, spec->gpu_type) == 0) &&
            (!spec->pool || strcmp(node->spec.pool, spec->pool) == 0)) {
            gpus += node->spec.gpus;
        }
    }
    return gpus < INT32_MAX ? (int32_t)gpus : INT32_MAX;
}

/* Where the slot that is in the way stands once `flex` is spent: as it was asked for. */
static void explain_taken(struct search *search)
{
    struct bl_openings *out = search->out;
    const struct bl_booking_spec *spec = search->wish.spec;

    search->slot = spec->slot[out->slot];
    out->gpus = bl_booking_gpus(search->core, spec);
    out->most = all_that_suits(search->core, spec);
    if (spec->on_count == 0 && out->gpus > out->most) {
        out->fault = BL_BOOKING_TOO_LARGE;
        return;
    }
    out->most = bl_survey_most(search->survey, search->slot, spec->gpu_type);
    out->conflict_count =
        bl_survey_conflicts(search->survey, search->slot, out->conflict, BL_CONFLICTS_MAX);
    if (out->conflict_count == 0 && bl_booking_goes_on(search->core, &search->wish, out->slot)) {
        out->fault = BL_BOOKING_GOES_ON;
        return;
    }
    find_all(search);
}

void bl_openings_find(const struct bl_core *core, const struct bl_booking_wish *wish,
                      struct bl_arena *arena, struct bl_openings *out)
{
    struct search search = {.core = core, .wish = *wish, .arena = arena, .out = out};
    struct bl_booking_try made;

    bl_core_refresh_live((struct bl_core *)(uintptr_t)core);
    *out = (struct bl_openings){0};
    out->fault = bl_booking_check(core, wish, &out->slot);
    if (out->fault != BL_BOOKING_FINE) {
        return;
    }
    search.survey = bl_survey_create(core, wish, arena);
    made = bl_booking_attempt(core, wish, search.survey, arena);
    out->fault = made.fault;
    out->slot = made.slot;
    if (out->fault == BL_BOOKING_TAKEN) {
        explain_taken(&search);
    }
}
