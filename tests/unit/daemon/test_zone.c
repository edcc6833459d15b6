#include "bl_test.h"
#include "daemon/zone.h"

#include <stdlib.h>
#include <time.h>

static void live_in(const char *zone)
{
    setenv("TZ", zone, 1);
    tzset();
}

static void an_instant_without_a_zone_is_in_that_of_the_machine(void **state)
{
    static const struct {
        const char *zone, *text;
        bl_time seconds;
    } rows[] = {
        {"UTC0", "2030-01-01T09:00", 1893488400},
        {"JST-9", "2030-01-01T09:00", 1893456000},
        {"CET-1CEST,M3.5.0,M10.5.0/3", "2030-07-01T00:00", 1909087200},
        {"CET-1CEST,M3.5.0,M10.5.0/3", "2030-07-01T00:00:00Z", 1909094400},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_instant instant;
        struct bl_error err;
        bl_time at = 0;

        live_in(rows[i].zone);
        assert_int_equal(bl_instant_parse(rows[i].text, &instant, &err), BL_OK);
        assert_int_equal(bl_instant_resolve(&instant, 0, &bl_zone_local, &at, &err), BL_OK);
        assert_int_equal(at, rows[i].seconds * BL_SECOND);
    }
}

static void a_time_of_day_is_the_next_at_which_the_clock_shows_it(void **state)
{
    struct bl_instant instant;
    struct bl_error err;
    bl_time at = 0;

    (void)state;
    live_in("JST-9");
    assert_int_equal(bl_instant_parse("16:00", &instant, &err), BL_OK);
    /* 1893456000 is nine in the morning there */
    assert_int_equal(
        bl_instant_resolve(&instant, 1893456000 * BL_SECOND, &bl_zone_local, &at, &err), BL_OK);
    assert_int_equal(at, (1893456000 + 7 * 3600) * BL_SECOND);
}

static void a_time_that_the_clocks_leave_out_is_refused(void **state)
{
    struct bl_instant instant;
    struct bl_error err;
    bl_time at = 0;

    (void)state;
    live_in("CET-1CEST,M3.5.0,M10.5.0/3");
    assert_int_equal(bl_instant_parse("2030-03-31T02:30", &instant, &err), BL_OK);
    assert_int_equal(bl_instant_resolve(&instant, 0, &bl_zone_local, &at, &err), BL_EINVAL);
}

static void a_zone_is_known_by_its_name_alone(void **state)
{
    static const char *const unknown[] = {"", "Mars/Olympus", "../../../etc/passwd", "/etc/passwd"};

    (void)state;
    if (!bl_zone_is_known("Asia/Shanghai")) {
        BL_SKIP("this machine has no time zones");
    }
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        assert_false(bl_zone_is_known(unknown[i]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_zone_is_known_by_its_name_alone),
        cmocka_unit_test(an_instant_without_a_zone_is_in_that_of_the_machine),
        cmocka_unit_test(a_time_of_day_is_the_next_at_which_the_clock_shows_it),
        cmocka_unit_test(a_time_that_the_clocks_leave_out_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
