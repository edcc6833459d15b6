/* Growing typed arrays. BL_VEC(int) numbers = {0}; BL_VEC_PUSH(&numbers, 7); numbers.at[0] is 7.
 * Zeroes are an empty vector. A push may move the memory: pointers into it do not outlive it. */
#ifndef BL_BASE_VEC_H
#define BL_BASE_VEC_H

#include "base/own.h"

#include <stddef.h>
#include <string.h>

#define BL_VEC(type)                                                                               \
    struct {                                                                                       \
        type *at;                                                                                  \
        size_t count;                                                                              \
        size_t capacity;                                                                           \
    }

/* The memory, moved when there is not room for `wanted` items of `bytes` each; grows by doubling.
 */
static inline void *bl_vec_grown(void *at, size_t *capacity, size_t wanted, size_t bytes)
{
    size_t grown = *capacity * 2 > wanted ? *capacity * 2 : wanted;

    if (*capacity >= wanted) {
        return at;
    }
    *capacity = grown < 8 ? 8 : grown;
    return bl_realloc_array(at, *capacity, bytes);
}

#define BL_VEC_RESERVE(vec, wanted)                                                                \
    ((vec)->at = bl_vec_grown((vec)->at, &(vec)->capacity, (wanted), sizeof *(vec)->at))

#define BL_VEC_PUSH(vec, ...)                                                                      \
    do {                                                                                           \
        BL_VEC_RESERVE((vec), (vec)->count + 1);                                                   \
        (vec)->at[(vec)->count++] = (__VA_ARGS__);                                                 \
    } while (0)

#define BL_VEC_INSERT(vec, index, ...)                                                             \
    do {                                                                                           \
        size_t index_ = (index);                                                                   \
        BL_VEC_RESERVE((vec), (vec)->count + 1);                                                   \
        memmove((vec)->at + index_ + 1, (vec)->at + index_,                                        \
                ((vec)->count - index_) * sizeof *(vec)->at);                                      \
        (vec)->at[index_] = (__VA_ARGS__);                                                         \
        (vec)->count++;                                                                            \
    } while (0)

#define BL_VEC_REMOVE(vec, index)                                                                  \
    do {                                                                                           \
        size_t index_ = (index);                                                                   \
        (vec)->count--;                                                                            \
        memmove((vec)->at + index_, (vec)->at + index_ + 1,                                        \
                ((vec)->count - index_) * sizeof *(vec)->at);                                      \
    } while (0)

#define BL_VEC_FINISH(vec)                                                                         \
    do {                                                                                           \
        free((vec)->at);                                                                           \
        (vec)->at = NULL;                                                                          \
        (vec)->count = 0;                                                                          \
        (vec)->capacity = 0;                                                                       \
    } while (0)

#endif
