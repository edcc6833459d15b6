#include "base/units.h"
#include "bl_test.h"

#define KIB (INT64_C(1) << 10)
#define MIB (INT64_C(1) << 20)
#define GIB (INT64_C(1) << 30)
#define TIB (INT64_C(1) << 40)

static void whole_numbers_in_the_range_are_read(void **state)
{
    static const struct {
        const char *text;
        int64_t low, high, expected;
    } rows[] = {
        {"0", 0, 10, 0},
        {"10", 0, 10, 10},
        {"-5", -5, 5, -5},
        {"007", 0, 10, 7},
        {"9223372036854775807", 0, INT64_MAX, INT64_MAX},
        {"-9223372036854775808", INT64_MIN, 0, INT64_MIN},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_error err = {0};
        int64_t value = 99;

        if (bl_int_parse(rows[i].text, rows[i].low, rows[i].high, &value, &err) != BL_OK ||
            value != rows[i].expected) {
            fail_msg("'%s' became %lld: %s", rows[i].text, (long long)value, err.text);
        }
    }
}

static void other_numbers_are_refused_and_leave_the_output_alone(void **state)
{
    static const char *const rows[] = {"",
                                       " 1",
                                       "1 ",
                                       "+1",
                                       "-",
                                       "--1",
                                       "1.0",
                                       "1e3",
                                       "x",
                                       "0x10",
                                       "11",
                                       "-1",
                                       "99999999999999999999999999",
                                       "1\n",
                                       "\xff"};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_error err = {0};
        int64_t value = 99;

        if (bl_int_parse(rows[i], 0, 10, &value, &err) != BL_EINVAL || value != 99 ||
            !err.text[0]) {
            fail_msg("'%s' became %lld", rows[i], (long long)value);
        }
    }
}

static void the_refusal_of_a_number_names_the_range(void **state)
{
    struct bl_error err = {0};
    int64_t value = 0;

    (void)state;
    bl_int_parse("11", 0, 10, &value, &err);
    assert_string_equal(err.text, "expected a whole number from 0 to 10, found '11'");
}

static void decimals_are_scaled_and_rounded_to_the_nearest(void **state)
{
    static const struct {
        const char *text;
        int64_t scale, expected;
    } rows[] = {
        {"4", 1000, 4000},
        {"1.5", 1000, 1500},
        {"0.0004", 1000, 0},
        {"0.0005", 1000, 1},
        {"0.123456789", 1000000000, 123456789},
        {"9007199254740992", 1, INT64_C(1) << 53},
        {"0.1", 1000000, 100000},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_error err = {0};
        int64_t value = -1;

        if (bl_scaled_parse(rows[i].text, rows[i].scale, &value, &err) != BL_OK ||
            value != rows[i].expected) {
            fail_msg("'%s' became %lld: %s", rows[i].text, (long long)value, err.text);
        }
    }
}

static void what_is_no_decimal_is_refused(void **state)
{
    static const char *const rows[] = {"",
                                       "-1",
                                       ".5",
                                       "5.",
                                       "1..2",
                                       "1.2.3",
                                       "1e3",
                                       "nan",
                                       "inf",
                                       " 1",
                                       "1 ",
                                       "1,5",
                                       "0x1",
                                       "0.1234567891",
                                       "9007199254740993",
                                       "999999999999999999999"};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int64_t value = -1;

        if (bl_scaled_parse(rows[i], 1, &value, NULL) != BL_EINVAL || value != -1) {
            fail_msg("'%s' became %lld", rows[i], (long long)value);
        }
    }
}

static void all_spellings_of_a_size_mean_powers_of_1024(void **state)
{
    static const struct {
        const char *text;
        int64_t expected;
    } rows[] = {
        {"0", 0},
        {"17", 17},
        {"17B", 17},
        {"512K", 512 * KIB},
        {"40G", 40 * GIB},
        {"40GB", 40 * GIB},
        {"40GiB", 40 * GIB},
        {"40gb", 40 * GIB},
        {"40g", 40 * GIB},
        {"1.5G", 3 * GIB / 2},
        {"2Mi", 2 * MIB},
        {"1T", TIB},
        {"1P", 1024 * TIB},
        {"0.5K", 512},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_error err = {0};
        int64_t bytes = -1;

        if (bl_size_parse(rows[i].text, &bytes, &err) != BL_OK || bytes != rows[i].expected) {
            fail_msg("'%s' became %lld: %s", rows[i].text, (long long)bytes, err.text);
        }
    }
}

static void what_is_no_size_is_refused(void **state)
{
    static const char *const rows[] = {"",      "G",  "-1G",   "1X", "1 G",    "1GBs",
                                       "1GiBB", "1E", "1..5G", "9P", "99999P", "1GB "};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int64_t bytes = -1;

        if (bl_size_parse(rows[i], &bytes, NULL) != BL_EINVAL || bytes != -1) {
            fail_msg("'%s' became %lld", rows[i], (long long)bytes);
        }
    }
}

static void sizes_are_printed_in_the_largest_unit(void **state)
{
    static const struct {
        int64_t bytes;
        const char *expected;
    } rows[] = {
        {0, "0B"},
        {17, "17B"},
        {1023, "1023B"},
        {KIB, "1KiB"},
        {1536, "1.5KiB"},
        {MIB - 1, "1MiB"},
        {512 * MIB, "512MiB"},
        {40 * GIB, "40GiB"},
        {3 * GIB / 2, "1.5GiB"},
        {2048 * TIB, "2PiB"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        BL_AUTO_BUF text = {0};

        bl_size_print(&text, rows[i].bytes);
        assert_string_equal(bl_buf_text(&text), rows[i].expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_numbers_in_the_range_are_read),
        cmocka_unit_test(other_numbers_are_refused_and_leave_the_output_alone),
        cmocka_unit_test(the_refusal_of_a_number_names_the_range),
        cmocka_unit_test(decimals_are_scaled_and_rounded_to_the_nearest),
        cmocka_unit_test(what_is_no_decimal_is_refused),
        cmocka_unit_test(all_spellings_of_a_size_mean_powers_of_1024),
        cmocka_unit_test(what_is_no_size_is_refused),
        cmocka_unit_test(sizes_are_printed_in_the_largest_unit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
