/* Inside of calendar/zone.h: the yearly rule behind a zone's last recorded change, as in
 * "CET-1CEST,M3.5.0,M10.5.0/3" (POSIX TZ with the additions of RFC 8536). Seconds, not bl_time. */
#ifndef BL_CALENDAR_TZRULE_H
#define BL_CALENDAR_TZRULE_H

#include <stdbool.h>
#include <stdint.h>

enum { BL_TZ_ABBREVIATION_MAX = 16 };

/* What the clocks show over a stretch of time. */
struct bl_tz_kind {
    int32_t offset; /* local - UTC */
    bool is_summer;
    char abbreviation[BL_TZ_ABBREVIATION_MAX];
};

enum bl_tz_day { BL_TZ_DAY_OF_YEAR, BL_TZ_DAY_BUT_LEAP, BL_TZ_DAY_OF_WEEK };

struct bl_tz_change {
    enum bl_tz_day day;
    int32_t month, week, weekday; /* of DAY_OF_WEEK; week 5 is the last one, weekday 0 is Sunday */
    int32_t number;               /* of the others: from 0, or from 1 with no 29 February */
    int32_t time;                 /* after midnight, by the clocks before the change */
};

struct bl_tz_rule {
    bool has_summer;
    struct bl_tz_kind winter, summer;
    struct bl_tz_change to_summer, to_winter;
};

/* False for what is no such rule. */
bool bl_tz_rule_read(const char *text, struct bl_tz_rule *out);

/* The stretch [*from, *to) around an instant; INT64_MIN and INT64_MAX where it has no end. */
const struct bl_tz_kind *bl_tz_rule_at(const struct bl_tz_rule *rule, int64_t at, int64_t *from,
                                       int64_t *to);

#endif
