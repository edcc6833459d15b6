/* Priority queue of (time, key) pairs with a value: the smallest time first, ties by the smallest
 * key, so that the order is total. Zeroes are an empty heap. */
#ifndef BL_BASE_HEAP_H
#define BL_BASE_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bl_heap_item {
    int64_t time;
    int64_t key;
    void *value; /* borrowed, may be NULL */
};

struct bl_heap {
    struct bl_heap_item *item;
    size_t count;
    size_t capacity;
};

void bl_heap_push(struct bl_heap *heap, struct bl_heap_item item);

/* The smallest item, borrowed until the next change; NULL when empty. */
const struct bl_heap_item *bl_heap_peek(const struct bl_heap *heap);

/* False when empty. */
bool bl_heap_pop(struct bl_heap *heap, struct bl_heap_item *out);

void bl_heap_finish(struct bl_heap *heap);

#endif
