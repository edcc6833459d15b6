#include "base/map.h"

#include "base/own.h"

#include <assert.h>
#include <string.h>

enum { FIRST_SLOTS = 64 };

static size_t slot_of(const struct bl_map *map, int64_t key)
{
    uint64_t mixed = (uint64_t)key * UINT64_C(0x9E3779B97F4A7C15);

    return (size_t)(mixed >> 32) & (map->slot_count - 1);
}

/* The slot that holds the key, or the free one where it would go. */
static size_t find_slot(const struct bl_map *map, int64_t key)
{
    size_t slot = slot_of(map, key);

    while (map->slot[slot] && map->entry[map->slot[slot] - 1].key != key) {
        slot = (slot + 1) & (map->slot_count - 1);
    }
    return slot;
}

/* Drops the holes and builds the slots anew with room for `wanted` entries. */
static void rebuild(struct bl_map *map, size_t wanted)
{
    size_t kept = 0;
    size_t slots = FIRST_SLOTS;

    for (size_t i = 0; i < map->entry_count; i++) {
        if (map->entry[i].value) {
            map->entry[kept++] = map->entry[i];
        }
    }
    map->entry_count = kept;
    while (slots < wanted * 2) {
        slots *= 2;
    }
    free(map->slot);
    map->slot = bl_alloc_zero(slots * sizeof *map->slot);
    map->slot_count = slots;
    map->entry_capacity = slots / 2;
    map->entry = bl_realloc_array(map->entry, map->entry_capacity, sizeof *map->entry);
    for (size_t i = 0; i < kept; i++) {
        map->slot[find_slot(map, map->entry[i].key)] = (uint32_t)(i + 1);
    }
}

void *bl_map_find(const struct bl_map *map, int64_t key)
{
    uint32_t index;

    if (!map->slot_count) {
        return NULL;
    }
    index = map->slot[find_slot(map, key)];
    return index ? map->entry[index - 1].value : NULL;
}

void bl_map_insert(struct bl_map *map, int64_t key, void *value)
{
    size_t slot;

    assert(value);
    if (map->entry_count == map->entry_capacity) {
        rebuild(map, (map->count + 1) * 2);
    }
    slot = find_slot(map, key);
    assert(!map->slot[slot]);
    map->entry[map->entry_count] = (struct bl_map_entry){key, value};
    map->slot[slot] = (uint32_t)++map->entry_count;
    map->count++;
}

/* Backward-shift deletion: moves later entries of the probe chain into the freed slot. */
static void free_slot(struct bl_map *map, size_t hole)
{
    size_t mask = map->slot_count - 1;
    size_t slot = hole;

    for (;;) {
        size_t home;

        slot = (slot + 1) & mask;
        if (!map->slot[slot]) {
            break;
        }
        home = slot_of(map, map->entry[map->slot[slot] - 1].key);
        if (((slot - home) & mask) >= ((slot - hole) & mask)) {
            map->slot[hole] = map->slot[slot];
            hole = slot;
        }
    }
    map->slot[hole] = 0;
}

void *bl_map_remove(struct bl_map *map, int64_t key)
{
    size_t slot;
    void *value;

    if (!map->slot_count) {
        return NULL;
    }
    slot = find_slot(map, key);
    if (!map->slot[slot]) {
        return NULL;
    }
    value = map->entry[map->slot[slot] - 1].value;
    map->entry[map->slot[slot] - 1].value = NULL;
    free_slot(map, slot);
    map->count--;
    return value;
}

void *bl_map_next(const struct bl_map *map, size_t *cursor)
{
    while (*cursor < map->entry_count) {
        void *value = map->entry[(*cursor)++].value;

        if (value) {
            return value;
        }
    }
    return NULL;
}

void bl_map_finish(struct bl_map *map)
{
    free(map->entry);
    free(map->slot);
    memset(map, 0, sizeof *map);
}

void bl_map_finish_owned(struct bl_map *map)
{
    for (size_t i = 0; i < map->entry_count; i++) {
        free(map->entry[i].value);
    }
    bl_map_finish(map);
}
