/* Words of an enum: a table by value, and the way back. */
#ifndef BL_CORE_WORDS_H
#define BL_CORE_WORDS_H

#include <string.h>

/* The index of `name` among `count` words, or -1. */
static inline int bl_words_find(const char *const *words, int count, const char *name)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(words[i], name) == 0) {
            return i;
        }
    }
    return -1;
}

#endif
