/* Map from int64 keys to pointers. Walking it meets the entries in the order of insertion, so that
 * no answer depends on hash order. Values are borrowed. Zeroes are an empty map. */
#ifndef BL_BASE_MAP_H
#define BL_BASE_MAP_H

#include <stddef.h>
#include <stdint.h>

struct bl_map_entry {
    int64_t key;
    void *value; /* NULL marks a removed entry */
};

struct bl_map {
    struct bl_map_entry *entry; /* in order of insertion, with holes */
    size_t entry_count;         /* holes included */
    size_t entry_capacity;
    uint32_t *slot; /* open addressing: index of an entry + 1, 0 when free */
    size_t slot_count;
    size_t count; /* live entries */
};

/* The value, or NULL. */
void *bl_map_find(const struct bl_map *map, int64_t key);

/* `value` must not be NULL, and the key must be new. */
void bl_map_insert(struct bl_map *map, int64_t key, void *value);

/* The value that was there, or NULL. */
void *bl_map_remove(struct bl_map *map, int64_t key);

/* Walk: start with *cursor = 0; each call gives the next value, NULL at the end. */
void *bl_map_next(const struct bl_map *map, size_t *cursor);

void bl_map_finish(struct bl_map *map);
/* Frees the values as well. */
void bl_map_finish_owned(struct bl_map *map);

#endif
