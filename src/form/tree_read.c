#include "form/tree_read.h"

#include "base/units.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_TEXT_MAX = 64, ROWS_MAX = 64 };

const struct bl_tree *bl_tree_given(const struct bl_tree *map, const char *key)
{
    const struct bl_tree *found = bl_tree_find(map, key);

    return found && found->kind != BL_TREE_NULL ? found : NULL;
}

int bl_tree_check_rows(const struct bl_tree_reader *reader, const struct bl_tree *map,
                       const char *const *names, size_t row_bytes)
{
    const char *name[ROWS_MAX + 1] = {NULL};
    const char *row = (const char *)names;

    for (size_t i = 0; *(const char *const *)(const void *)row; i++, row += row_bytes) {
        assert(i < ROWS_MAX);
        name[i] = *(const char *const *)(const void *)row;
    }
    return bl_tree_check_keys(reader->source, map, name, reader->err);
}

int bl_tree_fail_later(const struct bl_tree_reader *reader, const struct bl_tree *at)
{
    return bl_tree_fail(reader->source, at, reader->err, "%s is not supported by this version yet",
                        at->key);
}

int bl_tree_fail_kind(const struct bl_tree_reader *reader, const struct bl_tree *at,
                      const char *expected)
{
    if (at->kind == BL_TREE_SCALAR) {
        return bl_tree_fail(reader->source, at, reader->err, "expected %s, found '%.100s'",
                            expected, at->text);
    }
    return bl_tree_fail(reader->source, at, reader->err, "expected %s, found %s", expected,
                        bl_tree_kind_words(at->kind));
}

int bl_tree_fail_cause(const struct bl_tree_reader *reader, const struct bl_tree *at,
                       const struct bl_error *cause)
{
    bl_tree_fail(reader->source, at, reader->err, "%s", cause->text);
    return cause->hint[0] ? bl_error_set_hint(reader->err, "%s", cause->hint) : (int)BL_EINVAL;
}

int bl_tree_fail_size(const struct bl_tree_reader *reader, const struct bl_tree *at,
                      const char *what, size_t most)
{
    bl_tree_fail(reader->source, at, reader->err, "%s is over %zu bytes", what, most);
    if (reader->err) {
        reader->err->status = BL_ETOOBIG;
    }
    return BL_ETOOBIG;
}

int bl_tree_read_text(const struct bl_tree_reader *reader, const struct bl_tree *at,
                      const char **out)
{
    if (at->kind != BL_TREE_SCALAR) {
        return bl_tree_fail_kind(reader, at, "a text");
    }
    *out = at->text;
    return BL_OK;
}

int bl_tree_read_name(const struct bl_tree_reader *reader, const struct bl_tree *at,
                      const char **out)
{
    size_t length = at->kind == BL_TREE_SCALAR ? strlen(at->text) : 0;

    if (!length || length > BL_TREE_NAME_MAX) {
        return bl_tree_fail_kind(reader, at, "a name of 1 to 255 bytes");
    }
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)at->text[i];

        if (c < 0x20 || c == 0x7F) {
            return bl_tree_fail(reader->source, at, reader->err,
                                "a name cannot hold control characters");
        }
    }
    *out = at->text;
    return BL_OK;
}

int bl_tree_read_int(const struct bl_tree_reader *reader, const struct bl_tree *at,
                     struct bl_int_range range, int64_t *out)
{
    struct bl_error cause = {0};

    if (at->kind != BL_TREE_SCALAR) {
        return bl_tree_fail_kind(reader, at, "a whole number");
    }
    if (bl_int_parse(at->text, range.low, range.high, out, &cause) != BL_OK) {
        return bl_tree_fail_cause(reader, at, &cause);
    }
    return BL_OK;
}

int bl_tree_read_double(const struct bl_tree_reader *reader, const struct bl_tree *at, double *out)
{
    char *end = NULL;
    double value;

    if (at->kind != BL_TREE_SCALAR || !at->text[0] || strlen(at->text) > NUMBER_TEXT_MAX ||
        at->text[strspn(at->text, "0123456789.eE+-")]) {
        return bl_tree_fail_kind(reader, at, "a number");
    }
    value = strtod(at->text, &end);
    if (*end || !isfinite(value)) {
        return bl_tree_fail_kind(reader, at, "a number");
    }
    *out = value;
    return BL_OK;
}

int bl_tree_read_bool(const struct bl_tree_reader *reader, const struct bl_tree *at, bool *out)
{
    static const char *const words[] = {"no", "yes", "false", "true", NULL};
    int index = 0;
    int status = bl_tree_read_word(reader, at, words, &index);

    if (status == BL_OK) {
        *out = index % 2 == 1;
    }
    return status;
}

int bl_tree_read_span(const struct bl_tree_reader *reader, const struct bl_tree *at, bl_time *out)
{
    struct bl_error cause = {0};
    bl_time span = 0;

    if (at->kind != BL_TREE_SCALAR) {
        return bl_tree_fail_kind(reader, at, "a time like 2h30m");
    }
    if (bl_span_parse(at->text, &span, &cause) != BL_OK) {
        return bl_tree_fail_cause(reader, at, &cause);
    }
    if (span == 0) {
        return bl_tree_fail_kind(reader, at, "a time over zero");
    }
    *out = span;
    return BL_OK;
}

int bl_tree_read_size(const struct bl_tree_reader *reader, const struct bl_tree *at, int64_t most,
                      int64_t *out)
{
    struct bl_error cause = {0};
    int64_t size = 0;

    if (at->kind != BL_TREE_SCALAR) {
        return bl_tree_fail_kind(reader, at, "a size like 40GB");
    }
    if (bl_size_parse(at->text, &size, &cause) != BL_OK) {
        return bl_tree_fail_cause(reader, at, &cause);
    }
    if (size > most) {
        BL_AUTO_BUF words = {0};

        bl_size_print(&words, most);
        return bl_tree_fail(reader->source, at, reader->err, "expected at most %s, found '%.100s'",
                            bl_buf_text(&words), at->text);
    }
    *out = size;
    return BL_OK;
}

int bl_tree_read_word(const struct bl_tree_reader *reader, const struct bl_tree *at,
                      const char *const *words, int *out)
{
    BL_AUTO_BUF list = {0};
    const char *nearest;

    for (int i = 0; words[i]; i++) {
        if (at->kind == BL_TREE_SCALAR && !strcmp(at->text, words[i])) {
            *out = i;
            return BL_OK;
        }
    }
    bl_buf_append_text(&list, "one of ");
    for (int i = 0; words[i]; i++) {
        bl_buf_printf(&list, "%s%s", i ? ", " : "", words[i]);
    }
    bl_tree_fail_kind(reader, at, bl_buf_text(&list));
    nearest = at->kind == BL_TREE_SCALAR ? bl_nearest_word(at->text, words) : NULL;
    return nearest ? bl_error_set_hint(reader->err, "write '%s'", nearest) : (int)BL_EINVAL;
}
