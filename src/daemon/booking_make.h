/* From what somebody wrote to what the core books: instants, the slots of a series, names. */
#ifndef BL_DAEMON_BOOKING_MAKE_H
#define BL_DAEMON_BOOKING_MAKE_H

#include "calendar/series.h"
#include "core/core.h"
#include "core/reservation.h"
#include "form/bookingspec.h"

struct bl_booking_maker {
    const struct bl_core *core;
    bl_time now;
    const char *zone;      /* where the request names none */
    bl_time release_after; /* the same */
    struct bl_arena *arena;
    struct bl_error *err;
};

/* All but id, user and uid. What is wrong is an error with its field. */
int bl_booking_make(const struct bl_booking_maker *maker, const struct bl_bookingspec *asked,
                    struct bl_booking_spec *out);

/* The booking with what the edit asks for. Keys that it does not name stay as they are; without an
 * occurrence, all that are not over are meant. `room` is what out->spec points to. BL_EREFUSED when
 * it is over. */
int bl_booking_edit(const struct bl_booking_maker *maker, const struct bl_booking *booking,
                    const struct bl_bookingspec *asked, struct bl_booking_spec *room,
                    struct bl_booking_wish *out);

/* What a series has behind its last occurrence up to the horizon: *out is false when there is
 * nothing, or the booking is none. */
int bl_booking_extend(const struct bl_booking_maker *maker, const struct bl_booking *booking,
                      struct bl_booking_spec *room, struct bl_booking_wish *wish, bool *out);

#endif
