#include "daemon/booking_series.h"

#include "base/sort.h"

#include <assert.h>

#define PAST (31 * BL_DAY)

/* By what one occurrence says; -1 where it stands at no time of the rule. */
static int32_t shift_of(const struct bl_occurrence *one, const struct bl_series_slots *slots)
{
    size_t low = 0;
    size_t high = slots->slots.count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (slots->slots.at[middle].start < one->asked_start) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < slots->slots.count && slots->slots.at[low].start == one->asked_start &&
                   one->number >= slots->slots.at[low].number
               ? one->number - slots->slots.at[low].number
               : -1;
}

static int compare_shifts(const void *left, const void *right)
{
    int32_t a = *(const int32_t *)left;
    int32_t b = *(const int32_t *)right;

    return (a > b) - (a < b);
}

/* Somebody may have moved an occurrence to the time of another: the most of them are right. */
int32_t bl_booking_series_shift(const struct bl_booking *booking,
                                const struct bl_series_slots *slots)
{
    BL_VEC(int32_t) shifts = {0};
    int32_t best = -1;
    size_t most = 0;
    size_t run = 0;

    for (size_t i = 0; i < booking->occurrence_count; i++) {
        int32_t shift = shift_of(&booking->occurrence[i], slots);

        if (shift >= 0) {
            BL_VEC_PUSH(&shifts, shift);
        }
    }
    if (shifts.count) {
        bl_sort(shifts.at, shifts.count, sizeof *shifts.at, compare_shifts);
    }
    for (size_t i = 0; i < shifts.count; i++) {
        run = i > 0 && shifts.at[i] == shifts.at[i - 1] ? run + 1 : 1;
        if (run > most) {
            most = run;
            best = shifts.at[i];
        }
    }
    BL_VEC_FINISH(&shifts);
    return best;
}

bl_time bl_booking_series_from(const struct bl_booking *booking, bl_time now)
{
    bl_time first = booking->occurrence[0].asked_start;
    bl_time last = booking->occurrence[booking->occurrence_count - 1].asked_start;
    bl_time from = first > now - PAST ? first : now - PAST;

    return from < last ? from : last;
}

const struct bl_occurrence *bl_booking_last_live(const struct bl_booking *booking)
{
    for (size_t i = booking->occurrence_count; i > 0; i--) {
        if (bl_occurrence_is_live(&booking->occurrence[i - 1])) {
            return &booking->occurrence[i - 1];
        }
    }
    return NULL;
}

static bool is_over(const struct bl_booking *booking, int32_t number)
{
    assert(booking->occurrence);
    for (size_t i = 0; i < booking->occurrence_count; i++) {
        if (booking->occurrence[i].number == number) {
            return !bl_occurrence_is_live(&booking->occurrence[i]);
        }
    }
    return false;
}

int32_t bl_booking_number_of(const struct bl_booking_numbers *numbers,
                             const struct bl_series_slot *slot)
{
    const struct bl_booking *booking = numbers->booking;
    const struct bl_occurrence *last = booking ? bl_booking_last_live(booking) : NULL;
    int32_t number = slot->number + numbers->shift;

    if (!booking) {
        return number;
    }
    if (number < numbers->first) {
        return 0;
    }
    if (booking->spec.is_closed && last && number > last->number) {
        return numbers->reopens ? number : 0;
    }
    return is_over(booking, number) ? 0 : number;
}

int32_t bl_booking_fresh_number(const struct bl_booking *booking, int32_t first)
{
    for (size_t i = booking->occurrence_count; i > 0; i--) {
        const struct bl_occurrence *one = &booking->occurrence[i - 1];

        if (one->number >= first && !bl_occurrence_is_live(one)) {
            return one->number + 1;
        }
    }
    return first;
}
