/* Documents: what is read can be written as JSON and as YAML, and reads back to the same tree. The
 * first byte says whether the document is JSON or YAML. */
#include "fuzz.h"

#include "form/json_out.h"
#include "form/tree.h"
#include "form/tree_out.h"

#include <string.h>

static void check_keys(const struct bl_tree *node)
{
    for (size_t i = 0; i < node->child_count; i++) {
        assert(node->kind != BL_TREE_MAP ||
               bl_tree_find(node, node->child[i].key) == &node->child[i]);
        check_keys(&node->child[i]);
    }
}

static void print_json(struct bl_buf *out, const struct bl_tree *tree)
{
    struct bl_json json;

    bl_json_init(&json, out);
    bl_tree_put_json(&json, tree);
}

static void read_back(const struct bl_buf *printed,
                      int (*read)(const struct bl_tree_source *, struct bl_arena *,
                                  struct bl_tree **, struct bl_error *),
                      const char *expected)
{
    struct bl_tree_source source = {"printed", bl_buf_text(printed), printed->length};
    struct bl_arena arena = {0};
    struct bl_tree *again = NULL;
    BL_AUTO_BUF text = {0};

    assert(read(&source, &arena, &again, NULL) == BL_OK);
    print_json(&text, again);
    assert(!strcmp(bl_buf_text(&text), expected));
    bl_arena_finish(&arena);
}

static void print_and_read_back(const struct bl_tree *tree)
{
    BL_AUTO_BUF json = {0};
    BL_AUTO_BUF yaml = {0};

    check_keys(tree);
    print_json(&json, tree);
    bl_tree_print_yaml(&yaml, tree);
    read_back(&json, bl_json_read, bl_buf_text(&json));
    read_back(&yaml, bl_yaml_read, bl_buf_text(&json));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct bl_arena arena = {0};
    struct bl_tree_source source;
    const struct bl_tree *tree;

    if (!length) {
        return 0;
    }
    tree = read_document(bytes, length, bytes[0] & 1, &source, &arena);
    if (tree) {
        print_and_read_back(tree);
    }
    bl_arena_finish(&arena);
    return 0;
}
