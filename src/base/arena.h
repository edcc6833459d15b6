/* Scratch memory of one step: many small requests, one release. Nothing from it outlives a reset.
 */
#ifndef BL_BASE_ARENA_H
#define BL_BASE_ARENA_H

#include <stddef.h>

struct bl_arena_block;

/* Zeroes are an empty arena. */
struct bl_arena {
    struct bl_arena_block *blocks; /* newest first */
    size_t used;                   /* of the newest block */
};

/* Zeroed memory, aligned for any type; never NULL. */
void *bl_arena_alloc(struct bl_arena *arena, size_t bytes) __attribute__((returns_nonnull));

/* A copy of `text` with its end; NULL stays NULL. */
char *bl_arena_copy_text(struct bl_arena *arena, const char *text);

/* Forgets all that was given out and keeps one block for the next step. */
void bl_arena_reset(struct bl_arena *arena);

void bl_arena_finish(struct bl_arena *arena);

#endif
