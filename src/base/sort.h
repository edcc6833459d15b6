/* Sorting in place, by a comparison as for qsort. */
#ifndef BL_BASE_SORT_H
#define BL_BASE_SORT_H

#include <stddef.h>
#include <stdlib.h>

/* Nothing to sort may be NULL, which qsort does not allow. */
static inline void bl_sort(void *at, size_t count, size_t size,
                           int (*compare)(const void *left, const void *right))
{
    if (count > 1) {
        qsort(at, count, size, compare);
    }
}

#endif
