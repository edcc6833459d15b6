/* Documents: what is read can be written as JSON, and reads back to the same tree. The first byte
 * says whether the document is JSON or YAML. */
#include "fuzz.h"

#include "form/json_out.h"
#include "form/tree.h"

#include <string.h>

/* Scalars as texts, so that every tree has one form. */
static void print_tree(struct bl_json *json, const struct bl_tree *node)
{
    switch (node->kind) {
    case BL_TREE_SCALAR:
        bl_json_text(json, node->text);
        return;
    case BL_TREE_NULL:
        bl_json_null(json);
        return;
    case BL_TREE_LIST:
        bl_json_open_array(json);
        break;
    case BL_TREE_MAP:
        bl_json_open_object(json);
        break;
    }
    for (size_t i = 0; i < node->child_count; i++) {
        if (node->kind == BL_TREE_MAP) {
            bl_json_key(json, node->child[i].key);
            assert(bl_tree_find(node, node->child[i].key) == &node->child[i]);
        }
        print_tree(json, &node->child[i]);
    }
    (node->kind == BL_TREE_MAP ? bl_json_close_object : bl_json_close_array)(json);
}

/* Levels below the root; the writer takes fewer of them than the readers. */
static int depth_of(const struct bl_tree *node)
{
    int deepest = 0;

    for (size_t i = 0; i < node->child_count; i++) {
        int depth = depth_of(&node->child[i]) + 1;

        deepest = depth > deepest ? depth : deepest;
    }
    return deepest;
}

static void print_and_read_back(const struct bl_tree *tree, struct bl_arena *arena)
{
    BL_AUTO_BUF first = {0};
    BL_AUTO_BUF second = {0};
    struct bl_tree *again = NULL;
    struct bl_json json;

    bl_json_init(&json, &first);
    print_tree(&json, tree);
    struct bl_tree_source source = {"printed", bl_buf_text(&first), first.length};

    assert(bl_json_read(&source, arena, &again, NULL) == BL_OK);
    bl_json_init(&json, &second);
    print_tree(&json, again);
    assert(!strcmp(bl_buf_text(&first), bl_buf_text(&second)));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct bl_arena arena = {0};
    struct bl_tree_source source = {.name = "input"};
    struct bl_tree *tree = NULL;
    struct bl_error err = {0};
    int status;

    if (!length) {
        return 0;
    }
    source.bytes = (const char *)bytes + 1;
    source.length = length - 1;
    status = (bytes[0] & 1 ? bl_json_read : bl_yaml_read)(&source, &arena, &tree, &err);
    check_refusal(status, &err);
    if (status == BL_OK && depth_of(tree) + 1 < BL_JSON_DEPTH_MAX) {
        print_and_read_back(tree, &arena);
    }
    bl_arena_finish(&arena);
    return 0;
}
