#include "base/own.h"
#include "bl_test.h"
#include "bytes.h"
#include "form/lines.h"

#include <stdio.h>

static void lines_are_the_same_however_the_bytes_come(void **state)
{
    static const char text[] = "one\ntwo\r\n\n  three\nlast";
    static const char *const expected[] = {"one", "two", "", "  three", "last"};

    (void)state;
    for (size_t step = 1; step < sizeof text; step++) {
        struct kit_bytes bytes = {text, sizeof text - 1, step, 0};
        struct bl_lines lines = {.source = kit_bytes_source("t", &bytes)};
        char *line = NULL;
        size_t length = 0;

        for (size_t i = 0; i < 5; i++) {
            assert_int_equal(bl_lines_next(&lines, &line, &length, NULL), BL_OK);
            assert_non_null(line);
            line[length] = '\0';
            assert_string_equal(line, expected[i]);
            assert_int_equal(lines.number, i + 1);
        }
        assert_int_equal(bl_lines_next(&lines, &line, &length, NULL), BL_OK);
        assert_null(line);
        bl_lines_finish(&lines);
    }
}

static int read_one(size_t length, struct bl_error *err)
{
    BL_AUTO_FREE char *text = bl_realloc_array(NULL, length + 1, 1);
    struct kit_bytes bytes = {text, length + 1, 65536, 0};
    struct bl_lines lines = {.source = kit_bytes_source("big", &bytes)};
    char *line = NULL;
    int status;

    memset(text, 'x', length);
    text[length] = '\n';
    status = bl_lines_next(&lines, &line, &length, err);
    bl_lines_finish(&lines);
    return status;
}

static void a_line_may_be_as_long_as_the_ceiling_and_no_longer(void **state)
{
    struct bl_error err = {0};

    (void)state;
    assert_int_equal(read_one(BL_TRACE_LINE_MAX, NULL), BL_OK);
    assert_int_equal(read_one(BL_TRACE_LINE_MAX + 1, &err), BL_ETOOBIG);
    assert_string_equal(err.text, "big:1: the line is longer than 1048576 bytes");
    assert_int_equal(read_one((size_t)20 * BL_TRACE_LINE_MAX, &err), BL_ETOOBIG);
}

static int64_t refuse(void *self, char *into, size_t room, struct bl_error *err)
{
    (void)self;
    (void)into;
    (void)room;
    return -bl_fail(err, BL_ESYSTEM, "the disk is gone");
}

static void a_failing_source_is_told(void **state)
{
    struct bl_lines lines = {.source = {"t", NULL, refuse}};
    struct bl_error err = {0};
    char *line = NULL;
    size_t length = 0;

    (void)state;
    assert_int_equal(bl_lines_next(&lines, &line, &length, &err), BL_ESYSTEM);
    assert_string_equal(err.text, "the disk is gone");
    bl_lines_finish(&lines);
}

static void what_was_found_is_shown_without_harm(void **state)
{
    static const struct {
        const char *bytes;
        const char *shown;
    } rows[] = {
        {"plain", "plain"},
        {"a\x01z\x7f", "a\\x01z\\x7f"},
        {"\xc3\xa4\xff", "\xc3\xa4\\xff"},
        {"\xc3", "\\xc3"},
        {"0123456789012345678901234567890123456789X",
         "0123456789012345678901234567890123456789..."},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        BL_AUTO_BUF out = {0};

        bl_print_found(&out, rows[i].bytes, strlen(rows[i].bytes));
        assert_string_equal(bl_buf_text(&out), rows[i].shown);
    }
}

static void utf8_is_told_from_what_only_looks_like_it(void **state)
{
    static const struct {
        const char *bytes;
        bool is_utf8;
    } rows[] = {
        {"", true},
        {"ascii", true},
        {"\xc2\x80 \xdf\xbf", true},
        {"\xe0\xa0\x80 \xef\xbf\xbf", true},
        {"\xf0\x90\x80\x80 \xf4\x8f\xbf\xbf", true},
        {"\x80", false},
        {"\xc0\xaf", false},         /* overlong */
        {"\xe0\x9f\xbf", false},     /* overlong */
        {"\xed\xa0\x80", false},     /* surrogate */
        {"\xf4\x90\x80\x80", false}, /* over U+10FFFF */
        {"\xe2\x82", false},         /* cut short */
        {"\xe2\x28\xa1", false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (bl_is_utf8(rows[i].bytes, strlen(rows[i].bytes)) != rows[i].is_utf8) {
            fail_msg("row %zu", i);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_the_same_however_the_bytes_come),
        cmocka_unit_test(a_line_may_be_as_long_as_the_ceiling_and_no_longer),
        cmocka_unit_test(a_failing_source_is_told),
        cmocka_unit_test(what_was_found_is_shown_without_harm),
        cmocka_unit_test(utf8_is_told_from_what_only_looks_like_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
