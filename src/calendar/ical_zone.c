#include "calendar/ical_zone.h"

#include "calendar/ical_line.h"

enum { STRETCHES_MAX = 100 };

static void put_offset(struct bl_buf *out, const char *name, bl_time offset)
{
    bl_time amount = offset < 0 ? -offset : offset;
    int hours = (int)(amount / BL_HOUR);
    int minutes = (int)(amount % BL_HOUR / BL_MINUTE);
    int seconds = (int)(amount % BL_MINUTE / BL_SECOND);

    if (seconds) {
        bl_ical_put(out, "%s:%c%02d%02d%02d", name, offset < 0 ? '-' : '+', hours, minutes,
                    seconds);
    } else {
        bl_ical_put(out, "%s:%c%02d%02d", name, offset < 0 ? '-' : '+', hours, minutes);
    }
}

static void put_civil(struct bl_buf *out, const char *name, const struct bl_civil *civil)
{
    bl_ical_put(out, "%s:%04d%02d%02dT%02d%02d%02d", name, civil->year, civil->month, civil->day,
                civil->hour, civil->minute, civil->second);
}

/* The clocks before the onset say when it is. */
static void put_stretch(struct bl_buf *out, const struct bl_tz *tz,
                        const struct bl_tz_stretch *stretch)
{
    const char *kind = stretch->is_summer ? "DAYLIGHT" : "STANDARD";
    struct bl_tz_stretch before = *stretch;
    bl_time onset = stretch->from > 0 ? stretch->from : 0;
    struct bl_civil civil;

    if (stretch->from > 0) {
        bl_tz_stretch(tz, stretch->from - 1, &before);
    }
    bl_zone_utc.to_civil(NULL, onset + before.offset, &civil);
    bl_ical_put(out, "BEGIN:%s", kind);
    put_civil(out, "DTSTART", &civil);
    put_offset(out, "TZOFFSETFROM", before.offset);
    put_offset(out, "TZOFFSETTO", stretch->offset);
    bl_ical_put_text(out, "TZNAME", stretch->abbreviation);
    bl_ical_put(out, "END:%s", kind);
}

void bl_ical_put_zone(struct bl_buf *out, const struct bl_tz *tz, bl_time from, bl_time to)
{
    struct bl_tz_stretch stretch;

    bl_ical_put(out, "BEGIN:VTIMEZONE");
    bl_ical_put(out, "TZID:%s", bl_tz_name(tz));
    bl_tz_stretch(tz, from, &stretch);
    put_stretch(out, tz, &stretch);
    for (int i = 1; i < STRETCHES_MAX && stretch.to < to; i++) {
        bl_tz_stretch(tz, stretch.to, &stretch);
        put_stretch(out, tz, &stretch);
    }
    bl_ical_put(out, "END:VTIMEZONE");
}

void bl_ical_put_local(struct bl_buf *out, const char *name, const struct bl_tz *tz,
                       const struct bl_civil *civil)
{
    BL_AUTO_BUF full = {0};

    bl_buf_printf(&full, "%s;TZID=%s", name, bl_tz_name(tz));
    put_civil(out, bl_buf_text(&full), civil);
}

void bl_ical_put_at(struct bl_buf *out, const char *name, const struct bl_tz *tz, bl_time at)
{
    struct bl_tz_found found;
    struct bl_civil civil;

    bl_tz_to_civil(tz, at, &civil);
    bl_tz_find(tz, &civil, &found);
    if (found.showing == BL_TZ_ONCE) {
        bl_ical_put_local(out, name, tz, &civil);
    } else {
        bl_ical_put_utc(out, name, at);
    }
}
