#include "base/vec.h"
#include "base/sort.h"
#include "form/jobspec_parts.h"

#include <string.h>

enum { INHERITED_MAX = 256 };

struct env_list {
    BL_VEC(const char *) entry;
    size_t bytes;
};

static int push_entry(const struct bl_job_reader *reader, const struct bl_tree *at,
                      struct env_list *list, const char *entry)
{
    size_t length = strlen(entry) + 1;

    list->bytes += length;
    if (length > BL_LAUNCH_ARG_BYTES_MAX) {
        return bl_tree_fail_size(&reader->in, at, "a variable", BL_LAUNCH_ARG_BYTES_MAX);
    }
    if (list->bytes > BL_LAUNCH_BYTES_MAX) {
        return bl_tree_fail_size(&reader->in, at, "the environment", BL_LAUNCH_BYTES_MAX);
    }
    if (list->entry.count == BL_JOBSPEC_ENV_MAX) {
        return bl_tree_fail(reader->in.source, at, reader->in.err, "expected at most %d variables",
                            BL_JOBSPEC_ENV_MAX);
    }
    BL_VEC_PUSH(&list->entry, entry);
    return BL_OK;
}

static int compare_keys(const void *a, const void *b)
{
    const struct bl_tree *const *left = a;
    const struct bl_tree *const *right = b;

    return strcmp((*left)->key, (*right)->key); /* total: a map has each key once */
}

static int compare_entry_with_key(const void *entry_place, const void *member)
{
    const char *entry = *(const char *const *)entry_place;
    const struct bl_tree *const *tree = member;
    size_t length = strcspn(entry, "=");
    int order = strncmp(entry, (*tree)->key, length);

    return order ? order : -(int)((*tree)->key[length] != '\0');
}

/* The children of `env` in order of their keys, to be looked up. */
static const struct bl_tree **sort_env(struct bl_arena *arena, const struct bl_tree *env)
{
    size_t count = env ? env->child_count : 0;
    const struct bl_tree **sorted = bl_arena_alloc(arena, (count + 1) * sizeof *sorted);

    for (size_t i = 0; i < count; i++) {
        sorted[i] = &env->child[i];
    }
    if (count > 1) {
        bl_sort(sorted, count, sizeof *sorted, compare_keys);
    }
    return sorted;
}

/* Who the user is stays known to a job that inherits nothing else. */
static const char *const always_inherited[] = {"HOME", "USER", "LOGNAME", "SHELL"};

static bool is_named(const char *entry, const char *name)
{
    size_t length = strlen(name);

    return !strncmp(entry, name, length) && entry[length] == '=';
}

/* `inherit`: NULL or "yes" for all, "no", or a list of names. */
static bool is_inherited(const struct bl_tree *inherit, const char *entry)
{
    if (!inherit || (inherit->kind == BL_TREE_SCALAR && !strcmp(inherit->text, "yes"))) {
        return true;
    }
    for (size_t i = 0; i < sizeof always_inherited / sizeof always_inherited[0]; i++) {
        if (is_named(entry, always_inherited[i])) {
            return true;
        }
    }
    for (size_t i = 0; i < inherit->child_count; i++) {
        if (is_named(entry, inherit->child[i].text)) {
            return true;
        }
    }
    return false;
}

/* A job that was submitted from within another finds its own variables of Slurm, not that one's. */
static bool is_of_outer_job(const struct bl_job_reader *reader, const char *entry)
{
    return reader->out->launch.slurm_env &&
           (!strncmp(entry, "SLURM_", 6) || !strncmp(entry, "SLURMD_", 7));
}

static int check_inherit(const struct bl_job_reader *reader, const struct bl_tree *inherit)
{
    bool is_word = inherit->kind == BL_TREE_SCALAR &&
                   (!strcmp(inherit->text, "yes") || !strcmp(inherit->text, "no"));

    if (!is_word && inherit->kind != BL_TREE_LIST) {
        return bl_tree_fail_kind(&reader->in, inherit,
                                 "yes, no or a list of names like [PATH, LANG]");
    }
    if (inherit->child_count > INHERITED_MAX) {
        return bl_tree_fail(reader->in.source, inherit, reader->in.err,
                            "expected at most %d names, found %zu", INHERITED_MAX,
                            inherit->child_count);
    }
    for (size_t i = 0; i < inherit->child_count; i++) {
        const char *name = NULL;
        int status = bl_tree_read_name(&reader->in, &inherit->child[i], &name);

        if (status != BL_OK) {
            return status;
        }
    }
    return BL_OK;
}

static int add_environment(const struct bl_job_reader *reader, const struct bl_tree *map,
                           struct env_list *list)
{
    const struct bl_tree *environment = bl_tree_given(map, "environment");
    const struct bl_tree *inherit = bl_tree_given(map, "inherit_env");
    const struct bl_tree *env = bl_tree_given(map, "env");
    const struct bl_tree **sorted = sort_env(reader->in.arena, env);

    if (environment->kind != BL_TREE_LIST) {
        return bl_tree_fail_kind(&reader->in, environment, "a list of NAME=VALUE");
    }
    for (size_t i = 0; i < environment->child_count; i++) {
        const struct bl_tree *at = &environment->child[i];
        int status = BL_OK;

        if (at->kind != BL_TREE_SCALAR || at->text[0] == '=' || !strchr(at->text, '=')) {
            /* without what was found: it may be a secret */
            return bl_tree_fail(reader->in.source, at, reader->in.err,
                                "expected NAME=VALUE at place %zu", i + 1);
        }
        if (is_inherited(inherit, at->text) && !is_of_outer_job(reader, at->text) &&
            (!env || !bsearch(&at->text, sorted, env->child_count, sizeof *sorted,
                              compare_entry_with_key))) {
            status = push_entry(reader, at, list, at->text);
        }
        if (status != BL_OK) {
            return status;
        }
    }
    return BL_OK;
}

static int add_variable(const struct bl_job_reader *reader, const struct bl_tree *at,
                        struct env_list *list)
{
    BL_AUTO_BUF entry = {0};

    if (!at->key[0] || strchr(at->key, '=')) {
        return bl_tree_fail(reader->in.source, at, reader->in.err,
                            "expected the name of a variable before the ':'");
    }
    if (at->kind != BL_TREE_SCALAR && at->kind != BL_TREE_NULL) {
        return bl_tree_fail_kind(&reader->in, at, "a text");
    }
    bl_buf_printf(&entry, "%s=%s", at->key, at->kind == BL_TREE_SCALAR ? at->text : "");
    return push_entry(reader, at, list, bl_arena_copy_text(reader->in.arena, bl_buf_text(&entry)));
}

static int add_env(const struct bl_job_reader *reader, const struct bl_tree *env,
                   struct env_list *list)
{
    for (size_t i = 0; i < env->child_count; i++) {
        int status = add_variable(reader, &env->child[i], list);

        if (status != BL_OK) {
            return status;
        }
    }
    return BL_OK;
}

int bl_job_read_env(const struct bl_job_reader *reader, const struct bl_tree *map)
{
    const struct bl_tree *inherit = bl_tree_given(map, "inherit_env");
    const struct bl_tree *env = bl_tree_given(map, "env");
    struct env_list list = {0};
    int status = inherit ? check_inherit(reader, inherit) : BL_OK;

    if (env && env->kind != BL_TREE_MAP) {
        return bl_tree_fail_kind(&reader->in, env, "a map like {NAME: value}");
    }
    if (status == BL_OK && bl_tree_given(map, "environment")) {
        status = add_environment(reader, map, &list);
    }
    if (status == BL_OK && env) {
        status = add_env(reader, env, &list);
    }
    if (status == BL_OK) {
        const char **entries =
            bl_arena_alloc(reader->in.arena, (list.entry.count + 1) * sizeof *entries);

        for (size_t i = 0; i < list.entry.count; i++) {
            entries[i] = list.entry.at[i]; /* in the arena, like the tree */
        }
        reader->out->env = entries;
        reader->out->env_count = list.entry.count;
    }
    BL_VEC_FINISH(&list.entry);
    return status;
}
