#include "cli/slice.h"

#include <stdbool.h>
#include <string.h>

static const char *skip_blank(const char *at)
{
    return at + strspn(at, " \t\r\n");
}

/* `at` stands on the opening quote; the answer behind the closing one. */
static const char *skip_text(const char *at)
{
    for (at++; *at && *at != '"'; at++) {
        at += *at == '\\' && at[1];
    }
    return *at ? at + 1 : at;
}

static const char *skip_nested(const char *at)
{
    int depth = 0;

    do {
        if (*at == '"') {
            at = skip_text(at);
            continue;
        }
        depth += (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
        at++;
    } while (depth > 0 && *at);
    return at;
}

static const char *skip_value(const char *at)
{
    switch (*at) {
    case '"':
        return skip_text(at);
    case '{':
    case '[':
        return skip_nested(at);
    default: /* number, true, false, null */
        return at + strcspn(at, ",]} \t\r\n");
    }
}

/* The value under `key`, or NULL. */
static const char *find(const char *json, const char *key)
{
    const char *at = skip_blank(json);
    size_t length = strlen(key);

    at += *at == '{';
    for (at = skip_blank(at); *at == '"'; at = skip_blank(at)) {
        const char *name = at + 1;

        at = skip_blank(skip_text(at));
        at = skip_blank(at + (*at == ':'));
        if (!strncmp(name, key, length) && name[length] == '"') {
            return at;
        }
        at = skip_blank(skip_value(at));
        at += *at == ',';
    }
    return NULL;
}

void bl_slice_append_items(struct bl_buf *out, const char *json, const char *key, bool *any)
{
    const char *start = find(json, key);
    const char *end;

    if (!start || *start != '[') {
        return;
    }
    end = skip_nested(start) - 1;
    start = skip_blank(start + 1);
    while (end > start && strchr(" \t\r\n", end[-1])) {
        end--;
    }
    if (end > start) {
        bl_buf_append_text(out, *any ? "," : "");
        bl_buf_append(out, start, (size_t)(end - start));
        *any = true;
    }
}
