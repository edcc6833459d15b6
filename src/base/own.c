#include "base/own.h"

#include <string.h>

void *bl_alloc_zero(size_t bytes)
{
    void *memory = calloc(1, bytes ? bytes : 1);

    if (!memory) {
        abort();
    }
    return memory;
}

void *bl_realloc_array(void *memory, size_t count, size_t bytes)
{
    size_t total = 0;
    void *grown;

    if (__builtin_mul_overflow(count, bytes, &total)) {
        abort();
    }
    grown = realloc(memory, total ? total : 1);
    if (!grown) {
        abort();
    }
    return grown;
}

char *bl_copy_text(const char *text)
{
    size_t bytes;
    char *copy;

    if (!text) {
        return NULL;
    }
    bytes = strlen(text) + 1;
    copy = bl_alloc_zero(bytes);
    memcpy(copy, text, bytes);
    return copy;
}

char *bl_copy_part(const char *text, size_t length)
{
    char *copy = bl_alloc_zero(length + 1);

    if (length) {
        memcpy(copy, text, length);
    }
    return copy;
}
