#include "cli/text.h"

#include "bl_test.h"

#include <locale.h>
#include <stdlib.h>

static int choose_locale(void **state)
{
    (void)state;
    return setlocale(LC_CTYPE, "C.UTF-8") ? 0 : -1;
}

static void text_from_outside_cannot_steer_the_terminal(void **state)
{
    static const struct {
        const char *text;
        const char *expected;
    } rows[] = {
        {"train", "train"},
        {"", ""},
        {"a\nb\tc\rd", "a\\nb\\tc\\rd"},
        {"\x1b[31mred", "\\x1b[31mred"},
        {"\x7f", "\\x7f"},
        {"\xc2\x9b"
         "2J",
         "\\u009b2J"},
        {"\xff\xfe", "\\xff\\xfe"},
        {"cut \xe4\xb8", "cut \\xe4\\xb8"},
        {"\xc0\xaf", "\\xc0\\xaf"},
        {"\xed\xa0\x80", "\\xed\\xa0\\x80"},
        {"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"},
        {"x\xe2\x80\x8fz", "x\\u200fz"},
        {"训练 ü 🐋", "训练 ü 🐋"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        BL_AUTO_BUF out = {0};

        bl_text_escape(&out, rows[i].text);
        assert_string_equal(bl_buf_text(&out), rows[i].expected);
    }
}

static void width_is_what_a_terminal_draws(void **state)
{
    static const struct {
        const char *text;
        size_t columns;
    } rows[] = {{"", 0}, {"abc", 3}, {"训练", 4}, {"ü", 1}, {"e\xcc\x81", 1}, {"🐋", 2}, {"–", 1}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (bl_text_width(rows[i].text) != rows[i].columns) {
            fail_msg("'%s' is %zu wide", rows[i].text, bl_text_width(rows[i].text));
        }
    }
}

static void letters_come_with_the_marks_that_stand_on_them(void **state)
{
    static const struct {
        const char *text;
        size_t bytes, columns;
    } rows[] = {{"", 0, 0}, {"ab", 1, 1}, {"训x", 3, 2}, {"e\xCC\x81x", 3, 1}, {"\xCC\x81x", 2, 0}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        size_t columns = 9;

        assert_int_equal(bl_text_letter(rows[i].text, &columns), rows[i].bytes);
        assert_int_equal(columns, rows[i].columns);
    }
}

static void a_cut_never_splits_a_character_nor_passes_the_width(void **state)
{
    static const struct {
        const char *text;
        size_t columns;
        const char *expected;
    } rows[] = {
        {"abcdef", 6, "abcdef"},  {"abcdef", 5, "abcd…"}, {"abcdef", 1, "…"}, {"abcdef", 0, ""},
        {"训练模型", 5, "训练…"}, {"训练模型", 4, "训…"}, {"训", 1, "…"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        BL_AUTO_BUF out = {0};

        bl_text_cut(&out, rows[i].text, rows[i].columns);
        assert_string_equal(bl_buf_text(&out), rows[i].expected);
        assert_true(bl_text_width(bl_buf_text(&out)) <= rows[i].columns);
    }
}

static void lengths_of_time_are_said_in_words_and_in_short(void **state)
{
    static const struct {
        bl_time span;
        const char *words;
        const char *brief;
    } rows[] = {
        {30 * BL_MINUTE, "30 minutes", "30m"},
        {BL_MINUTE, "1 minute", "1m"},
        {BL_HOUR + 30 * BL_MINUTE, "1 hour 30 minutes", "1h30m"},
        {36 * BL_HOUR, "1 day 12 hours", "1d12h"},
        {2 * BL_DAY + 5 * BL_SECOND, "2 days 5 seconds", "2d"},
        {3 * BL_HOUR + 12 * BL_MINUTE + 59 * BL_SECOND, "3 hours 12 minutes 59 seconds", "3h12m"},
        {61 * BL_SECOND, "1 minute 1 second", "1m1s"},
        {250 * BL_MILLISECOND, "less than a second", "0s"},
        {0, "0 seconds", "0s"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        BL_AUTO_BUF words = {0};
        BL_AUTO_BUF brief = {0};

        bl_text_span_words(&words, rows[i].span);
        bl_text_span_short(&brief, rows[i].span);
        assert_string_equal(bl_buf_text(&words), rows[i].words);
        assert_string_equal(bl_buf_text(&brief), rows[i].brief);
    }
}

static void arguments_are_quoted_as_a_shell_reads_them_back(void **state)
{
    static const char *const rows[][2] = {
        {"train.py", "train.py"}, {"--lr=0.1", "--lr=0.1"}, {"", "''"},       {"a b", "'a b'"},
        {"it's", "'it'\\''s'"},   {"$HOME", "'$HOME'"},     {"a;b", "'a;b'"}, {"~", "'~'"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        BL_AUTO_BUF out = {0};

        bl_text_quote(&out, rows[i][0]);
        assert_string_equal(bl_buf_text(&out), rows[i][1]);
    }
}

static void only_well_formed_utf8_passes(void **state)
{
    (void)state;
    assert_true(bl_text_is_utf8("训练"));
    assert_true(bl_text_is_utf8(""));
    assert_false(bl_text_is_utf8("caf\xe9"));
    assert_false(bl_text_is_utf8("\xe4\xb8"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(letters_come_with_the_marks_that_stand_on_them),
        cmocka_unit_test(text_from_outside_cannot_steer_the_terminal),
        cmocka_unit_test(width_is_what_a_terminal_draws),
        cmocka_unit_test(a_cut_never_splits_a_character_nor_passes_the_width),
        cmocka_unit_test(lengths_of_time_are_said_in_words_and_in_short),
        cmocka_unit_test(arguments_are_quoted_as_a_shell_reads_them_back),
        cmocka_unit_test(only_well_formed_utf8_passes),
    };

    return cmocka_run_group_tests(tests, choose_locale, NULL);
}
