#include "form_test.h"

#include "form/instant.h"

#define NOON INT64_C(1796126400) /* seconds: 2026-12-01T12:00:00Z */

static void instants_are_resolved_by_the_present_and_a_zone(void **state)
{
    static const struct {
        const char *text;
        int64_t seconds; /* after noon of 2026-12-01, UTC */
    } rows[] = {
        {"2026-12-01T12:00:00Z", 0},
        {"2026-12-01T12:00:00", 0},
        {"2026-12-01T20:00:05+08:00", 5},
        {"2026-12-01T20:00+0800", 0},
        {"2026-12-01T06:30-05:30", 0},
        {"2026-12-01 12:01", 60},
        {"2026-12-02", 12 * 3600},
        {"2028-02-29", 455 * 86400 - 43200},
        {"12:00", 0},
        {"12:00:01", 1},
        {"11:59:59", 86399},
        {"23:59", 43140},
        {"2h", 7200},
        {"1d12h", 129600},
        {"90s", 90},
        {"0s", 0},
        {"1970-01-01T00:00Z", -NOON},
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        struct bl_instant instant = {0};
        struct bl_error err = {0};
        bl_time at = -1;

        if (bl_instant_parse(rows[i].text, &instant, &err) != BL_OK) {
            fail_msg("'%s' was refused: %s", rows[i].text, err.text);
        }
        assert_int_equal(bl_instant_resolve(&instant, NOON * BL_SECOND, &bl_zone_utc, &at, &err),
                         BL_OK);
        if (at != (NOON + rows[i].seconds) * BL_SECOND) {
            fail_msg("'%s' is %lld s after noon, expected %lld", rows[i].text,
                     (long long)(at / BL_SECOND - NOON), (long long)rows[i].seconds);
        }
    }
}

static void only_an_instant_with_its_zone_is_known_at_once(void **state)
{
    static const struct {
        const char *text;
        enum bl_instant_kind kind;
    } rows[] = {
        {"2026-12-01T12:00Z", BL_INSTANT_AT}, {"2026-12-01T12:00", BL_INSTANT_LOCAL},
        {"2026-12-01", BL_INSTANT_LOCAL},     {"12:00", BL_INSTANT_CLOCK},
        {"2h30m", BL_INSTANT_AFTER},
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        struct bl_instant instant = {0};

        assert_int_equal(bl_instant_parse(rows[i].text, &instant, NULL), BL_OK);
        assert_int_equal(instant.kind, rows[i].kind);
    }
}

static void what_is_no_instant_is_refused(void **state)
{
    static const char *const rows[] = {
        "",
        "soon",
        "30",
        "1:30:00:00",
        "24:00",
        "12:60",
        "12:00:60",
        "7:00",
        "12:",
        "12:00x",
        "2026-13-01",
        "2026-00-01",
        "2026-02-29",
        "2026-12-01T",
        "2026-12-01T12",
        "2026-12-1",
        "1969-01-01",
        "2026-12-01Z",
        "2026-12-01T12:00z",
        "2026-12-01T12:00+8",
        "2026-12-01x",
        "-1h",
        "2h ",
        "2026-12-01T12:00+08:0",
        "1970-01-01T00:00+01",
        "1970-01-01T00:00+01:00",
        "40000d",
        "2026-12-01T12:00Zz",
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        struct bl_instant instant = {.at = 77};
        struct bl_error err = {0};

        if (bl_instant_parse(rows[i], &instant, &err) != BL_EINVAL) {
            fail_msg("'%s' was taken", rows[i]);
        }
        form_expect_message(&err, "expected an instant like 2026-12-01T08:30, ", rows[i]);
        form_expect_message(&err, rows[i], rows[i]);
        assert_int_equal(instant.at, 77);
    }
}

static void dates_go_into_instants_and_back(void **state)
{
    (void)state;
    for (int64_t day = -1000; day < 800000; day += 97) {
        struct bl_civil civil = {0};
        bl_time at = day * BL_DAY + 3 * BL_HOUR + 4 * BL_MINUTE + 5 * BL_SECOND;
        bl_time again = 0;

        bl_zone_utc.to_civil(NULL, at, &civil);
        assert_in_range(civil.month, 1, 12);
        assert_in_range(civil.day, 1, 31);
        assert_true(civil.hour == 3 && civil.minute == 4 && civil.second == 5);
        assert_int_equal(bl_zone_utc.to_instant(NULL, &civil, &again, NULL), BL_OK);
        assert_true(again == at);
    }
}

/* A zone whose clocks go from 02:00 to 03:00 on every day: 02:30 never comes. */
static int skipping_to_instant(void *self, const struct bl_civil *civil, bl_time *out,
                               struct bl_error *err)
{
    (void)self;
    if (civil->hour == 2) {
        return bl_fail(err, BL_EINVAL, "the clocks leave this hour out");
    }
    return bl_zone_utc.to_instant(NULL, civil, out, err);
}

static void a_zone_may_refuse_a_time_that_never_comes(void **state)
{
    const struct bl_zone zone = {NULL, skipping_to_instant, bl_zone_utc.to_civil};
    static const char *const rows[] = {"02:30", "2026-12-01T02:30"};

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        struct bl_instant instant = {0};
        struct bl_error err = {0};
        bl_time at = 77;

        assert_int_equal(bl_instant_parse(rows[i], &instant, &err), BL_OK);
        assert_int_equal(bl_instant_resolve(&instant, NOON * BL_SECOND, &zone, &at, &err),
                         BL_EINVAL);
        form_expect_message(&err, "the clocks leave this hour out", rows[i]);
        assert_int_equal(at, 77);
    }
}

static void no_instant_is_zero(void **state)
{
    struct bl_instant none = {0};
    bl_time at = 77;

    (void)state;
    assert_int_equal(bl_instant_resolve(&none, 5, &bl_zone_utc, &at, NULL), BL_OK);
    assert_int_equal(at, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instants_are_resolved_by_the_present_and_a_zone),
        cmocka_unit_test(only_an_instant_with_its_zone_is_known_at_once),
        cmocka_unit_test(what_is_no_instant_is_refused),
        cmocka_unit_test(dates_go_into_instants_and_back),
        cmocka_unit_test(a_zone_may_refuse_a_time_that_never_comes),
        cmocka_unit_test(no_instant_is_zero),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
