#include "form/arrayspec.h"
#include "form/script_parts.h"
#include "form/tree_make.h"

#include <string.h>
#include <strings.h>

enum { PAIRS_MAX = BL_JOBSPEC_ENV_MAX };

static void set_in(struct bl_script_reader *reader, struct bl_tree *map, const char *key,
                   const char *value)
{
    const struct bl_tree node = {.kind = value ? BL_TREE_SCALAR : BL_TREE_NULL, .text = value};

    bl_tree_put(reader->arena, map, key, &node, reader->line);
}

void bl_script_set(struct bl_script_reader *reader, const char *key, const char *value)
{
    set_in(reader, reader->job, key, value);
}

void bl_script_set_resource(struct bl_script_reader *reader, const char *key, const char *value)
{
    set_in(reader, reader->resources, key, value);
}

void bl_script_offer_resource(struct bl_script_reader *reader, const char *key, const char *value)
{
    if (!bl_tree_find(reader->resources, key)) {
        bl_script_set_resource(reader, key, value);
    }
}

void bl_script_tell(struct bl_script_reader *reader, const char *name, const char *value)
{
    set_in(reader, reader->env, name, value);
}

int bl_script_set_pair(struct bl_script_reader *reader, struct bl_tree *map, const char *pair)
{
    const char *equals = strchr(pair, '=');

    if (!equals || equals == pair) {
        return bl_script_fail(reader, "expected NAME=VALUE, found '%.100s'", pair);
    }
    if (map->child_count == PAIRS_MAX) {
        return bl_script_fail(reader, "expected at most %d of them", PAIRS_MAX);
    }
    set_in(reader, map, bl_script_print(reader, "%.*s", (int)(equals - pair), pair), equals + 1);
    return BL_OK;
}

/* The daemon's spelling of a type, or the one given. */
static const char *known_type(const struct bl_script_reader *reader, const char *type)
{
    for (const char *const *known = reader->request->gpu_types; known && *known; known++) {
        if (!strcasecmp(*known, type)) {
            return *known;
        }
    }
    return type;
}

int bl_script_set_gpu_types(struct bl_script_reader *reader, const char *types)
{
    struct bl_tree *list = bl_tree_create(reader->arena, BL_TREE_LIST);
    const char *at = types;

    do {
        size_t length = strcspn(at, ",");

        if (!length) {
            return bl_script_fail(reader, "expected types of GPUs like A100,H100, found '%.100s'",
                                  types);
        }
        bl_tree_append_text(reader->arena, list,
                            known_type(reader, bl_script_print(reader, "%.*s", (int)length, at)),
                            reader->line);
        at += length;
    } while (*at++);
    bl_tree_put(reader->arena, reader->gpu, "type", list, reader->line);
    return BL_OK;
}

int bl_script_set_pattern(struct bl_script_reader *reader, const char *pattern)
{
    if (!*pattern || !bl_launch_pattern_is_good(pattern)) {
        return bl_script_fail(reader, "expected a path with %s alone, found '%.100s'",
                              BL_LAUNCH_LOG_WORDS, pattern);
    }
    bl_script_set(reader, reader->row->detail, pattern);
    return BL_OK;
}

int bl_script_read_key(struct bl_script_reader *reader, const char *value)
{
    bl_script_set(reader, reader->row->detail, value);
    return BL_OK;
}

int bl_script_read_fixed(struct bl_script_reader *reader, const char *value)
{
    (void)value;
    return bl_script_set_pair(reader, reader->job, reader->row->detail);
}

int bl_script_read_chdir(struct bl_script_reader *reader, const char *value)
{
    if (!*value) {
        return bl_script_fail(reader, "expected a directory, found ''");
    }
    bl_script_set(reader, "workdir",
                  value[0] == '/'
                      ? value
                      : bl_script_print(reader, "%s/%s", reader->request->directory, value));
    return BL_OK;
}

int bl_script_read_array(struct bl_script_reader *reader, const char *value)
{
    struct bl_arrayspec array = {0};
    struct bl_error cause = {0};

    if (bl_arrayspec_parse(value, reader->arena, &array, &cause) != BL_OK) {
        return bl_script_fail_cause(reader, &cause);
    }
    bl_script_set(reader, "array", value);
    return BL_OK;
}

int bl_script_read_parsable(struct bl_script_reader *reader, const char *value)
{
    (void)value;
    reader->parsable = true;
    return BL_OK;
}

int bl_script_read_test_only(struct bl_script_reader *reader, const char *value)
{
    (void)value;
    reader->test_only = true;
    return BL_OK;
}

int bl_script_read_wait(struct bl_script_reader *reader, const char *value)
{
    (void)value;
    reader->wait = true;
    return BL_OK;
}
