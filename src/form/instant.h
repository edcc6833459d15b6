/* Instants as people write them. What depends on the present or on a time zone is kept as it was
 * written, until somebody who knows both resolves it:
 *
 *     2026-12-01T08:30:00Z  2026-12-01T08:30+08:00     an instant
 *     2026-12-01T08:30  2026-12-01                     in the local zone
 *     16:00  08:30:15                                  the next time that the clock shows it
 *     2h  1d12h                                        from now
 */
#ifndef BL_FORM_INSTANT_H
#define BL_FORM_INSTANT_H

#include "base/span.h"

enum bl_instant_kind {
    BL_INSTANT_NONE,
    BL_INSTANT_AT,
    BL_INSTANT_LOCAL,
    BL_INSTANT_CLOCK,
    BL_INSTANT_AFTER
};

enum { BL_INSTANT_YEAR_MIN = 1970, BL_INSTANT_YEAR_MAX = 9999 };

/* A date and a time of day. */
struct bl_civil {
    int32_t year, month, day; /* 1 is January, and the first */
    int32_t hour, minute, second;
};

struct bl_instant {
    enum bl_instant_kind kind;
    bl_time at;            /* AT: the instant; AFTER: how long from now */
    struct bl_civil civil; /* LOCAL; of CLOCK only the time of day */
};

/* How a zone's clocks show time. `to_instant` may refuse a time that the clocks leave out. */
struct bl_zone {
    void *self;
    int (*to_instant)(void *self, const struct bl_civil *civil, bl_time *out, struct bl_error *err);
    void (*to_civil)(void *self, bl_time at, struct bl_civil *out);
};

extern const struct bl_zone bl_zone_utc;

int bl_instant_parse(const char *text, struct bl_instant *out, struct bl_error *err);

/* The instant in UTC; 0 for NONE and for what was before the epoch. */
int bl_instant_resolve(const struct bl_instant *instant, bl_time now, const struct bl_zone *zone,
                       bl_time *out, struct bl_error *err);

#endif
