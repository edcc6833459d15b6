/* What somebody wants booked, as a request or a file says it: how many GPUs or which, from when,
 * for how long, how often. Instants and rules stay text until somebody reads them who knows the
 * present and the zone (src/calendar).
 *
 *     {gpus: 4, from: "2026-12-01 09:00", for: 6h, every: weekly, until: 2027-03-01}
 *     {on: "n1:0-3 n2", from: 14:00, until_at: 17:30, flex: 2h}
 */
#ifndef BL_FORM_BOOKINGSPEC_H
#define BL_FORM_BOOKINGSPEC_H

#include "core/reservation.h"
#include "form/tree.h"

enum bl_booking_key {
    BL_BOOKING_KEY_GPUS,
    BL_BOOKING_KEY_NODES,
    BL_BOOKING_KEY_ON,
    BL_BOOKING_KEY_GPU_TYPE,
    BL_BOOKING_KEY_POOL,
    BL_BOOKING_KEY_FROM,
    BL_BOOKING_KEY_FOR,
    BL_BOOKING_KEY_UNTIL_AT,
    BL_BOOKING_KEY_EVERY,
    BL_BOOKING_KEY_UNTIL,
    BL_BOOKING_KEY_FLEX,
    BL_BOOKING_KEY_ZONE,
    BL_BOOKING_KEY_FOLD,
    BL_BOOKING_KEY_NAME,
    BL_BOOKING_KEY_USER,
    BL_BOOKING_KEY_PROJECT,
    BL_BOOKING_KEY_RELEASE_AFTER,
    BL_BOOKING_KEY_OCCURRENCE,
    BL_BOOKING_KEY_FOLLOWING,
    BL_BOOKING_KEY_COUNT
};

/* Which of two instants is meant where the clocks show a time twice. */
enum bl_booking_fold { BL_BOOKING_FOLD_ASK, BL_BOOKING_FOLD_FIRST, BL_BOOKING_FOLD_SECOND };

/* Texts and arrays are in the arena; zeroes where a key is absent, or null. */
struct bl_bookingspec {
    bool has[BL_BOOKING_KEY_COUNT];    /* it is there */
    int32_t gpus;                      /* 1 or more where it is given */
    const struct bl_booking_place *on; /* of `nodes` and `on`; node NULL = the only one */
    size_t on_count;
    const char *gpu_type, *pool;
    const char *from, *until_at;
    bl_time duration; /* `for` */
    const char *every, *until;
    bl_time flex, release_after;
    const char *zone;
    enum bl_booking_fold fold;
    const char *name, *user, *project;
    int32_t occurrence; /* of an edit; 0 = not given */
    bool following;
};

/* Whether keys of an edit may stand there. */
enum bl_bookingspec_use { BL_BOOKINGSPEC_NEW, BL_BOOKINGSPEC_EDIT };

/* A new one needs GPUs (`gpus`, or `nodes` or `on`), `from`, and `for` or `until_at`. */
int bl_bookingspec_read(const struct bl_tree_source *source, const struct bl_tree *tree,
                        enum bl_bookingspec_use use, struct bl_arena *arena,
                        struct bl_bookingspec *out, struct bl_error *err);

/* The key's word; also of the fields of errors. */
const char *bl_booking_key_name(enum bl_booking_key key);

/* Reads "n[1-4]", "n1:0-3,5 n2", "gpu0-3" (of the only node): places between blanks. */
int bl_booking_places_read(const char *text, struct bl_arena *arena,
                           const struct bl_booking_place **out, size_t *count,
                           struct bl_error *err);

/* "r17", "r17.3": the id, and the occurrence or 0. False for other texts. */
bool bl_booking_id_parse(const char *text, int64_t *id, int32_t *occurrence);

#endif
