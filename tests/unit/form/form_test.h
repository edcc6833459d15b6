/* For the tests of src/form: one line of text becomes a tree. */
#ifndef BL_FORM_TEST_H
#define BL_FORM_TEST_H

#include "bl_test.h"
#include "form/json_out.h"
#include "form/tree.h"

#include <stdbool.h>
#include <string.h>

#define FORM_ROWS(rows) (sizeof(rows) / sizeof(rows)[0])

struct form_text {
    struct bl_tree_source source;
    struct bl_arena arena;
    struct bl_tree *tree; /* NULL when it was refused */
    struct bl_error err;
};

/* In place: the source's address must stay. */
static inline void form_read_yaml(struct form_text *text, const char *bytes)
{
    memset(text, 0, sizeof *text);
    text->source = (struct bl_tree_source){"test", bytes, strlen(bytes)};
    if (bl_yaml_read(&text->source, &text->arena, &text->tree, &text->err) != BL_OK) {
        assert_null(text->tree);
    }
}

static inline void form_read_json(struct form_text *text, const char *bytes)
{
    memset(text, 0, sizeof *text);
    text->source = (struct bl_tree_source){"test", bytes, strlen(bytes)};
    if (bl_json_read(&text->source, &text->arena, &text->tree, &text->err) != BL_OK) {
        assert_null(text->tree);
    }
}

static inline void form_finish(struct form_text *text)
{
    bl_arena_finish(&text->arena);
}

/* The tree as JSON with every scalar a text. */
static inline void form_print_tree(struct bl_json *json, const struct bl_tree *node)
{
    if (node->kind == BL_TREE_SCALAR) {
        bl_json_text(json, node->text);
    } else if (node->kind == BL_TREE_NULL) {
        bl_json_null(json);
    } else {
        void (*open)(struct bl_json *) =
            node->kind == BL_TREE_MAP ? bl_json_open_object : bl_json_open_array;
        void (*close)(struct bl_json *) =
            node->kind == BL_TREE_MAP ? bl_json_close_object : bl_json_close_array;

        open(json);
        for (size_t i = 0; i < node->child_count; i++) {
            if (node->kind == BL_TREE_MAP) {
                bl_json_key(json, node->child[i].key);
            }
            form_print_tree(json, &node->child[i]);
        }
        close(json);
    }
}

static inline void form_expect_tree(const struct form_text *text, const char *expected)
{
    BL_AUTO_BUF printed = {0};
    struct bl_json json;

    if (!text->tree) {
        fail_msg("'%s' was refused: %s", text->source.bytes, text->err.text);
    }
    bl_json_init(&json, &printed);
    form_print_tree(&json, text->tree);
    assert_string_equal(bl_buf_text(&printed), expected);
}

/* Fails the test, with the row, unless `part` stands in the message. */
static inline void form_expect_message(const struct bl_error *err, const char *part,
                                       const char *row)
{
    if (!strstr(err->text, part)) {
        fail_msg("for '%s': expected '%s' in '%s'", row, part, err->text);
    }
}

#endif
