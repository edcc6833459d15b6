/* Dates as numbers, and which of them a rule means. */
#include "bl_test.h"

#include "calendar/days.h"

static void dates_and_their_weekdays_are_numbers_and_back(void **state)
{
    static const struct {
        int32_t year, month, day, weekday;
        int64_t number;
    } rows[] = {{1970, 1, 1, 4, 0},
                {2000, 2, 29, 2, 11016},
                {2026, 11, 29, 0, 20786},
                {2100, 3, 1, 1, 47541}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct bl_civil civil;

        assert_int_equal(bl_day_of(rows[i].year, rows[i].month, rows[i].day), rows[i].number);
        assert_int_equal(bl_day_weekday(rows[i].number), rows[i].weekday);
        bl_day_to_civil(rows[i].number, &civil);
        assert_int_equal(civil.year, rows[i].year);
        assert_int_equal(civil.month, rows[i].month);
        assert_int_equal(civil.day, rows[i].day);
    }
}

static void periods_lie_an_interval_apart(void **state)
{
    /* first: Wednesday 2026-12-02 */
    static const struct {
        enum bl_rule_every every;
        int8_t week_start;
        int32_t interval, index;
        int32_t from[3], to[3];
    } rows[] = {
        {BL_RULE_DAILY, 1, 3, 2, {2026, 12, 8}, {2026, 12, 9}},
        {BL_RULE_WEEKLY, 1, 1, 0, {2026, 11, 30}, {2026, 12, 7}},
        {BL_RULE_WEEKLY, 0, 1, 0, {2026, 11, 29}, {2026, 12, 6}},
        {BL_RULE_WEEKLY, 3, 2, 1, {2026, 12, 16}, {2026, 12, 23}},
        {BL_RULE_WEEKLY, 4, 1, 0, {2026, 11, 26}, {2026, 12, 3}},
        {BL_RULE_MONTHLY, 1, 1, 0, {2026, 12, 1}, {2027, 1, 1}},
        {BL_RULE_MONTHLY, 1, 1, 2, {2027, 2, 1}, {2027, 3, 1}},
        {BL_RULE_MONTHLY, 1, 13, 1, {2028, 1, 1}, {2028, 2, 1}},
        {BL_RULE_YEARLY, 1, 2, 1, {2028, 1, 1}, {2029, 1, 1}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct bl_rule rule = {
            .every = rows[i].every, .interval = rows[i].interval, .week_start = rows[i].week_start};
        struct bl_day_range range = bl_rule_period(&rule, bl_day_of(2026, 12, 2), rows[i].index);

        assert_int_equal(range.from, bl_day_of(rows[i].from[0], rows[i].from[1], rows[i].from[2]));
        assert_int_equal(range.to, bl_day_of(rows[i].to[0], rows[i].to[1], rows[i].to[2]));
    }
}

static void what_a_rule_leaves_open_is_as_the_first_day_has_it(void **state)
{
    /* first: Thursday 2026-12-31, in the period of index 1 */
    static const struct {
        enum bl_rule_every every;
        uint16_t months;
        int32_t index;
        size_t count;
        int32_t day[3];
    } rows[] = {
        {BL_RULE_DAILY, 0, 1, 1, {2027, 1, 1}},    {BL_RULE_WEEKLY, 0, 1, 1, {2027, 1, 7}},
        {BL_RULE_MONTHLY, 0, 1, 1, {2027, 1, 31}}, {BL_RULE_MONTHLY, 0, 2, 0, {0}},
        {BL_RULE_YEARLY, 0, 1, 1, {2027, 12, 31}}, {BL_RULE_YEARLY, 1U << 3U, 1, 1, {2027, 3, 31}},
        {BL_RULE_YEARLY, 1U << 4U, 1, 0, {0}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct bl_rule rule = {
            .every = rows[i].every, .interval = 1, .week_start = 1, .months = rows[i].months};
        int64_t first = bl_day_of(2026, 12, 31);
        int64_t day[366];

        assert_int_equal(
            bl_rule_days(&rule, first, bl_rule_period(&rule, first, rows[i].index), day),
            rows[i].count);
        if (rows[i].count) {
            assert_int_equal(day[0], bl_day_of(rows[i].day[0], rows[i].day[1], rows[i].day[2]));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dates_and_their_weekdays_are_numbers_and_back),
        cmocka_unit_test(periods_lie_an_interval_apart),
        cmocka_unit_test(what_a_rule_leaves_open_is_as_the_first_day_has_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
