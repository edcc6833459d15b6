/* Series as instants: local times of day across changes of the clocks, and what is refused. */
#include "calendar_kit.h"

#include "calendar/series.h"

/* A series in text, and from when on it is expanded for 400 days. */
static int expand(const char *text, const char *zone_name, const char *from,
                  struct bl_series_slots *out, struct bl_error *err)
{
    BL_AUTO_TZ *tz = kit_zone(zone_name);
    struct bl_series series = {0};
    struct bl_series_window window = {kit_utc(from), kit_utc(from) + BL_SERIES_HORIZON};
    int status = bl_series_read(text, tz, &series, err);

    return status ? status : bl_series_expand(&series, tz, &window, out, err);
}

/* "1 2026-12-01T08:00/14:00 2 ...": numbers with starts and ends in UTC. */
static void print(struct bl_buf *out, const struct bl_series_slots *slots)
{
    for (size_t i = 0; i < slots->slots.count; i++) {
        const struct bl_series_slot *slot = &slots->slots.at[i];
        struct bl_civil start;
        struct bl_civil end;

        bl_zone_utc.to_civil(NULL, slot->start, &start);
        bl_zone_utc.to_civil(NULL, slot->end, &end);
        bl_buf_printf(out, "%s%d %02d-%02d %02d:%02d/%02d-%02d %02d:%02d%s%s", i ? ", " : "",
                      slot->number, start.month, start.day, start.hour, start.minute, end.month,
                      end.day, end.hour, end.minute, slot->is_moved ? " moved" : "",
                      slot->is_shortened ? " shortened" : "");
    }
}

static void P12_times_of_day_stay_over_changes_of_the_clocks(void **state)
{
    static const struct {
        const char *zone, *series, *slots;
    } rows[] = {
        {"Europe/Berlin", "2026-03-22T09:00 6h FREQ=WEEKLY;COUNT=3",
         "1 03-22 08:00/03-22 14:00, 2 03-29 07:00/03-29 13:00, 3 04-05 07:00/04-05 13:00"},
        {"Europe/Berlin", "2026-10-18T09:00 6h FREQ=WEEKLY;COUNT=3",
         "1 10-18 07:00/10-18 13:00, 2 10-25 08:00/10-25 14:00, 3 11-01 08:00/11-01 14:00"},
        {"America/New_York", "2026-03-07T09:00 6h FREQ=DAILY;COUNT=2",
         "1 03-07 14:00/03-07 20:00, 2 03-08 13:00/03-08 19:00"},
        {"America/New_York", "2026-10-31T09:00 6h FREQ=DAILY;COUNT=2",
         "1 10-31 13:00/10-31 19:00, 2 11-01 14:00/11-01 20:00"},
        {"Asia/Shanghai", "2026-03-28T09:00 6h FREQ=DAILY;COUNT=2",
         "1 03-28 01:00/03-28 07:00, 2 03-29 01:00/03-29 07:00"},
        {"Australia/Lord_Howe", "2026-04-04T09:00 6h FREQ=DAILY;COUNT=2",
         "1 04-03 22:00/04-04 04:00, 2 04-04 22:30/04-05 04:30"},
        {"Australia/Lord_Howe", "2026-10-03T09:00 6h FREQ=DAILY;COUNT=2",
         "1 10-02 22:30/10-03 04:30, 2 10-03 22:00/10-04 04:00"},
        /* six hours over a change are six hours */
        {"Europe/Berlin", "2026-03-28T23:00 6h FREQ=DAILY;COUNT=1", "1 03-28 22:00/03-29 04:00"},
        {"Europe/Berlin", "2026-10-24T23:00 6h FREQ=DAILY;COUNT=1", "1 10-24 21:00/10-25 03:00"},
        /* left out: as much later as the clocks are put forward */
        {"Europe/Berlin", "2026-03-28T02:30 1h FREQ=DAILY;COUNT=3",
         "1 03-28 01:30/03-28 02:30, 2 03-29 01:30/03-29 02:30 moved, 3 03-30 00:30/03-30 01:30"},
        {"Australia/Lord_Howe", "2026-10-03T02:15 1h FREQ=DAILY;COUNT=3",
         "1 10-02 15:45/10-02 16:45, 2 10-03 15:45/10-03 16:45 moved, 3 10-04 15:15/10-04 16:15"},
        /* shown twice: the first, unless the first of the series is the second */
        {"Europe/Berlin", "2026-10-24T02:30 1h FREQ=DAILY;COUNT=2",
         "1 10-24 00:30/10-24 01:30, 2 10-25 00:30/10-25 01:30"},
        {"Europe/Berlin", "2026-10-25T02:30 again 1h FREQ=DAILY;COUNT=2",
         "1 10-25 01:30/10-25 02:30, 2 10-26 01:30/10-26 02:30"},
        /* whole days: one of 23 hours */
        {"Europe/Berlin", "2026-03-28T09:00 24h FREQ=DAILY;COUNT=3",
         "1 03-28 08:00/03-29 07:00 shortened, 2 03-29 07:00/03-30 07:00, 3 03-30 07:00/03-31 "
         "07:00"},
        {"Europe/Berlin", "2026-10-24T09:00 24h FREQ=DAILY;COUNT=2",
         "1 10-24 07:00/10-25 07:00, 2 10-25 08:00/10-26 08:00"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        BL_AUTO_SERIES_SLOTS slots = {0};
        BL_AUTO_BUF printed = {0};
        struct bl_error err = {0};

        if (expand(rows[i].series, rows[i].zone, "2026-01-01", &slots, &err)) {
            fail_msg("%s: %s", rows[i].series, err.text);
        }
        print(&printed, &slots);
        assert_string_equal(bl_buf_text(&printed), rows[i].slots);
        assert_false(slots.goes_on);
    }
}

static void rules_choose_days(void **state)
{
    /* all in UTC from Thursday 2026-01-01 */
    static const struct {
        const char *rule, *days;
    } rows[] = {
        {"FREQ=DAILY;COUNT=3", "01-01 01-02 01-03"},
        {"FREQ=DAILY;INTERVAL=30;COUNT=3", "01-01 01-31 03-02"},
        {"FREQ=DAILY;BYDAY=SA,SU;COUNT=3", "01-03 01-04 01-10"},
        {"FREQ=DAILY;BYMONTH=2;BYMONTHDAY=-1;COUNT=2", "02-28"},
        {"FREQ=WEEKLY;COUNT=3", "01-01 01-08 01-15"},
        {"FREQ=WEEKLY;BYDAY=MO,TH;COUNT=3", "01-01 01-05 01-08"},
        {"FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;COUNT=4;WKST=MO", "01-04 01-13 01-18 01-27"},
        {"FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;COUNT=4;WKST=SU", "01-11 01-13 01-25 01-27"},
        {"FREQ=WEEKLY;BYDAY=MO,TU,WE;BYSETPOS=-1;COUNT=2", "01-07 01-14"},
        {"FREQ=MONTHLY;COUNT=3", "01-01 02-01 03-01"},
        {"FREQ=MONTHLY;BYMONTHDAY=31;COUNT=3", "01-31 03-31 05-31"},
        {"FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=3", "01-31 02-28 03-31"},
        {"FREQ=MONTHLY;BYDAY=1MO,-1FR;COUNT=4", "01-05 01-30 02-02 02-27"},
        {"FREQ=MONTHLY;BYDAY=5TH;COUNT=2", "01-29 04-30"},
        {"FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR;COUNT=3", "02-13 03-13 11-13"},
        {"FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=3", "01-30 02-27 03-31"},
        {"FREQ=MONTHLY;INTERVAL=5;BYMONTHDAY=10;COUNT=3", "01-10 06-10 11-10"},
        {"FREQ=MONTHLY;BYMONTH=3,7;BYMONTHDAY=4;COUNT=2", "03-04 07-04"},
        {"FREQ=YEARLY;COUNT=2", "01-01 01-01"},
        {"FREQ=YEARLY;BYMONTH=6;BYMONTHDAY=10;COUNT=1", "06-10"},
        {"FREQ=YEARLY;BYDAY=20MO;COUNT=1", "05-18"},
        {"FREQ=YEARLY;BYDAY=-1MO;COUNT=1", "12-28"},
        {"FREQ=YEARLY;BYMONTH=11;BYDAY=4TH;COUNT=1", "11-26"},
        {"FREQ=YEARLY;BYMONTH=1,2;BYDAY=MO;BYSETPOS=2,-1;COUNT=2", "01-12 02-23"},
        {"FREQ=YEARLY;BYMONTHDAY=31;COUNT=3", "01-31 03-31 05-31"},
        {"FREQ=DAILY;UNTIL=20260103T090000Z", "01-01 01-02 01-03"},
        {"FREQ=DAILY;UNTIL=20260103T085959Z", "01-01 01-02"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        BL_AUTO_SERIES_SLOTS slots = {0};
        BL_AUTO_BUF text = {0};
        BL_AUTO_BUF days = {0};
        struct bl_error err = {0};

        bl_buf_printf(&text, "2026-01-01T09:00 1h %s", rows[i].rule);
        if (expand(bl_buf_text(&text), "UTC", "2026-01-01", &slots, &err) && !slots.slots.count) {
            fail_msg("%s: %s", rows[i].rule, err.text);
        }
        for (size_t k = 0; k < slots.slots.count; k++) {
            struct bl_civil civil;

            bl_zone_utc.to_civil(NULL, slots.slots.at[k].start, &civil);
            bl_buf_printf(&days, "%s%02d-%02d", k ? " " : "", civil.month, civil.day);
            assert_int_equal(slots.slots.at[k].number, k + 1);
        }
        /* 400 days reach into the next year */
        if (strcmp(bl_buf_text(&days), rows[i].days) != 0) {
            fail_msg("%s: %s, expected %s", rows[i].rule, bl_buf_text(&days), rows[i].days);
        }
    }
}

static void a_window_gives_what_ends_in_it_or_later_under_its_own_numbers(void **state)
{
    BL_AUTO_TZ *berlin = kit_zone("Europe/Berlin");
    BL_AUTO_SERIES_SLOTS slots = {0};
    struct bl_series series = {0};
    struct bl_series_window window = {kit_utc("2027-01-11T07:00"), kit_utc("2027-01-13T08:00")};
    BL_AUTO_BUF printed = {0};

    (void)state;
    assert_int_equal(bl_series_read("2026-01-01T09:00 23h FREQ=DAILY", berlin, &series, NULL),
                     BL_OK);
    assert_int_equal(bl_series_expand(&series, berlin, &window, &slots, NULL), BL_OK);
    print(&printed, &slots);
    assert_string_equal(bl_buf_text(&printed),
                        "376 01-11 08:00/01-12 07:00, 377 01-12 08:00/01-13 07:00");
    assert_true(slots.goes_on);
}

static void a_series_that_is_over_is_empty_and_not_refused(void **state)
{
    BL_AUTO_SERIES_SLOTS slots = {0};

    (void)state;
    assert_int_equal(
        expand("2020-01-01T09:00 1h FREQ=DAILY;COUNT=5", "UTC", "2026-01-01", &slots, NULL), BL_OK);
    assert_int_equal(slots.slots.count, 0);
    assert_false(slots.goes_on);
}

static void what_cannot_be_booked_is_refused(void **state)
{
    static const struct {
        const char *series, *field, *error;
    } rows[] = {
        {"2026-01-01T09:00 1h FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30", "every", "no occurrence before"},
        {"2026-01-01T09:00 1h FREQ=MONTHLY;BYMONTH=4;BYMONTHDAY=31", "every", "no occurrence"},
        {"2026-01-01T09:00 1h FREQ=MONTHLY;BYDAY=5MO;BYSETPOS=3", "every", "no occurrence"},
        {"2026-01-01T09:00 1h FREQ=YEARLY;BYDAY=53MO;BYSETPOS=2", "every", "no occurrence"},
        {"2026-01-01T09:00 1h FREQ=DAILY;INTERVAL=7;BYDAY=MO", "every", "no occurrence"},
        {"2026-01-01T09:00 1h FREQ=WEEKLY;BYDAY=MO;BYSETPOS=2", "every", "no occurrence"},
        {"2026-01-01T09:00 1h FREQ=YEARLY;INTERVAL=1000;BYMONTH=2;BYMONTHDAY=30", "every",
         "no occurrence"},
        {"2026-01-01T09:00 1h FREQ=DAILY;UNTIL=20251231T000000Z", "every", "no occurrence"},
        {"2026-01-01T09:00 24h1m FREQ=DAILY", "for",
         "an occurrence would reach into the next one, of 2026-01-02 09:00"},
        {"2026-01-01T09:00 3d FREQ=WEEKLY;BYDAY=MO,WE", "for", "2026-01-07 09:00"},
        {"2026-01-01T09:00 0s FREQ=DAILY", "for", "over 0 and of at most 400 days"},
        {"2026-01-01T09:00 401d FREQ=YEARLY", "for", "over 0 and of at most 400 days"},
        {"2027-03-01T09:00 1h FREQ=DAILY", "from", "expected a first start before 2027-02-05"},
        {"9999-12-31T09:00 1h FREQ=DAILY", "from", "expected a first start before"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        BL_AUTO_SERIES_SLOTS slots = {0};
        struct bl_error err = {0};

        if (expand(rows[i].series, "UTC", "2026-01-01", &slots, &err) != BL_EINVAL ||
            !strstr(err.text, rows[i].error)) {
            fail_msg("%s: %s", rows[i].series, err.text);
        }
        assert_string_equal(err.field, rows[i].field);
        assert_int_equal(slots.slots.count, 0);
    }
}

static void more_than_a_thousand_occurrences_are_refused(void **state)
{
    BL_AUTO_TZ *tz = kit_zone("UTC");
    BL_AUTO_SERIES_SLOTS slots = {0};
    struct bl_series series = {0};
    struct bl_series_window window = {0, kit_utc("2026-01-01")};
    struct bl_error err = {0};

    (void)state;
    assert_int_equal(bl_series_read("2020-01-01T09:00 1h FREQ=DAILY", tz, &series, NULL), BL_OK);
    assert_int_equal(bl_series_expand(&series, tz, &window, &slots, &err), BL_EINVAL);
    assert_non_null(strstr(err.text, "more than 1000 occurrences"));
    window.from = kit_utc("2025-12-01");
    assert_int_equal(bl_series_expand(&series, tz, &window, &slots, &err), BL_OK);
    assert_int_equal(slots.slots.count, 31);
}

static void series_are_text_and_back(void **state)
{
    static const char *const texts[] = {
        "2026-12-01T09:00:00 6h FREQ=WEEKLY;BYDAY=MO",
        "2026-10-25T02:30:15 again 1m30s FREQ=DAILY;COUNT=3",
    };
    static const char *const wrong[] = {
        "",
        "2026-12-01T09:00",
        "2026-12-01T09:00 6h",
        "2026-12-01T09:00Z 6h FREQ=DAILY",
        "09:00 6h FREQ=DAILY",
        "2026-12-01T09:00 -6h FREQ=DAILY",
        "2026-12-01T09:00 again 6h",
        "2026-12-01T09:00 6h FREQ=HOURLY",
    };
    BL_AUTO_TZ *tz = kit_zone("Europe/Berlin");

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct bl_series series = {0};
        BL_AUTO_BUF printed = {0};

        assert_int_equal(bl_series_read(texts[i], tz, &series, NULL), BL_OK);
        bl_series_print(&printed, &series);
        assert_string_equal(bl_buf_text(&printed), texts[i]);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct bl_series series = {.duration = 7};

        assert_int_equal(bl_series_read(wrong[i], tz, &series, NULL), BL_EINVAL);
        assert_int_equal(series.duration, 7);
    }
}

static void the_first_is_kept_as_the_clocks_show_it(void **state)
{
    static const struct {
        const char *at, *printed;
    } rows[] = {
        {"2026-10-25T00:30:00Z", "2026-10-25T02:30:00 1h FREQ=DAILY"},
        {"2026-10-25T01:30:00Z", "2026-10-25T02:30:00 again 1h FREQ=DAILY"},
        {"2026-10-25T02:30:00Z", "2026-10-25T03:30:00 1h FREQ=DAILY"},
    };
    BL_AUTO_TZ *tz = kit_zone("Europe/Berlin");

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct bl_series series = {.duration = BL_HOUR};
        BL_AUTO_BUF printed = {0};

        assert_int_equal(bl_rule_read("daily", tz, &series.rule, NULL), BL_OK);
        bl_series_set_first(&series, tz, kit_utc(rows[i].at));
        bl_series_print(&printed, &series);
        assert_string_equal(bl_buf_text(&printed), rows[i].printed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(P12_times_of_day_stay_over_changes_of_the_clocks),
        cmocka_unit_test(rules_choose_days),
        cmocka_unit_test(a_window_gives_what_ends_in_it_or_later_under_its_own_numbers),
        cmocka_unit_test(a_series_that_is_over_is_empty_and_not_refused),
        cmocka_unit_test(what_cannot_be_booked_is_refused),
        cmocka_unit_test(more_than_a_thousand_occurrences_are_refused),
        cmocka_unit_test(series_are_text_and_back),
        cmocka_unit_test(the_first_is_kept_as_the_clocks_show_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
