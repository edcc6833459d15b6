#include "form/instant.h"

#include <stdbool.h>
#include <string.h>

enum { MONTHS = 12, ERA_DAYS = 146097, EPOCH_DAYS = 719468 };

static int fail_grammar(const char *text, struct bl_error *err)
{
    return bl_fail(err, BL_EINVAL,
                   "expected an instant like 2026-12-01T08:30, 2026-12-01T08:30:00Z, 16:00 or 2h "
                   "(from now), found '%.100s'",
                   text);
}

/* Days since the epoch: years are counted from March, so that the leap day is the last. */
static int64_t days_of(int32_t year, int32_t month, int32_t day)
{
    int64_t shifted = year - (month <= 2);
    int64_t era = shifted / 400;
    int64_t year_of_era = shifted - era * 400;
    int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;

    return era * ERA_DAYS + day_of_era - EPOCH_DAYS;
}

static void set_date(int64_t days, struct bl_civil *out)
{
    int64_t shifted = days + EPOCH_DAYS;
    int64_t era = shifted / ERA_DAYS;
    int64_t day_of_era = shifted - era * ERA_DAYS;
    int64_t year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    int64_t month = (5 * day_of_year + 2) / 153;

    out->day = (int32_t)(day_of_year - (153 * month + 2) / 5 + 1);
    out->month = (int32_t)(month < 10 ? month + 3 : month - 9);
    out->year = (int32_t)(year_of_era + era * 400 + (out->month <= 2));
}

static bl_time time_of_day(const struct bl_civil *civil)
{
    return civil->hour * BL_HOUR + civil->minute * BL_MINUTE + civil->second * BL_SECOND;
}

static bl_time utc_of(const struct bl_civil *civil)
{
    return days_of(civil->year, civil->month, civil->day) * BL_DAY + time_of_day(civil);
}

static int utc_to_instant(void *self, const struct bl_civil *civil, bl_time *out,
                          struct bl_error *err)
{
    (void)self;
    (void)err;
    *out = utc_of(civil);
    return BL_OK;
}

static void utc_to_civil(void *self, bl_time at, struct bl_civil *out)
{
    bl_time rest = at % BL_DAY;

    (void)self;
    rest += rest < 0 ? BL_DAY : 0;
    set_date((at - rest) / BL_DAY, out);
    out->hour = (int32_t)(rest / BL_HOUR);
    out->minute = (int32_t)(rest % BL_HOUR / BL_MINUTE);
    out->second = (int32_t)(rest % BL_MINUTE / BL_SECOND);
}

const struct bl_zone bl_zone_utc = {NULL, utc_to_instant, utc_to_civil};

/* Exactly `digits` digits at *text, in [low, high]; steps behind them. */
struct number {
    size_t digits;
    int32_t low, high;
};

static bool take_number(const char **text, struct number number, int32_t *out)
{
    int32_t value = 0;

    for (size_t i = 0; i < number.digits; i++) {
        char c = (*text)[i];

        if (c < '0' || c > '9') {
            return false;
        }
        value = value * 10 + (c - '0');
    }
    *text += number.digits;
    *out = value;
    return value >= number.low && value <= number.high;
}

static bool take_char(const char **text, char c)
{
    if (**text != c) {
        return false;
    }
    ++*text;
    return true;
}

/* "08:30", "08:30:15". */
static bool take_clock(const char **text, struct bl_civil *out)
{
    out->second = 0;
    if (!take_number(text, (struct number){2, 0, 23}, &out->hour) || !take_char(text, ':') ||
        !take_number(text, (struct number){2, 0, 59}, &out->minute)) {
        return false;
    }
    return !take_char(text, ':') || take_number(text, (struct number){2, 0, 59}, &out->second);
}

static int32_t last_day(int32_t year, int32_t month)
{
    static const int8_t days[MONTHS] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

    return days[month - 1] + (month == 2 && is_leap);
}

static bool take_date(const char **text, struct bl_civil *out)
{
    static const struct number year = {4, BL_INSTANT_YEAR_MIN, BL_INSTANT_YEAR_MAX};

    return take_number(text, year, &out->year) && take_char(text, '-') &&
           take_number(text, (struct number){2, 1, MONTHS}, &out->month) && take_char(text, '-') &&
           take_number(text, (struct number){2, 1, last_day(out->year, out->month)}, &out->day);
}

/* "Z", "+08:00", "-0530"; *has_zone stays false where nothing is left. */
static bool take_zone(const char **text, bool *has_zone, bl_time *offset)
{
    bool is_west = **text == '-';
    int32_t hours = 0;
    int32_t minutes = 0;

    *has_zone = **text != '\0';
    if (!*has_zone || take_char(text, 'Z')) {
        return true;
    }
    if ((!take_char(text, '+') && !take_char(text, '-')) ||
        !take_number(text, (struct number){2, 0, 23}, &hours)) {
        return false;
    }
    take_char(text, ':');
    if (!take_number(text, (struct number){2, 0, 59}, &minutes)) {
        return false;
    }
    *offset = hours * BL_HOUR + minutes * BL_MINUTE;
    *offset = is_west ? -*offset : *offset;
    return true;
}

static bool parse_date(const char *text, struct bl_instant *out)
{
    bool has_zone = false;
    bl_time offset = 0;

    if (!take_date(&text, &out->civil)) {
        return false;
    }
    if (*text && ((!take_char(&text, 'T') && !take_char(&text, ' ')) ||
                  !take_clock(&text, &out->civil) || !take_zone(&text, &has_zone, &offset))) {
        return false;
    }
    out->kind = has_zone ? BL_INSTANT_AT : BL_INSTANT_LOCAL;
    out->at = has_zone ? utc_of(&out->civil) - offset : 0;
    return !*text && out->at >= 0;
}

static bool parse_clock(const char *text, struct bl_instant *out)
{
    out->kind = BL_INSTANT_CLOCK;
    return take_clock(&text, &out->civil) && !*text;
}

static bool is_date(const char *text)
{
    return strspn(text, "0123456789") == 4 && text[4] == '-';
}

static bool is_clock(const char *text)
{
    return strchr(text, ':') != NULL;
}

int bl_instant_parse(const char *text, struct bl_instant *out, struct bl_error *err)
{
    struct bl_instant instant = {.kind = BL_INSTANT_AFTER};
    size_t length = strlen(text);
    bool is_good = false;

    if (is_date(text)) {
        is_good = parse_date(text, &instant);
    } else if (is_clock(text)) {
        is_good = parse_clock(text, &instant);
    } else {
        /* with a unit, as "30" would be a time of day to some and minutes to others */
        is_good = length && text[length - 1] >= 'a' && text[length - 1] <= 'z' &&
                  bl_span_parse(text, &instant.at, NULL) == BL_OK;
    }
    if (!is_good) {
        return fail_grammar(text, err);
    }
    *out = instant;
    return BL_OK;
}

/* The next time that the clocks of the zone show it: today, or else tomorrow. */
static int resolve_clock(const struct bl_civil *clock, bl_time now, const struct bl_zone *zone,
                         bl_time *out, struct bl_error *err)
{
    struct bl_civil civil = {0};
    bl_time at = 0;
    int status;

    zone->to_civil(zone->self, now, &civil);
    civil.hour = clock->hour;
    civil.minute = clock->minute;
    civil.second = clock->second;
    status = zone->to_instant(zone->self, &civil, &at, err);
    if (status == BL_OK && at < now) {
        set_date(days_of(civil.year, civil.month, civil.day) + 1, &civil);
        status = zone->to_instant(zone->self, &civil, &at, err);
    }
    if (status == BL_OK) {
        *out = at;
    }
    return status;
}

static int resolve(const struct bl_instant *instant, bl_time now, const struct bl_zone *zone,
                   bl_time *out, struct bl_error *err)
{
    switch (instant->kind) {
    case BL_INSTANT_NONE:
        *out = 0;
        return BL_OK;
    case BL_INSTANT_AT:
        *out = instant->at;
        return BL_OK;
    case BL_INSTANT_AFTER:
        *out = now + instant->at;
        return BL_OK;
    case BL_INSTANT_LOCAL:
        return zone->to_instant(zone->self, &instant->civil, out, err);
    case BL_INSTANT_CLOCK:
        break;
    }
    return resolve_clock(&instant->civil, now, zone, out, err);
}

int bl_instant_resolve(const struct bl_instant *instant, bl_time now, const struct bl_zone *zone,
                       bl_time *out, struct bl_error *err)
{
    bl_time at = 0;
    int status = resolve(instant, now, zone, &at, err);

    if (status == BL_OK) {
        *out = at > 0 ? at : 0;
    }
    return status;
}
