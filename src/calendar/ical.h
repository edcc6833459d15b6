/* Calendars for other programs: VCALENDAR of RFC 5545 from bookings and estimates.
 *
 * A series goes out as one event with its rule, in local time with the zone's real stretches, so
 * that readers keep its time of day; occurrences that are not as the rule has them go out as EXDATE
 * where they are gone, and with a RECURRENCE-ID where they have other times. */
#ifndef BL_CALENDAR_ICAL_H
#define BL_CALENDAR_ICAL_H

#include "calendar/series.h"

enum bl_ical_status { BL_ICAL_CONFIRMED, BL_ICAL_TENTATIVE, BL_ICAL_CANCELLED };

/* An occurrence of a series as it is booked. */
struct bl_ical_occurrence {
    int32_t number;
    bl_time start, end;
};

/* What makes an event a series. Its occurrences in the window, by number; those that are not among
 * them are gone. Before and behind the window all is as the rule has it. */
struct bl_ical_series {
    const struct bl_series *series;
    const struct bl_tz *tz;
    struct bl_series_window window;
    const struct bl_ical_occurrence *occurrence;
    size_t count;
};

/* Texts may hold anything; NULL and "" are left out. */
struct bl_ical_event {
    const char *uid;  /* the same as long as it is the same thing */
    int64_t sequence; /* up with each change */
    bl_time stamp;    /* of the last change */
    bl_time start, end;
    enum bl_ical_status status; /* TENTATIVE does not make anybody busy */
    const char *summary, *description, *location;
    const char *const *category;
    size_t category_count;
    const struct bl_ical_series *series; /* NULL: once; else start and end are the series' own */
};

struct bl_ical_calendar {
    const char *name;
    bl_time refresh; /* how soon to ask again; 0 says nothing */
    const struct bl_ical_event *event;
    size_t count;
};

/* Appends the calendar. The same input makes the same bytes. Refuses a series that does not expand
 * in its window. */
int bl_ical_write(struct bl_buf *out, const struct bl_ical_calendar *calendar,
                  struct bl_error *err);

#endif
