#include "form_test.h"

#include "form/tree_read.h"

static void a_null_counts_as_not_given(void **state)
{
    struct form_text text;

    (void)state;
    form_read_yaml(&text, "{a: ~, b: x}");
    assert_null(bl_tree_given(text.tree, "a"));
    assert_null(bl_tree_given(text.tree, "c"));
    assert_string_equal(bl_tree_given(text.tree, "b")->text, "x");
    form_finish(&text);
}

static void switches_have_four_words(void **state)
{
    static const struct {
        const char *yaml;
        int value; /* -1: refused */
    } rows[] = {{"yes", 1}, {"true", 1}, {"no", 0}, {"false", 0}, {"on", -1}, {"[yes]", -1}};

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        struct form_text text;
        struct bl_tree_reader reader = {&text.source, &text.arena, &text.err};
        bool value = false;
        int status;

        form_read_yaml(&text, rows[i].yaml);
        status = bl_tree_read_bool(&reader, text.tree, &value);
        assert_int_equal(status, rows[i].value < 0 ? BL_EINVAL : BL_OK);
        assert_int_equal(value, rows[i].value > 0);
        form_finish(&text);
    }
}

static void numbers_are_plain_decimals(void **state)
{
    static const struct {
        const char *yaml;
        double value; /* < 0: refused */
    } rows[] = {{"1.5", 1.5}, {"2e3", 2000}, {"0", 0},      {"0x10", -1}, {"inf", -1},
                {"nan", -1},  {"1.2.3", -1}, {"e", -1},     {"''", -1},   {"1e999", -1},
                {"{}", -1},   {"1 2", -1},   {"'1.5 '", -1}};

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        struct form_text text;
        struct bl_tree_reader reader = {&text.source, &text.arena, &text.err};
        double value = -1;

        form_read_yaml(&text, rows[i].yaml);
        if ((bl_tree_read_double(&reader, text.tree, &value) == BL_OK) != (rows[i].value >= 0) ||
            value < rows[i].value || value > rows[i].value) {
            fail_msg("'%s' became %g", rows[i].yaml, value);
        }
        form_finish(&text);
    }
}

static void a_wrong_word_is_refused_with_the_list_and_the_nearest(void **state)
{
    static const char *const words[] = {"queued", "running", NULL};
    struct form_text text;
    struct bl_tree_reader reader = {&text.source, &text.arena, &text.err};
    int index = -1;

    (void)state;
    form_read_yaml(&text, "state: runing");
    assert_int_equal(bl_tree_read_word(&reader, &text.tree->child[0], words, &index), BL_EINVAL);
    assert_string_equal(text.err.text,
                        "test:1: state: expected one of queued, running, found 'runing'");
    assert_string_equal(text.err.hint, "write 'running'");
    assert_string_equal(text.err.field, "state");
    assert_int_equal(index, -1);
    form_finish(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_null_counts_as_not_given),
        cmocka_unit_test(switches_have_four_words),
        cmocka_unit_test(numbers_are_plain_decimals),
        cmocka_unit_test(a_wrong_word_is_refused_with_the_list_and_the_nearest),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
