#include "form/hostlist.h"

#include "base/buf.h"
#include "base/vec.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct expansion {
    const char *text;
    size_t most;
    struct bl_arena *arena;
    struct bl_error *err;
    BL_VEC(const char *) names;
};

static const char digits[] = "0123456789";
static const char name_bytes[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";

static int fail_grammar(const struct expansion *expansion)
{
    return bl_fail(
        expansion->err, BL_EINVAL,
        "expected a name like n1, n[1-4] or n[01-16,20] of letters, digits, '.', '_' and "
        "'-', found '%.100s'",
        expansion->text);
}

static int add_name(struct expansion *expansion, const char *name)
{
    size_t length = strlen(name);

    if (!length || name[strspn(name, name_bytes)]) {
        return fail_grammar(expansion);
    }
    if (length > BL_HOSTLIST_NAME_MAX) {
        return bl_fail(expansion->err, BL_ETOOBIG, "expected a name of at most %d bytes",
                       BL_HOSTLIST_NAME_MAX);
    }
    if (expansion->names.count == expansion->most) {
        return bl_fail(expansion->err, BL_ETOOBIG, "expected at most %zu names", expansion->most);
    }
    BL_VEC_PUSH(&expansion->names, bl_arena_copy_text(expansion->arena, name));
    return BL_OK;
}

/* A number of a range and its width when it begins with zero; NULL when there is none. */
static const char *read_number(const char *at, int64_t *value, int *width)
{
    size_t length = strspn(at, digits);

    if (!length || length > BL_HOSTLIST_DIGITS_MAX) {
        return NULL;
    }
    *value = 0;
    for (size_t i = 0; i < length; i++) {
        *value = *value * 10 + (at[i] - '0');
    }
    *width = at[0] == '0' ? (int)length : 0;
    return at + length;
}

/* "3", "01-16": a member of a group. */
static const char *read_range(const char *at, int64_t range[2], int *width)
{
    int ignored = 0;

    at = read_number(at, &range[0], width);
    if (!at) {
        return NULL;
    }
    range[1] = range[0];
    if (*at == '-') {
        at = read_number(at + 1, &range[1], &ignored);
    }
    return at && range[0] <= range[1] ? at : NULL;
}

static int expand(struct expansion *expansion, const char *head, const char *rest, int groups);

static int expand_range(struct expansion *expansion, struct bl_buf *head, const int64_t range[2],
                        int width, const char *rest, int groups)
{
    size_t kept = head->length;

    for (int64_t i = range[0]; i <= range[1]; i++) {
        BL_AUTO_BUF name = {0};
        int status;

        bl_buf_append(&name, bl_buf_text(head), kept);
        bl_buf_printf(&name, "%0*lld", width, (long long)i);
        status = expand(expansion, bl_buf_text(&name), rest, groups);
        if (status != BL_OK) {
            return status;
        }
    }
    return BL_OK;
}

/* `at` is behind the '['; `end` is its ']'. */
static int expand_group(struct expansion *expansion, struct bl_buf *head, const char *at,
                        const char *end, int groups)
{
    for (;;) {
        int64_t range[2] = {0};
        int width = 0;
        int status;

        at = read_range(at, range, &width);
        if (!at || (*at != ',' && at != end)) {
            return fail_grammar(expansion);
        }
        status = expand_range(expansion, head, range, width, end + 1, groups);
        if (status != BL_OK || at == end) {
            return status;
        }
        at++;
    }
}

/* Recursion ends: `groups` bounds it. */
static int expand(struct expansion *expansion, const char *head, const char *rest, int groups)
{
    const char *open = strchr(rest, '[');
    BL_AUTO_BUF name = {0};

    bl_buf_append_text(&name, head);
    if (!open) {
        bl_buf_append_text(&name, rest);
        return add_name(expansion, bl_buf_text(&name));
    }
    const char *end = strchr(open, ']');

    if (!end || groups == 0) {
        return fail_grammar(expansion);
    }
    bl_buf_append(&name, rest, (size_t)(open - rest));
    return expand_group(expansion, &name, open + 1, end, groups - 1);
}

int bl_hostlist_expand(const char *text, size_t most, struct bl_arena *arena,
                       struct bl_hostlist *out, struct bl_error *err)
{
    struct expansion expansion = {.text = text, .most = most, .arena = arena, .err = err};
    int status;

    if (strlen(text) > BL_HOSTLIST_NAME_MAX) {
        return bl_fail(err, BL_ETOOBIG, "expected a name of at most %d bytes",
                       BL_HOSTLIST_NAME_MAX);
    }
    status = expand(&expansion, "", text, BL_HOSTLIST_GROUPS_MAX);
    if (status == BL_OK) {
        size_t bytes = expansion.names.count * sizeof *out->name;

        assert(expansion.names.at); /* every list has a name */
        out->name = bl_arena_alloc(arena, bytes);
        out->count = expansion.names.count;
        memcpy(out->name, expansion.names.at, bytes);
    }
    BL_VEC_FINISH(&expansion.names);
    return status;
}
