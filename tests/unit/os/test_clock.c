#include "os/clock.h"
#include "bl_test.h"

#include <stdlib.h>
#include <time.h>

static void near_instants_are_said_as_shortly_as_is_clear(void **state)
{
    const bl_time now = INT64_C(1795960800) * BL_SECOND; /* 2026-11-29 14:00:00 UTC */
    const struct {
        bl_time instant;
        const char *expected;
    } rows[] = {
        {now, "14:00"},
        {now + 64 * BL_MINUTE, "15:04"},
        {now - 14 * BL_HOUR, "00:00"},
        {now + 10 * BL_HOUR, "Mon 00:00"},
        {now + 6 * BL_DAY, "Sat 14:00"},
        {now - 2 * BL_DAY, "Fri 14:00"},
        {now + 7 * BL_DAY - BL_HOUR, "2026-12-06 13:00"},
        {now + 30 * BL_DAY, "2026-12-29 14:00"},
        {now + 365 * BL_DAY, "2027-11-29 14:00"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        BL_AUTO_BUF text = {0};

        bl_clock_print_near(&text, rows[i].instant, now);
        assert_string_equal(bl_buf_text(&text), rows[i].expected);
    }
}

static void a_full_instant_names_its_zone(void **state)
{
    BL_AUTO_BUF text = {0};

    (void)state;
    bl_clock_print_full(&text, INT64_C(1795960805) * BL_SECOND);
    assert_string_equal(bl_buf_text(&text), "2026-11-29 14:00:05 UTC");
}

static void the_monotonic_clock_does_not_go_back(void **state)
{
    bl_time last = bl_clock_monotonic();

    (void)state;
    for (int i = 0; i < 1000; i++) {
        bl_time now = bl_clock_monotonic();

        assert_true(now >= last);
        last = now;
    }
    assert_true(bl_clock_wall() > INT64_C(1700000000) * BL_SECOND);
    assert_true(bl_clock_process_cpu() > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(near_instants_are_said_as_shortly_as_is_clear),
        cmocka_unit_test(a_full_instant_names_its_zone),
        cmocka_unit_test(the_monotonic_clock_does_not_go_back),
    };

    setenv("TZ", "UTC", 1);
    tzset();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
