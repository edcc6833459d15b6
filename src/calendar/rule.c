#include "calendar/rule_parts.h"

#include "base/own.h"
#include "base/units.h"

#include <string.h>
#include <strings.h>

const char *const bl_rule_weekday_codes[BL_RULE_WEEKDAYS] = {"SU", "MO", "TU", "WE",
                                                             "TH", "FR", "SA"};
const char *const bl_rule_frequencies[] = {"DAILY", "WEEKLY", "MONTHLY", "YEARLY"};

enum { MONDAY = 1, FRIDAY = 5, MONTHS = 12, MONTH_DAYS = 31 };

/* --- parts of a rule ------------------------------------------------------------------------- */

bool bl_rule_add_day(struct bl_rule *rule, struct bl_rule_day day)
{
    for (size_t i = 0; i < rule->day_count; i++) {
        if (rule->day[i].weekday == day.weekday && rule->day[i].nth == day.nth) {
            return true;
        }
    }
    if (rule->day_count == BL_RULE_DAYS_MAX) {
        return false;
    }
    rule->day[rule->day_count++] = day;
    return true;
}

bl_time bl_rule_end_of_day(const struct bl_tz *tz, const struct bl_civil *date)
{
    struct bl_civil midnight = {.year = date->year, .month = date->month, .day = date->day};
    struct bl_tz_found found;
    bl_time at = 0;

    bl_zone_utc.to_instant(NULL, &midnight, &at, NULL);
    bl_zone_utc.to_civil(NULL, at + BL_DAY, &midnight);
    bl_tz_find(tz, &midnight, &found);
    return found.first - BL_SECOND;
}

int bl_rule_resolve_until(const char *text, const struct bl_tz *tz, bl_time *out,
                          struct bl_error *err)
{
    static const size_t date_bytes = sizeof "2026-12-24" - 1;
    struct bl_instant instant = {0};
    int status = bl_instant_parse(text, &instant, err);

    if (status) {
        return status;
    }
    if (instant.kind == BL_INSTANT_AT) {
        *out = instant.at;
        return BL_OK;
    }
    if (instant.kind != BL_INSTANT_LOCAL) {
        return bl_fail(err, BL_EINVAL, "expected a date like 2026-12-24 as the end, found '%.60s'",
                       text);
    }
    if (strlen(text) == date_bytes) {
        *out = bl_rule_end_of_day(tz, &instant.civil);
        return BL_OK;
    }
    return bl_tz_to_instant(tz, &instant.civil, BL_TZ_FOLD_FIRST, out, err);
}

int bl_rule_set_until(struct bl_rule *rule, const char *text, const struct bl_tz *tz,
                      struct bl_error *err)
{
    bl_time until = 0;

    if (rule->until != BL_TIME_NEVER || rule->count) {
        return bl_fail(err, BL_EINVAL, "the rule has an end already: expected one end");
    }
    if (bl_rule_resolve_until(text, tz, &until, err)) {
        return BL_EINVAL;
    }
    rule->until = until;
    return BL_OK;
}

/* --- words ----------------------------------------------------------------------------------- */

static const struct word {
    const char *text;
    enum bl_rule_every every;
    bool is_weekdays;
} words[] = {
    {"daily", BL_RULE_DAILY, false},   {"weekdays", BL_RULE_WEEKLY, true},
    {"weekly", BL_RULE_WEEKLY, false}, {"monthly", BL_RULE_MONTHLY, false},
    {"yearly", BL_RULE_YEARLY, false},
};

static int fail_words(const char *text, struct bl_error *err)
{
    return bl_fail(err, BL_EINVAL,
                   "expected daily, weekdays, weekly, monthly, yearly, 'weekly on mon,wed', 'daily "
                   "until 2026-12-24', 'weekly 10 times' or an RRULE like FREQ=WEEKLY;BYDAY=MO, "
                   "found '%.100s'",
                   text);
}

/* "mon" or more of Monday. */
static int weekday_of(const char *text)
{
    static const char *const name[BL_RULE_WEEKDAYS] = {"sunday",   "monday", "tuesday", "wednesday",
                                                       "thursday", "friday", "saturday"};
    size_t length = strlen(text);

    for (int i = 0; i < BL_RULE_WEEKDAYS; i++) {
        if (length >= 3 && !strncasecmp(text, name[i], length)) {
            return i;
        }
    }
    return -1;
}

/* "mon,wed" */
static bool take_weekdays(struct bl_rule *rule, char *list)
{
    char *rest = NULL;

    for (char *one = strtok_r(list, ",", &rest); one; one = strtok_r(NULL, ",", &rest)) {
        int weekday = weekday_of(one);

        if (weekday < 0) {
            return false;
        }
        bl_rule_add_day(rule, (struct bl_rule_day){(int8_t)weekday, 0});
    }
    return rule->day_count > 0;
}

static bool start_words(struct bl_rule *rule, const char *text)
{
    for (size_t i = 0; text && i < sizeof words / sizeof *words; i++) {
        if (strcasecmp(text, words[i].text) != 0) {
            continue;
        }
        rule->every = words[i].every;
        for (int day = MONDAY; words[i].is_weekdays && day <= FRIDAY; day++) {
            bl_rule_add_day(rule, (struct bl_rule_day){(int8_t)day, 0});
        }
        return true;
    }
    return false;
}

/* The end of what stands in words: "until DATE" or "N times"; nothing is fine too. */
static int read_end(struct bl_rule *rule, const char *word, char **rest, const struct bl_tz *tz,
                    struct bl_error *err)
{
    const char *next = word ? strtok_r(NULL, "", rest) : NULL;
    int64_t count;

    if (!word) {
        return BL_OK;
    }
    if (next && !strcasecmp(word, "until")) {
        return bl_rule_set_until(rule, next + strspn(next, " "), tz, err);
    }
    if (next && !strcasecmp(next, "times") &&
        !bl_int_parse(word, 1, BL_RULE_COUNT_MAX, &count, NULL)) {
        rule->count = (int32_t)count;
        return BL_OK;
    }
    return bl_fail(
        err, BL_EINVAL,
        "expected 'until 2026-12-24' or 'N times' with N from 1 to %d, found '%.60s%s%.60s'",
        BL_RULE_COUNT_MAX, word, next ? " " : "", next ? next : "");
}

static int read_words(const char *text, const struct bl_tz *tz, struct bl_rule *rule,
                      struct bl_error *err)
{
    BL_AUTO_FREE char *copy = bl_copy_text(text);
    char *rest = NULL;
    char *word = strtok_r(copy, " ", &rest);
    bool may_list = word && !strcasecmp(word, "weekly");

    if (!start_words(rule, word)) {
        return fail_words(text, err);
    }
    word = strtok_r(NULL, " ", &rest);
    if (may_list && word && !strcasecmp(word, "on")) {
        word = strtok_r(NULL, " ", &rest);
        if (!word || !take_weekdays(rule, word)) {
            return fail_words(text, err);
        }
        word = strtok_r(NULL, " ", &rest);
    }
    return read_end(rule, word, &rest, tz, err);
}

static int read_any(const char *text, const struct bl_tz *tz, struct bl_rule *rule,
                    struct bl_error *err)
{
    static const char prefix[] = "RRULE:";
    bool has_prefix = !strncasecmp(text, prefix, sizeof prefix - 1);
    int status;

    if (strlen(text) > BL_RULE_TEXT_MAX) {
        return bl_fail(err, BL_EINVAL, "a rule of %zu bytes: expected at most %d", strlen(text),
                       BL_RULE_TEXT_MAX);
    }
    text += has_prefix ? sizeof prefix - 1 : 0;
    status = has_prefix || strchr(text, '=') ? bl_rrule_read(text, tz, rule, err)
                                             : read_words(text, tz, rule, err);
    return status ? status : bl_rule_check(rule, err);
}

int bl_rule_read(const char *text, const struct bl_tz *tz, struct bl_rule *out,
                 struct bl_error *err)
{
    struct bl_rule rule = {.interval = 1, .until = BL_TIME_NEVER, .week_start = MONDAY};

    if (read_any(text, tz, &rule, err)) {
        return bl_error_set_field(err, "every");
    }
    *out = rule;
    return BL_OK;
}

/* --- printing -------------------------------------------------------------------------------- */

static void print_until(struct bl_buf *out, bl_time until)
{
    struct bl_civil civil;

    bl_zone_utc.to_civil(NULL, until, &civil);
    bl_buf_printf(out, ";UNTIL=%04d%02d%02dT%02d%02d%02dZ", civil.year, civil.month, civil.day,
                  civil.hour, civil.minute, civil.second);
}

/* "KEY" before the first item, commas before the others. */
static void print_item(struct bl_buf *out, const char **key, int number)
{
    bl_buf_printf(out, "%s%d", *key, number);
    *key = ",";
}

static void print_month_days(struct bl_buf *out, const struct bl_rule *rule)
{
    const char *key = ";BYMONTHDAY=";

    for (int day = 1; day <= MONTH_DAYS; day++) {
        if (rule->month_days >> (uint32_t)day & 1U) {
            print_item(out, &key, day);
        }
    }
    for (int day = 1; day <= MONTH_DAYS; day++) {
        if (rule->month_days_back >> (uint32_t)day & 1U) {
            print_item(out, &key, -day);
        }
    }
}

static void print_days(struct bl_buf *out, const struct bl_rule *rule)
{
    for (size_t i = 0; i < rule->day_count; i++) {
        bl_buf_append_text(out, i ? "," : ";BYDAY=");
        if (rule->day[i].nth) {
            bl_buf_printf(out, "%d", rule->day[i].nth);
        }
        bl_buf_append_text(out, bl_rule_weekday_codes[rule->day[i].weekday]);
    }
}

void bl_rule_print(struct bl_buf *out, const struct bl_rule *rule)
{
    const char *month_key = ";BYMONTH=";
    const char *position_key = ";BYSETPOS=";

    bl_buf_printf(out, "FREQ=%s", bl_rule_frequencies[rule->every]);
    if (rule->interval > 1) {
        bl_buf_printf(out, ";INTERVAL=%d", rule->interval);
    }
    if (rule->count) {
        bl_buf_printf(out, ";COUNT=%d", rule->count);
    }
    if (rule->until != BL_TIME_NEVER) {
        print_until(out, rule->until);
    }
    if (rule->week_start != MONDAY) {
        bl_buf_printf(out, ";WKST=%s", bl_rule_weekday_codes[rule->week_start]);
    }
    for (int month = 1; month <= MONTHS; month++) {
        if (rule->months >> (uint32_t)month & 1U) {
            print_item(out, &month_key, month);
        }
    }
    print_month_days(out, rule);
    print_days(out, rule);
    for (size_t i = 0; i < rule->position_count; i++) {
        print_item(out, &position_key, rule->position[i]);
    }
}
