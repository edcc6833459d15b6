/* The occurrences of a booking and those of its rule. */
#ifndef BL_DAEMON_BOOKING_SERIES_H
#define BL_DAEMON_BOOKING_SERIES_H

#include "calendar/series.h"
#include "core/reservation.h"

/* The numbers of a series count from its first start: an edit of all following ones begins anew,
 * while those of the booking go on. By how much they differ, for most occurrences that stand at a
 * time of the rule; -1 where none does. */
int32_t bl_booking_series_shift(const struct bl_booking *booking,
                                const struct bl_series_slots *slots);

/* From when on slots are to be listed, so that the shift is found and what is long past is not. */
bl_time bl_booking_series_from(const struct bl_booking *booking, bl_time now);

/* The last one that is not over; NULL when all are. */
const struct bl_occurrence *bl_booking_last_live(const struct bl_booking *booking);

/* Which slots of a series an edit books, and with what numbers. What was cancelled, or is over for
 * another reason, stays so. */
struct bl_booking_numbers {
    const struct bl_booking *booking; /* NULL: it is new */
    int32_t shift;                    /* from the numbers of the series */
    int32_t first;                    /* of the edit: earlier ones are left alone */
    bool reopens;                     /* a series that was cut off goes on */
};

/* The number that the slot gets; 0: it is left out. */
int32_t bl_booking_number_of(const struct bl_booking_numbers *numbers,
                             const struct bl_series_slot *slot);

/* A number behind all that are over, `first` or later: a series that becomes another one cannot
 * leave out what was cancelled of the old one. */
int32_t bl_booking_fresh_number(const struct bl_booking *booking, int32_t first);

#endif
