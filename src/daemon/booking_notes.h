/* What somebody should know about a series that is booked: where the clocks make an occurrence
 * unlike the others. */
#ifndef BL_DAEMON_BOOKING_NOTES_H
#define BL_DAEMON_BOOKING_NOTES_H

#include "core/reservation.h"
#include "form/json_out.h"

/* The key `notes`, into an object that is open: of occurrences to come that stand where the rule
 * has them. */
void bl_booking_notes_write(struct bl_json *json, const struct bl_booking *booking);

#endif
