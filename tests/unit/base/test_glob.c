#include "bl_test.h"

#include "base/glob.h"

#include <string.h>

static void a_star_is_any_text_and_a_question_mark_one_byte(void **state)
{
    static const struct {
        const char *pattern, *text;
        bool matches;
    } rows[] = {
        {"", "", true},
        {"", "a", false},
        {"*", "", true},
        {"*", "anything", true},
        {"?", "", false},
        {"?", "a", true},
        {"?", "ab", false},
        {"train", "train", true},
        {"train", "trainer", false},
        {"train*", "trainer", true},
        {"*train*", "python train.py", true},
        {"*.py", "train.py.bak", false},
        {"*.py", "train.py.py", true},
        {"a*b?d", "a123bcd", true},
        {"a*b?d", "abd", false},
        {"**", "x", true},
        {"a**c", "abc", true},
        {"[a]", "a", false},
        {"[a]", "[a]", true},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (bl_glob_matches(rows[i].pattern, rows[i].text) != rows[i].matches) {
            fail_msg("'%s' on '%s'", rows[i].pattern, rows[i].text);
        }
    }
}

static void many_stars_on_a_long_text_are_no_trouble(void **state)
{
    char pattern[201];
    char text[100001];

    (void)state;
    for (size_t i = 0; i < sizeof pattern - 1; i++) {
        pattern[i] = i % 2 ? 'a' : '*';
    }
    pattern[sizeof pattern - 2] = 'b';
    pattern[sizeof pattern - 1] = '\0';
    memset(text, 'a', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    assert_false(bl_glob_matches(pattern, text));
    text[sizeof text - 2] = 'b';
    assert_true(bl_glob_matches(pattern, text));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_star_is_any_text_and_a_question_mark_one_byte),
        cmocka_unit_test(many_stars_on_a_long_text_are_no_trouble),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
