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

#define BL_VEC_RESERVE(vec, wanted)                                                                \
    do {                                                                                           \
        if ((vec)->capacity < (wanted)) {                                                          \
            size_t grown_ = (vec)->capacity * 2 > (wanted) ? (vec)->capacity * 2 : (wanted);       \
            grown_ = grown_ < 8 ? 8 : grown_;                                                      \
            (vec)->at = bl_realloc_array((vec)->at, grown_, sizeof *(vec)->at);                    \
            (vec)->capacity = grown_;                                                              \
        }                                                                                          \
    } while (0)

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
