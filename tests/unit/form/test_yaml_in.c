#include "form_test.h"

static void documents_become_trees_of_text(void **state)
{
    static const struct {
        const char *yaml;
        const char *tree;
    } rows[] = {
        {"a: 1\nb: [x, 'y', \"z\"]\n", "{\"a\":\"1\",\"b\":[\"x\",\"y\",\"z\"]}"},
        {"a: 100%TAG\n", "{\"a\":\"100%TAG\"}"},
        {"a: \xE4\xB8\xA8%TAG\n", "{\"a\":\"\xE4\xB8\xA8%TAG\"}"},
        {"enabled: no\n", "{\"enabled\":\"no\"}"},
        {"a:\nb: ~\nc: null\nd: ''\ne: 'null'\n",
         "{\"a\":null,\"b\":null,\"c\":null,\"d\":\"\",\"e\":\"null\"}"},
        {"run: |\n  one\n  two\n", "{\"run\":\"one\\ntwo\\n\"}"},
        {"- {a: {}}\n- []\n", "[{\"a\":{}},[]]"},
        {"%YAML 1.1\n--- word\n...\n", "\"word\""},
        {"\xEF\xBB\xBF"
         "a: \xC3\xA4\n",
         "{\"a\":\"\xC3\xA4\"}"},
        {"{\"json\": [1, true]}", "{\"json\":[\"1\",\"true\"]}"},
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        struct form_text text;

        form_read_yaml(&text, rows[i].yaml);
        form_expect_tree(&text, rows[i].tree);
        form_finish(&text);
    }
}

static void every_node_knows_key_and_place(void **state)
{
    struct form_text text;
    const struct bl_tree *list;

    (void)state;
    form_read_yaml(&text, "a: 1\nlist:\n  - x\n  - y\n");
    list = &text.tree->child[1];
    assert_int_equal(list->line, 2);
    assert_int_equal(list->column, 1);
    assert_int_equal(list->child[1].line, 4);
    assert_int_equal(list->child[1].column, 5);
    assert_string_equal(list->child[1].key, "list");
    form_finish(&text);
}

static void what_is_refused_is_told_with_its_line(void **state)
{
    static const struct {
        const char *yaml;
        const char *message;
    } rows[] = {
        {"", "test: there is nothing in it"},
        {"# only a comment\n", "there is nothing in it"},
        {"a: 1\nb: 2\na: 3\n", "test:3: a: the key is given twice, first in line 1"},
        {"x:\n  - {q: 1, r: 2, q: 3}\n", "test:2: q: the key is given twice"},
        {"a: &x 1\n", "test:1: anchors (&name) are not supported"},
        {"a: 1\nb: *x\n", "test:2: aliases (*name) are not supported"},
        {"a: !!int 1\n", "test:1: tags (!type) are not supported"},
        {"a: !t {b: 1}\n", "tags (!type) are not supported"},
        {"a: &x [1]\n", "anchors (&name) are not supported"},
        {"%TAG !a! x\n--- a\n", "test:1: tags (%TAG) are not supported"},
        {"a\n...\r%TAG !a! x\n--- a\n", "test:2: tags (%TAG) are not supported"},
        {"a: 1\n---\nb: 2\n", "test:2: expected one document, found a second one"},
        {"? [a]\n: 1\n", "test:1: expected a word as key, found a list or a map"},
        {"a: 1\nb: \"\\0\"\n", "test:2: a text holds a zero byte"},
        {"a: 1\nb: \xFF\n", "test:2: expected UTF-8 text"},
        {"a: 1\n\nb: \xC0\x80\n", "test:3: expected UTF-8 text"},
        {"a: \x01\n", "control characters are not allowed"},
        {"a: [1, 2\nb: 3\n", "not YAML: "},
        {"a: 1\n b: 2\n", "test:2: not YAML: mapping values are not allowed"},
        {"\xFF\xFE"
         "a",
         "expected UTF-8 text"},
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        struct form_text text;

        form_read_yaml(&text, rows[i].yaml);
        form_expect_message(&text.err, rows[i].message, rows[i].yaml);
        assert_null(text.tree);
        form_finish(&text);
    }
}

/* `levels` lists, one in the other. */
static void read_nested(struct form_text *text, struct bl_buf *yaml, size_t levels)
{
    for (size_t i = 0; i < levels; i++) {
        bl_buf_append_text(yaml, i % 1000 == 999 ? "[\n" : "[");
    }
    for (size_t i = 0; i < levels; i++) {
        bl_buf_append_char(yaml, ']');
    }
    form_read_yaml(text, bl_buf_text(yaml));
}

static void levels_are_counted_and_too_many_are_refused(void **state)
{
    static const struct {
        size_t levels;
        bool is_read;
    } rows[] = {{BL_TREE_DEPTH_MAX, true}, {BL_TREE_DEPTH_MAX + 1, false}, {10000, false}};

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        BL_AUTO_BUF yaml = {0};
        struct form_text text;

        read_nested(&text, &yaml, rows[i].levels);
        assert_int_equal(!!text.tree, rows[i].is_read);
        if (!rows[i].is_read) {
            assert_int_equal(text.err.status, BL_ETOOBIG);
            form_expect_message(&text.err, "nested deeper than 64 levels", "nested lists");
        }
        form_finish(&text);
    }
}

static void a_document_over_the_size_is_refused_unread(void **state)
{
    struct bl_tree_source source = {"big", "", (size_t)BL_TREE_BYTES_MAX + 1};
    struct bl_arena arena = {0};
    struct bl_tree *tree = NULL;
    struct bl_error err = {0};

    (void)state;
    assert_int_equal(bl_yaml_read(&source, &arena, &tree, &err), BL_ETOOBIG);
    assert_string_equal(err.text, "big: larger than 64 MiB");
    assert_null(tree);
}

static void too_many_values_are_refused(void **state)
{
    size_t count = (size_t)BL_TREE_NODES_MAX + 1;
    BL_AUTO_BUF yaml = {0};
    struct form_text text;

    (void)state;
    bl_buf_append_char(&yaml, '[');
    for (size_t i = 0; i < count; i++) {
        bl_buf_append(&yaml, "a,", 2);
    }
    bl_buf_append_char(&yaml, ']');
    form_read_yaml(&text, bl_buf_text(&yaml));
    assert_int_equal(text.err.status, BL_ETOOBIG);
    form_expect_message(&text.err, "more than 4194304 values", "a long list");
    form_finish(&text);
}

static void many_keys_are_checked_for_duplicates_in_time(void **state)
{
    BL_AUTO_BUF yaml = {0};
    struct form_text text;

    (void)state;
    for (int i = 0; i < 50000; i++) {
        bl_buf_printf(&yaml, "k%d: 1\n", i);
    }
    bl_buf_append_text(&yaml, "k77: 2\n");
    form_read_yaml(&text, bl_buf_text(&yaml));
    form_expect_message(&text.err, "test:50001: k77: the key is given twice, first in line 78",
                        "many keys");
    form_finish(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(documents_become_trees_of_text),
        cmocka_unit_test(every_node_knows_key_and_place),
        cmocka_unit_test(what_is_refused_is_told_with_its_line),
        cmocka_unit_test(levels_are_counted_and_too_many_are_refused),
        cmocka_unit_test(a_document_over_the_size_is_refused_unread),
        cmocka_unit_test(too_many_values_are_refused),
        cmocka_unit_test(many_keys_are_checked_for_duplicates_in_time),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
