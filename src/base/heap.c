#include "base/heap.h"

#include "base/own.h"

static bool is_before(const struct bl_heap_item *a, const struct bl_heap_item *b)
{
    return a->time < b->time || (a->time == b->time && a->key < b->key);
}

void bl_heap_push(struct bl_heap *heap, struct bl_heap_item item)
{
    size_t at = heap->count;

    if (heap->count == heap->capacity) {
        heap->capacity = heap->capacity ? heap->capacity * 2 : 64;
        heap->item = bl_realloc_array(heap->item, heap->capacity, sizeof *heap->item);
    }
    heap->count++;
    while (at > 0 && is_before(&item, &heap->item[(at - 1) / 2])) {
        heap->item[at] = heap->item[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap->item[at] = item;
}

const struct bl_heap_item *bl_heap_peek(const struct bl_heap *heap)
{
    return heap->count ? &heap->item[0] : NULL;
}

bool bl_heap_pop(struct bl_heap *heap, struct bl_heap_item *out)
{
    struct bl_heap_item last;
    size_t at = 0;

    if (!heap->count) {
        return false;
    }
    *out = heap->item[0];
    last = heap->item[--heap->count];
    for (;;) {
        size_t child = 2 * at + 1;

        if (child >= heap->count) {
            break;
        }
        if (child + 1 < heap->count && is_before(&heap->item[child + 1], &heap->item[child])) {
            child++;
        }
        if (!is_before(&heap->item[child], &last)) {
            break;
        }
        heap->item[at] = heap->item[child];
        at = child;
    }
    heap->item[at] = last;
    return true;
}

void bl_heap_finish(struct bl_heap *heap)
{
    free(heap->item);
    *heap = (struct bl_heap){0};
}
