#include "calendar/series.h"

#include "calendar/days.h"

#include <assert.h>
#include <string.h>

/* Beyond what a person's series spans; keeps the work of one expansion small. */
#define SERIES_SPAN_MAX (INT64_C(36525) * BL_DAY)

enum { PERIOD_DAYS_MAX = 366 };

/* Where an expansion stands. A slot is given when the next one is known, as that may shorten it. */
struct expansion {
    const struct bl_series *series;
    const struct bl_tz *tz;
    const struct bl_series_window *window;
    struct bl_series_slots *out;
    struct bl_error *err;
    int64_t first_day;
    struct bl_series_slot pending;
    int64_t pending_day;
    bool has_pending;
    bool is_done;
    int32_t count;
};

void bl_series_slots_finish(struct bl_series_slots *slots)
{
    BL_VEC_FINISH(&slots->slots);
}

static int64_t day_of(const struct bl_civil *civil)
{
    return bl_day_of(civil->year, civil->month, civil->day);
}

static int64_t local_day(const struct bl_tz *tz, bl_time at)
{
    struct bl_civil civil;

    bl_tz_to_civil(tz, at, &civil);
    return day_of(&civil);
}

static int fail_at(const struct expansion *expansion, const char *field, const char *what,
                   bl_time at)
{
    BL_AUTO_BUF shown = {0};

    bl_tz_print(&shown, expansion->tz, at);
    bl_fail(expansion->err, BL_EINVAL, "%s %s", what, bl_buf_text(&shown));
    return bl_error_set_field(expansion->err, field);
}

/* --- one occurrence -------------------------------------------------------------------------- */

static struct bl_series_slot slot_of(const struct expansion *expansion, int64_t day)
{
    const struct bl_series *series = expansion->series;
    bool is_second = day == expansion->first_day && series->fold == BL_TZ_FOLD_SECOND;
    struct bl_series_slot slot = {.number = expansion->count + 1};
    struct bl_civil civil;
    struct bl_tz_found found;

    bl_day_to_civil(day, &civil);
    civil.hour = series->first.hour;
    civil.minute = series->first.minute;
    civil.second = series->first.second;
    bl_tz_find(expansion->tz, &civil, &found);
    slot.wall = civil;
    slot.start = is_second ? found.second : found.first;
    slot.is_moved = found.showing == BL_TZ_MISSING;
    slot.end = slot.start + series->duration;
    return slot;
}

static int keep(struct expansion *expansion, const struct bl_series_slot *slot)
{
    if (slot->end <= expansion->window->from) {
        return BL_OK;
    }
    if (expansion->out->slots.count == BL_SERIES_SLOTS_MAX) {
        bl_fail(expansion->err, BL_EINVAL, "more than %d occurrences: expected fewer, or an end",
                BL_SERIES_SLOTS_MAX);
        return bl_error_set_field(expansion->err, "every");
    }
    BL_VEC_PUSH(&expansion->out->slots, *slot);
    return BL_OK;
}

/* Gives what is pending. `next` starts behind it; NULL without one. */
static int give(struct expansion *expansion, const struct bl_series_slot *next, int64_t next_day)
{
    struct bl_series_slot *slot = &expansion->pending;

    if (!expansion->has_pending) {
        return BL_OK;
    }
    expansion->has_pending = false;
    if (next && slot->end > next->start) {
        if ((next_day - expansion->pending_day) * BL_DAY < expansion->series->duration) {
            return fail_at(expansion, "for", "an occurrence would reach into the next one, of",
                           next->start);
        }
        slot->end = next->start;
        slot->is_shortened = true;
    }
    return keep(expansion, slot);
}

/* --- all of them ----------------------------------------------------------------------------- */

static bool has_ended(const struct expansion *expansion, bl_time start)
{
    const struct bl_rule *rule = &expansion->series->rule;

    return (rule->count && expansion->count >= rule->count) || start > rule->until;
}

static int take_day(struct expansion *expansion, int64_t day)
{
    struct bl_series_slot slot = slot_of(expansion, day);
    int status;

    if (has_ended(expansion, slot.start)) {
        expansion->is_done = true;
        return BL_OK;
    }
    status = give(expansion, &slot, day);
    if (slot.start >= expansion->window->horizon) {
        expansion->out->goes_on = true;
        expansion->is_done = true;
        return status;
    }
    expansion->pending = slot;
    expansion->pending_day = day;
    expansion->has_pending = true;
    expansion->count++;
    return status;
}

static int take_period(struct expansion *expansion, struct bl_day_range period)
{
    int64_t day[PERIOD_DAYS_MAX];
    size_t count = bl_rule_days(&expansion->series->rule, expansion->first_day, period, day);
    int status = BL_OK;

    for (size_t i = 0; i < count && !status && !expansion->is_done; i++) {
        if (day[i] >= expansion->first_day) {
            status = take_day(expansion, day[i]);
        }
    }
    return status;
}

static int expand(struct expansion *expansion)
{
    const struct bl_series_window *window = expansion->window;
    const struct bl_series *series = expansion->series;
    /* what starts behind the horizon may still shorten what starts before it */
    int64_t last_day = local_day(expansion->tz, window->horizon + series->duration) + 2;
    int status = BL_OK;

    expansion->first_day = day_of(&series->first);
    for (int64_t index = 0; !status && !expansion->is_done; index++) {
        struct bl_day_range period = bl_rule_period(&series->rule, expansion->first_day, index);

        if (period.from > last_day) {
            expansion->out->goes_on = !has_ended(expansion, window->horizon);
            break;
        }
        status = take_period(expansion, period);
    }
    if (!status) {
        status = give(expansion, NULL, 0);
    }
    if (!status && !expansion->count) {
        return fail_at(expansion, "every", "the rule has no occurrence before", window->horizon);
    }
    return status;
}

static int check(const struct expansion *expansion)
{
    const struct bl_series *series = expansion->series;
    bl_time horizon = expansion->window->horizon;
    bl_time first = day_of(&series->first) * BL_DAY;

    if (series->duration <= 0 || series->duration > BL_SERIES_HORIZON) {
        bl_fail(expansion->err, BL_EINVAL, "expected a duration over 0 and of at most 400 days");
        return bl_error_set_field(expansion->err, "for");
    }
    if (first < 0 || first - BL_DAY >= horizon || horizon - first > SERIES_SPAN_MAX) {
        return fail_at(expansion, "from", "expected a first start before", horizon);
    }
    return BL_OK;
}

int bl_series_expand(const struct bl_series *series, const struct bl_tz *tz,
                     const struct bl_series_window *window, struct bl_series_slots *out,
                     struct bl_error *err)
{
    BL_AUTO_SERIES_SLOTS slots = {0};
    struct expansion expansion = {
        .series = series, .tz = tz, .window = window, .out = &slots, .err = err};
    int status = check(&expansion);

    if (!status) {
        status = expand(&expansion);
    }
    if (!status) {
        *out = slots;
        slots = (struct bl_series_slots){0};
    }
    return status;
}

int bl_series_find_first(const struct bl_series *series, const struct bl_tz *tz,
                         const struct bl_series_window *window, struct bl_series_slot *out,
                         struct bl_error *err)
{
    struct bl_series once = *series;
    struct bl_series_window all = {INT64_MIN, window->horizon};
    BL_AUTO_SERIES_SLOTS slots = {0};
    int status;

    once.rule.count = 1;
    status = bl_series_expand(&once, tz, &all, &slots, err);
    if (!status) {
        assert(slots.slots.count == 1);
        *out = slots.slots.at[0];
    }
    return status;
}

/* --- as text --------------------------------------------------------------------------------- */

void bl_series_set_first(struct bl_series *series, const struct bl_tz *tz, bl_time at)
{
    struct bl_tz_found found;

    bl_tz_to_civil(tz, at, &series->first);
    bl_tz_find(tz, &series->first, &found);
    series->fold =
        found.showing == BL_TZ_TWICE && at >= found.second ? BL_TZ_FOLD_SECOND : BL_TZ_FOLD_FIRST;
}

void bl_series_print(struct bl_buf *out, const struct bl_series *series)
{
    const struct bl_civil *first = &series->first;

    bl_buf_printf(out, "%04d-%02d-%02dT%02d:%02d:%02d%s ", first->year, first->month, first->day,
                  first->hour, first->minute, first->second,
                  series->fold == BL_TZ_FOLD_SECOND ? " again" : "");
    bl_span_print(out, series->duration);
    bl_buf_append_char(out, ' ');
    bl_rule_print(out, &series->rule);
}

static bool read_head(char *text, struct bl_series *out, const char **rule)
{
    char *rest = NULL;
    const char *first = strtok_r(text, " ", &rest);
    const char *duration = strtok_r(NULL, " ", &rest);
    struct bl_instant instant = {0};

    out->fold = BL_TZ_FOLD_FIRST;
    if (duration && !strcmp(duration, "again")) {
        out->fold = BL_TZ_FOLD_SECOND;
        duration = strtok_r(NULL, " ", &rest);
    }
    *rule = strtok_r(NULL, "", &rest);
    if (!*rule || bl_instant_parse(first, &instant, NULL) || instant.kind != BL_INSTANT_LOCAL ||
        bl_span_parse(duration, &out->duration, NULL)) {
        return false;
    }
    out->first = instant.civil;
    return true;
}

int bl_series_read(const char *text, const struct bl_tz *tz, struct bl_series *out,
                   struct bl_error *err)
{
    BL_AUTO_FREE char *copy = bl_copy_text(text);
    struct bl_series series = {0};
    const char *rule = NULL;

    if (!read_head(copy, &series, &rule)) {
        return bl_fail(
            err, BL_EINVAL,
            "expected a series like '2026-12-01T09:00:00 6h FREQ=WEEKLY', found '%.200s'", text);
    }
    if (bl_rule_read(rule, tz, &series.rule, err)) {
        return BL_EINVAL;
    }
    *out = series;
    return BL_OK;
}
