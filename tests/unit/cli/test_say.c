#include "cli/say.h"

#include "bl_test.h"

#include <stdlib.h>
#include <string.h>

/* The arguments that a text names, as bits. */
static unsigned named_arguments(const char *text)
{
    unsigned found = 0;

    for (const char *at = text; (at = strchr(at, '{')); at++) {
        assert_in_range(at[1], '1', '9');
        assert_true(at[2] == '}' || at[2] == '?');
        assert_non_null(strchr(at, '}'));
        found |= 1U << (at[1] - '0');
    }
    return found;
}

/* The arguments whose value is printed, not only counted. */
static unsigned printed_arguments(const char *text)
{
    unsigned found = 0;

    for (const char *at = text; (at = strchr(at, '{')); at++) {
        found |= at[2] == '}' ? 1U << (at[1] - '0') : 0;
    }
    return found;
}

static void every_message_prints_the_same_arguments_in_both_languages(void **state)
{
    (void)state;
    for (int id = 0; id < BL_MESSAGE_COUNT; id++) {
        const char *en = bl_message_text((enum bl_message)id, BL_LANGUAGE_EN);
        const char *zh = bl_message_text((enum bl_message)id, BL_LANGUAGE_ZH);

        assert_non_null(en);
        assert_non_null(zh);
        if (!en[0] != !zh[0] || printed_arguments(en) != printed_arguments(zh) ||
            (named_arguments(zh) & ~named_arguments(en))) {
            fail_msg("'%s' and '%s' differ in what they take", en, zh);
        }
    }
}

static void numbers_choose_their_words_and_texts_are_escaped(void **state)
{
    static const struct {
        int64_t need, have;
        const char *expected;
    } rows[] = {
        {1, 1, "needs 1 GPU, 1 of the suitable ones is free"},
        {4, 2, "needs 4 GPUs, 2 of the suitable ones are free"},
        {8, 0, "needs 8 GPUs, 0 of the suitable ones are free"},
    };
    BL_AUTO_BUF named = {0};

    (void)state;
    setenv("LC_ALL", "C.UTF-8", 1);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        BL_AUTO_BUF out = {0};

        BL_SAY(&out, BL_SAY_REASON_RESOURCES, BL_N(rows[i].need), BL_N(rows[i].have));
        assert_string_equal(bl_buf_text(&out), rows[i].expected);
    }
    BL_SAY(&named, BL_SAY_JOB_NAMED, BL_T("7_2"), BL_T("a\x1b{1}"));
    assert_string_equal(bl_buf_text(&named), "job 7_2 a\\x1b{1}");
}

static void an_argument_that_is_missing_is_no_crash(void **state)
{
    BL_AUTO_BUF out = {0};

    (void)state;
    setenv("LC_ALL", "C.UTF-8", 1);
    bl_say(&out, BL_SAY_JOB_NAMED);
    assert_string_equal(bl_buf_text(&out), "job ? ?");
}

static void the_language_is_that_of_the_first_variable_that_is_set(void **state)
{
    static const struct {
        const char *all, *messages, *lang;
        enum bl_language expected;
    } rows[] = {
        {NULL, NULL, NULL, BL_LANGUAGE_EN},       {NULL, NULL, "zh_CN.UTF-8", BL_LANGUAGE_ZH},
        {NULL, "zh_TW", "en_US", BL_LANGUAGE_ZH}, {"C.UTF-8", "zh_CN", "zh_CN", BL_LANGUAGE_EN},
        {"", "", "zh", BL_LANGUAGE_ZH},           {NULL, "de_DE", "zh_CN", BL_LANGUAGE_EN},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *names[] = {"LC_ALL", "LC_MESSAGES", "LANG"};
        const char *values[] = {rows[i].all, rows[i].messages, rows[i].lang};

        for (size_t j = 0; j < 3; j++) {
            if (values[j]) {
                setenv(names[j], values[j], 1);
            } else {
                unsetenv(names[j]);
            }
        }
        assert_int_equal(bl_language_now(), rows[i].expected);
    }
}

static void chinese_is_said_where_it_is_asked_for(void **state)
{
    BL_AUTO_BUF out = {0};

    (void)state;
    setenv("LC_ALL", "zh_CN.UTF-8", 1);
    BL_SAY(&out, BL_SAY_REASON_PRIORITY_PLACE, BL_N(12), BL_N(3));
    assert_string_equal(bl_buf_text(&out), "排在作业 12 之后，前面有 3 个");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_message_prints_the_same_arguments_in_both_languages),
        cmocka_unit_test(numbers_choose_their_words_and_texts_are_escaped),
        cmocka_unit_test(an_argument_that_is_missing_is_no_crash),
        cmocka_unit_test(the_language_is_that_of_the_first_variable_that_is_set),
        cmocka_unit_test(chinese_is_said_where_it_is_asked_for),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
