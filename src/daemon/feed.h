/* A calendar of bookings and jobs for other programs: what calendar/ical.h writes. Series go out
 * with their rule; what is only expected is tentative. */
#ifndef BL_DAEMON_FEED_H
#define BL_DAEMON_FEED_H

#include "daemon/ledger.h"

enum {
    BL_FEED_EVENTS_MAX = 4000, /* bookings first, then what starts first */
    BL_FEED_BYTES_MAX = 16 * 1024 * 1024
};

/* How much of the past is in it. */
#define BL_FEED_PAST (31 * BL_DAY)

enum bl_feed_whose { BL_FEED_MINE, BL_FEED_ALL, BL_FEED_NONE };

struct bl_feed_wish {
    int64_t uid; /* who MINE is */
    enum bl_feed_whose jobs, reservations;
    bl_time now;
    const char *site; /* the part of UIDs that tells daemons apart: the machine's name */
};

int bl_feed_write(const struct bl_ledger *ledger, const struct bl_feed_wish *wish,
                  struct bl_buf *out, struct bl_error *err);

#endif
