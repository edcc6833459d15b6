#include "bl_test.h"
#include "core/plan_parts.h"
#include "prop.h"

enum { COLUMNS = 3, EVENTS_MAX = 200, SPAN = 60 };

static struct bl_plan_event draw_event(struct bl_prop *prop)
{
    return (struct bl_plan_event){.at = bl_prop_between(prop, 0, SPAN),
                                  .column = (int32_t)bl_prop_between(prop, 0, COLUMNS - 1),
                                  .gpus = (int32_t)bl_prop_between(prop, -3, 3),
                                  .side = {bl_prop_between(prop, -3, 3), 0}};
}

/* The least of [from, end), by going through all instants. */
static struct bl_plan_cell naive_least(const struct bl_plan_event *event, int64_t count,
                                       int32_t column, bl_time from, bl_time end)
{
    struct bl_plan_cell least = {INT32_MAX, {INT64_MAX, INT64_MAX}};

    for (bl_time at = from; at < end; at++) {
        struct bl_plan_cell now = {0};

        for (int64_t i = 0; i < count; i++) {
            if (event[i].column == column && event[i].at <= at) {
                now = bl_plan_cell_sum(now, bl_plan_event_change(&event[i]));
            }
        }
        least = bl_plan_cell_least(least, now);
    }
    return least;
}

static bool is_in_order(const struct bl_plan_node *node)
{
    if (!node) {
        return false;
    }
    if (node->height == 0) {
        return node->first == node->event[0].at && node->last == node->event[node->count - 1].at;
    }
    return node->left->last < node->right->first && is_in_order(node->left) &&
           is_in_order(node->right) && node->left->height - node->right->height <= 1 &&
           node->right->height - node->left->height <= 1;
}

static bool tree_equals_a_list(struct bl_prop *prop, void *context)
{
    struct bl_arena arena = {0};
    struct bl_plan_event event[EVENTS_MAX];
    struct bl_plan_tree tree = {.arena = &arena, .columns = COLUMNS, .block = 2};
    int64_t count = bl_prop_between(prop, 1, EVENTS_MAX);
    bool held = true;

    (void)context;
    tree.block = (size_t)bl_prop_between(prop, 2, 6);
    for (int64_t i = 0; i < count; i++) {
        event[i] = draw_event(prop);
        if (i > 0 && bl_prop_chance(prop, 300)) {
            /* One that takes back an earlier one. */
            event[i] = event[bl_prop_between(prop, 0, i - 1)];
            event[i].gpus *= -1;
            event[i].side.cpu_milli *= -1;
        }
        bl_plan_tree_add(&tree, &event[i]);
    }
    for (int i = 0; i < 10 && held; i++) {
        int32_t column = (int32_t)bl_prop_between(prop, 0, COLUMNS - 1);
        bl_time from = bl_prop_between(prop, 0, SPAN + 1);
        bl_time end = from + bl_prop_between(prop, 1, SPAN);
        struct bl_plan_cell found = bl_plan_tree_least(&tree, column, from, end);
        struct bl_plan_cell least = naive_least(event, count, column, from, end);

        bl_prop_note(prop, "%d events, column %d over [%d, %d): %d, naive %d", (int)count, column,
                     (int)from, (int)end, found.gpus, least.gpus);
        held = found.gpus == least.gpus && found.side.cpu_milli == least.side.cpu_milli &&
               is_in_order(tree.root);
    }
    bl_arena_finish(&arena);
    return held;
}

static void the_tree_equals_a_list_of_events_and_is_balanced(void **state)
{
    (void)state;
    assert_true(bl_prop_holds("tree equals list", 500, tree_equals_a_list, NULL));
}

static void a_leaf_tells_where_an_instant_is_over(void **state)
{
    struct bl_arena arena = {0};
    struct bl_plan_tree tree = {.arena = &arena, .columns = COLUMNS, .block = 9};

    (void)state;
    for (int32_t i = 0; i < 6; i++) {
        bl_plan_tree_add(&tree, &(struct bl_plan_event){i / 3 * 10, i % 3, 1, {0, 0}});
    }
    assert_int_equal(tree.root->count, 6);
    assert_int_equal(bl_plan_leaf_after(tree.root, -1), 0);
    assert_int_equal(bl_plan_leaf_after(tree.root, 0), 3);
    assert_int_equal(bl_plan_leaf_after(tree.root, 9), 3);
    assert_int_equal(bl_plan_leaf_after(tree.root, 10), 6);
    bl_arena_finish(&arena);
}

static void all_events_of_one_instant_stay_in_one_leaf(void **state)
{
    struct bl_arena arena = {0};
    struct bl_plan_tree tree = {.arena = &arena, .columns = COLUMNS, .block = 2};

    (void)state;
    for (int32_t i = 0; i < 3; i++) {
        bl_plan_tree_add(&tree, &(struct bl_plan_event){5, i, 1, {0, 0}});
    }
    assert_int_equal(tree.root->height, 0);
    bl_plan_tree_add(&tree, &(struct bl_plan_event){6, 0, 1, {0, 0}});
    assert_int_equal(tree.root->height, 1);
    assert_int_equal(tree.root->left->count, 3);
    bl_arena_finish(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tree_equals_a_list_of_events_and_is_balanced),
        cmocka_unit_test(a_leaf_tells_where_an_instant_is_over),
        cmocka_unit_test(all_events_of_one_instant_stay_in_one_leaf),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
