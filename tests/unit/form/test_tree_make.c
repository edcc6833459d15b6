#include "form_test.h"

#include "form/tree_make.h"

static void children_come_in_the_order_in_which_they_were_put(void **state)
{
    struct form_text text = {0};
    struct bl_tree *list = bl_tree_create(&text.arena, BL_TREE_LIST);

    (void)state;
    text.tree = bl_tree_create(&text.arena, BL_TREE_MAP);
    for (int i = 0; i < 9; i++) {
        static const char *const digits[] = {"0", "1", "2", "3", "4", "5", "6", "7", "8"};

        bl_tree_append_text(&text.arena, list, digits[i], 1);
        bl_tree_put_text(&text.arena, text.tree, digits[i], "x", 1);
    }
    bl_tree_put(&text.arena, text.tree, "list", list, 7);
    form_expect_tree(&text,
                     "{\"0\":\"x\",\"1\":\"x\",\"2\":\"x\",\"3\":\"x\",\"4\":\"x\",\"5\":\"x\","
                     "\"6\":\"x\",\"7\":\"x\",\"8\":\"x\",\"list\":[\"0\",\"1\",\"2\",\"3\","
                     "\"4\",\"5\",\"6\",\"7\",\"8\"]}");
    assert_string_equal(bl_tree_find(text.tree, "list")->child[8].key, "list");
    assert_int_equal(bl_tree_find(text.tree, "list")->line, 7);
    form_finish(&text);
}

static void a_key_that_is_there_keeps_its_place_and_gets_the_new_value(void **state)
{
    struct form_text text = {0};

    (void)state;
    text.tree = bl_tree_create(&text.arena, BL_TREE_MAP);
    bl_tree_put_text(&text.arena, text.tree, "a", "1", 1);
    bl_tree_put_text(&text.arena, text.tree, "b", "2", 2);
    bl_tree_put_text(&text.arena, text.tree, "a", "3", 3);
    form_expect_tree(&text, "{\"a\":\"3\",\"b\":\"2\"}");
    assert_int_equal(text.tree->child[0].line, 3);
    form_finish(&text);
}

/* A reader packs children without room behind them. */
static void a_tree_that_was_read_grows_without_touching_its_neighbours(void **state)
{
    struct form_text text = {0};

    (void)state;
    form_read_yaml(&text, "a: {x: 1, y: 2, z: 3, u: 4}\nb: [5, 6, 7, 8]\n");
    for (int i = 0; i < 9; i++) {
        static const char *const keys[] = {"k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7", "k8"};
        struct bl_tree *map = &text.tree->child[0];

        bl_tree_put_text(&text.arena, map, keys[i], "n", 1);
        bl_tree_append_text(&text.arena, &text.tree->child[1], keys[i], 1);
    }
    form_expect_tree(&text,
                     "{\"a\":{\"x\":\"1\",\"y\":\"2\",\"z\":\"3\",\"u\":\"4\",\"k0\":\"n\","
                     "\"k1\":\"n\",\"k2\":\"n\",\"k3\":\"n\",\"k4\":\"n\",\"k5\":\"n\","
                     "\"k6\":\"n\",\"k7\":\"n\",\"k8\":\"n\"},\"b\":[\"5\",\"6\",\"7\",\"8\","
                     "\"k0\",\"k1\",\"k2\",\"k3\",\"k4\",\"k5\",\"k6\",\"k7\",\"k8\"]}");
    form_finish(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(children_come_in_the_order_in_which_they_were_put),
        cmocka_unit_test(a_key_that_is_there_keeps_its_place_and_gets_the_new_value),
        cmocka_unit_test(a_tree_that_was_read_grows_without_touching_its_neighbours),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
