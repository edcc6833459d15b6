#include "cli/when.h"

#include "bl_test.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Sunday, 29 November 2026, 13:20:00 in Berlin (12:20 UTC). */
#define NOW (INT64_C(1795954800) * BL_SECOND)

static int choose_zone(void **state)
{
    (void)state;
    setenv("TZ", "Europe/Berlin", 1);
    setenv("LC_ALL", "C.UTF-8", 1);
    tzset();
    return 0;
}

static void instants_are_told_by_their_distance(void **state)
{
    static const struct {
        bl_time from_now;
        const char *en, *zh;
    } rows[] = {
        {0, "13:20", "13:20"},
        {2 * BL_HOUR + 5 * BL_MINUTE, "15:25", "15:25"},
        {11 * BL_HOUR, "tomorrow 00:20", "明天 00:20"},
        {-14 * BL_HOUR, "yesterday 23:20", "昨天 23:20"},
        {2 * BL_DAY, "Tue 13:20", "周二 13:20"},
        {7 * BL_DAY, "2026-12-06 13:20", "2026-12-06 13:20"},
        {-7 * BL_DAY, "2026-11-22 13:20", "2026-11-22 13:20"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        BL_AUTO_BUF en = {0};
        BL_AUTO_BUF zh = {0};

        bl_when_print(&en, NOW + rows[i].from_now, NOW);
        setenv("LC_ALL", "zh_CN.UTF-8", 1);
        bl_when_print(&zh, NOW + rows[i].from_now, NOW);
        setenv("LC_ALL", "C.UTF-8", 1);
        assert_string_equal(bl_buf_text(&en), rows[i].en);
        assert_string_equal(bl_buf_text(&zh), rows[i].zh);
    }
}

static void times_are_read_as_people_write_them(void **state)
{
    static const struct {
        const char *text;
        const char *expected; /* as it is told */
    } rows[] = {
        {"now", "13:20"},
        {"15:30", "15:30"},
        {"09:00", "tomorrow 09:00"},
        {"today 18:00", "18:00"},
        {"today 09:00", "09:00"},
        {"tomorrow 09:00", "tomorrow 09:00"},
        {"Tomorrow", "tomorrow 00:00"},
        {"yesterday 09:00", "yesterday 09:00"},
        {"-2h", "11:20"},
        {"-7d", "2026-11-22 13:20"},
        {"tue 09:00", "Tue 09:00"},
        {"Saturday 23:59", "Sat 23:59"},
        {"+2h", "15:20"},
        {"2h30m", "15:50"},
        {"2026-12-24 18:00", "2026-12-24 18:00"},
        {"2026-12-24T18:00", "2026-12-24 18:00"},
        {"2026-11-29T13:00Z", "14:00"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        BL_AUTO_BUF out = {0};
        struct bl_error err = {0};
        bl_time at = 0;

        if (bl_when_parse(rows[i].text, NOW, &at, &err)) {
            fail_msg("'%s': %s", rows[i].text, err.text);
        }
        bl_when_print(&out, at, NOW);
        assert_string_equal(bl_buf_text(&out), rows[i].expected);
    }
}

static void P12_days_are_named_by_their_dates_for_the_daemon(void **state)
{
    static const struct {
        const char *text, *expected;
    } rows[] = {
        {"tomorrow 09:00", "2026-11-30T09:00:00"},
        {"Tue 09:00", "2026-12-01T09:00:00"},
        {"today", "2026-11-29T00:00:00"},
        {"2027-03-28 02:30", "2027-03-28 02:30"},
        {"+2h", "2h"},
        {"14:00", "14:00"},
        {"tomorrow at nine", "tomorrow at nine"},
        {"", ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        BL_AUTO_BUF out = {0};

        bl_when_print_civil(&out, rows[i].text, NOW);
        assert_string_equal(bl_buf_text(&out), rows[i].expected);
    }
}

static void what_is_no_time_is_refused_with_examples(void **state)
{
    static const char *const rows[] = {
        "",       "soon", "25:00",  "tomorrow at nine", "tomorrow 2h",
        "-15:30", "-",    "+15:30", "fri 24:61",        "2026-13-01T00:00"};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_error err = {0};
        bl_time at = 0;

        if (bl_when_parse(rows[i], NOW, &at, &err) != BL_EINVAL || !err.text[0]) {
            fail_msg("'%s' was taken", rows[i]);
        }
    }
}

static void P12_a_time_that_the_clocks_leave_out_is_refused(void **state)
{
    struct bl_error err = {0};
    bl_time at = 0;

    (void)state;
    assert_int_equal(bl_when_parse("2027-03-28T02:30", NOW, &at, &err), BL_EINVAL);
    assert_non_null(strstr(err.text, "clocks"));
}

static void P12_what_depends_on_the_zone_is_told_in_utc(void **state)
{
    static const struct {
        const char *text;
        const char *expected; /* NULL: left as it is */
    } rows[] = {
        {"2026-12-01T08:30", "2026-12-01T07:30:00Z"},
        {"2026-12-01", "2026-11-30T23:00:00Z"},
        {"2026-12-01T08:30:00Z", NULL},
        {"2026-12-01T08:30:00+08:00", NULL},
        {"2h", NULL},
        {"soon", NULL},
        {"2027-03-28T02:30", NULL},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        BL_AUTO_BUF out = {0};

        assert_int_equal(bl_when_fix(rows[i].text, NOW, &out), rows[i].expected != NULL);
        assert_string_equal(bl_buf_text(&out), rows[i].expected ? rows[i].expected : "");
    }
}

static void another_zone_can_be_chosen_by_its_name(void **state)
{
    static const char *const unknown[] = {"", "Mars/Olympus", "/etc/passwd", "../../../etc/passwd"};
    struct bl_error err = {0};
    BL_AUTO_BUF out = {0};

    (void)state;
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        assert_int_equal(bl_when_choose_zone(unknown[i], &err), BL_EINVAL);
        assert_non_null(strstr(err.hint, "Europe/Berlin"));
    }
    assert_int_equal(bl_when_choose_zone("Asia/Shanghai", &err), BL_OK);
    bl_when_print(&out, NOW, NOW);
    assert_string_equal(bl_buf_text(&out), "20:20");
    choose_zone(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(P12_days_are_named_by_their_dates_for_the_daemon),
        cmocka_unit_test(another_zone_can_be_chosen_by_its_name),
        cmocka_unit_test(instants_are_told_by_their_distance),
        cmocka_unit_test(times_are_read_as_people_write_them),
        cmocka_unit_test(what_is_no_time_is_refused_with_examples),
        cmocka_unit_test(P12_what_depends_on_the_zone_is_told_in_utc),
        cmocka_unit_test(P12_a_time_that_the_clocks_leave_out_is_refused),
    };

    return cmocka_run_group_tests(tests, choose_zone, NULL);
}
