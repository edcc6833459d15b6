/* Zones in a calendar, as this writer has them and as libical reads them. */
#include "calendar_kit.h"

#include "calendar/ical_zone.h"

#include <libical/ical.h>

static void a_zone_is_its_stretches_by_their_onsets(void **state)
{
    static const char expected[] = "BEGIN:VTIMEZONE\r\n"
                                   "TZID:Australia/Lord_Howe\r\n"
                                   "BEGIN:DAYLIGHT\r\n"
                                   "DTSTART:20261004T020000\r\n"
                                   "TZOFFSETFROM:+1030\r\n"
                                   "TZOFFSETTO:+1100\r\n"
                                   "TZNAME:+11\r\n"
                                   "END:DAYLIGHT\r\n"
                                   "BEGIN:STANDARD\r\n"
                                   "DTSTART:20270404T020000\r\n"
                                   "TZOFFSETFROM:+1100\r\n"
                                   "TZOFFSETTO:+1030\r\n"
                                   "TZNAME:+1030\r\n"
                                   "END:STANDARD\r\n"
                                   "END:VTIMEZONE\r\n";
    BL_AUTO_TZ *tz = kit_zone("Australia/Lord_Howe");
    BL_AUTO_BUF out = {0};

    (void)state;
    bl_ical_put_zone(&out, tz, kit_utc("2026-12-01"), kit_utc("2027-05-01"));
    assert_string_equal(bl_buf_text(&out), expected);
}

static void a_zone_without_changes_is_one_stretch(void **state)
{
    BL_AUTO_TZ *tz = kit_zone("Etc/GMT-3");
    BL_AUTO_BUF out = {0};

    (void)state;
    bl_ical_put_zone(&out, tz, kit_utc("2026-12-01"), kit_utc("2099-05-01"));
    assert_string_equal(bl_buf_text(&out), "BEGIN:VTIMEZONE\r\n"
                                           "TZID:Etc/GMT-3\r\n"
                                           "BEGIN:STANDARD\r\n"
                                           "DTSTART:19700101T030000\r\n"
                                           "TZOFFSETFROM:+0300\r\n"
                                           "TZOFFSETTO:+0300\r\n"
                                           "TZNAME:+03\r\n"
                                           "END:STANDARD\r\n"
                                           "END:VTIMEZONE\r\n");
}

static void a_century_of_stretches_is_cut(void **state)
{
    BL_AUTO_BUF out = {0};
    int count = 0;

    (void)state;
    bl_ical_put_zone(&out, kit_berlin, kit_utc("2026-12-01"), kit_utc("2199-05-01"));
    for (const char *at = bl_buf_text(&out); (at = strstr(at, "DTSTART")); at++) {
        count++;
    }
    assert_int_equal(count, 100);
}

/* UTC of a local time as libical has it by that VTIMEZONE. */
static bl_time libical_utc(icaltimezone *zone, const struct bl_civil *civil)
{
    struct icaltimetype local = {.year = civil->year,
                                 .month = civil->month,
                                 .day = civil->day,
                                 .hour = civil->hour,
                                 .minute = civil->minute,
                                 .zone = zone};

    return icaltime_as_timet_with_zone(local, zone) * BL_SECOND;
}

static void libical_reads_the_same_times_from_it(void **state)
{
    static const char *const names[] = {"Europe/Berlin",     "America/New_York",
                                        "Asia/Shanghai",     "Australia/Lord_Howe",
                                        "Africa/Casablanca", "America/St_Johns"};
    bl_time from = kit_utc("2026-11-29T08:45");
    bl_time to = kit_utc("2029-11-29");

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        BL_AUTO_TZ *tz = kit_zone(names[i]);
        BL_AUTO_BUF out = {0};
        icalcomponent *component;
        icaltimezone *zone = icaltimezone_new();

        bl_ical_put_zone(&out, tz, from, to);
        component = icalparser_parse_string(bl_buf_text(&out));
        assert_non_null(component);
        assert_int_equal(icalcomponent_count_errors(component), 0);
        assert_true(icaltimezone_set_component(zone, component));
        for (bl_time at = from; at < to; at += 5 * BL_HOUR) {
            struct bl_tz_found found;
            struct bl_civil civil;

            bl_tz_to_civil(tz, at, &civil);
            bl_tz_find(tz, &civil, &found);
            if (found.showing == BL_TZ_ONCE) {
                assert_int_equal(libical_utc(zone, &civil), at);
            }
        }
        icaltimezone_free(zone, 1);
    }
}

static void times_are_local_unless_the_clocks_show_them_twice(void **state)
{
    BL_AUTO_BUF out = {0};

    (void)state;
    bl_ical_put_at(&out, "DTEND", kit_berlin, kit_utc("2026-10-25T00:30"));
    bl_ical_put_at(&out, "DTEND", kit_berlin, kit_utc("2026-10-25T01:30"));
    bl_ical_put_at(&out, "DTEND", kit_berlin, kit_utc("2026-10-25T02:30"));
    assert_string_equal(bl_buf_text(&out), "DTEND:20261025T003000Z\r\n"
                                           "DTEND:20261025T013000Z\r\n"
                                           "DTEND;TZID=Europe/Berlin:20261025T033000\r\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_zone_is_its_stretches_by_their_onsets),
        cmocka_unit_test(a_zone_without_changes_is_one_stretch),
        cmocka_unit_test(a_century_of_stretches_is_cut),
        cmocka_unit_test(libical_reads_the_same_times_from_it),
        cmocka_unit_test(times_are_local_unless_the_clocks_show_them_twice),
    };

    return cmocka_run_group_tests(tests, kit_set_up, kit_tear_down);
}
