/* Ownership: BL_AUTO_* releases at the end of the scope, BL_TAKE hands over.
 * Descriptors have their own header, os/own_fd.h. */
#ifndef BL_BASE_OWN_H
#define BL_BASE_OWN_H

#include <stddef.h>
#include <stdlib.h>

static inline void bl_auto_free(void *place)
{
    void **pointer = place;

    free(*pointer);
}

/* Frees the pointer when the scope ends. */
#define BL_AUTO_FREE __attribute__((cleanup(bl_auto_free)))

/* Gives the pointer away: its value, and NULL is left behind. */
#define BL_TAKE(pointer)                                                                           \
    __extension__({                                                                                \
        __typeof__(pointer) *place_ = &(pointer);                                                  \
        __typeof__(pointer) value_ = *place_;                                                      \
        *place_ = NULL;                                                                            \
        value_;                                                                                    \
    })

/* Memory that ends the process when there is none; the journal makes that safe. */
void *bl_alloc_zero(size_t bytes) __attribute__((malloc, returns_nonnull));
void *bl_realloc_array(void *memory, size_t count, size_t bytes) __attribute__((returns_nonnull));

/* A copy owned by the caller; NULL stays NULL. */
char *bl_copy_text(const char *text);

/* As bl_copy_text, of the first `length` bytes, which hold no zero. */
char *bl_copy_part(const char *text, size_t length) __attribute__((returns_nonnull));

#endif
