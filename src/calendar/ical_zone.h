/* Inside of calendar/ical.h: a zone for readers that do not know it. */
#ifndef BL_CALENDAR_ICAL_ZONE_H
#define BL_CALENDAR_ICAL_ZONE_H

#include "calendar/zone.h"

/* Appends a VTIMEZONE that is right in [from, to): the stretches of the zone, each by its own
 * onset. At most a hundred of them. */
void bl_ical_put_zone(struct bl_buf *out, const struct bl_tz *tz, bl_time from, bl_time to);

/* Appends a property in local time: "DTSTART;TZID=Europe/Berlin:20261201T090000". */
void bl_ical_put_local(struct bl_buf *out, const char *name, const struct bl_tz *tz,
                       const struct bl_civil *civil);

/* The same of an instant; in UTC where the clocks show its local time twice. */
void bl_ical_put_at(struct bl_buf *out, const char *name, const struct bl_tz *tz, bl_time at);

#endif
