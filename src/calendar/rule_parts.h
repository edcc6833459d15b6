/* Inside of calendar/rule.h. */
#ifndef BL_CALENDAR_RULE_PARTS_H
#define BL_CALENDAR_RULE_PARTS_H

#include "calendar/rule.h"

enum { BL_RULE_WEEKDAYS = 7 };

/* "SU" to "SA". */
extern const char *const bl_rule_weekday_codes[BL_RULE_WEEKDAYS];

/* "DAILY" to "YEARLY". */
extern const char *const bl_rule_frequencies[];

/* Reads RRULE text; `out` holds a rule without end on entry. */
int bl_rrule_read(const char *text, const struct bl_tz *tz, struct bl_rule *out,
                  struct bl_error *err);

/* Adds a weekday that is not there yet; false where there is no room. */
bool bl_rule_add_day(struct bl_rule *rule, struct bl_rule_day day);

/* The end that a text means: an instant, a local time, or the end of a date. */
int bl_rule_resolve_until(const char *text, const struct bl_tz *tz, bl_time *out,
                          struct bl_error *err);

/* The last second of a date. */
bl_time bl_rule_end_of_day(const struct bl_tz *tz, const struct bl_civil *date);

/* What holds for rules from both grammars: which parts go together. Sorts the lists. */
int bl_rule_check(struct bl_rule *rule, struct bl_error *err);

#endif
