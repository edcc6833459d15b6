/* The occurrences of a booking and those of its rule. */
#ifndef BL_DAEMON_BOOKING_SERIES_H
#define BL_DAEMON_BOOKING_SERIES_H

#include "calendar/series.h"
#include "core/reservation.h"

/* The numbers of a series count from its first start: an edit of all following ones begins anew,
 * while those of the booking go on. By how much they differ; -1 where no occurrence stands at a
 * time of the rule. */
int32_t bl_booking_series_shift(const struct bl_booking *booking,
                                const struct bl_series_slots *slots);

/* From when on slots are to be listed, so that the shift is found and what is long past is not. */
bl_time bl_booking_series_from(const struct bl_booking *booking, bl_time now);

#endif
