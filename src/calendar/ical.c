#include "calendar/ical.h"

#include "base/own.h"
#include "calendar/ical_line.h"
#include "calendar/ical_zone.h"

#include <string.h>

/* A zone's rules reach as far past what is booked as somebody may keep a feed. */
#define ZONE_REACH (1830 * BL_DAY)

static bool has_text(const char *text)
{
    return text && *text;
}

/* --- one event ------------------------------------------------------------------------------- */

static void put_categories(struct bl_buf *out, const struct bl_ical_event *event)
{
    BL_AUTO_BUF line = {0};
    const char *between = "CATEGORIES:";

    for (size_t i = 0; i < event->category_count; i++) {
        if (has_text(event->category[i])) {
            bl_buf_append_text(&line, between);
            bl_ical_escape(&line, event->category[i]);
            between = ",";
        }
    }
    if (line.length) {
        bl_ical_fold(out, bl_buf_text(&line), line.length);
    }
}

static void put_head(struct bl_buf *out, const struct bl_ical_event *event)
{
    bl_ical_put(out, "BEGIN:VEVENT");
    bl_ical_put_text(out, "UID", event->uid);
    bl_ical_put(out, "SEQUENCE:%lld", (long long)event->sequence);
    bl_ical_put_utc(out, "DTSTAMP", event->stamp);
}

static void put_texts(struct bl_buf *out, const struct bl_ical_event *event)
{
    const struct {
        const char *name, *text;
    } rows[] = {{"SUMMARY", event->summary},
                {"DESCRIPTION", event->description},
                {"LOCATION", event->location}};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (has_text(rows[i].text)) {
            bl_ical_put_text(out, rows[i].name, rows[i].text);
        }
    }
    put_categories(out, event);
}

static void put_foot(struct bl_buf *out, const struct bl_ical_event *event)
{
    static const char *const words[] = {"CONFIRMED", "TENTATIVE", "CANCELLED"};

    put_texts(out, event);
    bl_ical_put(out, "STATUS:%s", words[event->status]);
    bl_ical_put(out, "TRANSP:%s", event->status == BL_ICAL_CONFIRMED ? "OPAQUE" : "TRANSPARENT");
    bl_ical_put(out, "END:VEVENT");
}

static void put_once(struct bl_buf *out, const struct bl_ical_event *event)
{
    put_head(out, event);
    bl_ical_put_utc(out, "DTSTART", event->start);
    if (event->end > event->start) {
        bl_ical_put_utc(out, "DTEND", event->end);
    }
    put_foot(out, event);
}

/* --- a series -------------------------------------------------------------------------------- */

/* The booked occurrence of that number, NULL where it is gone; *next walks along. */
static const struct bl_ical_occurrence *find_booked(const struct bl_ical_series *series,
                                                    int32_t number, size_t *next)
{
    while (*next < series->count && series->occurrence[*next].number < number) {
        ++*next;
    }
    return *next < series->count && series->occurrence[*next].number == number
               ? &series->occurrence[*next]
               : NULL;
}

/* Whether readers of the rule see just that. They differ about local times that the clocks leave
 * out or show twice: those are told one by one. */
static bool is_as_the_rule(const struct bl_ical_series *series, const struct bl_series_slot *slot,
                           const struct bl_ical_occurrence *booked)
{
    struct bl_tz_found found;

    bl_tz_find(series->tz, &slot->wall, &found);
    return found.showing == BL_TZ_ONCE && booked->start == found.first &&
           booked->end == found.first + series->series->duration;
}

static void put_gone(struct bl_buf *out, const struct bl_ical_series *series,
                     const struct bl_series_slots *slots)
{
    size_t next = 0;

    for (size_t i = 0; i < slots->slots.count; i++) {
        if (!find_booked(series, slots->slots.at[i].number, &next)) {
            bl_ical_put_local(out, "EXDATE", series->tz, &slots->slots.at[i].wall);
        }
    }
}

static void put_changed(struct bl_buf *out, const struct bl_ical_event *event,
                        const struct bl_series_slots *slots)
{
    const struct bl_ical_series *series = event->series;
    size_t next = 0;

    for (size_t i = 0; i < slots->slots.count; i++) {
        const struct bl_series_slot *slot = &slots->slots.at[i];
        const struct bl_ical_occurrence *booked = find_booked(series, slot->number, &next);

        if (!booked || is_as_the_rule(series, slot, booked)) {
            continue;
        }
        put_head(out, event);
        bl_ical_put_local(out, "RECURRENCE-ID", series->tz, &slot->wall);
        bl_ical_put_at(out, "DTSTART", series->tz, booked->start);
        bl_ical_put_at(out, "DTEND", series->tz, booked->end);
        put_foot(out, event);
    }
}

/* How long each lasts, in elapsed time: by the end of the first, unless readers may differ about
 * its start. Then in hours at most, as a day has as many hours as the clocks make it. */
static void put_length(struct bl_buf *out, const struct bl_ical_series *series,
                       const struct bl_series_slot *first)
{
    bl_time duration = series->series->duration;
    int64_t seconds = duration / BL_SECOND;
    struct bl_tz_found found;

    bl_tz_find(series->tz, &first->wall, &found);
    if (found.showing == BL_TZ_ONCE) {
        bl_ical_put_at(out, "DTEND", series->tz, first->start + duration);
    } else {
        bl_ical_put(out, "DURATION:PT%lldH%lldM%lldS", (long long)(seconds / 3600),
                    (long long)(seconds % 3600 / 60), (long long)(seconds % 60));
    }
}

static int put_series(struct bl_buf *out, const struct bl_ical_event *event, struct bl_error *err)
{
    const struct bl_ical_series *series = event->series;
    BL_AUTO_SERIES_SLOTS slots = {0};
    struct bl_series_slot first = {0};
    BL_AUTO_BUF rule = {0};

    if (bl_series_find_first(series->series, series->tz, &series->window, &first, err) ||
        bl_series_expand(series->series, series->tz, &series->window, &slots, err)) {
        return bl_wrap(err, "%.64s", event->uid);
    }
    bl_rule_print(&rule, &series->series->rule);
    put_head(out, event);
    bl_ical_put_local(out, "DTSTART", series->tz, &first.wall);
    put_length(out, series, &first);
    bl_ical_put(out, "RRULE:%s", bl_buf_text(&rule));
    put_gone(out, series, &slots);
    put_foot(out, event);
    put_changed(out, event, &slots);
    return BL_OK;
}

/* --- zones ----------------------------------------------------------------------------------- */

/* Whether an event before this one has the zone already. */
static bool is_told(const struct bl_ical_calendar *calendar, size_t index)
{
    const char *name = bl_tz_name(calendar->event[index].series->tz);

    for (size_t i = 0; i < index; i++) {
        const struct bl_ical_series *series = calendar->event[i].series;

        if (series && !strcmp(bl_tz_name(series->tz), name)) {
            return true;
        }
    }
    return false;
}

/* The span of all series in that zone. */
static void put_zone(struct bl_buf *out, const struct bl_ical_calendar *calendar,
                     const struct bl_tz *tz)
{
    bl_time from = BL_TIME_NEVER;
    bl_time to = 0;

    for (size_t i = 0; i < calendar->count; i++) {
        const struct bl_ical_series *series = calendar->event[i].series;
        struct bl_tz_found found;

        if (!series || strcmp(bl_tz_name(series->tz), bl_tz_name(tz)) != 0) {
            continue;
        }
        bl_tz_find(tz, &series->series->first, &found);
        from = found.first < from ? found.first : from;
        to = series->window.horizon > to ? series->window.horizon : to;
    }
    bl_ical_put_zone(out, tz, from - BL_DAY, to + ZONE_REACH);
}

/* --- the calendar ---------------------------------------------------------------------------- */

static void put_calendar_head(struct bl_buf *out, const struct bl_ical_calendar *calendar)
{
    bl_ical_put(out, "BEGIN:VCALENDAR");
    bl_ical_put(out, "VERSION:2.0");
    bl_ical_put(out, "PRODID:-//baleen//baleen//EN");
    bl_ical_put(out, "CALSCALE:GREGORIAN");
    if (has_text(calendar->name)) {
        bl_ical_put_text(out, "NAME", calendar->name);
        bl_ical_put_text(out, "X-WR-CALNAME", calendar->name);
    }
    if (calendar->refresh > 0) {
        long long minutes = (calendar->refresh + BL_MINUTE - 1) / BL_MINUTE;

        bl_ical_put(out, "REFRESH-INTERVAL;VALUE=DURATION:PT%lldM", minutes);
        bl_ical_put(out, "X-PUBLISHED-TTL:PT%lldM", minutes);
    }
}

int bl_ical_write(struct bl_buf *out, const struct bl_ical_calendar *calendar, struct bl_error *err)
{
    BL_AUTO_BUF text = {.ceiling = out->ceiling};

    put_calendar_head(&text, calendar);
    for (size_t i = 0; i < calendar->count; i++) {
        if (calendar->event[i].series && !is_told(calendar, i)) {
            put_zone(&text, calendar, calendar->event[i].series->tz);
        }
    }
    for (size_t i = 0; i < calendar->count; i++) {
        if (!calendar->event[i].series) {
            put_once(&text, &calendar->event[i]);
        } else if (put_series(&text, &calendar->event[i], err)) {
            return BL_EINVAL;
        }
    }
    bl_ical_put(&text, "END:VCALENDAR");
    if (text.overflowed) {
        return bl_fail(err, BL_ETOOBIG, "the calendar is larger than %zu bytes", text.ceiling);
    }
    bl_buf_append(out, bl_buf_text(&text), text.length);
    return BL_OK;
}
