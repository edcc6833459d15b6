/* Makes trees by hand, for what is turned into a document. All memory is the arena's; texts and
 * keys are borrowed. What a function gives is valid until the next child is put into the same
 * parent. */
#ifndef BL_FORM_TREE_MAKE_H
#define BL_FORM_TREE_MAKE_H

#include "form/tree.h"

#include <stdint.h>

/* An empty list or map. */
struct bl_tree *bl_tree_create(struct bl_arena *arena, enum bl_tree_kind kind);

/* The child with this key, in the place it had or else at the end, with the value's kind, text and
 * children and the given line. */
struct bl_tree *bl_tree_put(struct bl_arena *arena, struct bl_tree *map, const char *key,
                            const struct bl_tree *value, uint32_t line);
void bl_tree_put_text(struct bl_arena *arena, struct bl_tree *map, const char *key,
                      const char *text, uint32_t line);

/* A list's elements carry the key of the list, which it gets when it is put into a map. */
void bl_tree_append_text(struct bl_arena *arena, struct bl_tree *list, const char *text,
                         uint32_t line);

#endif
