#include "form_test.h"

static void documents_become_trees_of_text(void **state)
{
    static const struct {
        const char *json;
        const char *tree;
    } rows[] = {
        {"{\"b\": 1, \"a\": [true, false, null, \"x\"]}",
         "{\"b\":\"1\",\"a\":[\"true\",\"false\",null,\"x\"]}"},
        {"[9007199254740993, -1, 0.1, 1e3, 1.5]",
         "[\"9007199254740993\",\"-1\",\"0.1\",\"1000\",\"1.5\"]"},
        {"[1764433350.123456]", "[\"1764433350.123456\"]"},
        {"\"word\"", "\"word\""},
        {"{}", "{}"},
        {"[\"a,b[{\\\"\", \"\\u00e4\"]", "[\"a,b[{\\\"\",\"\xC3\xA4\"]"},
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        struct form_text text;

        form_read_json(&text, rows[i].json);
        form_expect_tree(&text, rows[i].tree);
        form_finish(&text);
    }
}

static void elements_of_a_list_carry_its_key_and_no_line(void **state)
{
    struct form_text text;

    (void)state;
    form_read_json(&text, "{\"list\":\n[1]}");
    assert_string_equal(text.tree->child[0].child[0].key, "list");
    bl_tree_fail(&text.source, &text.tree->child[0].child[0], &text.err, "no");
    assert_string_equal(text.err.text, "test: list: no");
    form_finish(&text);
}

static void what_is_refused_is_told_with_its_line(void **state)
{
    static const struct {
        const char *json;
        const char *message;
    } rows[] = {
        {"", "test:1: not JSON: "},
        {"{\"a\": 1,\n \"a\": 2}", "test:2: not JSON: duplicate object key"},
        {"{\"a\": 01}", "not JSON: "},
        {"{a: 1}", "not JSON: "},
        {"[1] [2]", "not JSON: end of file expected"},
        {"[\"\xFF\"]", "not JSON: unable to decode byte 0xff"},
        {"[\"\xC0\x80\"]", "not JSON: "},
        {"[\"\\u0000\"]", "test:1: expected texts without the character U+0000"},
        {"{\n\"\\u0000\": 1}", "test:2: expected texts without the character U+0000"},
        {"[\"\\ud800\"]", "not JSON: invalid Unicode"},
        {"[99999999999999999999]", "not JSON: too big integer"},
        {"[1e999]", "not JSON: real number overflow"},
        {"[1,\n2,\n", "test:3: not JSON: "},
        {"[NaN]", "not JSON: "},
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        struct form_text text;

        form_read_json(&text, rows[i].json);
        form_expect_message(&text.err, rows[i].message, rows[i].json);
        assert_null(text.tree);
        form_finish(&text);
    }
}

static void levels_are_counted_and_too_many_are_refused(void **state)
{
    static const struct {
        size_t levels;
        bool is_read;
    } rows[] = {{BL_TREE_DEPTH_MAX, true}, {BL_TREE_DEPTH_MAX + 1, false}, {100000, false}};

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        BL_AUTO_BUF json = {0};
        struct form_text text;

        for (size_t j = 0; j < rows[i].levels; j++) {
            bl_buf_append_char(&json, '[');
        }
        for (size_t j = 0; j < rows[i].levels; j++) {
            bl_buf_append_char(&json, ']');
        }
        form_read_json(&text, bl_buf_text(&json));
        assert_int_equal(!!text.tree, rows[i].is_read);
        if (!rows[i].is_read) {
            assert_int_equal(text.err.status, BL_ETOOBIG);
            form_expect_message(&text.err, "test:1: nested deeper than 64 levels", "[[[…");
        }
        form_finish(&text);
    }
}

static void too_many_values_and_too_many_bytes_are_refused(void **state)
{
    struct bl_tree_source big = {"big", "", (size_t)BL_TREE_BYTES_MAX + 1};
    size_t count = (size_t)BL_TREE_NODES_MAX;
    BL_AUTO_BUF json = {0};
    struct form_text text;

    (void)state;
    bl_buf_append_char(&json, '[');
    for (size_t i = 0; i < count; i++) {
        bl_buf_append(&json, "1,", 2);
    }
    bl_buf_append_text(&json, "1]");
    form_read_json(&text, bl_buf_text(&json));
    assert_int_equal(text.err.status, BL_ETOOBIG);
    form_expect_message(&text.err, "more than 4194304 values", "a long list");
    assert_int_equal(bl_json_read(&big, &text.arena, &text.tree, &text.err), BL_ETOOBIG);
    assert_string_equal(text.err.text, "big: larger than 64 MiB");
    form_finish(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(documents_become_trees_of_text),
        cmocka_unit_test(elements_of_a_list_carry_its_key_and_no_line),
        cmocka_unit_test(what_is_refused_is_told_with_its_line),
        cmocka_unit_test(levels_are_counted_and_too_many_are_refused),
        cmocka_unit_test(too_many_values_and_too_many_bytes_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
