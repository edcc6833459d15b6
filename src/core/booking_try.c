/* What a wish would become: each slot with the GPUs that it would hold, or the first thing that is
 * wrong. Creating and changing go through here, and so do the answers to those who ask first. */
#include "core/bookings.h"
#include "core/survey.h"

#include <string.h>

static bool is_text_short(const char *text)
{
    return !text || strlen(text) < BL_BOOKING_TEXT_MAX;
}

static struct bl_occurrence *find_occurrence(const struct bl_core *core, int64_t id, int32_t number)
{
    struct bl_booking *booking = bl_map_find(&core->bookings->map, id);

    for (size_t i = 0; booking && i < booking->occurrence_count; i++) {
        if (booking->occurrence[i].number == number) {
            return &booking->occurrence[i];
        }
    }
    return NULL;
}

int32_t bl_booking_wish_number(const struct bl_booking_wish *wish, size_t slot)
{
    return wish->spec->number && !wish->only ? wish->spec->number[slot]
                                             : (wish->first > 0 ? wish->first : 1) + (int32_t)slot;
}

/* The occurrence that the slot would take the place of; NULL for one that is new. */
static struct bl_occurrence *replaced_by(const struct bl_core *core,
                                         const struct bl_booking_wish *wish, size_t slot)
{
    struct bl_occurrence *old;

    if (wish->first <= 0 || (wish->only && slot > 0)) {
        return NULL;
    }
    old = find_occurrence(core, wish->spec->id, bl_booking_wish_number(wish, slot));
    return old && bl_occurrence_is_live(old) ? old : NULL;
}

bool bl_booking_goes_on(const struct bl_core *core, const struct bl_booking_wish *wish, size_t slot)
{
    const struct bl_occurrence *old = replaced_by(core, wish, slot);

    return old && old->state == BL_OCCURRENCE_ACTIVE;
}

/* What goes on keeps its start. */
static bool goes_on_in(const struct bl_core *core, const struct bl_booking_wish *wish, size_t slot)
{
    return bl_booking_goes_on(core, wish, slot) &&
           replaced_by(core, wish, slot)->start == wish->spec->slot[slot].start;
}

/* Behind the one before it, and by its number not before what is to be changed. */
static bool is_in_order(const struct bl_booking_wish *wish, size_t index)
{
    int32_t number = bl_booking_wish_number(wish, index);
    const struct bl_slot *slot = &wish->spec->slot[index];

    if (index == 0) {
        return number >= wish->first && number > 0 && number <= BL_OCCURRENCE_NUMBER_MAX;
    }
    return slot->start > slot[-1].start && number > bl_booking_wish_number(wish, index - 1) &&
           number <= BL_OCCURRENCE_NUMBER_MAX;
}

static enum bl_booking_fault check_slot(const struct bl_core *core,
                                        const struct bl_booking_wish *wish, size_t index)
{
    const struct bl_slot *slot = &wish->spec->slot[index];

    if (slot->end <= slot->start) {
        return BL_BOOKING_REVERSED;
    }
    if (slot->end <= core->now ||
        (slot->start < core->now - BL_BOOKING_LATE_MAX && !goes_on_in(core, wish, index))) {
        return BL_BOOKING_PAST;
    }
    if (slot->start > core->now + BL_BOOKING_HORIZON ||
        slot->end > core->now + BL_BOOKING_HORIZON) {
        return BL_BOOKING_TOO_FAR;
    }
    return is_in_order(wish, index) ? BL_BOOKING_FINE : BL_BOOKING_SLOTS;
}

static enum bl_booking_fault check_slots(const struct bl_core *core,
                                         const struct bl_booking_wish *wish, size_t *slot)
{
    const struct bl_booking_spec *spec = wish->spec;
    enum bl_booking_fault fault = BL_BOOKING_FINE;

    if (spec->slot_count == 0 || spec->slot_count > BL_BOOKING_SLOTS_MAX ||
        (wish->only && spec->slot_count != 1)) {
        return BL_BOOKING_SLOTS;
    }
    for (size_t i = 0; i < spec->slot_count && fault == BL_BOOKING_FINE; i++) {
        *slot = i;
        fault = check_slot(core, wish, i);
    }
    return fault;
}

static enum bl_booking_fault check_place(const struct bl_core *core,
                                         const struct bl_booking_spec *spec, size_t index)
{
    const struct bl_booking_place *place = &spec->on[index];
    int32_t found = bl_cluster_find_node(&core->cluster, place->node);
    const struct bl_node *node;

    if (found < 0 || (place->gpu_mask & ~bl_node_gpus(&core->cluster.node[found].spec)) != 0 ||
        core->cluster.node[found].spec.gpus == 0) {
        return BL_BOOKING_NODE;
    }
    for (size_t i = 0; i < index; i++) {
        if (strcmp(spec->on[i].node, place->node) == 0) {
            return BL_BOOKING_NODE;
        }
    }
    node = &core->cluster.node[found];
    if (spec->gpu_type && strcmp(node->spec.gpu_type, spec->gpu_type) != 0) {
        return BL_BOOKING_GPU_TYPE;
    }
    return spec->pool && strcmp(node->spec.pool, spec->pool) != 0 ? BL_BOOKING_POOL
                                                                  : BL_BOOKING_FINE;
}

static enum bl_booking_fault check_what(const struct bl_core *core,
                                        const struct bl_booking_spec *spec)
{
    enum bl_booking_fault fault = BL_BOOKING_FINE;

    if (spec->gpu_type && bl_cluster_find_type(&core->cluster, spec->gpu_type) < 0) {
        return BL_BOOKING_GPU_TYPE;
    }
    if (spec->pool && bl_cluster_find_pool(&core->cluster, spec->pool) < 0) {
        return BL_BOOKING_POOL;
    }
    if (spec->on_count > BL_BOOKING_ON_MAX) {
        return BL_BOOKING_NODE;
    }
    for (size_t i = 0; i < spec->on_count && fault == BL_BOOKING_FINE; i++) {
        fault = check_place(core, spec, i);
    }
    if (fault == BL_BOOKING_FINE && spec->on_count == 0 && spec->gpus <= 0) {
        return BL_BOOKING_GPUS;
    }
    return fault;
}

static enum bl_booking_fault check_target(const struct bl_core *core,
                                          const struct bl_booking_wish *wish)
{
    const struct bl_occurrence *first;

    if (wish->first == 0) {
        return bl_map_find(&core->bookings->map, wish->spec->id) ? BL_BOOKING_NO_SUCH
                                                                 : BL_BOOKING_FINE;
    }
    first = wish->spec->id > 0 ? find_occurrence(core, wish->spec->id, wish->first) : NULL;
    return first && bl_occurrence_is_live(first) ? BL_BOOKING_FINE : BL_BOOKING_NO_SUCH;
}

static bool is_span_good(bl_time span)
{
    return span >= 0 && span <= BL_BOOKING_HORIZON;
}

enum bl_booking_fault bl_booking_check(const struct bl_core *core,
                                       const struct bl_booking_wish *wish, size_t *slot)
{
    const struct bl_booking_spec *spec = wish->spec;
    enum bl_booking_fault fault = check_target(core, wish);

    *slot = 0;
    if (fault == BL_BOOKING_FINE) {
        fault = check_slots(core, wish, slot);
    }
    if (fault == BL_BOOKING_FINE &&
        (!is_span_good(spec->flex) || !is_span_good(spec->release_after))) {
        fault = BL_BOOKING_FLEX;
    }
    if (fault == BL_BOOKING_FINE &&
        !(is_text_short(spec->name) && is_text_short(spec->rule) && is_text_short(spec->zone))) {
        fault = BL_BOOKING_SLOTS;
    }
    if (fault == BL_BOOKING_FINE) {
        fault = check_what(core, spec);
    }
    if (fault == BL_BOOKING_FINE &&
        core->bookings->live.count + spec->slot_count > BL_BOOKINGS_MAX) {
        fault = BL_BOOKING_FULL;
    }
    return fault;
}

int32_t bl_booking_gpus(const struct bl_core *core, const struct bl_booking_spec *spec)
{
    int32_t gpus = 0;

    for (size_t i = 0; i < spec->on_count; i++) {
        int32_t node = bl_cluster_find_node(&core->cluster, spec->on[i].node);

        gpus += spec->on[i].gpu_mask ? __builtin_popcountll(spec->on[i].gpu_mask)
                : node >= 0          ? core->cluster.node[node].spec.gpus
                                     : 0;
    }
    return spec->on_count > 0 ? gpus : spec->gpus;
}

/* The same GPUs as before, if they are as many: an edit of the time alone moves nobody. */
static bool keeps_gpus(const struct bl_core *core, const struct bl_booking_wish *wish,
                       struct bl_survey *survey, const struct bl_occurrence *old,
                       struct bl_slot slot)
{
    return old && wish->spec->on_count == 0 &&
           bl_alloc_gpus(&old->alloc) == bl_booking_gpus(core, wish->spec) &&
           bl_survey_suits(survey, &old->alloc) && bl_survey_has(survey, slot, &old->alloc);
}

static bool try_at(const struct bl_core *core, const struct bl_booking_wish *wish,
                   struct bl_survey *survey, size_t index, bl_time start, struct bl_occurrence *out)
{
    const struct bl_booking_spec *spec = wish->spec;
    const struct bl_occurrence *old = replaced_by(core, wish, index);
    bl_time length = spec->slot[index].end - spec->slot[index].start;
    struct bl_slot slot = {start, start + length};

    if (keeps_gpus(core, wish, survey, old, slot)) {
        out->alloc = old->alloc;
    } else if ((old && old->state == BL_OCCURRENCE_ACTIVE) ||
               !bl_survey_find(survey, slot, bl_booking_gpus(core, spec), spec->gpu_type,
                               &out->alloc)) {
        return false;
    }
    out->start = slot.start;
    out->end = slot.end;
    out->asked_start = spec->slot[index].start;
    out->number = bl_booking_wish_number(wish, index);
    return true;
}

/* At the start that is asked for, else as soon after it as `flex` allows. */
static bool try_slot(const struct bl_core *core, const struct bl_booking_wish *wish,
                     struct bl_survey *survey, size_t index, struct bl_occurrence *out)
{
    bl_time from = wish->spec->slot[index].start;
    bl_time *instant = NULL;
    size_t count;

    if (try_at(core, wish, survey, index, from, out)) {
        return true;
    }
    count = wish->spec->flex > 0 ? bl_survey_instants(survey, &instant) : 0;
    for (size_t i = 0; i < count && instant[i] <= from + wish->spec->flex; i++) {
        if (instant[i] > from && try_at(core, wish, survey, index, instant[i], out)) {
            return true;
        }
    }
    return false;
}

struct bl_booking_try bl_booking_attempt(const struct bl_core *core,
                                         const struct bl_booking_wish *wish,
                                         struct bl_survey *survey, struct bl_arena *arena)
{
    const struct bl_booking_spec *spec = wish->spec;
    struct bl_booking_try attempt = {BL_BOOKING_FINE, 0, NULL};

    attempt.occurrence = bl_arena_alloc(arena, spec->slot_count * sizeof *attempt.occurrence);
    for (size_t i = 0; i < spec->slot_count; i++) {
        struct bl_occurrence *made = &attempt.occurrence[i];

        attempt.slot = i;
        if (!try_slot(core, wish, survey, i, made)) {
            attempt.fault = BL_BOOKING_TAKEN;
            return attempt;
        }
        bl_survey_take(survey, (struct bl_slot){made->start, made->end}, &made->alloc);
    }
    return attempt;
}
