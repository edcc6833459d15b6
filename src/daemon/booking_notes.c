#include "daemon/booking_notes.h"

#include "calendar/series.h"

static const struct bl_occurrence *find_booked(const struct bl_booking *booking, bl_time start)
{
    for (size_t i = 0; i < booking->occurrence_count; i++) {
        const struct bl_occurrence *one = &booking->occurrence[i];

        if (one->asked_start == start && bl_occurrence_is_live(one)) {
            return one;
        }
    }
    return NULL;
}

static void write_note(struct bl_json *json, const struct bl_booking *booking,
                       const struct bl_series_slot *slot)
{
    const struct bl_occurrence *one =
        slot->is_moved || slot->is_shortened ? find_booked(booking, slot->start) : NULL;

    if (!one) {
        return;
    }
    bl_json_open_object(json);
    bl_json_put_int(json, "occurrence", one->number);
    bl_json_put_text(json, "kind", slot->is_moved ? "skipped" : "shortened");
    bl_json_put_instant(json, "start_at", one->start);
    bl_json_put_instant(json, "end_at", one->end);
    bl_json_close_object(json);
}

static void write_notes(struct bl_json *json, const struct bl_booking *booking)
{
    const struct bl_series_window window = {
        booking->occurrence[0].asked_start,
        booking->occurrence[booking->occurrence_count - 1].asked_start + BL_SECOND};
    BL_AUTO_TZ *tz = NULL;
    BL_AUTO_SERIES_SLOTS slots = {0};
    struct bl_series series = {0};

    if (bl_tz_create(booking->spec.zone, &tz, NULL) ||
        bl_series_read(booking->spec.rule, tz, &series, NULL) ||
        bl_series_expand(&series, tz, &window, &slots, NULL)) {
        return;
    }
    for (size_t i = 0; i < slots.slots.count; i++) {
        write_note(json, booking, &slots.slots.at[i]);
    }
}

void bl_booking_notes_write(struct bl_json *json, const struct bl_booking *booking)
{
    bl_json_key(json, "notes");
    bl_json_open_array(json);
    if (booking->spec.rule && booking->spec.zone && booking->occurrence_count) {
        write_notes(json, booking);
    }
    bl_json_close_array(json);
}
