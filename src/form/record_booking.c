/* Reservations in journal records. */
#include "form/record_fields.h"

#include <string.h>

void bl_record_put_places(struct bl_json *json, const struct bl_booking_place *on, size_t count)
{
    if (!count) {
        return;
    }
    bl_json_key(json, "on");
    bl_json_open_array(json);
    for (size_t i = 0; i < count; i++) {
        BL_AUTO_BUF mask = {0};

        bl_buf_printf(&mask, "%llx", (unsigned long long)on[i].gpu_mask);
        bl_json_open_array(json);
        bl_json_text(json, on[i].node);
        bl_json_text(json, bl_buf_text(&mask));
        bl_json_close_array(json);
    }
    bl_json_close_array(json);
}

static void put_slots(struct bl_json *json, const struct bl_booking_spec *spec)
{
    if (!spec->slot_count) {
        return;
    }
    bl_json_key(json, "slots");
    bl_json_open_array(json);
    for (size_t i = 0; i < spec->slot_count; i++) {
        bl_json_open_array(json);
        bl_json_int(json, spec->slot[i].start);
        bl_json_int(json, spec->slot[i].end);
        if (spec->number) {
            bl_json_int(json, spec->number[i]);
        }
        bl_json_close_array(json);
    }
    bl_json_close_array(json);
}

static void put_occurrences(struct bl_json *json, const struct bl_booking_past *past)
{
    if (!past->occurrence_count) {
        return;
    }
    bl_json_key(json, "occurrences");
    bl_json_open_array(json);
    for (size_t i = 0; i < past->occurrence_count; i++) {
        bl_json_open_object(json);
        bl_record_put_fields(json, bl_record_occurrence_fields, &past->occurrence[i]);
        bl_record_put_parts(json, "where", &past->occurrence[i].alloc);
        bl_json_close_object(json);
    }
    bl_json_close_array(json);
}

static void put_past(struct bl_json *json, const struct bl_booking_past *past)
{
    bl_json_key(json, "booking");
    bl_json_open_object(json);
    bl_record_put_fields(json, bl_record_booking_fields, past);
    bl_record_put_places(json, past->spec.on, past->spec.on_count);
    put_slots(json, &past->spec);
    put_occurrences(json, past);
    bl_json_close_object(json);
}

void bl_record_put_booking(struct bl_json *json, const struct bl_event *event)
{
    if (event->kind == BL_EVENT_RESERVED) {
        put_past(json, &(struct bl_booking_past){.spec = *event->u.reserved});
    } else if (event->kind == BL_EVENT_RESERVATION_CHANGED) {
        put_past(json, &(struct bl_booking_past){.spec = *event->u.rebooked.spec});
    } else if (event->kind == BL_EVENT_RESERVATION_RESTORED) {
        put_past(json, event->u.booking);
    }
}

static int read_place(const struct bl_tree_reader *in, const struct bl_tree *pair,
                      struct bl_booking_place *out)
{
    int status;

    if (pair->kind != BL_TREE_LIST || pair->child_count != 2) {
        return bl_tree_fail(in->source, pair, in->err, "expected [NODE, MASK]");
    }
    status = bl_tree_read_text(in, &pair->child[0], &out->node);
    return status == BL_OK ? bl_record_read_mask(in, &pair->child[1], &out->gpu_mask) : status;
}

int bl_record_read_places(const struct bl_tree_reader *in, const struct bl_tree *map,
                          const struct bl_booking_place **out, size_t *count)
{
    const struct bl_tree *list = NULL;
    int status = bl_record_find_list(in, map, "on", BL_BOOKING_ON_MAX, &list);

    if (status == BL_OK && list) {
        struct bl_booking_place *on = bl_arena_alloc(in->arena, list->child_count * sizeof *on);

        for (size_t i = 0; i < list->child_count && status == BL_OK; i++) {
            status = read_place(in, &list->child[i], &on[i]);
        }
        *out = on;
        *count = list->child_count;
    }
    return status;
}

static int read_slot(const struct bl_tree_reader *in, const struct bl_tree *item,
                     struct bl_slot *out, int32_t *number)
{
    static const struct bl_int_range instant = {-(INT64_C(1) << 60), INT64_C(1) << 60};
    static const struct bl_int_range numbers = {1, BL_OCCURRENCE_NUMBER_MAX};
    int64_t given = 0;
    int status;

    if (item->kind != BL_TREE_LIST || item->child_count != (number ? 3 : 2)) {
        return bl_tree_fail(in->source, item, in->err, "expected [START, END%s]",
                            number ? ", NUMBER" : "");
    }
    status = bl_tree_read_int(in, &item->child[0], instant, &out->start);
    if (status == BL_OK) {
        status = bl_tree_read_int(in, &item->child[1], instant, &out->end);
    }
    if (status == BL_OK && number) {
        status = bl_tree_read_int(in, &item->child[2], numbers, &given);
        *number = (int32_t)given;
    }
    return status;
}

/* All of them have numbers, or none. */
static bool has_numbers(const struct bl_tree *list)
{
    return list->child_count > 0 && list->child[0].kind == BL_TREE_LIST &&
           list->child[0].child_count == 3;
}

static int read_slots(const struct bl_tree_reader *in, const struct bl_tree *map,
                      struct bl_booking_spec *spec)
{
    const struct bl_tree *list = NULL;
    int status = bl_record_find_list(in, map, "slots", BL_BOOKING_SLOTS_MAX, &list);

    if (status == BL_OK && list) {
        struct bl_slot *slot = bl_arena_alloc(in->arena, list->child_count * sizeof *slot);
        int32_t *number = NULL;

        if (has_numbers(list)) {
            number = bl_arena_alloc(in->arena, list->child_count * sizeof *number);
        }
        for (size_t i = 0; i < list->child_count && status == BL_OK; i++) {
            status = read_slot(in, &list->child[i], &slot[i], number ? &number[i] : NULL);
        }
        spec->slot = slot;
        spec->number = number;
        spec->slot_count = list->child_count;
    }
    return status;
}

static int read_occurrence(const struct bl_tree_reader *in, const struct bl_tree *map,
                           struct bl_occurrence *out)
{
    const struct bl_alloc *alloc = NULL;
    int status = bl_record_read_fields(in, map, bl_record_occurrence_fields, out);

    if (status == BL_OK) {
        status = bl_record_read_parts(in, map, "where", &alloc);
    }
    if (status == BL_OK && out->end <= out->start) {
        return bl_tree_fail(in->source, map, in->err, "expected start_us < end_us");
    }
    out->alloc = alloc ? *alloc : (struct bl_alloc){0};
    return status;
}

static int read_occurrences(const struct bl_tree_reader *in, const struct bl_tree *map,
                            struct bl_booking_past *past)
{
    const struct bl_tree *list = NULL;
    int status = bl_record_find_list(in, map, "occurrences", BL_OCCURRENCE_NUMBER_MAX, &list);

    if (status == BL_OK && list) {
        struct bl_occurrence *made = bl_arena_alloc(in->arena, list->child_count * sizeof *made);

        for (size_t i = 0; i < list->child_count && status == BL_OK; i++) {
            status = read_occurrence(in, &list->child[i], &made[i]);
            if (status == BL_OK && i > 0 && made[i].number <= made[i - 1].number) {
                return bl_tree_fail(in->source, &list->child[i], in->err,
                                    "expected occurrences in order of their numbers");
            }
        }
        past->occurrence = made;
        past->occurrence_count = list->child_count;
    }
    return status;
}

static int read_past(const struct bl_tree_reader *in, const struct bl_tree *map,
                     struct bl_booking_past *past)
{
    const struct bl_tree *booking = bl_tree_given(map, "booking");
    int status;

    if (!booking) {
        return bl_tree_fail(in->source, map, in->err, "expected the key 'booking'");
    }
    status = bl_record_read_fields(in, booking, bl_record_booking_fields, past);
    if (status == BL_OK) {
        status = bl_record_read_places(in, booking, &past->spec.on, &past->spec.on_count);
    }
    if (status == BL_OK) {
        status = read_slots(in, booking, &past->spec);
    }
    return status == BL_OK ? read_occurrences(in, booking, past) : status;
}

int bl_record_read_booking(const struct bl_tree_reader *in, const struct bl_tree *map,
                           struct bl_event *event)
{
    struct bl_booking_past *past = bl_arena_alloc(in->arena, sizeof *past);
    int status = BL_OK;

    if (event->kind == BL_EVENT_RESERVED || event->kind == BL_EVENT_RESERVATION_CHANGED ||
        event->kind == BL_EVENT_RESERVATION_RESTORED) {
        status = read_past(in, map, past);
    }
    if (event->kind == BL_EVENT_RESERVED) {
        event->u.reserved = &past->spec;
    } else if (event->kind == BL_EVENT_RESERVATION_CHANGED) {
        event->u.rebooked.spec = &past->spec;
    } else if (event->kind == BL_EVENT_RESERVATION_RESTORED) {
        event->u.booking = past;
    }
    return status;
}
