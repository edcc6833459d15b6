#include "form/tree.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

const char *bl_tree_kind_words(enum bl_tree_kind kind)
{
    switch (kind) {
    case BL_TREE_SCALAR:
        return "a text";
    case BL_TREE_LIST:
        return "a list";
    case BL_TREE_MAP:
        return "a map";
    case BL_TREE_NULL:
        break;
    }
    return "nothing";
}

const struct bl_tree *bl_tree_find(const struct bl_tree *map, const char *key)
{
    if (map->kind != BL_TREE_MAP) {
        return NULL;
    }
    for (size_t i = 0; i < map->child_count; i++) {
        if (!strcmp(map->child[i].key, key)) {
            return &map->child[i];
        }
    }
    return NULL;
}

int bl_tree_fail(const struct bl_tree_source *source, const struct bl_tree *at,
                 struct bl_error *err, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    bl_vfail(err, BL_EINVAL, format, args);
    va_end(args);
    if (at->key) {
        bl_wrap(err, "%s", at->key);
        bl_error_set_field(err, at->key);
    }
    if (at->line) {
        bl_wrap(err, "%s:%u", source->name, (unsigned)at->line);
    } else {
        bl_wrap(err, "%s", source->name);
    }
    return BL_EINVAL;
}

static int is_in_list(const char *word, const char *const *words)
{
    for (; *words; words++) {
        if (!strcmp(*words, word)) {
            return 1;
        }
    }
    return 0;
}

static int fail_unknown_key(const struct bl_tree_source *source, const struct bl_tree *at,
                            const char *const *keys, struct bl_error *err)
{
    const char *nearest = bl_nearest_word(at->key, keys);

    if (!nearest) {
        return bl_tree_fail(source, at, err, "unknown key");
    }
    bl_tree_fail(source, at, err, "unknown key, did you mean '%s'?", nearest);
    return bl_error_set_hint(err, "write '%s'", nearest);
}

int bl_tree_check_keys(const struct bl_tree_source *source, const struct bl_tree *map,
                       const char *const *keys, struct bl_error *err)
{
    if (map->kind != BL_TREE_MAP) {
        return bl_tree_fail(source, map, err, "expected a map of keys and values, found %s",
                            bl_tree_kind_words(map->kind));
    }
    for (size_t i = 0; i < map->child_count; i++) {
        if (!is_in_list(map->child[i].key, keys)) {
            return fail_unknown_key(source, &map->child[i], keys, err);
        }
    }
    return BL_OK;
}

static size_t min_of(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Optimal string alignment (Levenshtein and swaps of neighbours), row by row. */
static size_t edit_distance(const char *a, const char *b)
{
    size_t row[3][BL_TREE_WORD_MAX + 1];
    size_t a_length = strlen(a);
    size_t b_length = strlen(b);

    for (size_t j = 0; j <= b_length; j++) {
        row[0][j] = j;
    }
    for (size_t i = 1; i <= a_length; i++) {
        size_t *now = row[i % 3];
        const size_t *above = row[(i + 2) % 3];
        const size_t *two_above = row[(i + 1) % 3];

        now[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            now[j] = min_of(min_of(above[j], now[j - 1]) + 1,
                            above[j - 1] + (size_t)(a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                now[j] = min_of(now[j], two_above[j - 2] + 1);
            }
        }
    }
    return row[a_length % 3][b_length];
}

const char *bl_nearest_word(const char *word, const char *const *words)
{
    const char *nearest = NULL;
    size_t length = strlen(word);
    size_t least = length / 3 + 2; /* farther than this is another word */

    if (length > BL_TREE_WORD_MAX) {
        return NULL;
    }
    for (; *words; words++) {
        assert(strlen(*words) <= BL_TREE_WORD_MAX);
        size_t distance = edit_distance(word, *words);

        if (distance < least && distance < strlen(*words)) {
            least = distance;
            nearest = *words;
        }
    }
    return nearest;
}
