/* Content lines: hostile text made harmless, folding on the borders of characters. */
#include "bl_test.h"

#include "base/own.h"
#include "calendar/ical_line.h"

static void text_is_escaped_and_controls_are_left_out(void **state)
{
    static const struct {
        const char *text, *escaped;
    } rows[] = {
        {"plain", "plain"},
        {"a, b; c\\d", "a\\, b\\; c\\\\d"},
        {"two\nlines\r\nand\rmore", "two\\nlines\\nandmore"},
        {"a\tb", "a b"},
        {"bell\a esc\x1b[31m del\x7f", "bell esc[31m del"},
        {"END:VEVENT\r\nBEGIN:VALARM", "END:VEVENT\\nBEGIN:VALARM"},
        {"\xE4\xB8\xAD\xE6\x96\x87 \xC3\xA9 \xF0\x9F\x90\x8B",
         "\xE4\xB8\xAD\xE6\x96\x87 \xC3\xA9 \xF0\x9F\x90\x8B"},
        {"next\xC2\x85line", "nextline"},
        {"\xC2\xA0", "\xC2\xA0"},
        {"cut \xE4\xB8", "cut \xEF\xBF\xBD\xEF\xBF\xBD"},
        {"lone \x80 overlong \xC0\xAF", "lone \xEF\xBF\xBD overlong \xEF\xBF\xBD\xEF\xBF\xBD"},
        {"half \xED\xA0\x80", "half \xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},
        {"far \xF4\x90\x80\x80", "far \xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},
        {"\xFF\xFE", "\xEF\xBF\xBD\xEF\xBF\xBD"},
        {"", ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        BL_AUTO_BUF out = {0};

        bl_ical_escape(&out, rows[i].text);
        assert_string_equal(bl_buf_text(&out), rows[i].escaped);
    }
}

/* Takes the folds out again and looks at every line. */
static void check_folded(const char *folded, const char *line)
{
    BL_AUTO_FREE char *joined = bl_alloc_zero(strlen(folded) + 1);
    size_t length = 0;

    while (*folded) {
        const char *end = strstr(folded, "\r\n");

        assert_non_null(end);
        assert_true(end - folded <= 75);
        assert_int_not_equal((unsigned char)folded[folded[0] == ' '] & 0xC0U, 0x80);
        folded += length ? 1 : 0;
        memcpy(joined + length, folded, (size_t)(end - folded));
        length += (size_t)(end - folded);
        folded = end + 2;
    }
    assert_string_equal(joined, line);
}

static void lines_have_at_most_75_bytes_and_whole_characters(void **state)
{
    static const char *const characters[] = {"x", "\xC3\xA9", "\xE4\xB8\xAD", "\xF0\x9F\x90\x8B"};

    (void)state;
    for (size_t c = 0; c < sizeof characters / sizeof *characters; c++) {
        for (int shift = 0; shift < 4; shift++) {
            for (int count = 0; count < 160; count++) {
                BL_AUTO_BUF line = {0};
                BL_AUTO_BUF out = {0};

                bl_buf_append(&line, "abc", (size_t)shift);
                for (int i = 0; i < count; i++) {
                    bl_buf_append_text(&line, characters[c]);
                }
                bl_ical_fold(&out, bl_buf_text(&line), line.length);
                check_folded(bl_buf_text(&out), bl_buf_text(&line));
            }
        }
    }
}

static void a_line_of_75_bytes_is_one_and_of_76_is_two(void **state)
{
    static const char line[] =
        "123456789012345678901234567890123456789012345678901234567890123456789012345x";
    BL_AUTO_BUF one = {0};
    BL_AUTO_BUF two = {0};

    (void)state;
    bl_ical_fold(&one, line, 75);
    bl_ical_fold(&two, line, 76);
    assert_int_equal(one.length, 77);
    assert_string_equal(
        bl_buf_text(&two),
        "123456789012345678901234567890123456789012345678901234567890123456789012345\r\n x\r\n");
}

static void bytes_that_are_no_characters_are_folded_as_well(void **state)
{
    char line[200];
    BL_AUTO_BUF out = {0};

    (void)state;
    memset(line, 0x80, sizeof line);
    bl_ical_fold(&out, line, sizeof line);
    assert_int_equal(out.length, sizeof line + 2 + 3 * 2);
}

static void properties_are_lines(void **state)
{
    BL_AUTO_BUF out = {0};

    (void)state;
    bl_ical_put(&out, "SEQUENCE:%d", 7);
    bl_ical_put_text(&out, "SUMMARY", "a;b");
    bl_ical_put_utc(&out, "DTSTAMP", INT64_C(1790000000) * BL_SECOND);
    assert_string_equal(bl_buf_text(&out),
                        "SEQUENCE:7\r\nSUMMARY:a\\;b\r\nDTSTAMP:20260921T141320Z\r\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_escaped_and_controls_are_left_out),
        cmocka_unit_test(lines_have_at_most_75_bytes_and_whole_characters),
        cmocka_unit_test(a_line_of_75_bytes_is_one_and_of_76_is_two),
        cmocka_unit_test(bytes_that_are_no_characters_are_folded_as_well),
        cmocka_unit_test(properties_are_lines),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
