#include "os/clock.h"
#include "bl_test.h"

#include <stdlib.h>
#include <time.h>

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
        cmocka_unit_test(a_full_instant_names_its_zone),
        cmocka_unit_test(the_monotonic_clock_does_not_go_back),
    };

    setenv("TZ", "UTC", 1);
    tzset();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
