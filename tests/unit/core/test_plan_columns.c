#include "bl_test.h"
#include "core/plan_parts.h"

#include <stdio.h>

static void add(struct bl_cluster *cluster, const char *type, const char *pool, int64_t mem)
{
    char name[16];
    struct bl_node_spec spec = {
        .name = name, .pool = pool, .gpu_type = type, .gpus = type ? 4 : 0, .gpu_mem_bytes = mem};

    snprintf(name, sizeof name, "n%zu", cluster->node_count);
    assert_true(bl_cluster_add_node(cluster, &spec) >= 0);
}

/* "A: nodes; B: nodes" in the order of the columns. */
static const char *show(const struct bl_plan_columns *columns)
{
    static char text[256];
    size_t length = 0;

    for (size_t g = 0; g < columns->group_count; g++) {
        int32_t first = columns->group[g].first;

        assert_int_equal((columns->group[g].end - first) % BL_PLAN_LANES, 0);
        for (int32_t c = first + columns->group[g].nodes; c < columns->group[g].end; c++) {
            assert_int_equal(columns->node[c], -1);
        }
        for (int32_t c = first; c < first + columns->group[g].nodes; c++) {
            assert_int_equal(columns->group_of[c], g);
            assert_int_equal(columns->of_node[columns->node[c]], c);
            length +=
                (size_t)snprintf(text + length, sizeof text - length, "%d ", columns->node[c]);
        }
        length += (size_t)snprintf(text + length, sizeof text - length, "| ");
    }
    return text;
}

static void nodes_that_are_the_same_to_jobs_stand_together(void **state)
{
    struct bl_cluster cluster = {0};
    struct bl_arena arena = {0};
    struct bl_plan_columns columns;

    (void)state;
    add(&cluster, "A100", "main", 80);
    add(&cluster, "V100", "main", 32);
    add(&cluster, "A100", "main", 40);
    add(&cluster, "A100", "edge", 80);
    add(&cluster, "A100", "main", 80);
    add(&cluster, NULL, "main", 0);
    add(&cluster, "V100", "main", 32);
    columns = bl_plan_columns_make(&cluster, &arena);
    assert_int_equal(columns.count, 5 * BL_PLAN_LANES);
    assert_string_equal(show(&columns), "5 | 2 | 0 4 | 3 | 1 6 | ");
    assert_false(columns.has_drains);
    bl_arena_finish(&arena);
    bl_cluster_finish(&cluster);
}

static void nodes_that_are_not_up_have_no_column_and_drains_part_groups(void **state)
{
    struct bl_cluster cluster = {0};
    struct bl_arena arena = {0};
    struct bl_plan_columns columns;

    (void)state;
    for (int i = 0; i < 5; i++) {
        add(&cluster, "A100", "main", 80);
    }
    bl_cluster_set_state(&cluster, 0, BL_NODE_DOWN);
    bl_cluster_set_state(&cluster, 3, BL_NODE_DRAINED);
    bl_cluster_set_drain(&cluster, 2, BL_HOUR);
    columns = bl_plan_columns_make(&cluster, &arena);
    assert_string_equal(show(&columns), "2 | 1 4 | ");
    assert_int_equal(columns.of_node[0], -1);
    assert_int_equal(columns.of_node[3], -1);
    assert_int_equal(columns.group[0].drain_at, BL_HOUR);
    assert_true(columns.has_drains);
    bl_arena_finish(&arena);
    bl_cluster_finish(&cluster);
}

static void a_machine_without_nodes_has_no_columns(void **state)
{
    struct bl_cluster cluster = {0};
    struct bl_arena arena = {0};
    struct bl_plan_columns columns = bl_plan_columns_make(&cluster, &arena);

    (void)state;
    assert_int_equal(columns.count, 0);
    assert_int_equal(columns.group_count, 0);
    bl_arena_finish(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_that_are_the_same_to_jobs_stand_together),
        cmocka_unit_test(nodes_that_are_not_up_have_no_column_and_drains_part_groups),
        cmocka_unit_test(a_machine_without_nodes_has_no_columns),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
