/* How a series repeats: RRULE of RFC 5545, as far as days go, and words for what is usual.
 *
 *     daily   weekdays   weekly   monthly   yearly
 *     weekly on mon,wed   daily until 2026-12-24   weekly 10 times
 *     FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE;UNTIL=20261224T080000Z
 *
 * An occurrence has the time of day of the first one: rules by the hour, minute or second are
 * refused, as are BYWEEKNO and BYYEARDAY. Every number has a ceiling. */
#ifndef BL_CALENDAR_RULE_H
#define BL_CALENDAR_RULE_H

#include "calendar/zone.h"

enum {
    BL_RULE_TEXT_MAX = 512, /* bytes of a rule that is read */
    BL_RULE_COUNT_MAX = 1000,
    BL_RULE_INTERVAL_MAX = 1000,
    BL_RULE_DAYS_MAX = 42,
    BL_RULE_POSITIONS_MAX = 16
};

/* In the order of RFC 5545: a rule may be limited by what is longer. */
enum bl_rule_every { BL_RULE_DAILY, BL_RULE_WEEKLY, BL_RULE_MONTHLY, BL_RULE_YEARLY };

/* "2MO": the second Monday; nth 0 is every one, -1 the last. */
struct bl_rule_day {
    int8_t weekday; /* 0 is Sunday */
    int8_t nth;
};

struct bl_rule {
    enum bl_rule_every every;
    int32_t interval; /* from 1 */
    int32_t count;    /* 0: without end */
    bl_time until;    /* the last one starts at it or before; BL_TIME_NEVER: without end */
    int8_t week_start;
    uint16_t months;          /* bit m: month m; none: all */
    uint32_t month_days;      /* bit d: the d-th */
    uint32_t month_days_back; /* bit d: the d-th from the end */
    struct bl_rule_day day[BL_RULE_DAYS_MAX];
    size_t day_count;
    int16_t position[BL_RULE_POSITIONS_MAX]; /* of the days of a period: 1 the first, -1 the last */
    size_t position_count;
};

/* Reads a rule or words; ends without a zone of their own are meant in `tz`. A date as the end
 * counts with its whole day. */
int bl_rule_read(const char *text, const struct bl_tz *tz, struct bl_rule *out,
                 struct bl_error *err);

/* Gives the rule an end from a text of its own, as of `--until`. Refused where it has one. */
int bl_rule_set_until(struct bl_rule *rule, const char *text, const struct bl_tz *tz,
                      struct bl_error *err);

/* Appends it as RRULE, the same for equal rules; bl_rule_read reads it back. */
void bl_rule_print(struct bl_buf *out, const struct bl_rule *rule);

enum bl_rule_language { BL_RULE_ENGLISH, BL_RULE_CHINESE };

/* Appends the rule for people: "every 2 weeks on Mon, Wed until 2026-12-24", "每 2
 * 周的周一、周三，到 2026-12-24 为止". Dates as `tz` shows them. */
void bl_rule_words(struct bl_buf *out, const struct bl_rule *rule, const struct bl_tz *tz,
                   enum bl_rule_language language);

#endif
