/* The yearly rule behind a zone's last recorded change. */
#include "bl_test.h"

#include "calendar/tzrule.h"

static void rules_are_read_in_all_their_forms(void **state)
{
    static const struct {
        const char *text;
        int64_t at; /* in 2027 */
        int32_t offset;
        bool is_summer;
        const char *abbreviation;
    } rows[] = {
        {"UTC0", 1830000000, 0, false, "UTC"},
        {"<+1245>-12:45<+1345>,M9.5.0/2:45,M4.1.0/3:45", 1798761600, 49500, true, "+1345"},
        {"CET-1CEST,M3.5.0,M10.5.0/3", 1798761600, 3600, false, "CET"},
        {"CET-1CEST,M3.5.0,M10.5.0/3", 1813968000, 7200, true, "CEST"},
        /* the last Sunday of March 2027 is the 28th: 01:00 UTC is 1806195600 */
        {"CET-1CEST,M3.5.0,M10.5.0/3", 1806195599, 3600, false, "CET"},
        {"CET-1CEST,M3.5.0,M10.5.0/3", 1806195600, 7200, true, "CEST"},
        {"EST5EDT4,M3.2.0/2:00:00,M11.1.0/2", 1813968000, -14400, true, "EDT"},
        {"IST-1GMT0,M10.5.0,M3.5.0/1", 1798761600, 0, true, "GMT"},
        {"IST-1GMT0,M10.5.0,M3.5.0/1", 1813968000, 3600, false, "IST"},
        /* the whole year is summer */
        {"XXX3EDT4,0/0,J365/23", 1798761600, -14400, true, "EDT"},
        {"<-02>2<-01>,M3.5.0/-1,M10.5.0/0", 1813968000, -3600, true, "-01"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct bl_tz_rule rule = {0};
        const struct bl_tz_kind *kind;
        int64_t from;
        int64_t to;

        assert_true(bl_tz_rule_read(rows[i].text, &rule));
        kind = bl_tz_rule_at(&rule, rows[i].at, &from, &to);
        assert_int_equal(kind->offset, rows[i].offset);
        assert_int_equal(kind->is_summer, rows[i].is_summer);
        assert_string_equal(kind->abbreviation, rows[i].abbreviation);
        assert_true(from <= rows[i].at && rows[i].at < to);
    }
}

static void days_of_the_year_count_with_and_without_the_leap_day(void **state)
{
    static const struct {
        const char *text;
        int64_t change; /* the first of 2028, a leap year, in UTC */
    } rows[] = {
        {"AAA0BBB,J60/0,J300/0", 1835481600}, /* 1 March */
        {"AAA0BBB,60/0,299/0", 1835481600}, /* 1 March: day 60 from 0, as there is a 29 February */
        {"AAA0BBB,59/0,299/0", 1835395200}, /* 29 February */
        {"AAA0BBB,M2.5.2/0,M10.1.0/0", 1835395200}, /* the last Tuesday of February */
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct bl_tz_rule rule = {0};
        int64_t from;
        int64_t to;

        assert_true(bl_tz_rule_read(rows[i].text, &rule));
        assert_true(bl_tz_rule_at(&rule, rows[i].change, &from, &to)->is_summer);
        assert_int_equal(from, rows[i].change);
        assert_false(bl_tz_rule_at(&rule, rows[i].change - 1, &from, &to)->is_summer);
        assert_int_equal(to, rows[i].change);
    }
}

static void what_is_no_rule_is_refused(void **state)
{
    static const char *const texts[] = {
        "",
        "CET",
        "-1",
        "CET-1CEST",
        "CET-1CEST,M3.5.0",
        "<CET-1",
        "CET-168",
        "CET-1:60",
        "CET-1CEST,M13.1.0,M10.5.0",
        "CET-1 ",
        "CET-1CEST,M3.6.0,M10.5.0",
        "CET-1CEST,M3.5.7,M10.5.0",
        "<>1",
        "CET-1CEST,J0,J300",
        "CET-1CEST,366,1",
        "CET-1CEST,M3.5.0/,M10.5.0",
        "ABCDEFGHIJKLMNOPQ1",
        "CET-99999999999999999999",
        "CET-1CEST,M3.5.0,M10.5.0/3x",
        "A1",
        "CE-1",
    };

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct bl_tz_rule rule = {.has_summer = true};

        if (bl_tz_rule_read(texts[i], &rule)) {
            fail_msg("'%s' was read", texts[i]);
        }
        assert_true(rule.has_summer);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_are_read_in_all_their_forms),
        cmocka_unit_test(days_of_the_year_count_with_and_without_the_leap_day),
        cmocka_unit_test(what_is_no_rule_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
