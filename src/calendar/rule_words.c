/* Rules as people say them, in two languages: one table of pieces, one way to put them together. */
#include "calendar/rule_parts.h"

#include <string.h>

enum { MONTHS = 12, MONTH_DAYS = 31, MONDAY = 1, FRIDAY = 5, WORK_DAYS = 5 };

struct tongue {
    const char *every;
    const char *unit[4], *units[4]; /* behind "every", behind "every 2 " */
    const char *weekday[BL_RULE_WEEKDAYS];
    const char *month[MONTHS + 1];
    const char *in, *on; /* before months, before days */
    const char *between;
    const char *work_week;
    const char *only_if, *end_only_if;   /* weekdays that limit days of the month */
    const char *only_the, *end_only_the; /* positions */
    const char *until, *end_until;
    const char *times, *end_times;
};

static const struct tongue
    tongues[] =
        {
            [BL_RULE_ENGLISH] =
                {
                    .every = "every ",
                    .unit = {"day", "week", "month", "year"},
                    .units = {"days", "weeks", "months", "years"},
                    .weekday = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"},
                    .month = {"", "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep",
                              "Oct", "Nov", "Dec"},
                    .in = " in ",
                    .on = " on ",
                    .between = ", ",
                    .work_week = "Mon-Fri",
                    .only_if = ", if that is ",
                    .end_only_if = "",
                    .only_the = ", of these days only ",
                    .end_only_the = "",
                    .until = " until ",
                    .end_until = "",
                    .times = ", ",
                    .end_times = " times",
                },
            [BL_RULE_CHINESE] =
                {
                    .every = "每",
                    .unit = {"天", "周", "月", "年"},
                    .units = {"天", "周", "个月", "年"},
                    .weekday = {"周日", "周一", "周二", "周三", "周四", "周五", "周六"},
                    .month =
                        {
                            "", "1 月", "2 月", "3 月", "4 月", "5 月", "6 月", "7 月", "8 月", "9 月", "10 月",
                            "11 月", "12 月"},
                    .in = "，",
                    .on = "，",
                    .between = "、",
                    .work_week = "周一至周五",
                    .only_if = "（仅限",
                    .end_only_if = "）",
                    .only_the = "（其中仅",
                    .end_only_the = "）",
                    .until = "，到 ",
                    .end_until = " 为止",
                    .times = "，共 ",
                    .end_times = " 次",
                },
};

/* One sentence in the making. */
struct sentence {
    struct bl_buf *out;
    const struct tongue *tongue;
    const char *before; /* the next item of a list */
};

static void say(struct sentence *sentence, const char *text)
{
    bl_buf_append_text(sentence->out, text);
}

static void start_item(struct sentence *sentence)
{
    say(sentence, sentence->before);
    sentence->before = sentence->tongue->between;
}

static const char *suffix_of(int number)
{
    static const char *const suffix[] = {"th", "st", "nd", "rd"};
    bool is_teen = number / 10 % 10 == 1;

    return !is_teen && number % 10 < 4 ? suffix[number % 10] : "th";
}

/* "the 2nd Mon", "the last day", "第 2 个周一", "最后一天"; `classifier` stands in Chinese alone.
 */
static void say_nth(struct sentence *sentence, int nth, const char *classifier, const char *what)
{
    bool is_english = sentence->tongue == &tongues[BL_RULE_ENGLISH];
    int amount = nth < 0 ? -nth : nth;
    const char *blank = *what ? " " : "";

    if (is_english && nth == -1) {
        bl_buf_printf(sentence->out, "the last%s%s", blank, what);
    } else if (is_english) {
        bl_buf_printf(sentence->out, "the %d%s%s%s%s", amount, suffix_of(amount),
                      nth < 0 ? " last" : "", blank, what);
    } else if (nth == -1) {
        bl_buf_printf(sentence->out, "最后一%s%s", classifier, what);
    } else {
        bl_buf_printf(sentence->out, "%s %d %s%s", nth < 0 ? "倒数第" : "第", amount, classifier,
                      what);
    }
}

static void say_every(struct sentence *sentence, const struct bl_rule *rule)
{
    say(sentence, sentence->tongue->every);
    if (rule->interval > 1) {
        bl_buf_printf(sentence->out, "%s%d ",
                      sentence->tongue == &tongues[BL_RULE_CHINESE] ? " " : "", rule->interval);
        say(sentence, sentence->tongue->units[rule->every]);
    } else {
        say(sentence, sentence->tongue->unit[rule->every]);
    }
}

static void say_months(struct sentence *sentence, const struct bl_rule *rule)
{
    sentence->before = sentence->tongue->in;
    for (int month = 1; month <= MONTHS; month++) {
        if (rule->months >> (uint32_t)month & 1U) {
            start_item(sentence);
            say(sentence, sentence->tongue->month[month]);
        }
    }
}

static void say_month_day(struct sentence *sentence, int day)
{
    start_item(sentence);
    if (day < 0) {
        say_nth(sentence, day, "天", sentence->tongue == &tongues[BL_RULE_ENGLISH] ? "day" : "");
    } else if (sentence->tongue == &tongues[BL_RULE_ENGLISH]) {
        bl_buf_printf(sentence->out, "day %d", day);
    } else {
        bl_buf_printf(sentence->out, "%d 日", day);
    }
}

static void say_month_days(struct sentence *sentence, const struct bl_rule *rule)
{
    sentence->before = sentence->tongue->on;
    for (int day = 1; day <= MONTH_DAYS; day++) {
        if (rule->month_days >> (uint32_t)day & 1U) {
            say_month_day(sentence, day);
        }
    }
    for (int day = 1; day <= MONTH_DAYS; day++) {
        if (rule->month_days_back >> (uint32_t)day & 1U) {
            say_month_day(sentence, -day);
        }
    }
}

static bool is_work_week(const struct bl_rule *rule)
{
    for (size_t i = 0; i < rule->day_count; i++) {
        const struct bl_rule_day *day = &rule->day[i];

        if (day->nth || day->weekday < MONDAY || day->weekday > FRIDAY) {
            return false;
        }
    }
    return rule->day_count == WORK_DAYS;
}

static void say_weekdays(struct sentence *sentence, const struct bl_rule *rule)
{
    bool is_limit = rule->month_days || rule->month_days_back;

    sentence->before = is_limit ? sentence->tongue->only_if : sentence->tongue->on;
    if (is_work_week(rule)) {
        start_item(sentence);
        say(sentence, sentence->tongue->work_week);
    }
    for (size_t i = 0; i < rule->day_count && !is_work_week(rule); i++) {
        const char *name = sentence->tongue->weekday[rule->day[i].weekday];

        start_item(sentence);
        if (rule->day[i].nth) {
            say_nth(sentence, rule->day[i].nth, "个", name);
        } else {
            say(sentence, name);
        }
    }
    say(sentence, is_limit && rule->day_count ? sentence->tongue->end_only_if : "");
}

static void say_positions(struct sentence *sentence, const struct bl_rule *rule)
{
    sentence->before = sentence->tongue->only_the;
    for (size_t i = 0; i < rule->position_count; i++) {
        start_item(sentence);
        say_nth(sentence, rule->position[i], "个", "");
    }
    say(sentence, rule->position_count ? sentence->tongue->end_only_the : "");
}

static void say_end(struct sentence *sentence, const struct bl_rule *rule, const struct bl_tz *tz)
{
    struct bl_civil civil;

    if (rule->count) {
        say(sentence, sentence->tongue->times);
        bl_buf_printf(sentence->out, "%d", rule->count);
        say(sentence, sentence->tongue->end_times);
    }
    if (rule->until == BL_TIME_NEVER) {
        return;
    }
    say(sentence, sentence->tongue->until);
    bl_tz_to_civil(tz, rule->until, &civil);
    if (rule->until == bl_rule_end_of_day(tz, &civil)) {
        bl_buf_printf(sentence->out, "%04d-%02d-%02d", civil.year, civil.month, civil.day);
    } else {
        bl_tz_print(sentence->out, tz, rule->until);
    }
    say(sentence, sentence->tongue->end_until);
}

void bl_rule_words(struct bl_buf *out, const struct bl_rule *rule, const struct bl_tz *tz,
                   enum bl_rule_language language)
{
    struct sentence sentence = {.out = out, .tongue = &tongues[language]};

    say_every(&sentence, rule);
    say_months(&sentence, rule);
    say_month_days(&sentence, rule);
    say_weekdays(&sentence, rule);
    say_positions(&sentence, rule);
    say_end(&sentence, rule, tz);
}
