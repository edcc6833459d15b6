#include "form_test.h"

#include "base/rng.h"

#include <math.h>
#include <stdlib.h>

static void commas_stand_between_items_and_nowhere_else(void **state)
{
    BL_AUTO_BUF out = {0};
    struct bl_json json;

    (void)state;
    bl_json_init(&json, &out);
    bl_json_open_object(&json);
    bl_json_put_int(&json, "a", -1);
    bl_json_key(&json, "b");
    bl_json_open_array(&json);
    bl_json_open_array(&json);
    bl_json_close_array(&json);
    bl_json_open_object(&json);
    bl_json_close_object(&json);
    bl_json_bool(&json, true);
    bl_json_raw(&json, "{\"x\":1}, not this", 7);
    bl_json_close_array(&json);
    bl_json_put_null(&json, "c");
    bl_json_put_text(&json, "d", NULL);
    bl_json_put_bool(&json, "e", false);
    bl_json_close_object(&json);
    assert_string_equal(
        bl_buf_text(&out),
        "{\"a\":-1,\"b\":[[],{},true,{\"x\":1}],\"c\":null,\"d\":null,\"e\":false}");
}

static void text_is_escaped_and_what_is_not_utf8_is_replaced(void **state)
{
    static const struct {
        const char *text;
        const char *json;
    } rows[] = {
        {"", "\"\""},
        {"a\"b\\c/d", "\"a\\\"b\\\\c/d\""},
        {"\n\t\r\b\f\x01\x1f\x7f", "\"\\n\\t\\r\\b\\f\\u0001\\u001f\x7f\""},
        {"\xC3\xA4\xE2\x82\xAC\xF0\x9F\x90\xB3", "\"\xC3\xA4\xE2\x82\xAC\xF0\x9F\x90\xB3\""},
        {"a\xFFz", "\"a\xEF\xBF\xBDz\""},
        {"\xC3", "\"\xEF\xBF\xBD\""},
        {"\xC0\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\""},
        {"\xED\xA0\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\""},
        {"\xF4\x90\x80\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\""},
        {"\xE0\x9F\xBF", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\""},
        {"\xF0\x9F\x90", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\""},
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        BL_AUTO_BUF out = {0};
        struct bl_json json;

        bl_json_init(&json, &out);
        bl_json_text(&json, rows[i].text);
        assert_string_equal(bl_buf_text(&out), rows[i].json);
    }
}

static void doubles_take_the_shortest_form_that_reads_back(void **state)
{
    static const struct {
        double value;
        const char *json;
    } rows[] = {
        {0, "0"},           {0.1, "0.1"},        {1.0 / 3, "0.3333333333333333"},    {3, "3"},
        {-2.5, "-2.5"},     {1e22, "1e+22"},     {0.1 + 0.2, "0.30000000000000004"}, {NAN, "null"},
        {INFINITY, "null"}, {-INFINITY, "null"}, {5e-324, "4.94065645841247e-324"},
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        BL_AUTO_BUF out = {0};
        struct bl_json json;

        bl_json_init(&json, &out);
        bl_json_double(&json, rows[i].value);
        assert_string_equal(bl_buf_text(&out), rows[i].json);
    }
}

static void random_doubles_read_back_bit_for_bit(void **state)
{
    struct bl_rng rng;

    (void)state;
    bl_rng_seed(&rng, 1);
    for (int i = 0; i < 10000; i++) {
        BL_AUTO_BUF out = {0};
        struct bl_json json;
        uint64_t bits = bl_rng_next(&rng);
        double value;
        double back;

        memcpy(&value, &bits, sizeof value);
        bl_json_init(&json, &out);
        bl_json_double(&json, value);
        if (!isfinite(value)) {
            assert_string_equal(bl_buf_text(&out), "null");
            continue;
        }
        back = strtod(bl_buf_text(&out), NULL);
        assert_memory_equal(&back, &value, sizeof value);
    }
}

static void times_are_exact_seconds_and_instants_may_be_null(void **state)
{
    BL_AUTO_BUF out = {0};
    struct bl_json json;

    (void)state;
    bl_json_init(&json, &out);
    bl_json_open_object(&json);
    bl_json_put_seconds(&json, "a", 1500000);
    bl_json_put_seconds(&json, "b", 0);
    bl_json_put_seconds(&json, "c", -1);
    bl_json_put_instant(&json, "d", INT64_C(1764433350123456));
    bl_json_put_instant(&json, "e", 0);
    bl_json_put_instant(&json, "f", BL_TIME_NEVER);
    bl_json_put_double(&json, "g", 0.5);
    bl_json_close_object(&json);
    assert_string_equal(bl_buf_text(&out), "{\"a\":1.5,\"b\":0,\"c\":-0.000001,"
                                           "\"d\":1764433350.123456,\"e\":null,\"f\":null,"
                                           "\"g\":0.5}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commas_stand_between_items_and_nowhere_else),
        cmocka_unit_test(text_is_escaped_and_what_is_not_utf8_is_replaced),
        cmocka_unit_test(doubles_take_the_shortest_form_that_reads_back),
        cmocka_unit_test(random_doubles_read_back_bit_for_bit),
        cmocka_unit_test(times_are_exact_seconds_and_instants_may_be_null),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
