#include "calendar/days.h"

enum { WEEK = 7, MONTHS = 12, PERIOD_MAX = 366 };

int64_t bl_day_of(int32_t year, int32_t month, int32_t day)
{
    struct bl_civil civil = {.year = year, .month = month, .day = day};
    bl_time at = 0;

    bl_zone_utc.to_instant(NULL, &civil, &at, NULL);
    return at / BL_DAY;
}

void bl_day_to_civil(int64_t day, struct bl_civil *out)
{
    bl_zone_utc.to_civil(NULL, day * BL_DAY, out);
}

int32_t bl_day_weekday(int64_t day)
{
    return (int32_t)((day % WEEK + WEEK + 4) % WEEK); /* the epoch was a Thursday */
}

/* --- periods --------------------------------------------------------------------------------- */

static struct bl_day_range month_at(int64_t months)
{
    int32_t year = (int32_t)(months / MONTHS);
    int32_t month = (int32_t)(months % MONTHS) + 1;

    return (struct bl_day_range){bl_day_of(year, month, 1), month == MONTHS
                                                                ? bl_day_of(year + 1, 1, 1)
                                                                : bl_day_of(year, month + 1, 1)};
}

struct bl_day_range bl_rule_period(const struct bl_rule *rule, int64_t first, int64_t index)
{
    int64_t step = index * rule->interval;
    struct bl_civil civil;
    int64_t start;

    bl_day_to_civil(first, &civil);
    switch (rule->every) {
    case BL_RULE_DAILY:
        return (struct bl_day_range){first + step, first + step + 1};
    case BL_RULE_WEEKLY:
        start = first - (bl_day_weekday(first) - rule->week_start + WEEK) % WEEK + step * WEEK;
        return (struct bl_day_range){start, start + WEEK};
    case BL_RULE_MONTHLY:
        return month_at((int64_t)civil.year * MONTHS + civil.month - 1 + step);
    case BL_RULE_YEARLY:
        break;
    }
    return (struct bl_day_range){bl_day_of((int32_t)(civil.year + step), 1, 1),
                                 bl_day_of((int32_t)(civil.year + step + 1), 1, 1)};
}

/* --- which days ------------------------------------------------------------------------------ */

/* What a rule leaves open is as the first day has it. */
struct wanted {
    const struct bl_rule *rule;
    uint16_t months;
    uint32_t month_days, month_days_back;
    int32_t weekday; /* -1: any */
};

static struct wanted complete(const struct bl_rule *rule, int64_t first)
{
    struct wanted wanted = {rule, rule->months, rule->month_days, rule->month_days_back, -1};
    bool has_days = rule->day_count || rule->month_days || rule->month_days_back;
    struct bl_civil civil;

    if (has_days || rule->every == BL_RULE_DAILY) {
        return wanted;
    }
    bl_day_to_civil(first, &civil);
    if (rule->every == BL_RULE_WEEKLY) {
        wanted.weekday = bl_day_weekday(first);
        return wanted;
    }
    wanted.month_days = UINT32_C(1) << (uint32_t)civil.day;
    if (rule->every == BL_RULE_YEARLY && !rule->months) {
        wanted.months = (uint16_t)(1U << (uint32_t)civil.month);
    }
    return wanted;
}

/* The span in which "the second Monday" is counted: the month, or the year of a rule without
 * months. */
static struct bl_day_range counted_in(const struct bl_rule *rule, const struct bl_civil *civil)
{
    if (rule->every == BL_RULE_YEARLY && !rule->months) {
        return (struct bl_day_range){bl_day_of(civil->year, 1, 1),
                                     bl_day_of(civil->year + 1, 1, 1)};
    }
    return month_at((int64_t)civil->year * MONTHS + civil->month - 1);
}

static bool is_wanted_weekday(const struct bl_rule *rule, int64_t day, const struct bl_civil *civil)
{
    struct bl_day_range span = counted_in(rule, civil);
    int64_t nth = (day - span.from) / WEEK + 1;
    int64_t nth_back = -((span.to - 1 - day) / WEEK + 1);

    for (size_t i = 0; i < rule->day_count; i++) {
        const struct bl_rule_day *one = &rule->day[i];

        if (one->weekday == bl_day_weekday(day) &&
            (!one->nth || one->nth == nth || one->nth == nth_back)) {
            return true;
        }
    }
    return !rule->day_count;
}

static bool is_wanted(const struct wanted *wanted, int64_t day)
{
    struct bl_civil civil;
    struct bl_day_range month;
    uint32_t back;

    bl_day_to_civil(day, &civil);
    month = month_at((int64_t)civil.year * MONTHS + civil.month - 1);
    back = (uint32_t)(month.to - day);
    return (!wanted->months || (wanted->months >> (uint32_t)civil.month & 1U)) &&
           ((!wanted->month_days && !wanted->month_days_back) ||
            (wanted->month_days >> (uint32_t)civil.day & 1U) ||
            (wanted->month_days_back >> back & 1U)) &&
           (wanted->weekday < 0 || wanted->weekday == bl_day_weekday(day)) &&
           is_wanted_weekday(wanted->rule, day, &civil);
}

static bool is_at_position(const struct bl_rule *rule, size_t index, size_t count)
{
    for (size_t i = 0; i < rule->position_count; i++) {
        int64_t position = rule->position[i];

        if (position == (int64_t)index + 1 || position == (int64_t)index - (int64_t)count) {
            return true;
        }
    }
    return !rule->position_count;
}

size_t bl_rule_days(const struct bl_rule *rule, int64_t first, struct bl_day_range period,
                    int64_t out[366])
{
    struct wanted wanted = complete(rule, first);
    int64_t found[PERIOD_MAX];
    size_t count = 0;
    size_t kept = 0;

    for (int64_t day = period.from; day < period.to && count < PERIOD_MAX; day++) {
        if (is_wanted(&wanted, day)) {
            found[count++] = day;
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (is_at_position(rule, i, count)) {
            out[kept++] = found[i];
        }
    }
    return kept;
}
