#include "form_test.h"

#include "form/tree_out.h"

static void expect_yaml(const char *json, const char *yaml)
{
    BL_AUTO_BUF printed = {0};
    struct form_text text;
    struct form_text again;

    form_read_json(&text, json);
    if (!text.tree) {
        fail_msg("'%s' is no JSON: %s", json, text.err.text);
    }
    bl_tree_print_yaml(&printed, text.tree);
    assert_string_equal(bl_buf_text(&printed), yaml);
    form_read_yaml(&again, bl_buf_text(&printed));
    form_expect_tree(&again, json);
    form_finish(&text);
    form_finish(&again);
}

static void trees_are_printed_as_yaml_that_reads_back(void **state)
{
    static const struct {
        const char *json;
        const char *yaml;
    } rows[] = {
        {"{\"a\":\"1\",\"b\":[\"x\",\"y z\"],\"c\":{\"d\":null}}",
         "a: 1\nb:\n  - x\n  - y z\nc:\n  d: ~\n"},
        {"{\"a\":{},\"b\":[]}", "a: {}\nb: []\n"},
        {"[[\"a\"],{\"b\":\"c\"}]", "-\n  - a\n-\n  b: c\n"},
        {"\"word\"", "--- word\n"},
        {"{\"a\":\"\",\"b\":\"null\",\"c\":\"~\"}", "a: \"\"\nb: \"null\"\nc: \"~\"\n"},
        {"{\"a\":\"7:ok\",\"b\":\"0-9%2\",\"c\":\"2h\",\"d\":\"/x y/z\"}",
         "a: 7:ok\nb: 0-9%2\nc: 2h\nd: /x y/z\n"},
        {"{\"a\":\"x: y\",\"b\":\"x #y\",\"c\":\"- x\",\"d\":\"x \",\"e\":\"%x.log\"}",
         "a: \"x: y\"\nb: \"x #y\"\nc: \"- x\"\nd: \"x \"\ne: \"%x.log\"\n"},
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        expect_yaml(rows[i].json, rows[i].yaml);
    }
}

static void characters_that_yaml_does_not_take_are_escaped(void **state)
{
    static const char expected[] =
        "\"视觉\": \"a\\\"b\\\\c\\u0001\\u0085\\u2028\\u007F\\t\\u000D\"\n";
    BL_AUTO_BUF printed = {0};
    struct form_text text;
    struct form_text again;

    (void)state;
    form_read_json(&text, "{\"视觉\":\"a\\\"b\\\\c\\u0001\\u0085\\u2028\\u007f\\t\\r\"}");
    bl_tree_print_yaml(&printed, text.tree);
    assert_string_equal(bl_buf_text(&printed), expected);
    form_read_yaml(&again, bl_buf_text(&printed));
    assert_string_equal(again.tree->child[0].text, text.tree->child[0].text);
    form_finish(&text);
    form_finish(&again);
}

static void texts_of_several_lines_are_literal_blocks(void **state)
{
    static const struct {
        const char *text;
        const char *yaml;
    } rows[] = {
        {"a\nb\n", "run: |\n  a\n  b\n"},
        {"a\nb", "run: |-\n  a\n  b\n"},
        {"a\n\n\n", "run: |+\n  a\n\n\n"},
        {"  a\n b\n", "run: |2\n    a\n   b\n"},
        {"\na\n", "run: |2\n\n  a\n"},
        {"a\n\tb\n", "run: |\n  a\n  \tb\n"},
        {"a\n  \nb\n", "run: |\n  a\n    \n  b\n"},
        {"视\n觉\n", "run: |\n  视\n  觉\n"},
        {"\n", "run: \"\\n\"\n"},
        {"a\r\nb\n", "run: \"a\\u000D\\nb\\n\"\n"},
        {"#!/bin/sh\n%TAG ! x\n--- \n", "run: |\n  #!/bin/sh\n  %TAG ! x\n  --- \n"},
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        struct bl_tree value = {.kind = BL_TREE_SCALAR, .text = rows[i].text, .key = "run"};
        struct bl_tree map = {.kind = BL_TREE_MAP, .child = &value, .child_count = 1};
        BL_AUTO_BUF printed = {0};
        struct form_text again;

        bl_tree_print_yaml(&printed, &map);
        assert_string_equal(bl_buf_text(&printed), rows[i].yaml);
        form_read_yaml(&again, bl_buf_text(&printed));
        if (!again.tree) {
            fail_msg("'%s' was refused: %s", bl_buf_text(&printed), again.err.text);
        }
        assert_string_equal(again.tree->child[0].text, rows[i].text);
        form_finish(&again);
    }
}

static void keys_that_are_long_read_back_too(void **state)
{
    char key[3001];
    struct bl_tree inner = {.kind = BL_TREE_SCALAR, .text = "x", .key = "a"};
    struct bl_tree child[2] = {
        {.kind = BL_TREE_SCALAR, .text = "y", .key = key},
        {.kind = BL_TREE_MAP, .child = &inner, .child_count = 1, .key = key + 1}};
    struct bl_tree map = {.kind = BL_TREE_MAP, .child = child, .child_count = 2};
    BL_AUTO_BUF printed = {0};
    struct form_text again;

    (void)state;
    memset(key, 'k', sizeof key - 1);
    key[sizeof key - 1] = '\0';
    bl_tree_print_yaml(&printed, &map);
    form_read_yaml(&again, bl_buf_text(&printed));
    assert_non_null(again.tree);
    assert_string_equal(bl_tree_find(again.tree, key)->text, "y");
    assert_string_equal(bl_tree_find(again.tree, key + 1)->child[0].text, "x");
    form_finish(&again);
}

static void trees_are_put_into_json_whole_or_by_members(void **state)
{
    BL_AUTO_BUF printed = {0};
    struct form_text text;
    struct bl_json json;

    (void)state;
    form_read_yaml(&text, "{a: [1, ~, {b: c}], d: x}");
    bl_json_init(&json, &printed);
    bl_json_open_object(&json);
    bl_tree_put_json_members(&json, text.tree);
    bl_json_put_text(&json, "e", "y");
    bl_json_close_object(&json);
    assert_string_equal(bl_buf_text(&printed),
                        "{\"a\":[\"1\",null,{\"b\":\"c\"}],\"d\":\"x\",\"e\":\"y\"}");
    form_finish(&text);
}

static void the_deepest_tree_that_is_read_can_be_written(void **state)
{
    BL_AUTO_BUF deep = {0};
    BL_AUTO_BUF json = {0};
    BL_AUTO_BUF yaml = {0};
    struct form_text text;
    struct form_text again;
    struct bl_json writer;

    (void)state;
    for (int i = 0; i < 2 * BL_TREE_DEPTH_MAX; i++) {
        bl_buf_append_char(&deep, i < BL_TREE_DEPTH_MAX ? '[' : ']');
    }
    form_read_json(&text, bl_buf_text(&deep));
    assert_non_null(text.tree);
    bl_json_init(&writer, &json);
    bl_tree_put_json(&writer, text.tree);
    assert_string_equal(bl_buf_text(&json), bl_buf_text(&deep));
    bl_tree_print_yaml(&yaml, text.tree);
    form_read_yaml(&again, bl_buf_text(&yaml));
    form_expect_tree(&again, bl_buf_text(&deep));
    form_finish(&text);
    form_finish(&again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_are_printed_as_yaml_that_reads_back),
        cmocka_unit_test(characters_that_yaml_does_not_take_are_escaped),
        cmocka_unit_test(texts_of_several_lines_are_literal_blocks),
        cmocka_unit_test(keys_that_are_long_read_back_too),
        cmocka_unit_test(trees_are_put_into_json_whole_or_by_members),
        cmocka_unit_test(the_deepest_tree_that_is_read_can_be_written),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
