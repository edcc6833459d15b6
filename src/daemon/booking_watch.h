/* Which bookings the last record changed: what the core does to them by its timers comes without a
 * word. */
#ifndef BL_DAEMON_BOOKING_WATCH_H
#define BL_DAEMON_BOOKING_WATCH_H

#include "base/map.h"
#include "base/vec.h"
#include "core/core.h"
#include "core/reservation.h"

/* An occurrence that is another than before, or is there no more. */
struct bl_booking_change {
    int64_t id;
    int32_t number;
    bool is_gone;
};

struct bl_booking_watch {
    struct bl_map seen; /* id -> struct bl_booking_seen, owned */
    BL_VEC(struct bl_booking_change) changes;
};

void bl_booking_watch_finish(struct bl_booking_watch *watch);

/* Compares all bookings but promises with how they were at the last look. */
void bl_booking_watch_look(struct bl_booking_watch *watch, const struct bl_core *core);

/* Whether the last look found something of that booking. */
bool bl_booking_watch_has(const struct bl_booking_watch *watch, int64_t id);

#endif
