/* Zones from the system's database: what their clocks show, and what they leave out or show twice.
 */
#include "calendar_kit.h"

#include "base/own.h"
#include "calendar/zone.h"
#include "os/fs.h"

static const bl_time now = INT64_C(1790000000) * BL_SECOND; /* 2026-09-21T14:13:20Z */

static void clocks_show_local_time_in_any_year(void **state)
{
    static const struct {
        const char *zone, *utc, *local;
    } rows[] = {
        {"Europe/Berlin", "2026-03-29T00:59:59Z", "2026-03-29 01:59:59"},
        {"Europe/Berlin", "2026-03-29T01:00:00Z", "2026-03-29 03:00"},
        {"Europe/Berlin", "2026-10-25T00:59:59Z", "2026-10-25 02:59:59"},
        {"Europe/Berlin", "2026-10-25T01:00:00Z", "2026-10-25 02:00"},
        {"Europe/Berlin", "2060-07-01T12:00:00Z", "2060-07-01 14:00"},
        {"Europe/Berlin", "2060-12-01T12:00:00Z", "2060-12-01 13:00"},
        {"Europe/Dublin", "2027-07-01T12:00:00Z", "2027-07-01 13:00"},
        {"America/New_York", "2027-03-14T06:59:00Z", "2027-03-14 01:59"},
        {"America/New_York", "2027-03-14T07:00:00Z", "2027-03-14 03:00"},
        {"America/New_York", "2027-11-07T06:00:00Z", "2027-11-07 01:00"},
        {"Asia/Shanghai", "2027-07-01T12:00:00Z", "2027-07-01 20:00"},
        {"Asia/Shanghai", "1988-07-01T12:00:00Z", "1988-07-01 21:00"},
        {"Asia/Kolkata", "2027-07-01T12:00:00Z", "2027-07-01 17:30"},
        {"Australia/Lord_Howe", "2027-04-03T14:59:00Z", "2027-04-04 01:59"},
        {"Australia/Lord_Howe", "2027-04-03T15:00:00Z", "2027-04-04 01:30"},
        {"Australia/Lord_Howe", "2038-10-02T15:29:00Z", "2038-10-03 01:59"},
        {"Australia/Lord_Howe", "2038-10-02T15:30:00Z", "2038-10-03 02:30"},
        {"America/St_Johns", "2027-01-01T00:00:00Z", "2026-12-31 20:30"},
        {"Pacific/Kiritimati", "2027-01-01T00:00:00Z", "2027-01-01 14:00"},
        {"Etc/GMT+12", "2027-01-01T00:00:00Z", "2026-12-31 12:00"},
        {"UTC", "1970-01-01T00:00:00Z", "1970-01-01 00:00"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        BL_AUTO_TZ *tz = kit_zone(rows[i].zone);
        BL_AUTO_BUF shown = {0};

        bl_tz_print(&shown, tz, kit_utc(rows[i].utc));
        assert_string_equal(bl_buf_text(&shown), rows[i].local);
        assert_string_equal(bl_tz_name(tz), rows[i].zone);
    }
}

static void local_times_are_read_as_the_clocks_show_them(void **state)
{
    static const struct {
        const char *zone, *text;
        enum bl_tz_fold fold;
        const char *utc;
    } rows[] = {
        {"Europe/Berlin", "2026-03-29 01:59", BL_TZ_FOLD_ASK, "2026-03-29T00:59:00Z"},
        {"Europe/Berlin", "2026-03-29T03:00", BL_TZ_FOLD_ASK, "2026-03-29T01:00:00Z"},
        {"Europe/Berlin", "2026-10-25 02:30", BL_TZ_FOLD_FIRST, "2026-10-25T00:30:00Z"},
        {"Europe/Berlin", "2026-10-25 02:30", BL_TZ_FOLD_SECOND, "2026-10-25T01:30:00Z"},
        {"Europe/Berlin", "2026-10-25T02:30+01:00", BL_TZ_FOLD_ASK, "2026-10-25T01:30:00Z"},
        {"Europe/Berlin", "2026-10-25 03:00", BL_TZ_FOLD_ASK, "2026-10-25T02:00:00Z"},
        {"Europe/Berlin", "2026-12-24", BL_TZ_FOLD_ASK, "2026-12-23T23:00:00Z"},
        {"America/New_York", "2027-11-07 01:30", BL_TZ_FOLD_SECOND, "2027-11-07T06:30:00Z"},
        {"Asia/Shanghai", "2027-03-28 02:30", BL_TZ_FOLD_ASK, "2027-03-27T18:30:00Z"},
        {"Australia/Lord_Howe", "2027-04-04 01:45", BL_TZ_FOLD_FIRST, "2027-04-03T14:45:00Z"},
        {"Australia/Lord_Howe", "2027-04-04 01:45", BL_TZ_FOLD_SECOND, "2027-04-03T15:15:00Z"},
        {"Pacific/Apia", "2011-12-29 12:00", BL_TZ_FOLD_ASK, "2011-12-29T22:00:00Z"},
        {"Europe/Berlin", "2h", BL_TZ_FOLD_ASK, "2026-09-21T16:13:20Z"},
        {"Europe/Berlin", "08:00", BL_TZ_FOLD_ASK, "2026-09-22T06:00:00Z"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        BL_AUTO_TZ *tz = kit_zone(rows[i].zone);
        struct bl_tz_clocks clocks = {tz, rows[i].fold};
        struct bl_error err = {0};
        bl_time at = 0;

        if (bl_tz_read(&clocks, rows[i].text, now, &at, &err)) {
            fail_msg("%s in %s: %s", rows[i].text, rows[i].zone, err.text);
        }
        assert_int_equal(at, kit_utc(rows[i].utc));
    }
}

static void P12_times_left_out_or_doubled_are_refused_with_the_way_out(void **state)
{
    static const struct {
        const char *zone, *text, *error, *hint;
    } rows[] = {
        {"Europe/Berlin", "2026-03-29 02:30", "Europe/Berlin never show 2026-03-29 02:30",
         "take 2026-03-29 03:30"},
        {"America/New_York", "2027-03-14T02:00", "never show 2027-03-14 02:00",
         "take 2027-03-14 03:00"},
        {"Australia/Lord_Howe", "2027-10-03 02:15", "never show 2027-10-03 02:15",
         "take 2027-10-03 02:45"},
        {"Australia/Lord_Howe", "2050-10-02 02:15", "never show 2050-10-02 02:15",
         "take 2050-10-02 02:45"},
        {"Pacific/Apia", "2011-12-30 12:00", "never show 2011-12-30 12:00",
         "take 2011-12-31 12:00"},
        {"Europe/Berlin", "2026-10-25 02:30", "show 2026-10-25 02:30 twice",
         "2026-10-25T02:30+02:00 is the first, 2026-10-25T02:30+01:00 the second"},
        {"America/New_York", "2027-11-07 01:59:59", "show 2027-11-07 01:59:59 twice",
         "2027-11-07T01:59:59-04:00 is the first, 2027-11-07T01:59:59-05:00 the second"},
        {"Australia/Lord_Howe", "2027-04-04 01:45", "show 2027-04-04 01:45 twice",
         "2027-04-04T01:45+11:00 is the first, 2027-04-04T01:45+10:30 the second"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        BL_AUTO_TZ *tz = kit_zone(rows[i].zone);
        struct bl_tz_clocks clocks = {tz, BL_TZ_FOLD_ASK};
        struct bl_error err = {0};
        bl_time at = 7;

        assert_int_equal(bl_tz_read(&clocks, rows[i].text, now, &at, &err), BL_EINVAL);
        assert_non_null(strstr(err.text, rows[i].error));
        assert_string_equal(err.hint, rows[i].hint);
        assert_int_equal(at, 7);
    }
}

static void the_offered_ways_out_are_taken(void **state)
{
    BL_AUTO_TZ *tz = kit_zone("Europe/Berlin");
    struct bl_tz_clocks clocks = {tz, BL_TZ_FOLD_ASK};
    bl_time at = 0;

    (void)state;
    assert_int_equal(bl_tz_read(&clocks, "2026-10-25T02:30+02:00", now, &at, NULL), BL_OK);
    assert_int_equal(at, kit_utc("2026-10-25T00:30:00Z"));
    assert_int_equal(bl_tz_read(&clocks, "2026-03-29 03:30", now, &at, NULL), BL_OK);
    assert_int_equal(at, kit_utc("2026-03-29T01:30:00Z"));
}

static void unknown_names_are_refused_and_the_meant_one_offered(void **state)
{
    static const struct {
        const char *name, *hint;
    } rows[] = {
        {"europe/berlin", "did you mean Europe/Berlin?"},
        {"Berlin", "did you mean Europe/Berlin?"},
        {"new york", "did you mean America/New_York?"},
        {"Mars/Olympus", ""},
        {"", ""},
        {"/etc/passwd", ""},
        {"Europe/../../../../etc/passwd", ""},
        {"../UTC", ""},
        {"Europe", ""},
        {"Europe/", ""},
        {"Europe//Berlin", ""},
        {"zone.tab", ""},
        {"posix/Europe/Berlin", ""},
        {"right/Europe/Berlin", ""},
        {"localtime", ""},
        {"CET-1CEST,M3.5.0,M10.5.0/3", ""},
        {"+02:00", ""},
        {"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
         "A",
         ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct bl_error err = {0};
        struct bl_tz *tz = NULL;

        assert_int_equal(bl_tz_create(rows[i].name, &tz, &err), BL_EINVAL);
        assert_null(tz);
        assert_non_null(strstr(err.text, "unknown time zone '"));
        assert_string_equal(err.hint, rows[i].hint);
    }
}

static void stretches_follow_each_other_without_holes(void **state)
{
    static const char *const names[] = {"Europe/Berlin", "America/New_York", "Australia/Lord_Howe",
                                        "Africa/Casablanca", "Asia/Shanghai"};

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        BL_AUTO_TZ *tz = kit_zone(names[i]);
        bl_time end = kit_utc("2080-01-01T00:00:00Z");
        struct bl_tz_stretch before;
        struct bl_tz_stretch stretch;

        bl_tz_stretch(tz, 0, &stretch);
        assert_true(stretch.from <= 0 && stretch.to > 0);
        while (stretch.to < end) {
            before = stretch;
            bl_tz_stretch(tz, before.to, &stretch);
            assert_int_equal(stretch.from, before.to);
            assert_true(stretch.to > stretch.from);
            bl_tz_stretch(tz, before.to - 1, &stretch);
            assert_int_equal(stretch.from, before.from);
            bl_tz_stretch(tz, before.to, &stretch);
        }
    }
}

static void a_zone_is_kept_in_a_file_of_its_own(void **state)
{
    BL_AUTO_TZ *berlin = kit_zone("Europe/Berlin");
    BL_AUTO_TZ *paris = kit_zone("Europe/Paris");
    BL_AUTO_TZ *again = NULL;
    char folder[] = "/tmp/baleen-tz-XXXXXX";
    BL_AUTO_BUF path = {0};
    BL_AUTO_BUF shown = {0};
    struct bl_tz *none = NULL;
    struct bl_error err = {0};

    (void)state;
    assert_non_null(mkdtemp(folder));
    bl_buf_printf(&path, "%s/kept", folder);
    assert_int_equal(bl_tz_load("Europe/Berlin", bl_buf_text(&path), &none, &err), BL_ENOTFOUND);
    assert_int_equal(bl_tz_save(berlin, bl_buf_text(&path), NULL), BL_OK);
    assert_int_equal(bl_tz_load("Europe/Berlin", bl_buf_text(&path), &again, NULL), BL_OK);
    assert_true(bl_tz_is_same(berlin, again));
    assert_false(bl_tz_is_same(berlin, paris));
    assert_string_equal(bl_tz_name(again), "Europe/Berlin");
    bl_tz_print_offset(&shown, again, kit_utc("2027-07-01T12:00"));
    assert_string_equal(bl_buf_text(&shown), "2027-07-01T14:00+02:00");
    bl_buf_clear(&shown);
    bl_tz_print(&shown, again, kit_utc("2027-07-01T12:00"));
    assert_string_equal(bl_buf_text(&shown), "2027-07-01 14:00");
    assert_int_equal(bl_tz_load("../x", bl_buf_text(&path), &none, &err), BL_EINVAL);
    bl_fs_remove_tree(folder, NULL);
}

static void without_a_database_there_is_utc(void **state)
{
    BL_AUTO_FREE char *kept = bl_copy_text(getenv("TZDIR"));
    struct bl_tz *utc = NULL;
    struct bl_tz *berlin = NULL;
    BL_AUTO_BUF shown = {0};

    (void)state;
    setenv("TZDIR", "/nonexistent", 1);
    assert_int_equal(bl_tz_create("UTC", &utc, NULL), BL_OK);
    assert_int_equal(bl_tz_create("Europe/Berlin", &berlin, NULL), BL_EINVAL);
    bl_tz_print(&shown, utc, kit_utc("2027-07-01T12:00"));
    assert_string_equal(bl_buf_text(&shown), "2027-07-01 12:00");
    bl_tz_destroy(utc);
    unsetenv("TZDIR");
    if (kept) {
        setenv("TZDIR", kept, 1);
    }
}

static void a_machine_is_in_the_zone_that_TZ_names(void **state)
{
    static const struct {
        const char *set, *name;
    } rows[] = {
        {"Asia/Shanghai", "Asia/Shanghai"}, {":Europe/Berlin", "Europe/Berlin"}, {"X-7", "UTC"}};
    BL_AUTO_FREE char *kept = bl_copy_text(getenv("TZ"));

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        BL_AUTO_BUF name = {0};

        setenv("TZ", rows[i].set, 1);
        bl_tz_local_name(&name);
        assert_string_equal(bl_buf_text(&name), rows[i].name);
    }
    unsetenv("TZ");
    {
        BL_AUTO_BUF name = {0};
        struct bl_tz *tz = NULL;

        bl_tz_local_name(&name);
        assert_int_equal(bl_tz_create(bl_buf_text(&name), &tz, NULL), BL_OK);
        bl_tz_destroy(tz);
    }
    if (kept) {
        setenv("TZ", kept, 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clocks_show_local_time_in_any_year),
        cmocka_unit_test(local_times_are_read_as_the_clocks_show_them),
        cmocka_unit_test(P12_times_left_out_or_doubled_are_refused_with_the_way_out),
        cmocka_unit_test(the_offered_ways_out_are_taken),
        cmocka_unit_test(unknown_names_are_refused_and_the_meant_one_offered),
        cmocka_unit_test(stretches_follow_each_other_without_holes),
        cmocka_unit_test(a_zone_is_kept_in_a_file_of_its_own),
        cmocka_unit_test(without_a_database_there_is_utc),
        cmocka_unit_test(a_machine_is_in_the_zone_that_TZ_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
