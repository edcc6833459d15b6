/* Series against a naive model: every day is looked at by itself, and the C library says what the
 * clocks of a zone show. And against libical, where that is right. */
#include "bl_test.h"

#include "calendar/days.h"
#include "calendar/series.h"
#include "prop.h"

#include <libical/ical.h>
#include <time.h>

enum { CASES = 400, DAYS = 400, FIRST_DAYS = 1200, SLOTS_MAX = 1000, DAY_SECONDS = 86400 };

static const char *const zones[] = {"UTC",           "Europe/Berlin",       "America/New_York",
                                    "Asia/Shanghai", "Australia/Lord_Howe", "Africa/Casablanca"};

enum { ZONES = sizeof zones / sizeof *zones };

/* --- drawing --------------------------------------------------------------------------------- */

/* A list of numbers behind a key, or nothing. */
static void draw_numbers(struct bl_prop *prop, struct bl_buf *text, const char *key, int64_t high)
{
    int64_t count = bl_prop_chance(prop, 300) ? bl_prop_between(prop, 1, 3) : 0;

    for (int64_t i = 0; i < count; i++) {
        int64_t number = bl_prop_between(prop, 1, high);
        bool is_back = strcmp(key, ";BYMONTH=") != 0 && bl_prop_chance(prop, 300);

        bl_buf_printf(text, "%s%s%lld", i ? "," : key, is_back ? "-" : "", (long long)number);
    }
}

static void draw_days(struct bl_prop *prop, struct bl_buf *text, bool may_count)
{
    static const char *const codes[] = {"MO", "TU", "WE", "TH", "FR", "SA", "SU"};
    int64_t count = bl_prop_chance(prop, 400) ? bl_prop_between(prop, 1, 4) : 0;

    for (int64_t i = 0; i < count; i++) {
        bl_buf_append_text(text, i ? "," : ";BYDAY=");
        if (may_count && bl_prop_chance(prop, 400)) {
            bl_buf_printf(text, "%s%lld", bl_prop_chance(prop, 400) ? "-" : "",
                          (long long)bl_prop_between(prop, 1, 5));
        }
        bl_buf_append_text(text, codes[bl_prop_between(prop, 0, 6)]);
    }
}

static void draw_rule(struct bl_prop *prop, struct bl_buf *text)
{
    static const char *const every[] = {"DAILY", "WEEKLY", "MONTHLY", "YEARLY"};
    static const char *const starts[] = {"MO", "SU", "WE"};
    int64_t kind = bl_prop_between(prop, 0, 3);

    bl_buf_printf(text, "FREQ=%s", every[kind]);
    if (bl_prop_chance(prop, 400)) {
        bl_buf_printf(text, ";INTERVAL=%lld", (long long)bl_prop_between(prop, 1, 9));
    }
    if (bl_prop_chance(prop, 300)) {
        bl_buf_printf(text, ";COUNT=%lld", (long long)bl_prop_between(prop, 1, 50));
    }
    if (bl_prop_chance(prop, 300)) {
        bl_buf_printf(text, ";WKST=%s", starts[bl_prop_between(prop, 0, 2)]);
    }
    draw_numbers(prop, text, ";BYMONTH=", 12);
    if (kind != BL_RULE_WEEKLY) {
        draw_numbers(prop, text, ";BYMONTHDAY=", 31);
    }
    draw_days(prop, text, kind >= BL_RULE_MONTHLY);
    if (strstr(bl_buf_text(text), ";BY")) {
        draw_numbers(prop, text, ";BYSETPOS=", 6);
    }
}

/* A series over changes of the clocks, often at an hour that they leave out or show twice. */
static bool draw_series(struct bl_prop *prop, const struct bl_tz *tz, struct bl_series *out)
{
    static const int64_t start = 20454; /* 2026-01-01 */
    BL_AUTO_BUF text = {0};
    struct bl_error err = {0};
    int64_t minute = bl_prop_chance(prop, 500) ? bl_prop_between(prop, 0, 24 * 12 - 1) * 5
                                               : 60 + bl_prop_between(prop, 0, 23) * 5;

    draw_rule(prop, &text);
    bl_day_to_civil(start + bl_prop_between(prop, 0, FIRST_DAYS), &out->first);
    out->first.hour = (int32_t)(minute / 60);
    out->first.minute = (int32_t)(minute % 60);
    out->fold = BL_TZ_FOLD_FIRST;
    out->duration = bl_prop_between(prop, 1, 12 * 60) * BL_MINUTE;
    if (bl_rule_read(bl_buf_text(&text), tz, &out->rule, &err)) {
        return false;
    }
    bl_prop_note(prop, "%04d-%02d-%02d %02d:%02d in %s: %s", out->first.year, out->first.month,
                 out->first.day, out->first.hour, out->first.minute, bl_tz_name(tz),
                 bl_buf_text(&text));
    return true;
}

/* --- the naive model ------------------------------------------------------------------------- */

static struct tm date_of(int64_t day)
{
    time_t seconds = (time_t)(day * DAY_SECONDS);
    struct tm date = {0};

    gmtime_r(&seconds, &date);
    return date;
}

static int days_in_month(const struct tm *date)
{
    struct tm last = {.tm_year = date->tm_year, .tm_mon = date->tm_mon + 1, .tm_mday = 0};

    timegm(&last);
    return last.tm_mday;
}

static int days_in_year(const struct tm *date)
{
    struct tm last = {.tm_year = date->tm_year, .tm_mon = 11, .tm_mday = 31};

    timegm(&last);
    return last.tm_yday + 1;
}

static int64_t week_of(int64_t day, int week_start)
{
    return day - (date_of(day).tm_wday - week_start + 7) % 7;
}

/* Which period of the rule holds the day, counted in single days, weeks, months or years. */
static int64_t period_of(const struct bl_rule *rule, int64_t day)
{
    struct tm date = date_of(day);

    switch (rule->every) {
    case BL_RULE_DAILY:
        return day;
    case BL_RULE_WEEKLY:
        return week_of(day, rule->week_start) / 7;
    case BL_RULE_MONTHLY:
        return date.tm_year * 12 + date.tm_mon;
    case BL_RULE_YEARLY:
        break;
    }
    return date.tm_year;
}

static bool has_weekday(const struct bl_rule *rule, const struct tm *date)
{
    bool by_year = rule->every == BL_RULE_YEARLY && !rule->months;
    int index = by_year ? date->tm_yday : date->tm_mday - 1;
    int length = by_year ? days_in_year(date) : days_in_month(date);

    for (size_t i = 0; i < rule->day_count; i++) {
        const struct bl_rule_day *one = &rule->day[i];

        if (one->weekday == date->tm_wday && (one->nth == 0 || one->nth == index / 7 + 1 ||
                                              -one->nth == (length - 1 - index) / 7 + 1)) {
            return true;
        }
    }
    return false;
}

/* The day by itself, without positions. */
static bool fits(const struct bl_rule *rule, int64_t first, int64_t day)
{
    struct tm date = date_of(day);
    struct tm start = date_of(first);
    bool has_month_days = rule->month_days || rule->month_days_back;
    bool is_open = !has_month_days && !rule->day_count;

    if (rule->months && !(rule->months >> (date.tm_mon + 1) & 1)) {
        return false;
    }
    if (has_month_days && !(rule->month_days >> date.tm_mday & 1) &&
        !(rule->month_days_back >> (days_in_month(&date) - date.tm_mday + 1) & 1)) {
        return false;
    }
    if (rule->day_count && !has_weekday(rule, &date)) {
        return false;
    }
    if (is_open && rule->every == BL_RULE_WEEKLY) {
        return date.tm_wday == start.tm_wday;
    }
    if (is_open && rule->every == BL_RULE_YEARLY && !rule->months && date.tm_mon != start.tm_mon) {
        return false;
    }
    return !is_open || rule->every == BL_RULE_DAILY || date.tm_mday == start.tm_mday;
}

/* Looks at all days of the same period for the day's place among them. */
static bool is_at_position(const struct bl_rule *rule, int64_t first, int64_t day)
{
    int before = 0;
    int behind = 0;

    for (int64_t other = day - 366; rule->position_count && other <= day + 366; other++) {
        if (period_of(rule, other) == period_of(rule, day) && fits(rule, first, other)) {
            before += other < day;
            behind += other > day;
        }
    }
    for (size_t i = 0; i < rule->position_count; i++) {
        if (rule->position[i] == before + 1 || rule->position[i] == -(behind + 1)) {
            return true;
        }
    }
    return !rule->position_count;
}

static bool is_shown(time_t at, const struct tm *wall)
{
    struct tm shown = {0};

    localtime_r(&at, &shown);
    return shown.tm_mday == wall->tm_mday && shown.tm_mon == wall->tm_mon &&
           shown.tm_hour == wall->tm_hour && shown.tm_min == wall->tm_min;
}

/* The first instant at which the C library shows it; where there is none, by the distance from UTC
 * of the evening before. */
static bl_time start_of(int64_t day, const struct bl_civil *time_of_day)
{
    struct tm wall = date_of(day);
    time_t evening = (time_t)((day - 1) * DAY_SECONDS);
    struct tm shown = {0};
    time_t utc;

    wall.tm_hour = time_of_day->hour;
    wall.tm_min = time_of_day->minute;
    utc = timegm(&wall);
    for (time_t at = utc - 15 * 3600; at <= utc + 15 * 3600; at += 900) {
        if (is_shown(at, &wall)) {
            return at * BL_SECOND;
        }
    }
    localtime_r(&evening, &shown);
    return (utc - shown.tm_gmtoff) * BL_SECOND;
}

struct naive {
    bl_time start[SLOTS_MAX];
    size_t count;
};

static void model(const struct bl_series *series, bl_time horizon, struct naive *out)
{
    const struct bl_rule *rule = &series->rule;
    int64_t first = bl_day_of(series->first.year, series->first.month, series->first.day);

    out->count = 0;
    for (int64_t day = first;; day++) {
        bl_time start;

        if ((day - 2) * BL_DAY > horizon || (rule->count && out->count >= (size_t)rule->count)) {
            return;
        }
        if ((period_of(rule, day) - period_of(rule, first)) % rule->interval != 0 ||
            !fits(rule, first, day) || !is_at_position(rule, first, day)) {
            continue;
        }
        start = start_of(day, &series->first);
        if (start >= horizon) {
            return;
        }
        out->start[out->count++] = start;
    }
}

/* --- laws ------------------------------------------------------------------------------------ */

static bl_time horizon_of(const struct bl_series *series)
{
    return bl_day_of(series->first.year, series->first.month, series->first.day) * BL_DAY +
           DAYS * BL_DAY;
}

static bool is_as_modelled(struct bl_prop *prop, const struct bl_series *series,
                           const struct bl_series_slots *slots)
{
    struct naive naive;

    model(series, horizon_of(series), &naive);
    if (naive.count != slots->slots.count) {
        bl_prop_note(prop, "%zu occurrences, the model has %zu", slots->slots.count, naive.count);
        return false;
    }
    for (size_t i = 0; i < naive.count; i++) {
        const struct bl_series_slot *slot = &slots->slots.at[i];

        if (slot->start != naive.start[i] || slot->end - slot->start != series->duration ||
            slot->number != (int32_t)i + 1) {
            bl_prop_note(prop, "occurrence %zu: %lld, the model has %lld", i + 1,
                         (long long)(slot->start / BL_SECOND),
                         (long long)(naive.start[i] / BL_SECOND));
            return false;
        }
    }
    return true;
}

static bool expansion_equals_the_model(struct bl_prop *prop, void *context)
{
    const char *name = zones[bl_prop_between(prop, 0, ZONES - 1)];
    BL_AUTO_TZ *tz = NULL;
    BL_AUTO_SERIES_SLOTS slots = {0};
    struct bl_series series = {0};
    struct bl_series_window window = {INT64_MIN, 0};
    struct bl_error err = {0};

    (void)context;
    if (bl_tz_create(name, &tz, &err)) {
        bl_prop_note(prop, "%s", err.text);
        return false;
    }
    setenv("TZ", name, 1);
    tzset();
    if (!draw_series(prop, tz, &series)) {
        return true;
    }
    window.horizon = horizon_of(&series);
    if (bl_series_expand(&series, tz, &window, &slots, &err)) {
        bl_prop_note(prop, "refused: %s", err.text);
    }
    return is_as_modelled(prop, &series, &slots);
}

/* libical 3.0.16 is wrong about the days of a month from its end in daily rules and where it counts
 * positions, leaves out positions in daily and weekly rules, and takes one month of a yearly rule
 * that names days of the month alone. */
static bool libical_is_right_about(const struct bl_rule *rule)
{
    if (rule->position_count && (rule->every < BL_RULE_MONTHLY || rule->month_days_back)) {
        return false;
    }
    if (rule->every == BL_RULE_YEARLY) {
        return rule->months || (!rule->month_days && !rule->month_days_back);
    }
    if (rule->every == BL_RULE_WEEKLY) {
        return rule->interval == 1 || rule->week_start == 1;
    }
    return rule->every == BL_RULE_MONTHLY || !rule->month_days_back;
}

/* Whether libical, from the first occurrence on, finds the others. */
static bool libical_finds(struct bl_prop *prop, const struct bl_rule *rule,
                          const struct bl_series_slots *slots)
{
    BL_AUTO_BUF text = {0};
    const struct bl_civil *first = &slots->slots.at[0].wall;
    struct icaltimetype start = {.year = first->year,
                                 .month = first->month,
                                 .day = first->day,
                                 .hour = first->hour,
                                 .minute = first->minute,
                                 .zone = icaltimezone_get_utc_timezone()};
    icalrecur_iterator *all;
    bool agrees = true;

    bl_rule_print(&text, rule);
    all = icalrecur_iterator_new(icalrecurrencetype_from_string(bl_buf_text(&text)), start);
    for (size_t i = 0; all && agrees && i < slots->slots.count; i++) {
        struct icaltimetype at = icalrecur_iterator_next(all);

        agrees = icaltime_as_timet(at) == slots->slots.at[i].start / BL_SECOND;
        if (!agrees) {
            bl_prop_note(prop, "occurrence %zu: %lld, libical has %s", i + 1,
                         (long long)(slots->slots.at[i].start / BL_SECOND),
                         icaltime_as_ical_string(at));
        }
    }
    agrees = agrees && all;
    icalrecur_iterator_free(all);
    return agrees;
}

static bool libical_agrees_where_it_is_right(struct bl_prop *prop, void *context)
{
    const struct bl_tz *utc = context;
    BL_AUTO_SERIES_SLOTS slots = {0};
    struct bl_series series = {0};
    struct bl_series_window window = {INT64_MIN, 0};

    if (!draw_series(prop, utc, &series) || !libical_is_right_about(&series.rule)) {
        return true;
    }
    window.horizon = horizon_of(&series);
    return bl_series_expand(&series, utc, &window, &slots, NULL) ||
           libical_finds(prop, &series.rule, &slots);
}

static void series_are_as_the_model_has_them(void **state)
{
    (void)state;
    assert_true(
        bl_prop_holds("expansion equals the model", CASES, expansion_equals_the_model, NULL));
}

static void series_are_as_libical_has_them(void **state)
{
    BL_AUTO_TZ *utc = NULL;

    (void)state;
    assert_int_equal(bl_tz_create("UTC", &utc, NULL), BL_OK);
    assert_true(bl_prop_holds("libical agrees", CASES, libical_agrees_where_it_is_right, utc));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(series_are_as_the_model_has_them),
        cmocka_unit_test(series_are_as_libical_has_them),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
