/* A tree as a document again: YAML for people, JSON for requests. What is printed reads back to the
 * same tree, places aside. Texts must be UTF-8. */
#ifndef BL_FORM_TREE_OUT_H
#define BL_FORM_TREE_OUT_H

#include "base/buf.h"
#include "form/json_out.h"
#include "form/tree.h"

/* Block style; texts of several lines as literal blocks wherever YAML can carry them. */
void bl_tree_print_yaml(struct bl_buf *out, const struct bl_tree *tree);

/* Every scalar becomes a text, an empty value null. */
void bl_tree_put_json(struct bl_json *json, const struct bl_tree *tree);

/* The keys and values of a map, into an object that the caller has opened. */
void bl_tree_put_json_members(struct bl_json *json, const struct bl_tree *map);

#endif
