#include "base/arena.h"

#include "base/own.h"

#include <stdalign.h>
#include <stdint.h>
#include <string.h>

enum { FIRST_BLOCK_BYTES = 64 * 1024 };

struct bl_arena_block {
    struct bl_arena_block *next;
    size_t bytes;
    alignas(max_align_t) unsigned char memory[];
};

static void add_block(struct bl_arena *arena, size_t at_least)
{
    size_t bytes = arena->blocks ? arena->blocks->bytes * 2 : FIRST_BLOCK_BYTES;
    size_t total = 0;
    struct bl_arena_block *block;

    if (bytes < at_least) {
        bytes = at_least;
    }
    if (__builtin_add_overflow(sizeof *block, bytes, &total)) {
        abort();
    }
    block = bl_realloc_array(NULL, total, 1);
    block->next = arena->blocks;
    block->bytes = bytes;
    arena->blocks = block;
    arena->used = 0;
}

void *bl_arena_alloc(struct bl_arena *arena, size_t bytes)
{
    size_t rounded = (bytes + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1);
    void *memory;

    if (rounded < bytes) {
        abort();
    }
    if (!arena->blocks || arena->blocks->bytes - arena->used < rounded) {
        add_block(arena, rounded);
    }
    memory = arena->blocks->memory + arena->used;
    arena->used += rounded;
    memset(memory, 0, bytes);
    return memory;
}

char *bl_arena_copy_text(struct bl_arena *arena, const char *text)
{
    size_t bytes;
    char *copy;

    if (!text) {
        return NULL;
    }
    bytes = strlen(text) + 1;
    copy = bl_arena_alloc(arena, bytes);
    memcpy(copy, text, bytes);
    return copy;
}

static void free_blocks(struct bl_arena_block *block)
{
    while (block) {
        struct bl_arena_block *next = block->next;

        free(block);
        block = next;
    }
}

void bl_arena_reset(struct bl_arena *arena)
{
    if (arena->blocks) {
        free_blocks(arena->blocks->next);
        arena->blocks->next = NULL;
    }
    arena->used = 0;
}

void bl_arena_finish(struct bl_arena *arena)
{
    free_blocks(arena->blocks);
    arena->blocks = NULL;
    arena->used = 0;
}
