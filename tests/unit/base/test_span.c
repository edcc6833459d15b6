#include "base/span.h"
#include "bl_test.h"

static void times_are_read_in_both_grammars(void **state)
{
    static const struct {
        const char *text;
        bl_time expected;
    } rows[] = {
        {"30", 30 * BL_MINUTE},
        {"2:30", 2 * BL_MINUTE + 30 * BL_SECOND},
        {"1:30:00", 90 * BL_MINUTE},
        {"1-12", 36 * BL_HOUR},
        {"1-12:30", 36 * BL_HOUR + 30 * BL_MINUTE},
        {"0-0:0:5", 5 * BL_SECOND},
        {"2h30m", 150 * BL_MINUTE},
        {"1.5h", 90 * BL_MINUTE},
        {"90s", 90 * BL_SECOND},
        {"3d", 3 * BL_DAY},
        {"250ms", 250 * BL_MILLISECOND},
        {"0", 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_error err = {0};
        bl_time span = -1;

        if (bl_span_parse(rows[i].text, &span, &err) != BL_OK || span != rows[i].expected) {
            fail_msg("'%s' became %lld: %s", rows[i].text, (long long)span, err.text);
        }
    }
}

static void what_is_no_time_is_refused_and_leaves_the_output_alone(void **state)
{
    static const char *const rows[] = {
        "",       "-5",  "abc",    "5x", "1:2:3:4", "1-",   "-",     "h", "2m1h",
        "1h1h",   "1e3", "1.2.3h", " 5", "5 ",      "1::2", "1-2-3", ":", "99999999999999999999",
        "200000d"};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bl_time span = -1;

        if (bl_span_parse(rows[i], &span, NULL) != BL_EINVAL || span != -1) {
            fail_msg("'%s' became %lld", rows[i], (long long)span);
        }
    }
}

static void printed_times_read_back_to_the_same_time(void **state)
{
    static const bl_time rows[] = {0, 1, 250000, BL_SECOND, 1500000, BL_HOUR + 1, BL_DAY * 400};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        BL_AUTO_BUF text = {0};
        bl_time back = -1;

        bl_span_print(&text, rows[i]);
        assert_int_equal(bl_span_parse(bl_buf_text(&text), &back, NULL), BL_OK);
        assert_int_equal(back, rows[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_are_read_in_both_grammars),
        cmocka_unit_test(what_is_no_time_is_refused_and_leaves_the_output_alone),
        cmocka_unit_test(printed_times_read_back_to_the_same_time),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
