#include "calendar/tzrule.h"

#include "base/sort.h"
#include "form/instant.h"

#include <string.h>

enum { SHORTEST = 3, HOUR = 3600, HOURS_MAX = 167, YEARS = 3, CHANGES = 2 * YEARS };

static const int64_t day_seconds = 86400;

/* --- reading --------------------------------------------------------------------------------- */

/* Digits at *text, at most `high`; steps behind them. */
static bool take_number(const char **text, int32_t high, int32_t *out)
{
    int32_t value = 0;
    const char *at = *text;

    while (*at >= '0' && *at <= '9' && value <= high) {
        value = value * 10 + (*at++ - '0');
    }
    if (at == *text || value > high) {
        return false;
    }
    *text = at;
    *out = value;
    return true;
}

static bool take_char(const char **text, char c)
{
    if (**text != c) {
        return false;
    }
    ++*text;
    return true;
}

/* "CET" or "<+1030>". */
static bool take_abbreviation(const char **text, char out[BL_TZ_ABBREVIATION_MAX])
{
    bool is_quoted = **text == '<';
    const char *start = *text + is_quoted;
    size_t length = is_quoted
                        ? strcspn(start, ">")
                        : strspn(start, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");

    if (length < (is_quoted ? 1 : SHORTEST) || length >= BL_TZ_ABBREVIATION_MAX ||
        (is_quoted && start[length] != '>')) {
        return false;
    }
    memcpy(out, start, length);
    out[length] = '\0';
    *text = start + length + is_quoted;
    return true;
}

/* "-1", "+02:30", "167:59:59", in seconds. */
static bool take_time(const char **text, int32_t *out)
{
    int32_t part[3] = {0};
    bool is_negative = **text == '-';

    *text += **text == '-' || **text == '+';
    if (!take_number(text, HOURS_MAX, &part[0])) {
        return false;
    }
    for (int i = 1; i < 3 && **text == ':'; i++) {
        ++*text;
        if (!take_number(text, 59, &part[i])) {
            return false;
        }
    }
    *out = part[0] * HOUR + part[1] * 60 + part[2];
    *out = is_negative ? -*out : *out;
    return true;
}

static bool take_day(const char **text, struct bl_tz_change *out)
{
    if (**text == 'M') {
        ++*text;
        out->day = BL_TZ_DAY_OF_WEEK;
        return take_number(text, 12, &out->month) && out->month >= 1 && take_char(text, '.') &&
               take_number(text, 5, &out->week) && out->week >= 1 && take_char(text, '.') &&
               take_number(text, 6, &out->weekday);
    }
    if (**text == 'J') {
        ++*text;
        out->day = BL_TZ_DAY_BUT_LEAP;
        return take_number(text, 365, &out->number) && out->number >= 1;
    }
    out->day = BL_TZ_DAY_OF_YEAR;
    return take_number(text, 365, &out->number);
}

/* ",M3.5.0/2" */
static bool take_change(const char **text, struct bl_tz_change *out)
{
    out->time = 2 * HOUR;
    if (!take_char(text, ',') || !take_day(text, out)) {
        return false;
    }
    if (**text != '/') {
        return true;
    }
    ++*text;
    return take_time(text, &out->time);
}

static bool take_summer(const char **text, struct bl_tz_rule *rule)
{
    int32_t west = 0;

    rule->has_summer = true;
    rule->summer.is_summer = true;
    rule->summer.offset = rule->winter.offset + HOUR;
    if (!take_abbreviation(text, rule->summer.abbreviation)) {
        return false;
    }
    if (**text != ',') {
        if (!take_time(text, &west)) {
            return false;
        }
        rule->summer.offset = -west;
    }
    return take_change(text, &rule->to_summer) && take_change(text, &rule->to_winter);
}

bool bl_tz_rule_read(const char *text, struct bl_tz_rule *out)
{
    struct bl_tz_rule rule = {0};
    int32_t west = 0;

    if (!take_abbreviation(&text, rule.winter.abbreviation) || !take_time(&text, &west)) {
        return false;
    }
    rule.winter.offset = -west;
    if ((*text && !take_summer(&text, &rule)) || *text) {
        return false;
    }
    *out = rule;
    return true;
}

/* --- asking ---------------------------------------------------------------------------------- */

/* Seconds from the epoch to a date. */
static int64_t date(int32_t year, int32_t month, int32_t day)
{
    struct bl_civil civil = {.year = year, .month = month, .day = day};
    bl_time at = 0;

    bl_zone_utc.to_instant(NULL, &civil, &at, NULL);
    return at / BL_SECOND;
}

static int32_t year_of(int64_t at)
{
    struct bl_civil civil;

    bl_zone_utc.to_civil(NULL, at * BL_SECOND, &civil);
    return civil.year;
}

/* The first day of the year with that weekday in that week of the month. */
static int64_t day_of_week(const struct bl_tz_change *change, int32_t year)
{
    int64_t first = date(year, change->month, 1);
    int64_t next = change->month == 12 ? date(year + 1, 1, 1) : date(year, change->month + 1, 1);
    int64_t weekday = (first / day_seconds % 7 + 7 + 4) % 7; /* the epoch was a Thursday */
    int64_t day = first + ((change->weekday - weekday + 7) % 7 + (int64_t)(change->week - 1) * 7) *
                              day_seconds;

    return day < next ? day : day - 7 * day_seconds;
}

/* When the clocks change in that year, by those clocks. */
static int64_t local_change(const struct bl_tz_change *change, int32_t year)
{
    int64_t january = date(year, 1, 1);
    bool is_leap = date(year + 1, 1, 1) - january == 366 * day_seconds;

    switch (change->day) {
    case BL_TZ_DAY_OF_WEEK:
        return day_of_week(change, year) + change->time;
    case BL_TZ_DAY_BUT_LEAP:
        return january + (change->number - 1 + (is_leap && change->number >= 60)) * day_seconds +
               change->time;
    case BL_TZ_DAY_OF_YEAR:
        break;
    }
    return january + change->number * day_seconds + change->time;
}

struct change {
    int64_t at;
    const struct bl_tz_kind *to;
};

static int compare_changes(const void *left, const void *right)
{
    const struct change *a = left;
    const struct change *b = right;

    return (a->at > b->at) - (a->at < b->at);
}

/* Those of the year before, this one and the next: an instant has one on each side of it. */
static void list_changes(const struct bl_tz_rule *rule, int32_t year, struct change out[CHANGES])
{
    for (size_t i = 0; i < YEARS; i++) {
        int32_t of = year - 1 + (int32_t)i;

        out[2 * i] = (struct change){local_change(&rule->to_summer, of) - rule->winter.offset,
                                     &rule->summer};
        out[2 * i + 1] = (struct change){local_change(&rule->to_winter, of) - rule->summer.offset,
                                         &rule->winter};
    }
    bl_sort(out, CHANGES, sizeof *out, compare_changes);
}

const struct bl_tz_kind *bl_tz_rule_at(const struct bl_tz_rule *rule, int64_t at, int64_t *from,
                                       int64_t *to)
{
    struct change change[CHANGES];
    int last = 0;

    *from = INT64_MIN;
    *to = INT64_MAX;
    if (!rule->has_summer) {
        return &rule->winter;
    }
    list_changes(rule, year_of(at), change);
    while (last + 2 < CHANGES && change[last + 1].at <= at) {
        last++;
    }
    *from = change[last].at;
    *to = change[last + 1].at;
    return change[last].to;
}
