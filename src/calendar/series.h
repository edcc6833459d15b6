/* A series of bookings as instants. Each occurrence starts when the clocks of the zone show the
 * time of day of the first one, across all their changes, and lasts as long as the first one in
 * elapsed time.
 *
 * Where a change of the clocks leaves that time out, the occurrence is moved forward by as much as
 * the clocks are, and where they show it twice, it takes the first, as RFC 5545 has it. Where an
 * occurrence would reach into the next one only because the clocks were put forward in between, it
 * ends there. */
#ifndef BL_CALENDAR_SERIES_H
#define BL_CALENDAR_SERIES_H

#include "base/vec.h"
#include "calendar/rule.h"

/* How far ahead series are expanded, and the most occurrences that one may have in that time. */
#define BL_SERIES_HORIZON (400 * BL_DAY)

enum { BL_SERIES_SLOTS_MAX = 1000 };

/* What is kept of a series: local times, so that a new edition of the time zone database moves its
 * instants and not its times of day. */
struct bl_series {
    struct bl_rule rule;
    struct bl_civil
        first; /* its time of day is that of all; an occurrence itself if it fits the rule */
    enum bl_tz_fold fold; /* of the first, where the clocks show it twice */
    bl_time duration;
};

/* Sets first and fold to what the clocks show at the instant. */
void bl_series_set_first(struct bl_series *series, const struct bl_tz *tz, bl_time at);

/* One line of text: "2026-12-01T09:00:00 6h FREQ=WEEKLY;BYDAY=MO". bl_series_read reads it back. */
void bl_series_print(struct bl_buf *out, const struct bl_series *series);
int bl_series_read(const char *text, const struct bl_tz *tz, struct bl_series *out,
                   struct bl_error *err);

/* What is asked for: occurrences that end after `from` and start before `horizon`. */
struct bl_series_window {
    bl_time from, horizon;
};

struct bl_series_slot {
    int32_t number; /* from 1, counted from the first of the series */
    bl_time start, end;
    struct bl_civil wall; /* the local time that the rule names */
    bool is_moved;        /* the clocks do not show it that day */
    bool is_shortened;    /* ends early, where the next one starts */
};

struct bl_series_slots {
    BL_VEC(struct bl_series_slot) slots;
    bool goes_on; /* there are more from the horizon on */
};

void bl_series_slots_finish(struct bl_series_slots *slots);

#define BL_AUTO_SERIES_SLOTS __attribute__((cleanup(bl_series_slots_finish))) struct bl_series_slots

/* `out` is empty before. Refused, with nothing given: a duration that is not positive or longer
 * than BL_SERIES_HORIZON, a rule that never matches up to the horizon, one with more than
 * BL_SERIES_SLOTS_MAX occurrences in the window, and one whose occurrences overlap. The field of
 * the failure is "every", "for" or "from". Takes time in proportion to the days up to the horizon.
 */
int bl_series_expand(const struct bl_series *series, const struct bl_tz *tz,
                     const struct bl_series_window *window, struct bl_series_slots *out,
                     struct bl_error *err);

/* The first occurrence of all, whenever it ends. Fails where bl_series_expand would, but for
 * overlaps and too many. */
int bl_series_find_first(const struct bl_series *series, const struct bl_tz *tz,
                         const struct bl_series_window *window, struct bl_series_slot *out,
                         struct bl_error *err);

#endif
