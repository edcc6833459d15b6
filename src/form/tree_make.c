#include "form/tree_make.h"

#include <string.h>

enum { FIRST_CAPACITY = 4 };

struct bl_tree *bl_tree_create(struct bl_arena *arena, enum bl_tree_kind kind)
{
    struct bl_tree *tree = bl_arena_alloc(arena, sizeof *tree);

    tree->kind = kind;
    return tree;
}

static struct bl_tree *add_child(struct bl_arena *arena, struct bl_tree *parent)
{
    size_t count = parent->child_count;

    if (count >= parent->child_room) {
        size_t room = count >= FIRST_CAPACITY ? 2 * count : FIRST_CAPACITY;
        struct bl_tree *grown = bl_arena_alloc(arena, room * sizeof *grown);

        if (count) {
            memcpy(grown, parent->child, count * sizeof *grown);
        }
        parent->child = grown;
        parent->child_room = room;
    }
    return &parent->child[parent->child_count++];
}

static struct bl_tree *find_or_add(struct bl_arena *arena, struct bl_tree *map, const char *key)
{
    for (size_t i = 0; i < map->child_count; i++) {
        if (!strcmp(map->child[i].key, key)) {
            return &map->child[i];
        }
    }
    return add_child(arena, map);
}

struct bl_tree *bl_tree_put(struct bl_arena *arena, struct bl_tree *map, const char *key,
                            const struct bl_tree *value, uint32_t line)
{
    struct bl_tree *child = find_or_add(arena, map, key);

    *child = *value;
    child->key = key;
    child->line = line;
    for (size_t i = 0; child->kind == BL_TREE_LIST && i < child->child_count; i++) {
        child->child[i].key = key;
    }
    return child;
}

void bl_tree_put_text(struct bl_arena *arena, struct bl_tree *map, const char *key,
                      const char *text, uint32_t line)
{
    struct bl_tree value = {.kind = BL_TREE_SCALAR, .text = text};

    bl_tree_put(arena, map, key, &value, line);
}

void bl_tree_append_text(struct bl_arena *arena, struct bl_tree *list, const char *text,
                         uint32_t line)
{
    struct bl_tree *child = add_child(arena, list);

    *child = (struct bl_tree){.kind = BL_TREE_SCALAR, .text = text, .key = list->key, .line = line};
}
