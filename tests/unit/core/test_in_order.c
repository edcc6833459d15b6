#include "bl_test.h"
#include "core/in_order.h"

static bool is_shorter(const struct bl_queue_entry *a, const struct bl_queue_entry *b)
{
    return a->duration < b->duration;
}

enum { MANY = 100 };

static void a_line_is_sorted_and_ties_keep_their_order(void **state)
{
    struct bl_queue_entry queue[MANY] = {0};
    struct bl_arena scratch = {0};

    (void)state;
    for (size_t count = 0; count <= MANY; count++) {
        struct bl_view view = {.queue = queue, .queue_count = count, .scratch = &scratch};
        struct bl_line line;

        for (size_t i = 0; i < count; i++) {
            queue[i].duration = (bl_time)(i * 37 % 11);
        }
        line = bl_line_sort(&view, is_shorter);
        for (size_t i = 1; i < count; i++) {
            size_t before = bl_line_at(&line, i - 1);
            size_t after = bl_line_at(&line, i);

            assert_true(queue[before].duration < queue[after].duration ||
                        (queue[before].duration == queue[after].duration && before < after));
        }
    }
    bl_arena_finish(&scratch);
}

static void an_unsorted_line_is_the_queue(void **state)
{
    struct bl_line line = {0};

    (void)state;
    assert_int_equal(bl_line_at(&line, 5), 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_sorted_and_ties_keep_their_order),
        cmocka_unit_test(an_unsorted_line_is_the_queue),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
