/* The grammar of RRULE: KEY=VALUE;KEY=VALUE, each key once, in any order. */
#include "calendar/rule_parts.h"

#include "base/own.h"
#include "base/sort.h"
#include "base/units.h"

#include <string.h>
#include <strings.h>

enum { MONTHS = 12, MONTH_DAYS = 31, WEEKS = 53, YEAR_DAYS = 366, MONTH_WEEKS = 5 };

/* --- lists ----------------------------------------------------------------------------------- */

typedef bool take_item(struct bl_rule *rule, const char *item);

/* Items between commas, none of them empty. */
static bool take_list(struct bl_rule *rule, const char *value, take_item *take)
{
    BL_AUTO_FREE char *copy = bl_copy_text(value);
    char *item = copy;

    while (item) {
        char *comma = strchr(item, ',');

        if (comma) {
            *comma = '\0';
        }
        if (!take(rule, item)) {
            return false;
        }
        item = comma ? comma + 1 : NULL;
    }
    return true;
}

/* A number from `low` to `high` in its amount, with a sign; never 0. */
static bool take_signed(const char *text, int64_t high, int64_t *out)
{
    return bl_int_parse(text + (*text == '+'), -high, high, out, NULL) == BL_OK && *out;
}

static bool take_month(struct bl_rule *rule, const char *item)
{
    int64_t month;

    if (bl_int_parse(item, 1, MONTHS, &month, NULL)) {
        return false;
    }
    rule->months = (uint16_t)(rule->months | (1U << (uint32_t)month));
    return true;
}

static bool take_month_day(struct bl_rule *rule, const char *item)
{
    int64_t day;

    if (!take_signed(item, MONTH_DAYS, &day)) {
        return false;
    }
    if (day > 0) {
        rule->month_days |= UINT32_C(1) << (uint32_t)day;
    } else {
        rule->month_days_back |= UINT32_C(1) << (uint32_t)-day;
    }
    return true;
}

static int weekday_of(const char *code)
{
    for (int i = 0; i < BL_RULE_WEEKDAYS; i++) {
        if (!strcasecmp(code, bl_rule_weekday_codes[i])) {
            return i;
        }
    }
    return -1;
}

/* "MO", "2MO", "-1FR". */
static bool take_day(struct bl_rule *rule, const char *item)
{
    size_t length = strlen(item);
    int weekday = length < 2 ? -1 : weekday_of(item + length - 2);
    int64_t nth = 0;
    char number[8] = "";

    if (weekday < 0 || length > sizeof number) {
        return false;
    }
    memcpy(number, item, length - 2);
    if (*number && !take_signed(number, WEEKS, &nth)) {
        return false;
    }
    return bl_rule_add_day(rule, (struct bl_rule_day){(int8_t)weekday, (int8_t)nth});
}

static bool take_position(struct bl_rule *rule, const char *item)
{
    int64_t position;

    if (!take_signed(item, YEAR_DAYS, &position) || rule->position_count == BL_RULE_POSITIONS_MAX) {
        return false;
    }
    rule->position[rule->position_count++] = (int16_t)position;
    return true;
}

/* --- parts ----------------------------------------------------------------------------------- */

static bool read_frequency(struct bl_rule *rule, const char *value, const struct bl_tz *tz)
{
    (void)tz;
    for (int i = BL_RULE_DAILY; i <= BL_RULE_YEARLY; i++) {
        if (!strcasecmp(value, bl_rule_frequencies[i])) {
            rule->every = (enum bl_rule_every)i;
            return true;
        }
    }
    return false;
}

static bool read_interval(struct bl_rule *rule, const char *value, const struct bl_tz *tz)
{
    int64_t interval;

    (void)tz;
    if (bl_int_parse(value, 1, BL_RULE_INTERVAL_MAX, &interval, NULL)) {
        return false;
    }
    rule->interval = (int32_t)interval;
    return true;
}

static bool read_count(struct bl_rule *rule, const char *value, const struct bl_tz *tz)
{
    int64_t count;

    (void)tz;
    if (bl_int_parse(value, 1, BL_RULE_COUNT_MAX, &count, NULL)) {
        return false;
    }
    rule->count = (int32_t)count;
    return true;
}

/* "20261224", "20261224T080000", "20261224T080000Z" as the instant's own forms. */
static bool read_until(struct bl_rule *rule, const char *value, const struct bl_tz *tz)
{
    size_t digits = strspn(value, "0123456789");
    BL_AUTO_BUF text = {0};

    if (digits != 8) {
        return false;
    }
    bl_buf_printf(&text, "%.4s-%.2s-%.2s", value, value + 4, value + 6);
    if (value[8]) {
        if (strspn(value + 9, "0123456789") != 6 || (value[8] != 'T' && value[8] != 't') ||
            (value[15] && strcasecmp(value + 15, "Z") != 0)) {
            return false;
        }
        bl_buf_printf(&text, "T%.2s:%.2s:%.2s%s", value + 9, value + 11, value + 13,
                      value[15] ? "Z" : "");
    }
    return bl_rule_resolve_until(bl_buf_text(&text), tz, &rule->until, NULL) == BL_OK;
}

static bool read_week_start(struct bl_rule *rule, const char *value, const struct bl_tz *tz)
{
    int weekday = weekday_of(value);

    (void)tz;
    rule->week_start = (int8_t)weekday;
    return weekday >= 0;
}

static bool read_months(struct bl_rule *rule, const char *value, const struct bl_tz *tz)
{
    (void)tz;
    return take_list(rule, value, take_month);
}

static bool read_month_days(struct bl_rule *rule, const char *value, const struct bl_tz *tz)
{
    (void)tz;
    return take_list(rule, value, take_month_day);
}

static bool read_days(struct bl_rule *rule, const char *value, const struct bl_tz *tz)
{
    (void)tz;
    return take_list(rule, value, take_day);
}

static bool read_positions(struct bl_rule *rule, const char *value, const struct bl_tz *tz)
{
    (void)tz;
    return take_list(rule, value, take_position);
}

static const struct part {
    const char *key;
    bool (*read)(struct bl_rule *rule, const char *value, const struct bl_tz *tz);
    const char *expected;
} parts[] = {
    {"FREQ", read_frequency, "DAILY, WEEKLY, MONTHLY or YEARLY"},
    {"INTERVAL", read_interval, "a number from 1 to 1000"},
    {"COUNT", read_count, "a number from 1 to 1000"},
    {"UNTIL", read_until, "an end like 20261224 or 20261224T080000Z that the clocks show"},
    {"WKST", read_week_start, "a weekday: MO, TU, WE, TH, FR, SA or SU"},
    {"BYMONTH", read_months, "months from 1 to 12"},
    {"BYMONTHDAY", read_month_days, "days of the month from 1 to 31, or from -31 to -1"},
    {"BYDAY", read_days, "weekdays like MO,WE or 1MO or -1FR, at most 42"},
    {"BYSETPOS", read_positions, "at most 16 positions from 1 to 366, or from -366 to -1"},
};

enum { PARTS = sizeof parts / sizeof *parts };

static int fail_key(const char *key, struct bl_error *err)
{
    static const char *const other[] = {"BYHOUR",    "BYMINUTE", "BYSECOND", "BYWEEKNO",
                                        "BYYEARDAY", "RSCALE",   "SKIP"};

    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        if (!strcasecmp(key, other[i])) {
            return bl_fail(
                err, BL_EINVAL,
                "%s is not supported: a series repeats by days, weeks, months or years, at "
                "the time of day of its first",
                other[i]);
        }
    }
    return bl_fail(err, BL_EINVAL,
                   "expected a part like FREQ=WEEKLY, INTERVAL=2, COUNT=10, UNTIL=20261224, "
                   "BYDAY=MO,WE, BYMONTHDAY=1, BYMONTH=3, BYSETPOS=-1 or WKST=MO, found '%.60s'",
                   key);
}

static int read_part(struct bl_rule *rule, char *text, const struct bl_tz *tz, unsigned *seen,
                     struct bl_error *err)
{
    char *equals = strchr(text, '=');

    if (!equals) {
        return fail_key(text, err);
    }
    *equals = '\0';
    for (unsigned i = 0; i < PARTS; i++) {
        if (strcasecmp(text, parts[i].key) != 0) {
            continue;
        }
        if (*seen & (1U << i)) {
            return bl_fail(err, BL_EINVAL, "%s stands twice", parts[i].key);
        }
        *seen |= 1U << i;
        if (!parts[i].read(rule, equals + 1, tz)) {
            return bl_fail(err, BL_EINVAL, "%s: expected %s, found '%.100s'", parts[i].key,
                           parts[i].expected, equals + 1);
        }
        return BL_OK;
    }
    return fail_key(text, err);
}

int bl_rrule_read(const char *text, const struct bl_tz *tz, struct bl_rule *out,
                  struct bl_error *err)
{
    BL_AUTO_FREE char *copy = bl_copy_text(text);
    struct bl_rule rule = *out;
    unsigned seen = 0;
    char *part = copy;
    int status = BL_OK;

    while (part && !status) {
        char *end = strchr(part, ';');

        if (end) {
            *end = '\0';
        }
        status = read_part(&rule, part, tz, &seen, err);
        part = end ? end + 1 : NULL;
    }
    if (!status && !(seen & 1U)) {
        status = bl_fail(err, BL_EINVAL, "FREQ is missing: expected %s", parts[0].expected);
    }
    if (!status) {
        *out = rule;
    }
    return status;
}

/* --- which parts go together ------------------------------------------------------------------ */

static int compare_days(const void *left, const void *right)
{
    const struct bl_rule_day *a = left;
    const struct bl_rule_day *b = right;
    int by_nth = (a->nth > b->nth) - (a->nth < b->nth);
    int monday_a = (a->weekday + 6) % BL_RULE_WEEKDAYS;
    int monday_b = (b->weekday + 6) % BL_RULE_WEEKDAYS;

    return by_nth ? by_nth : monday_a - monday_b;
}

static int compare_positions(const void *left, const void *right)
{
    return *(const int16_t *)left - *(const int16_t *)right;
}

static bool has_nth(const struct bl_rule *rule, int most)
{
    for (size_t i = 0; i < rule->day_count; i++) {
        if (rule->day[i].nth > most || rule->day[i].nth < -most) {
            return true;
        }
    }
    return false;
}

static const char *find_contradiction(const struct bl_rule *rule)
{
    bool has_month_days = rule->month_days || rule->month_days_back;
    bool counts_in_month = rule->every == BL_RULE_MONTHLY || rule->months;

    if (rule->count && rule->until != BL_TIME_NEVER) {
        return "COUNT and UNTIL are two ends: expected one of them";
    }
    if (rule->every == BL_RULE_WEEKLY && has_month_days) {
        return "BYMONTHDAY does not go with FREQ=WEEKLY: expected FREQ=MONTHLY";
    }
    if (rule->every < BL_RULE_MONTHLY && has_nth(rule, 0)) {
        return "BYDAY with a number, like 2MO, needs FREQ=MONTHLY or YEARLY";
    }
    if (counts_in_month && has_nth(rule, MONTH_WEEKS)) {
        return "BYDAY: no month has more than five of a weekday";
    }
    if (rule->position_count && !rule->day_count && !has_month_days && !rule->months) {
        return "BYSETPOS chooses among days: expected BYDAY, BYMONTHDAY or BYMONTH as well";
    }
    return NULL;
}

int bl_rule_check(struct bl_rule *rule, struct bl_error *err)
{
    const char *contradiction = find_contradiction(rule);

    if (contradiction) {
        return bl_fail(err, BL_EINVAL, "%s", contradiction);
    }
    bl_sort(rule->day, rule->day_count, sizeof *rule->day, compare_days);
    bl_sort(rule->position, rule->position_count, sizeof *rule->position, compare_positions);
    return BL_OK;
}
