/* A document as a tree, whether it came as YAML or JSON: scalars stay text and are typed by whoever
 * reads them, so that "no" is no surprise. Every node knows its place for messages.
 *
 * Readers refuse: aliases and anchors, tags, duplicate keys, text that is not UTF-8, NUL bytes,
 * more than BL_TREE_DEPTH_MAX levels, more than BL_TREE_BYTES_MAX bytes, more than
 * BL_TREE_NODES_MAX values, more than one document. */
#ifndef BL_FORM_TREE_H
#define BL_FORM_TREE_H

#include "base/arena.h"
#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

enum {
    BL_TREE_DEPTH_MAX = 64,
    BL_TREE_BYTES_MAX = 64 * 1024 * 1024,
    BL_TREE_NODES_MAX = 4 * 1024 * 1024,
    BL_TREE_WORD_MAX = 64 /* longest word that bl_nearest_word looks at */
};

enum bl_tree_kind { BL_TREE_SCALAR, BL_TREE_LIST, BL_TREE_MAP, BL_TREE_NULL };

struct bl_tree {
    enum bl_tree_kind kind;
    const char *text; /* SCALAR, zero-terminated */
    const char *key;  /* when it stands in a map; elements of a list carry the list's key */
    struct bl_tree *child;
    size_t child_count;
    size_t child_room; /* of trees that grow (tree_make); a reader leaves it 0: room for no more */
    uint32_t line;     /* 1-based; 0 where the reader cannot tell */
    uint32_t column;
};

/* What is read and what it is called in messages ("jobs.yaml", "request body"). */
struct bl_tree_source {
    const char *name;
    const char *bytes;
    size_t length;
};

/* The tree lives in the arena. Messages start with "NAME:LINE: ". */
int bl_yaml_read(const struct bl_tree_source *source, struct bl_arena *arena, struct bl_tree **out,
                 struct bl_error *err);
int bl_json_read(const struct bl_tree_source *source, struct bl_arena *arena, struct bl_tree **out,
                 struct bl_error *err);

/* "a text", "a list", "a map", "nothing": for messages. */
const char *bl_tree_kind_words(enum bl_tree_kind kind);

/* The child with this key, or NULL. */
const struct bl_tree *bl_tree_find(const struct bl_tree *map, const char *key);

/* Fails with BL_EINVAL, "NAME:LINE: KEY: " before the message and the key as the error's field. */
int bl_tree_fail(const struct bl_tree_source *source, const struct bl_tree *at,
                 struct bl_error *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Refuses keys of `map` that are not in the NULL-terminated list, and suggests the nearest. */
int bl_tree_check_keys(const struct bl_tree_source *source, const struct bl_tree *map,
                       const char *const *keys, struct bl_error *err);

/* The word of the NULL-terminated list nearest to `word`, NULL when none is near. */
const char *bl_nearest_word(const char *word, const char *const *words);

#endif
