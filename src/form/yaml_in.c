#include "form/tree.h"

#include "base/vec.h"
#include "base/sort.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>
#include <yaml.h>

/* A list or map that is not finished; its children so far lie in the reader's `pending`. */
struct frame {
    struct bl_tree node;
    size_t first;
    const char *key; /* of the value that comes next; NULL when a key must come */
    yaml_mark_t key_at;
};

struct reader {
    const struct bl_tree_source *source;
    struct bl_arena *arena;
    struct bl_error *err;
    struct frame frame[BL_TREE_DEPTH_MAX];
    size_t depth;
    BL_VEC(struct bl_tree) pending;
    BL_VEC(const struct bl_tree *) by_key; /* scratch of find_duplicate */
    size_t node_count;
    bool has_document;
};

static int fail_at(struct reader *reader, yaml_mark_t mark, enum bl_status status,
                   const char *message)
{
    return bl_fail(reader->err, status, "%s:%zu: %s", reader->source->name, mark.line + 1, message);
}

static struct frame *top(struct reader *reader)
{
    return reader->depth ? &reader->frame[reader->depth - 1] : NULL;
}

/* Gives the value its key and place: the key's place where it has one. */
static void place(struct reader *reader, struct bl_tree *node, yaml_mark_t mark)
{
    struct frame *frame = top(reader);

    if (frame && frame->node.kind == BL_TREE_MAP) {
        node->key = frame->key;
        mark = frame->key_at;
        frame->key = NULL;
    } else if (frame) {
        node->key = frame->node.key;
    }
    node->line = (uint32_t)(mark.line + 1);
    node->column = (uint32_t)(mark.column + 1);
}

static bool is_null_word(const yaml_event_t *event)
{
    static const char *const words[] = {"", "~", "null", "Null", "NULL"};

    if (event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE) {
        return false;
    }
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (!strcmp((const char *)event->data.scalar.value, words[i])) {
            return true;
        }
    }
    return false;
}

/* The scalar's text in the arena; NULL with the error set when it holds a NUL. */
static const char *copy_scalar(struct reader *reader, const yaml_event_t *event)
{
    const char *text = (const char *)event->data.scalar.value;

    if (strlen(text) != event->data.scalar.length) {
        fail_at(reader, event->start_mark, BL_EINVAL, "a text holds a zero byte");
        return NULL;
    }
    return bl_arena_copy_text(reader->arena, text);
}

static int read_key(struct reader *reader, const yaml_event_t *event)
{
    struct frame *frame = top(reader);

    frame->key = copy_scalar(reader, event);
    frame->key_at = event->start_mark;
    return frame->key ? BL_OK : BL_EINVAL;
}

static int read_scalar(struct reader *reader, const yaml_event_t *event)
{
    struct frame *frame = top(reader);
    struct bl_tree node = {.kind = BL_TREE_NULL};

    if (frame && frame->node.kind == BL_TREE_MAP && !frame->key) {
        return read_key(reader, event);
    }
    if (!is_null_word(event)) {
        node.kind = BL_TREE_SCALAR;
        node.text = copy_scalar(reader, event);
        if (!node.text) {
            return BL_EINVAL;
        }
    }
    place(reader, &node, event->start_mark);
    BL_VEC_PUSH(&reader->pending, node);
    return BL_OK;
}

static int open_container(struct reader *reader, const yaml_event_t *event, enum bl_tree_kind kind)
{
    struct frame *frame = top(reader);
    struct bl_tree node = {.kind = kind};

    if (frame && frame->node.kind == BL_TREE_MAP && !frame->key) {
        return fail_at(reader, event->start_mark, BL_EINVAL,
                       "expected a word as key, found a list or a map");
    }
    if (reader->depth == BL_TREE_DEPTH_MAX) {
        return bl_fail(reader->err, BL_ETOOBIG, "%s:%zu: nested deeper than %d levels",
                       reader->source->name, event->start_mark.line + 1, BL_TREE_DEPTH_MAX);
    }
    place(reader, &node, event->start_mark);
    reader->frame[reader->depth++] = (struct frame){.node = node, .first = reader->pending.count};
    return BL_OK;
}

/* By key, then by place: a total order, as all children lie in one array. */
static int compare_keys(const void *a, const void *b)
{
    const struct bl_tree *const *left = a;
    const struct bl_tree *const *right = b;
    int order = strcmp((*left)->key, (*right)->key);

    return order ? order : (*left > *right) - (*left < *right);
}

static int refuse_duplicates(struct reader *reader, const struct bl_tree *map)
{
    reader->by_key.count = 0;
    for (size_t i = 0; i < map->child_count; i++) {
        BL_VEC_PUSH(&reader->by_key, &map->child[i]);
    }
    if (map->child_count > 1) {
        bl_sort(reader->by_key.at, map->child_count, sizeof reader->by_key.at[0], compare_keys);
    }
    for (size_t i = 1; i < map->child_count; i++) {
        const struct bl_tree *first = reader->by_key.at[i - 1];

        if (!strcmp(first->key, reader->by_key.at[i]->key)) {
            return bl_tree_fail(reader->source, reader->by_key.at[i], reader->err,
                                "the key is given twice, first in line %u", (unsigned)first->line);
        }
    }
    return BL_OK;
}

static int close_container(struct reader *reader)
{
    assert(reader->depth > 0);
    struct frame *frame = &reader->frame[reader->depth - 1];
    struct bl_tree node = frame->node;

    node.child_count = reader->pending.count - frame->first;
    if (node.child_count) {
        size_t bytes = node.child_count * sizeof *node.child;

        node.child = bl_arena_alloc(reader->arena, bytes);
        memcpy(node.child, reader->pending.at + frame->first, bytes);
    }
    reader->pending.count = frame->first;
    reader->depth--;
    BL_VEC_PUSH(&reader->pending, node);
    return node.kind == BL_TREE_MAP ? refuse_duplicates(reader, &node) : BL_OK;
}

static int open_document(struct reader *reader, const yaml_event_t *event)
{
    if (reader->has_document) {
        return fail_at(reader, event->start_mark, BL_EINVAL,
                       "expected one document, found a second one");
    }
    reader->has_document = true;
    return BL_OK;
}

static int check_marks(struct reader *reader, const yaml_event_t *event, const yaml_char_t *anchor,
                       const yaml_char_t *tag)
{
    if (anchor) {
        return fail_at(reader, event->start_mark, BL_EINVAL,
                       "anchors (&name) are not supported: write the value where it is used");
    }
    if (tag) {
        return fail_at(reader, event->start_mark, BL_EINVAL,
                       "tags (!type) are not supported: write the plain value");
    }
    if (++reader->node_count > BL_TREE_NODES_MAX) {
        return bl_fail(reader->err, BL_ETOOBIG, "%s:%zu: more than %d values", reader->source->name,
                       event->start_mark.line + 1, BL_TREE_NODES_MAX);
    }
    return BL_OK;
}

static int check_value(struct reader *reader, const yaml_event_t *event)
{
    if (event->type == YAML_SCALAR_EVENT) {
        return check_marks(reader, event, event->data.scalar.anchor, event->data.scalar.tag);
    }
    if (event->type == YAML_SEQUENCE_START_EVENT) {
        return check_marks(reader, event, event->data.sequence_start.anchor,
                           event->data.sequence_start.tag);
    }
    if (event->type == YAML_MAPPING_START_EVENT) {
        return check_marks(reader, event, event->data.mapping_start.anchor,
                           event->data.mapping_start.tag);
    }
    return BL_OK;
}

static int read_event(struct reader *reader, const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_SCALAR_EVENT:
        return read_scalar(reader, event);
    case YAML_SEQUENCE_START_EVENT:
        return open_container(reader, event, BL_TREE_LIST);
    case YAML_MAPPING_START_EVENT:
        return open_container(reader, event, BL_TREE_MAP);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        return close_container(reader);
    case YAML_ALIAS_EVENT:
        return fail_at(reader, event->start_mark, BL_EINVAL,
                       "aliases (*name) are not supported: write the value out");
    case YAML_DOCUMENT_START_EVENT:
        return open_document(reader, event);
    case YAML_NO_EVENT:
    case YAML_STREAM_START_EVENT:
    case YAML_STREAM_END_EVENT:
    case YAML_DOCUMENT_END_EVENT:
        break;
    }
    return BL_OK;
}

static size_t line_of_offset(const struct bl_tree_source *source, size_t offset)
{
    size_t line = 1;

    for (size_t i = 0; i < offset && i < source->length; i++) {
        line += source->bytes[i] == '\n';
    }
    return line;
}

static int fail_syntax(struct reader *reader, const yaml_parser_t *parser)
{
    const char *problem = parser->problem ? parser->problem : "not YAML";

    if (parser->error == YAML_MEMORY_ERROR) {
        abort();
    }
    if (parser->error == YAML_READER_ERROR) {
        return bl_fail(reader->err, BL_EINVAL, "%s:%zu: expected UTF-8 text: %s",
                       reader->source->name, line_of_offset(reader->source, parser->problem_offset),
                       problem);
    }
    return bl_fail(reader->err, BL_EINVAL, "%s:%zu: not YAML: %s%s%s", reader->source->name,
                   parser->problem_mark.line + 1, problem, parser->context ? " " : "",
                   parser->context ? parser->context : "");
}

static int read_stream(struct reader *reader, yaml_parser_t *parser)
{
    bool at_end = false;

    while (!at_end) {
        yaml_event_t event;
        int status;

        if (!yaml_parser_parse(parser, &event)) {
            return fail_syntax(reader, parser);
        }
        at_end = event.type == YAML_STREAM_END_EVENT;
        status = check_value(reader, &event);
        if (status == BL_OK) {
            status = read_event(reader, &event);
        }
        yaml_event_delete(&event);
        if (status != BL_OK) {
            return status;
        }
    }
    return BL_OK;
}

/* Whether a line begins at `at`: behind a line feed, a carriage return, or U+0085, U+2028 and
 * U+2029, which end lines of YAML 1.1 too. */
static bool is_line_start(const char *start, const char *at)
{
    static const char *const ends[] = {"\n", "\r", "\xC2\x85", "\xE2\x80\xA8", "\xE2\x80\xA9"};

    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        size_t length = strlen(ends[i]);

        if ((size_t)(at - start) >= length && !memcmp(at - length, ends[i], length)) {
            return true;
        }
    }
    return at == start;
}

/* libyaml compares each %TAG line with all before it: a file of them would keep it busy for hours.
 * Tags are refused anyway. */
static int refuse_tag_lines(const struct bl_tree_source *source, struct bl_error *err)
{
    static const char word[] = "%TAG";
    const char *end = source->bytes + source->length;
    const char *at = source->bytes;

    while ((at = memmem(at, (size_t)(end - at), word, sizeof word - 1))) {
        if (is_line_start(source->bytes, at)) {
            return bl_fail(err, BL_EINVAL, "%s:%zu: tags (%%TAG) are not supported", source->name,
                           line_of_offset(source, (size_t)(at - source->bytes)));
        }
        at += sizeof word - 1;
    }
    return BL_OK;
}

/* libyaml is told that the text is UTF-8, and takes no byte order mark then. */
static size_t length_of_mark(const struct bl_tree_source *source)
{
    return source->length >= 3 && !memcmp(source->bytes, "\xEF\xBB\xBF", 3) ? 3 : 0;
}

static int read_with(struct reader *reader, struct bl_tree **out)
{
    size_t skipped = length_of_mark(reader->source);
    yaml_parser_t parser;
    int status;

    if (!yaml_parser_initialize(&parser)) {
        abort();
    }
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)reader->source->bytes + skipped,
                                 reader->source->length - skipped);
    status = read_stream(reader, &parser);
    yaml_parser_delete(&parser);
    if (status == BL_OK && !reader->pending.count) {
        status =
            bl_fail(reader->err, BL_EINVAL, "%s: there is nothing in it", reader->source->name);
    }
    if (status == BL_OK) {
        assert(reader->pending.at);
        *out = bl_arena_alloc(reader->arena, sizeof **out);
        **out = reader->pending.at[0];
    }
    return status;
}

int bl_yaml_read(const struct bl_tree_source *source, struct bl_arena *arena, struct bl_tree **out,
                 struct bl_error *err)
{
    struct reader reader = {.source = source, .arena = arena, .err = err};
    int status;

    if (source->length > BL_TREE_BYTES_MAX) {
        return bl_fail(err, BL_ETOOBIG, "%s: larger than %d MiB", source->name,
                       BL_TREE_BYTES_MAX / 1024 / 1024);
    }
    status = refuse_tag_lines(source, err);
    if (status == BL_OK) {
        status = read_with(&reader, out);
    }
    BL_VEC_FINISH(&reader.pending);
    BL_VEC_FINISH(&reader.by_key);
    return status;
}
