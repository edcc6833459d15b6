#include "base/buf.h"
#include "bl_test.h"

#include <stdlib.h>
#include <string.h>

static void an_empty_buffer_is_an_empty_text(void **state)
{
    BL_AUTO_BUF buf = {0};

    (void)state;
    assert_string_equal(bl_buf_text(&buf), "");
    bl_buf_append(&buf, NULL, 0);
    bl_buf_append_text(&buf, "");
    assert_string_equal(bl_buf_text(&buf), "");
    assert_int_equal(buf.length, 0);
}

static void writes_of_every_kind_follow_each_other(void **state)
{
    BL_AUTO_BUF buf = {0};

    (void)state;
    bl_buf_append(&buf, "abcdef", 2);
    bl_buf_append_char(&buf, '-');
    bl_buf_append_text(&buf, "xy");
    bl_buf_printf(&buf, " %d%%", 50);
    assert_string_equal(bl_buf_text(&buf), "ab-xy 50%");
    assert_int_equal(buf.length, 9);
}

static void zero_bytes_are_kept_and_counted(void **state)
{
    BL_AUTO_BUF buf = {0};

    (void)state;
    bl_buf_append(&buf, "a\0b", 3);
    assert_int_equal(buf.length, 3);
    assert_memory_equal(buf.text, "a\0b", 4);
}

static void growth_keeps_the_text(void **state)
{
    BL_AUTO_BUF buf = {0};

    (void)state;
    for (int i = 0; i < 100000; i++) {
        bl_buf_append_char(&buf, (char)('a' + i % 26));
    }
    assert_int_equal(strlen(bl_buf_text(&buf)), 100000);
    for (int i = 0; i < 100000; i++) {
        assert_int_equal(buf.text[i], 'a' + i % 26);
    }
}

static void a_write_up_to_the_ceiling_fits_and_one_byte_more_is_dropped_whole(void **state)
{
    BL_AUTO_BUF buf = {.ceiling = 8};

    (void)state;
    bl_buf_append_text(&buf, "12345678");
    assert_false(buf.overflowed);
    assert_int_equal(buf.length, 8);
    bl_buf_append_char(&buf, '9');
    assert_true(buf.overflowed);
    assert_string_equal(bl_buf_text(&buf), "12345678");
}

static void after_an_overflow_nothing_more_is_written_until_cleared(void **state)
{
    BL_AUTO_BUF buf = {.ceiling = 4};

    (void)state;
    bl_buf_append_text(&buf, "ab");
    bl_buf_printf(&buf, "%s", "too long");
    bl_buf_append_char(&buf, 'c');
    assert_true(buf.overflowed);
    assert_string_equal(bl_buf_text(&buf), "ab");
    bl_buf_clear(&buf);
    assert_false(buf.overflowed);
    bl_buf_append_text(&buf, "cdef");
    assert_false(buf.overflowed);
    assert_string_equal(bl_buf_text(&buf), "cdef");
}

static void a_length_near_the_end_of_numbers_is_refused(void **state)
{
    BL_AUTO_BUF buf = {0};

    (void)state;
    bl_buf_append_text(&buf, "x");
    bl_buf_append(&buf, "", SIZE_MAX);
    assert_true(buf.overflowed);
    assert_string_equal(bl_buf_text(&buf), "x");
}

static void taking_gives_the_text_away_and_leaves_an_empty_buffer(void **state)
{
    BL_AUTO_BUF buf = {.ceiling = 8};
    char *text;

    (void)state;
    bl_buf_append_text(&buf, "mine");
    text = bl_buf_take(&buf);
    assert_string_equal(text, "mine");
    assert_string_equal(bl_buf_text(&buf), "");
    free(text);
    text = bl_buf_take(&buf);
    assert_string_equal(text, "");
    free(text);
}

static void a_finished_buffer_keeps_its_ceiling(void **state)
{
    struct bl_buf buf = {.ceiling = 3};

    (void)state;
    bl_buf_append_text(&buf, "abcd");
    bl_buf_finish(&buf);
    assert_null(buf.text);
    assert_false(buf.overflowed);
    assert_int_equal(buf.ceiling, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_buffer_is_an_empty_text),
        cmocka_unit_test(writes_of_every_kind_follow_each_other),
        cmocka_unit_test(zero_bytes_are_kept_and_counted),
        cmocka_unit_test(growth_keeps_the_text),
        cmocka_unit_test(a_write_up_to_the_ceiling_fits_and_one_byte_more_is_dropped_whole),
        cmocka_unit_test(after_an_overflow_nothing_more_is_written_until_cleared),
        cmocka_unit_test(a_length_near_the_end_of_numbers_is_refused),
        cmocka_unit_test(taking_gives_the_text_away_and_leaves_an_empty_buffer),
        cmocka_unit_test(a_finished_buffer_keeps_its_ceiling),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
