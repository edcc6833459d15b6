#include "form_test.h"

#include "form/script_words.h"

static void a_line_is_split_at_white_space_quotes_and_comments(void **state)
{
    static const struct {
        const char *line;
        const char *words;
    } rows[] = {
        {"", ""},
        {"  \t \r", ""},
        {" -n 4\t-N1 ", "[-n][4][-N1]"},
        {"--comment=\"a b\" -J 'c d'", "[--comment=a b][-J][c d]"},
        {"--comment='it is \"it\"'", "[--comment=it is \"it\"]"},
        {"a\\ b \\\"c \\#d", "[a b][\"c][#d]"},
        {"\"a\\\"b\" 'a\\'b'", "[a\"b][a'b]"},
        {"-n4 # four tasks", "[-n4]"},
        {"-n4#four", "[-n4]"},
        {"\"a#b\"", "[a#b]"},
        {"'' \"\"", "[][]"},
        {"x\\", "[x]"},
        {"--output=日志/%j.out\r", "[--output=日志/%j.out]"},
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        struct bl_arena arena = {0};
        struct bl_script_words words = {0};
        BL_AUTO_BUF printed = {0};

        assert_int_equal(
            bl_script_words_split(rows[i].line, strlen(rows[i].line), &arena, &words, NULL), BL_OK);
        for (size_t j = 0; j < words.count; j++) {
            bl_buf_printf(&printed, "[%s]", words.at[j]);
        }
        assert_null(words.at[words.count]);
        assert_string_equal(bl_buf_text(&printed), rows[i].words);
        bl_arena_finish(&arena);
    }
}

static void a_quote_that_is_not_closed_is_refused(void **state)
{
    static const struct {
        const char *line;
        const char *message;
    } rows[] = {
        {"-J 'abc", "a quote (') is not closed"},
        {"\"", "a quote (\") is not closed"},
        {"\"abc\\\"", "a quote (\") is not closed"},
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        struct bl_arena arena = {0};
        struct bl_script_words words = {.count = 77};
        struct bl_error err = {0};

        assert_int_equal(
            bl_script_words_split(rows[i].line, strlen(rows[i].line), &arena, &words, &err),
            BL_EINVAL);
        form_expect_message(&err, rows[i].message, rows[i].line);
        assert_int_equal(words.count, 77);
        bl_arena_finish(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_split_at_white_space_quotes_and_comments),
        cmocka_unit_test(a_quote_that_is_not_closed_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
