#include "form/tree_out.h"

#include <stdbool.h>
#include <string.h>

enum { INDENT = 2, SIMPLE_KEY_MAX = 500 /* libyaml looks 1024 bytes ahead for the ':' */ };

/* What a byte begins: its length and code point. Texts are UTF-8. */
static size_t read_character(const char *text, uint32_t *code)
{
    static const unsigned char first_bits[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    unsigned char first = (unsigned char)text[0];
    size_t length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;

    *code = first & first_bits[length];
    for (size_t i = 1; i < length && text[i]; i++) {
        *code = *code << 6 | ((unsigned char)text[i] & 0x3F);
    }
    return length;
}

/* Characters that YAML takes as they are. The others are control characters, line ends of other
 * alphabets, and the byte order mark. */
static bool is_printable(uint32_t code)
{
    if (code < 0xA0) {
        return code >= 0x20 && code < 0x7F;
    }
    return code != 0x2028 && code != 0x2029 && code != 0xFEFF && code != 0xFFFE && code != 0xFFFF;
}

static bool is_alphanumeric(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/* Whether the text can stand without quotes. Some that could are quoted, to be sure. */
static bool is_plain(const char *text)
{
    static const char *const null_words[] = {"null", "Null", "NULL"};

    if (!is_alphanumeric(text[0]) && text[0] != '/' && text[0] != '_') {
        return false;
    }
    for (size_t i = 0; i < sizeof null_words / sizeof null_words[0]; i++) {
        if (!strcmp(text, null_words[i])) {
            return false;
        }
    }
    for (const char *at = text; *at; at++) {
        bool is_inner = *at == ':' || *at == ' ';

        if (!is_alphanumeric(*at) && !strchr("_./+-@%=~,()", *at) &&
            !(is_inner && (is_alphanumeric(at[1]) || at[1] == '/'))) {
            return false;
        }
    }
    return true;
}

/* Whether the text has several lines that a literal block can hold. */
static bool is_block(const char *text)
{
    uint32_t code = 0;

    if (!strchr(text, '\n') || !text[strspn(text, "\n")]) {
        return false;
    }
    for (const char *at = text; *at; at += read_character(at, &code)) {
        read_character(at, &code);
        if (!is_printable(code) && *at != '\n' && *at != '\t') {
            return false;
        }
    }
    return true;
}

static void put_escaped(struct bl_buf *out, const char *at, size_t length, uint32_t code)
{
    if (*at == '"' || *at == '\\') {
        bl_buf_printf(out, "\\%c", *at);
    } else if (*at == '\n' || *at == '\t') {
        bl_buf_append_text(out, *at == '\n' ? "\\n" : "\\t");
    } else if (is_printable(code)) {
        bl_buf_append(out, at, length);
    } else {
        bl_buf_printf(out, "\\u%04X", (unsigned)code);
    }
}

static void put_quoted(struct bl_buf *out, const char *text)
{
    bl_buf_append_char(out, '"');
    while (*text) {
        uint32_t code = 0;
        size_t length = read_character(text, &code);

        put_escaped(out, text, length, code);
        text += length;
    }
    bl_buf_append_char(out, '"');
}

static void put_scalar(struct bl_buf *out, const char *text)
{
    if (is_plain(text)) {
        bl_buf_append_text(out, text);
    } else {
        put_quoted(out, text);
    }
}

static void put_blanks(struct bl_buf *out, int count)
{
    bl_buf_printf(out, "%*s", count, "");
}

/* "|" keeps one line end, "|-" none, "|+" all; the 2 says where the first line begins when that is
 * not plain to see. */
static void put_block(struct bl_buf *out, const char *text, int indent)
{
    size_t length = strlen(text);
    bool has_end = text[length - 1] == '\n';
    bool has_ends = has_end && text[length - 2] == '\n';

    bl_buf_printf(out, "|%s%s\n", strchr(" \t\n", text[0]) ? "2" : "",
                  has_ends  ? "+"
                  : has_end ? ""
                            : "-");
    while (*text) {
        size_t line = strcspn(text, "\n");

        if (line) {
            put_blanks(out, indent);
        }
        bl_buf_append(out, text, line);
        bl_buf_append_char(out, '\n');
        text += line + (text[line] == '\n');
    }
}

static void put_node(struct bl_buf *out, const struct bl_tree *node, int indent);

static void put_key(struct bl_buf *out, const char *key)
{
    if (strlen(key) > SIMPLE_KEY_MAX) {
        bl_buf_append_text(out, "? ");
        put_quoted(out, key);
        bl_buf_append_text(out, "\n");
    } else {
        put_scalar(out, key);
    }
}

static void put_children(struct bl_buf *out, const struct bl_tree *node, int indent)
{
    for (size_t i = 0; i < node->child_count; i++) {
        const struct bl_tree *child = &node->child[i];

        put_blanks(out, indent);
        if (node->kind == BL_TREE_LIST) {
            bl_buf_append_char(out, '-');
        } else {
            put_key(out, child->key);
            if (strlen(child->key) > SIMPLE_KEY_MAX) {
                put_blanks(out, indent);
            }
            bl_buf_append_char(out, ':');
        }
        put_node(out, child, indent + INDENT);
    }
}

/* Behind a ':' or a '-': the value and its line end, or the lines that it has for itself. */
static void put_node(struct bl_buf *out, const struct bl_tree *node, int indent)
{
    bool is_container = node->kind == BL_TREE_LIST || node->kind == BL_TREE_MAP;

    if (is_container && node->child_count) {
        bl_buf_append_char(out, '\n');
        put_children(out, node, indent);
        return;
    }
    bl_buf_append_char(out, ' ');
    if (node->kind == BL_TREE_SCALAR && is_block(node->text)) {
        put_block(out, node->text, indent);
        return;
    }
    if (node->kind == BL_TREE_SCALAR) {
        put_scalar(out, node->text);
    } else {
        bl_buf_append_text(out, is_container ? (node->kind == BL_TREE_LIST ? "[]" : "{}") : "~");
    }
    bl_buf_append_char(out, '\n');
}

void bl_tree_print_yaml(struct bl_buf *out, const struct bl_tree *tree)
{
    bool is_container = tree->kind == BL_TREE_LIST || tree->kind == BL_TREE_MAP;

    if (is_container && tree->child_count) {
        put_children(out, tree, 0);
    } else {
        bl_buf_append_text(out, "---");
        put_node(out, tree, INDENT);
    }
}

void bl_tree_put_json_members(struct bl_json *json, const struct bl_tree *map)
{
    for (size_t i = 0; i < map->child_count; i++) {
        bl_json_key(json, map->child[i].key);
        bl_tree_put_json(json, &map->child[i]);
    }
}

void bl_tree_put_json(struct bl_json *json, const struct bl_tree *tree)
{
    switch (tree->kind) {
    case BL_TREE_SCALAR:
        bl_json_text(json, tree->text);
        break;
    case BL_TREE_NULL:
        bl_json_null(json);
        break;
    case BL_TREE_LIST:
        bl_json_open_array(json);
        for (size_t i = 0; i < tree->child_count; i++) {
            bl_tree_put_json(json, &tree->child[i]);
        }
        bl_json_close_array(json);
        break;
    case BL_TREE_MAP:
        bl_json_open_object(json);
        bl_tree_put_json_members(json, tree);
        bl_json_close_object(json);
        break;
    }
}
