#include "bl_test.h"
#include "core/plan_parts.h"

/* What is asked, beside a search for 4 GPUs with 4 CPUs for 10 that ended at 100. */
struct row {
    const char *name;
    int32_t gpus, nodes_max;
    int64_t cpus;
    bl_time duration;
    int32_t pool;
    bl_time bound;
};

static struct bl_plan_request request_of(const struct row *row)
{
    return (struct bl_plan_request){
        .kind = {.pool = row->pool, .nodes_max = row->nodes_max, .has_gpus = true},
        .need = {{row->gpus, row->cpus * 1000, 0}},
        .duration = row->duration};
}

static void what_one_search_found_bounds_those_that_ask_for_no_less(void **state)
{
    static const struct row known = {"known", 4, 0, 4, 10, -1, 0};
    static const struct row rows[] = {
        {"the same", 4, 0, 4, 10, -1, 100},
        {"longer", 4, 0, 4, 11, -1, 100},
        {"shorter", 4, 0, 4, 9, -1, 7},
        {"more CPUs", 4, 0, 6, 10, -1, 100},
        {"fewer CPUs", 4, 0, 3, 10, -1, 7},
        {"more of the same", 8, 0, 8, 10, -1, 100},
        {"fewer GPUs", 3, 0, 3, 10, -1, 7},
        {"more GPUs with less beside each", 8, 0, 4, 10, -1, 7},
        {"in one pool", 4, 0, 4, 10, 1, 100},
        {"over fewer nodes", 4, 2, 4, 10, -1, 100},
    };
    struct bl_arena arena = {0};
    struct bl_plan_facts facts = {.arena = &arena};
    struct bl_plan_request found = request_of(&known);

    (void)state;
    bl_plan_facts_note(&facts, &found, 100);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_plan_request asked = request_of(&rows[i]);
        bl_time bound = bl_plan_facts_bound(&facts, &asked, 7);

        if (bound != rows[i].bound) {
            fail_msg("%s: %lld", rows[i].name, (long long)bound);
        }
    }
    bl_arena_finish(&arena);
}

static void on_one_node_more_gpus_with_less_beside_each_are_no_less(void **state)
{
    static const struct row known = {"known", 4, 1, 4, 10, -1, 0};
    static const struct row more = {"more", 8, 1, 4, 10, -1, 0};
    struct bl_arena arena = {0};
    struct bl_plan_facts facts = {.arena = &arena};
    struct bl_plan_request found = request_of(&known);
    struct bl_plan_request asked = request_of(&more);

    (void)state;
    bl_plan_facts_note(&facts, &found, 100);
    assert_int_equal(bl_plan_facts_bound(&facts, &asked, 0), 100);
    bl_arena_finish(&arena);
}

static void what_asks_for_other_nodes_is_not_bound(void **state)
{
    static const struct row known = {"in a pool over two nodes", 4, 2, 4, 10, 1, 0};
    static const struct row rows[] = {{"in another pool", 4, 2, 4, 10, 2, 7},
                                      {"in any pool", 4, 2, 4, 10, -1, 7},
                                      {"over three nodes", 4, 3, 4, 10, 1, 7},
                                      {"over any number", 4, 0, 4, 10, 1, 7},
                                      {"of one type", 4, 2, 4, 10, 1, 100}};
    struct bl_arena arena = {0};
    struct bl_plan_facts facts = {.arena = &arena};
    struct bl_plan_request found = request_of(&known);

    (void)state;
    found.kind.type_mask = 6;
    bl_plan_facts_note(&facts, &found, 100);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_plan_request asked = request_of(&rows[i]);

        asked.kind.type_mask = 2;
        assert_int_equal(bl_plan_facts_bound(&facts, &asked, 7), rows[i].bound);
    }
    found.kind.type_mask = 0;
    assert_int_equal(bl_plan_facts_bound(&facts, &found, 7), 7);
    bl_arena_finish(&arena);
}

static void a_fact_that_follows_from_a_new_one_is_forgotten(void **state)
{
    struct bl_arena arena = {0};
    struct bl_plan_facts facts = {.arena = &arena};

    (void)state;
    for (int i = 0; i < 10; i++) {
        struct row row = {"", 4, 0, 4, 20 - i, -1, 0};
        struct bl_plan_request found = request_of(&row);

        bl_plan_facts_note(&facts, &found, 100 + i);
    }
    assert_int_equal(facts.count, 1);
    for (int i = 0; i < 2 * BL_PLAN_FACTS_MAX; i++) {
        struct row row = {"", 4, 0, 4, 100 + i, -1, 0};
        struct bl_plan_request found = request_of(&row);

        bl_plan_facts_note(&facts, &found, 200 + i);
    }
    assert_int_equal(facts.count, BL_PLAN_FACTS_MAX);
    bl_arena_finish(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_one_search_found_bounds_those_that_ask_for_no_less),
        cmocka_unit_test(on_one_node_more_gpus_with_less_beside_each_are_no_less),
        cmocka_unit_test(what_asks_for_other_nodes_is_not_bound),
        cmocka_unit_test(a_fact_that_follows_from_a_new_one_is_forgotten),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
