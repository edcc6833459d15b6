/* Reservations in a trace: the list `reservations` of a baleen YAML document. Times are spans from
 * the trace's beginning; `every` is a span, until `until`. */
#ifndef BL_FORM_TRACE_BOOKINGS_H
#define BL_FORM_TRACE_BOOKINGS_H

#include "core/reservation.h"
#include "form/tree.h"

/* Ids are their places in the list, from 1 on. From the arena; none when `list` is NULL. */
int bl_trace_bookings_read(const struct bl_tree_source *source, const struct bl_tree *list,
                           struct bl_arena *arena, const struct bl_booking_spec **out,
                           size_t *count, struct bl_error *err);

#endif
