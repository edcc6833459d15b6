/* Bookings as the API shows them, and why one cannot be. */
#ifndef BL_DAEMON_BOOKING_JSON_H
#define BL_DAEMON_BOOKING_JSON_H

#include "core/core.h"
#include "core/reservation.h"
#include "daemon/http.h"
#include "daemon/members.h"
#include "form/json_out.h"

/* "r17.3": the name of an occurrence; of a booking with one alone "r17". */
void bl_booking_ref_print(struct bl_buf *out, const struct bl_booking *booking,
                          const struct bl_occurrence *occurrence);

/* The keys of one occurrence with those of its booking, into an object that is open. */
void bl_booking_json_write_keys(struct bl_json *json, const struct bl_cluster *cluster,
                                const struct bl_booking *booking,
                                const struct bl_occurrence *occurrence);

/* The key "project_checked": whether this machine knows who is in the booking's project. */
void bl_booking_json_write_checked(struct bl_json *json, const struct bl_booking *booking,
                                   struct bl_members_list *members);

/* The keys of one booking, into an object that is open: those of the occurrence that comes next, or
 * else was the last, and `slots`, all of them, and `notes`. */
void bl_booking_json_write_whole(struct bl_json *json, const struct bl_cluster *cluster,
                                 const struct bl_booking *booking);

/* What the core found wrong with a wish. */
struct bl_booking_refusal {
    const struct bl_core *core;
    const struct bl_booking_wish *wish;
    const struct bl_openings *openings;
};

/* The error, and how it is answered. */
enum bl_answer bl_booking_refusal_say(const struct bl_booking_refusal *refusal,
                                      struct bl_error *err);

/* Appends {"error": …, "conflicts": […], "openings": […]}. */
void bl_booking_refusal_print(struct bl_buf *out, const struct bl_booking_refusal *refusal);

#endif
