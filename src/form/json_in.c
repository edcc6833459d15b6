#include "form/tree.h"

#include "base/buf.h"
#include "form/json_out.h"

#include <jansson.h>
#include <stdbool.h>
#include <string.h>

struct reader {
    const struct bl_tree_source *source;
    struct bl_arena *arena;
    struct bl_error *err;
};

static int fail_size(const struct bl_tree_source *source, size_t line, struct bl_error *err,
                     bool too_deep)
{
    if (too_deep) {
        return bl_fail(err, BL_ETOOBIG, "%s:%zu: nested deeper than %d levels", source->name, line,
                       BL_TREE_DEPTH_MAX);
    }
    return bl_fail(err, BL_ETOOBIG, "%s:%zu: more than %d values", source->name, line,
                   BL_TREE_NODES_MAX);
}

/* Counts brackets and commas outside of texts before anything is built: a few bytes must not
 * become a tree many times their size. */
static int check_shape(const struct bl_tree_source *source, struct bl_error *err)
{
    bool in_text = false;
    size_t depth = 0;
    size_t values = 1;
    size_t line = 1;

    for (size_t i = 0; i < source->length; i++) {
        char c = source->bytes[i];

        line += c == '\n';
        if (in_text) {
            i += c == '\\';
            in_text = c != '"';
        } else {
            in_text = c == '"';
            values += c == ',' || c == '[' || c == '{';
            depth += c == '[' || c == '{';
            depth -= depth > 0 && (c == ']' || c == '}');
        }
        if (depth > BL_TREE_DEPTH_MAX || values > BL_TREE_NODES_MAX) {
            return fail_size(source, line, err, depth > BL_TREE_DEPTH_MAX);
        }
    }
    return BL_OK;
}

static void convert(struct reader *reader, json_t *value, struct bl_tree *node);

static void convert_list(struct reader *reader, json_t *list, struct bl_tree *node)
{
    node->kind = BL_TREE_LIST;
    node->child_count = json_array_size(list);
    node->child = bl_arena_alloc(reader->arena, node->child_count * sizeof *node->child);
    for (size_t i = 0; i < node->child_count; i++) {
        node->child[i].key = node->key;
        convert(reader, json_array_get(list, i), &node->child[i]);
    }
}

static void convert_map(struct reader *reader, json_t *map, struct bl_tree *node)
{
    size_t at = 0;
    const char *key;
    json_t *value;

    node->kind = BL_TREE_MAP;
    node->child_count = json_object_size(map);
    node->child = bl_arena_alloc(reader->arena, node->child_count * sizeof *node->child);
    json_object_foreach(map, key, value)
    {
        node->child[at].key = bl_arena_copy_text(reader->arena, key);
        convert(reader, value, &node->child[at]);
        at++;
    }
}

static void convert_number(struct reader *reader, json_t *value, struct bl_tree *node)
{
    BL_AUTO_BUF text = {0};
    struct bl_json json;

    bl_json_init(&json, &text);
    if (json_is_integer(value)) {
        bl_json_int(&json, json_integer_value(value));
    } else {
        bl_json_double(&json, json_real_value(value));
    }
    node->kind = BL_TREE_SCALAR;
    node->text = bl_arena_copy_text(reader->arena, bl_buf_text(&text));
}

/* Recursion ends: check_shape bounds the depth. */
static void convert(struct reader *reader, json_t *value, struct bl_tree *node)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        convert_map(reader, value, node);
        break;
    case JSON_ARRAY:
        convert_list(reader, value, node);
        break;
    case JSON_STRING:
        node->kind = BL_TREE_SCALAR;
        node->text = bl_arena_copy_text(reader->arena, json_string_value(value));
        break;
    case JSON_INTEGER:
    case JSON_REAL:
        convert_number(reader, value, node);
        break;
    case JSON_TRUE:
    case JSON_FALSE:
        node->kind = BL_TREE_SCALAR;
        node->text = json_is_true(value) ? "true" : "false";
        break;
    case JSON_NULL:
        node->kind = BL_TREE_NULL;
        break;
    }
}

/* What ends a text in C is JSON, but nothing that can be passed on. */
static int fail_parse(const struct bl_tree_source *source, const json_error_t *problem,
                      struct bl_error *err)
{
    enum json_error_code code = json_error_code(problem);
    int line = problem->line > 0 ? problem->line : 1;

    if (code == json_error_null_character || code == json_error_null_byte_in_key) {
        return bl_fail(err, BL_EINVAL, "%s:%d: expected texts without the character U+0000",
                       source->name, line);
    }
    return bl_fail(err, BL_EINVAL, "%s:%d: not JSON: %s", source->name, line, problem->text);
}

static int parse(const struct bl_tree_source *source, json_t **out, struct bl_error *err)
{
    json_error_t problem;

    *out = json_loadb(source->bytes, source->length, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY,
                      &problem);
    return *out ? BL_OK : fail_parse(source, &problem, err);
}

int bl_json_read(const struct bl_tree_source *source, struct bl_arena *arena, struct bl_tree **out,
                 struct bl_error *err)
{
    struct reader reader = {.source = source, .arena = arena, .err = err};
    json_t *value = NULL;
    int status;

    if (source->length > BL_TREE_BYTES_MAX) {
        return bl_fail(err, BL_ETOOBIG, "%s: larger than %d MiB", source->name,
                       BL_TREE_BYTES_MAX / 1024 / 1024);
    }
    status = check_shape(source, err);
    if (status == BL_OK) {
        status = parse(source, &value, err);
    }
    if (status == BL_OK) {
        *out = bl_arena_alloc(arena, sizeof **out);
        convert(&reader, value, *out);
        json_decref(value);
    }
    return status;
}
