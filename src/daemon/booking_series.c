#include "daemon/booking_series.h"

#define PAST (31 * BL_DAY)

int32_t bl_booking_series_shift(const struct bl_booking *booking,
                                const struct bl_series_slots *slots)
{
    for (size_t i = 0; i < booking->occurrence_count; i++) {
        const struct bl_occurrence *one = &booking->occurrence[i];

        for (size_t k = 0; k < slots->slots.count; k++) {
            if (slots->slots.at[k].start == one->asked_start &&
                one->number >= slots->slots.at[k].number) {
                return one->number - slots->slots.at[k].number;
            }
        }
    }
    return -1;
}

bl_time bl_booking_series_from(const struct bl_booking *booking, bl_time now)
{
    bl_time first = booking->occurrence[0].asked_start;
    bl_time last = booking->occurrence[booking->occurrence_count - 1].asked_start;
    bl_time from = first > now - PAST ? first : now - PAST;

    return from < last ? from : last;
}
