#include "cli/when.h"

#include "base/own.h"
#include "cli/say.h"
#include "form/instant.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

static struct tm local_time(bl_time instant)
{
    time_t seconds = (time_t)(instant / BL_SECOND);
    struct tm out = {0};

    localtime_r(&seconds, &out);
    return out;
}

/* Days since some first one, by the local calendar. */
static int64_t day_number(const struct tm *at)
{
    struct tm noon = {
        .tm_year = at->tm_year, .tm_mon = at->tm_mon, .tm_mday = at->tm_mday, .tm_hour = 12};

    return (int64_t)timegm(&noon) / 86400;
}

/* As the library's clocks, which it stands beside: the zone of this process. */
static struct {
    char *own; /* what TZ said before another one was chosen; NULL = nothing */
    char *chosen;
} zones;

int bl_when_choose_zone(const char *name, struct bl_error *err)
{
    BL_AUTO_BUF path = {0};

    bl_buf_printf(&path, "/usr/share/zoneinfo/%s", name);
    if (!name[0] || name[0] == '/' || strstr(name, "..") || access(bl_buf_text(&path), R_OK)) {
        BL_FAIL_SAYING(err, BL_EINVAL, BL_SAY_E_ZONE, BL_T(name));
        return bl_say_hint(err, BL_SAY_H_ZONE, NULL);
    }
    if (!zones.chosen && getenv("TZ")) {
        zones.own = bl_copy_text(getenv("TZ"));
    }
    free(zones.chosen);
    zones.chosen = bl_copy_text(name);
    setenv("TZ", name, 1);
    tzset();
    return BL_OK;
}

void bl_when_leave_zone(void)
{
    if (!zones.chosen) {
        return;
    }
    if (zones.own) {
        setenv("TZ", zones.own, 1);
    } else {
        unsetenv("TZ");
    }
    tzset();
    free(zones.own);
    free(zones.chosen);
    zones.own = zones.chosen = NULL;
}

const char *bl_when_chosen_zone(void)
{
    return zones.chosen;
}

bool bl_when_is_same_day(bl_time a, bl_time b)
{
    struct tm first = local_time(a);
    struct tm second = local_time(b);

    return day_number(&first) == day_number(&second);
}

void bl_when_print(struct bl_buf *out, bl_time instant, bl_time now)
{
    struct tm at = local_time(instant);
    struct tm today = local_time(now);
    int64_t days = day_number(&at) - day_number(&today);
    char clock[16];
    char date[32];

    strftime(clock, sizeof clock, "%H:%M", &at);
    if (days == 0) {
        bl_buf_append_text(out, clock);
    } else if (days == 1 || days == -1) {
        BL_SAY(out, days == 1 ? BL_SAY_TOMORROW_AT : BL_SAY_YESTERDAY_AT, BL_T(clock));
    } else if (days > -7 && days < 7) {
        BL_SAY(out, (enum bl_message)(BL_SAY_WEEKDAY_AT_0 + at.tm_wday), BL_T(clock));
    } else {
        strftime(date, sizeof date, "%Y-%m-%d %H:%M", &at);
        bl_buf_append_text(out, date);
    }
}

void bl_when_print_iso(struct bl_buf *out, bl_time instant)
{
    time_t seconds = (time_t)(instant / BL_SECOND);
    struct tm at = {0};
    char text[40] = "";

    gmtime_r(&seconds, &at);
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &at);
    bl_buf_append_text(out, text);
}

/* --- reading --------------------------------------------------------------------------------- */

/* mktime moves what the clocks leave out; whoever wrote it should know. */
static int to_instant(void *self, const struct bl_civil *civil, bl_time *out, struct bl_error *err)
{
    struct tm at = {.tm_year = civil->year - 1900,
                    .tm_mon = civil->month - 1,
                    .tm_mday = civil->day,
                    .tm_hour = civil->hour,
                    .tm_min = civil->minute,
                    .tm_sec = civil->second,
                    .tm_isdst = -1};
    time_t seconds = mktime(&at);

    (void)self;
    if (at.tm_hour != civil->hour || at.tm_min != civil->minute) {
        char shown[48];

        snprintf(shown, sizeof shown, "%04d-%02d-%02d %02d:%02d", civil->year, civil->month,
                 civil->day, civil->hour, civil->minute);
        return BL_FAIL_SAYING(err, BL_EINVAL, BL_SAY_E_CLOCKS, BL_T(shown));
    }
    *out = (bl_time)seconds * BL_SECOND;
    return BL_OK;
}

static void to_civil(void *self, bl_time instant, struct bl_civil *out)
{
    struct tm at = local_time(instant);

    (void)self;
    *out = (struct bl_civil){.year = at.tm_year + 1900,
                             .month = at.tm_mon + 1,
                             .day = at.tm_mday,
                             .hour = at.tm_hour,
                             .minute = at.tm_min,
                             .second = at.tm_sec};
}

static const struct bl_zone local_zone = {NULL, to_instant, to_civil};

enum { NO_DAY = -2 };

/* "tomorrow", "Tue": how many days ahead; NO_DAY for other words. */
static int days_ahead(const char *word, size_t length, bl_time now)
{
    static const char *const weekdays[] = {"sunday",   "monday", "tuesday", "wednesday",
                                           "thursday", "friday", "saturday"};
    struct tm today = local_time(now);

    if (length == 5 && !strncasecmp(word, "today", 5)) {
        return 0;
    }
    if (length == 8 && !strncasecmp(word, "tomorrow", 8)) {
        return 1;
    }
    if (length == 9 && !strncasecmp(word, "yesterday", 9)) {
        return -1;
    }
    for (int i = 0; i < 7; i++) {
        if (length >= 3 && length <= strlen(weekdays[i]) &&
            !strncasecmp(word, weekdays[i], length)) {
            return (i - today.tm_wday + 6) % 7 + 1;
        }
    }
    return NO_DAY;
}

/* "tomorrow 09:00" is the date with that time of day. */
static int read_day(const char *clock, int days, bl_time now, struct bl_civil *out,
                    struct bl_error *err)
{
    struct tm today = local_time(now);
    struct bl_instant time_of_day = {.kind = BL_INSTANT_CLOCK};
    struct tm day = {.tm_year = today.tm_year,
                     .tm_mon = today.tm_mon,
                     .tm_mday = today.tm_mday + days,
                     .tm_hour = 12,
                     .tm_isdst = -1};
    int status = *clock ? bl_instant_parse(clock, &time_of_day, err) : BL_OK;

    if (!status && time_of_day.kind != BL_INSTANT_CLOCK) {
        status = BL_FAIL_SAYING(err, BL_EINVAL, BL_SAY_E_TIME_OF_DAY, BL_T(clock));
    }
    if (status) {
        return status;
    }
    mktime(&day);
    *out = time_of_day.civil;
    out->year = day.tm_year + 1900;
    out->month = day.tm_mon + 1;
    out->day = day.tm_mday;
    return BL_OK;
}

static int parse_day(const char *clock, int days, bl_time now, bl_time *out, struct bl_error *err)
{
    struct bl_civil civil = {0};
    int status = read_day(clock, days, now, &civil, err);

    return status ? status : to_instant(NULL, &civil, out, err);
}

void bl_when_print_civil(struct bl_buf *out, const char *text, bl_time now)
{
    size_t word = strcspn(text, " ");
    int days = days_ahead(text, word, now);
    struct bl_civil civil = {0};

    if (days == NO_DAY ||
        read_day(text + word + strspn(text + word, " "), days, now, &civil, NULL) != BL_OK) {
        bl_buf_append_text(out, text + (text[0] == '+'));
        return;
    }
    bl_buf_printf(out, "%04d-%02d-%02dT%02d:%02d:%02d", civil.year, civil.month, civil.day,
                  civil.hour, civil.minute, civil.second);
}

static int fail_form(const char *text, struct bl_error *err)
{
    BL_FAIL_SAYING(err, BL_EINVAL, BL_SAY_E_INSTANT, BL_T(text));
    return bl_say_hint(err, BL_SAY_H_TIMES, NULL);
}

int bl_when_parse(const char *text, bl_time now, bl_time *out, struct bl_error *err)
{
    size_t word = strcspn(text, " ");
    int days = days_ahead(text, word, now);
    struct bl_instant instant = {0};
    BL_AUTO_BUF joined = {0};

    if (!strcasecmp(text, "now")) {
        *out = now;
        return BL_OK;
    }
    if (days != NO_DAY) {
        return parse_day(text + word + strspn(text + word, " "), days, now, out, err);
    }
    bl_buf_append_text(&joined, text + (text[0] == '+' || text[0] == '-'));
    /* "2026-12-01 08:30", as people write it */
    if (word == 10 && joined.text && joined.text[word] == ' ') {
        joined.text[word] = 'T';
    }
    if (bl_instant_parse(bl_buf_text(&joined), &instant, NULL) ||
        ((text[0] == '+' || text[0] == '-') && instant.kind != BL_INSTANT_AFTER)) {
        return fail_form(text, err);
    }
    if (text[0] == '-') {
        *out = now - instant.at;
        return BL_OK;
    }
    return bl_instant_resolve(&instant, now, &local_zone, out, err);
}

bool bl_when_fix(const char *text, bl_time now, struct bl_buf *out)
{
    struct bl_instant instant = {0};
    bl_time at = 0;

    if (bl_instant_parse(text, &instant, NULL) ||
        (instant.kind != BL_INSTANT_LOCAL && instant.kind != BL_INSTANT_CLOCK) ||
        bl_instant_resolve(&instant, now, &local_zone, &at, NULL)) {
        return false;
    }
    bl_when_print_iso(out, at);
    return true;
}
