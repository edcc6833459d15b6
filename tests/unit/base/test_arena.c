#include "base/arena.h"
#include "base/own.h"
#include "base/vec.h"
#include "bl_test.h"
#include "prop.h"

#include <signal.h>
#include <stdalign.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct piece {
    unsigned char *memory;
    size_t bytes;
    unsigned char mark;
};

static bool is_filled_with(const struct piece *piece, unsigned char value)
{
    for (size_t i = 0; i < piece->bytes; i++) {
        if (piece->memory[i] != value) {
            return false;
        }
    }
    return true;
}

/* Takes pieces, marks each with a number of its own; a piece that shares a byte with another, or
 * did not come zeroed, shows. */
static bool pieces_are_zeroed_aligned_and_apart(struct bl_prop *prop, void *context)
{
    struct bl_arena arena = {0};
    bool held = true;

    (void)context;
    for (int step = 0; step < 3; step++) {
        BL_VEC(struct piece) pieces = {0};

        while (held && bl_prop_chance(prop, 950)) {
            struct piece piece = {.bytes = (size_t)bl_prop_between(prop, 0, 20000),
                                  .mark = (unsigned char)(pieces.count % 255 + 1)};

            piece.memory = bl_arena_alloc(&arena, piece.bytes);
            held = (uintptr_t)piece.memory % alignof(max_align_t) == 0 && is_filled_with(&piece, 0);
            memset(piece.memory, piece.mark, piece.bytes);
            BL_VEC_PUSH(&pieces, piece);
        }
        for (size_t i = 0; i < pieces.count; i++) {
            held = held && is_filled_with(&pieces.at[i], pieces.at[i].mark);
        }
        BL_VEC_FINISH(&pieces);
        bl_arena_reset(&arena);
    }
    bl_arena_finish(&arena);
    return held;
}

static void memory_is_zeroed_aligned_and_nobody_elses_also_after_resets(void **state)
{
    (void)state;
    assert_true(
        bl_prop_holds("pieces of an arena", 100, pieces_are_zeroed_aligned_and_apart, NULL));
}

static void one_request_may_be_larger_than_any_block(void **state)
{
    struct bl_arena arena = {0};
    unsigned char *large;

    (void)state;
    bl_arena_alloc(&arena, 1);
    large = bl_arena_alloc(&arena, 1 << 20);
    large[(1 << 20) - 1] = 1;
    bl_arena_finish(&arena);
}

static void text_is_copied_with_its_end(void **state)
{
    struct bl_arena arena = {0};
    char text[] = "abc";
    char *copy = bl_arena_copy_text(&arena, text);

    (void)state;
    text[0] = 'x';
    assert_string_equal(copy, "abc");
    assert_null(bl_arena_copy_text(&arena, NULL));
    bl_arena_finish(&arena);
}

static void an_empty_arena_can_be_reset_and_finished_twice(void **state)
{
    struct bl_arena arena = {0};

    (void)state;
    bl_arena_reset(&arena);
    bl_arena_finish(&arena);
    bl_arena_finish(&arena);
    assert_null(arena.blocks);
}

static void a_size_that_overflows_ends_the_process(void **state)
{
    static const size_t rows[] = {SIZE_MAX, SIZE_MAX - 16, SIZE_MAX - 32};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        pid_t child = fork();
        int status = 0;

        if (child == 0) {
            struct bl_arena arena = {0};

            bl_arena_alloc(&arena, rows[i]);
            _exit(0);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_zeroed_aligned_and_nobody_elses_also_after_resets),
        cmocka_unit_test(one_request_may_be_larger_than_any_block),
        cmocka_unit_test(text_is_copied_with_its_end),
        cmocka_unit_test(an_empty_arena_can_be_reset_and_finished_twice),
        cmocka_unit_test(a_size_that_overflows_ends_the_process),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
