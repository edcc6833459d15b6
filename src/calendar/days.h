/* Inside of the calendar: dates as days since the epoch, and which of them a rule means. */
#ifndef BL_CALENDAR_DAYS_H
#define BL_CALENDAR_DAYS_H

#include "calendar/rule.h"

int64_t bl_day_of(int32_t year, int32_t month, int32_t day);
void bl_day_to_civil(int64_t day, struct bl_civil *out);

/* 0 is Sunday. */
int32_t bl_day_weekday(int64_t day);

/* The days of one of the rule's periods (day, week, month or year): `index` 0 is the one that holds
 * `first`; each further one lies `interval` ahead. */
struct bl_day_range {
    int64_t from, to; /* [from, to) */
};

struct bl_day_range bl_rule_period(const struct bl_rule *rule, int64_t first, int64_t index);

/* The days of the period that the rule means, rising, those before `first` too; at most 366. */
size_t bl_rule_days(const struct bl_rule *rule, int64_t first, struct bl_day_range period,
                    int64_t out[366]);

#endif
