#include "bl_test.h"
#include "core/graph.h"

static void a_cycle_is_found_and_named(void **state)
{
    const size_t to_1[] = {1};
    const size_t to_2[] = {2};
    const size_t to_0_and_3[] = {3, 0};
    const size_t self[] = {3};
    const struct bl_batch_job ring[] = {{to_1, 1}, {to_2, 1}, {to_0_and_3, 2}, {NULL, 0}};
    const struct bl_batch_job line[] = {{to_1, 1}, {to_2, 1}, {NULL, 0}, {to_2, 1}};
    const struct bl_batch_job own[] = {{NULL, 0}, {NULL, 0}, {NULL, 0}, {self, 1}};
    size_t cycle[4];

    (void)state;
    assert_int_equal(bl_graph_find_cycle(ring, 4, cycle), 3);
    assert_int_equal(cycle[0], 0);
    assert_int_equal(cycle[1], 1);
    assert_int_equal(cycle[2], 2);
    assert_int_equal(bl_graph_find_cycle(line, 4, cycle), 0);
    assert_int_equal(bl_graph_find_cycle(own, 4, cycle), 1);
    assert_int_equal(cycle[0], 3);
    assert_int_equal(bl_graph_find_cycle(NULL, 0, cycle), 0);
}

enum { LONG = 200000 };

static void a_chain_of_any_length_is_walked_without_recursion(void **state)
{
    static struct bl_batch_job chain[LONG];
    static size_t next[LONG];
    static size_t cycle[LONG];

    (void)state;
    for (size_t i = 0; i < LONG; i++) {
        next[i] = i + 1;
        chain[i] = (struct bl_batch_job){&next[i], i + 1 < LONG ? 1 : 0};
    }
    assert_int_equal(bl_graph_find_cycle(chain, LONG, cycle), 0);
    next[LONG - 1] = 0;
    chain[LONG - 1].after_count = 1;
    assert_int_equal(bl_graph_find_cycle(chain, LONG, cycle), LONG);
}

static void dependents_keep_their_order_and_can_be_forgotten(void **state)
{
    struct bl_graph graph = {0};
    const struct bl_dependents *found;

    (void)state;
    for (int i = 0; i < 20; i++) {
        bl_graph_add(&graph, 100 - i, (struct bl_dependency){7, BL_AFTER_ANY});
    }
    found = bl_graph_find(&graph, 7);
    assert_int_equal(found->count, 20);
    assert_int_equal(found->job[0], 100);
    assert_int_equal(found->job[19], 81);
    assert_null(bl_graph_find(&graph, 8));
    bl_graph_remove(&graph, 7);
    assert_null(bl_graph_find(&graph, 7));
    bl_graph_finish(&graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cycle_is_found_and_named),
        cmocka_unit_test(a_chain_of_any_length_is_walked_without_recursion),
        cmocka_unit_test(dependents_keep_their_order_and_can_be_forgotten),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
