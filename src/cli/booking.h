/* Reservations as the client asks for them and tells of them. */
#ifndef BL_CLI_BOOKING_H
#define BL_CLI_BOOKING_H

#include "base/arena.h"
#include "base/span.h"
#include "cli/cli.h"
#include "form/tree.h"

/* A request: its body is a map of the keys of docs/api.md, whose texts are borrowed. */
struct bl_booking_request {
    const char *path;
    enum { BL_BOOKING_POST, BL_BOOKING_PATCH } method;
    struct bl_tree *body;
    struct bl_arena *arena;
    int32_t occurrence; /* that is asked for; 0: all of them */
    bool is_of_flags;   /* errors name flags; else the keys as they were written */
};

/* Puts "KEY=VALUE" of the API's keys into a body; "none" takes away. Days are named in the local
 * zone. */
void bl_booking_put(const struct bl_booking_request *request, const char *key, const char *value);

/* The local zone, unless the body names one. */
void bl_booking_put_zone(const struct bl_booking_request *request);

/* Sends it. What others have then is told with the openings that fit: on a terminal one of them can
 * be chosen, which is sent then; else it is BL_EREFUSED, and the list is on standard error. */
int bl_booking_send(struct bl_cli *cli, const struct bl_booking_request *request,
                    struct bl_reply *reply, struct bl_error *err);

/* Sends it and tells what was booked. */
int bl_booking_ask(struct bl_cli *cli, const struct bl_booking_request *request,
                   struct bl_error *err);

/* Appends "tomorrow 09:00–15:00". */
void bl_booking_print_range(struct bl_buf *out, bl_time start, bl_time end, bl_time now);

/* Appends one line on a booking that was made or changed: "r17 demo: 4 GPUs on node1 gpu0-3,
 * tomorrow 09:00–15:00". */
void bl_booking_print(struct bl_buf *out, const struct bl_tree *booking, bl_time now);

/* The same of one occurrence of a series, "r17.3 demo: …", or of the booking where it has none of
 * that number. */
void bl_booking_print_one(struct bl_buf *out, const struct bl_tree *booking, int32_t occurrence,
                          bl_time now);

/* The same of an answer, or, where JSON was asked for, the answer. */
void bl_booking_tell(const struct bl_cli *cli, const struct bl_reply *reply, int32_t occurrence,
                     struct bl_buf *out);

/* Whether any job that names its project may use it, as nobody knows who is in that. */
bool bl_booking_is_claimed(const struct bl_tree *booking);

/* Appends "every week on Mon"; nothing where it is no series. */
void bl_booking_print_rule(struct bl_buf *out, const struct bl_tree *booking);

/* Appends why it was refused and what fits, from the answer of the daemon. */
void bl_booking_print_refusal(struct bl_buf *out, const struct bl_tree *answer, bl_time now);

#endif
