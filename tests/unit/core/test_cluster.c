#include "bl_test.h"
#include "core/cluster.h"

static struct bl_cluster one_node(int gpus)
{
    struct bl_cluster cluster = {0};
    struct bl_node_spec spec = {
        .name = "a", .gpu_type = "A100", .gpus = gpus, .cpu_milli = 4000, .mem_bytes = 100};

    assert_int_equal(bl_cluster_add_node(&cluster, &spec), 0);
    return cluster;
}

static void what_is_taken_comes_back_exactly(void **state)
{
    struct bl_cluster cluster = one_node(4);
    struct bl_alloc alloc = {1, {0, 2, 0x5, 1500, 60}, NULL};

    (void)state;
    assert_true(bl_cluster_can_take(&cluster, &alloc));
    bl_cluster_take(&cluster, &alloc);
    assert_int_equal(cluster.free.amount[BL_RESOURCE_GPU], 2);
    assert_int_equal(cluster.node[0].free_gpu_mask, 0xA);
    assert_int_equal(cluster.node[0].free.amount[BL_RESOURCE_CPU], 2500);
    assert_false(bl_cluster_can_take(&cluster, &alloc));
    bl_cluster_give_back(&cluster, &alloc);
    assert_int_equal(cluster.node[0].free_gpu_mask, 0xF);
    assert_int_equal(cluster.free.amount[BL_RESOURCE_MEM], 100);
    bl_cluster_finish(&cluster);
}

static void an_allocation_that_does_not_stand_in_the_books_is_seen(void **state)
{
    static const struct bl_alloc rows[] = {
        {0, {0, 0, 0, 0, 0}, NULL},      {1, {1, 1, 1, 0, 0}, NULL}, /* no such node */
        {1, {-1, 1, 1, 0, 0}, NULL},                                 /* no such node */
        {1, {0, 2, 0x1, 0, 0}, NULL},                                /* count and mask differ */
        {1, {0, 1, 0x10, 0, 0}, NULL},                               /* no such GPU */
        {1, {0, 1, 0x1, 4001, 0}, NULL},                             /* CPUs */
        {1, {0, 1, 0x1, 0, 101}, NULL},                              /* memory */
    };
    struct bl_cluster cluster = one_node(4);

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (bl_cluster_can_take(&cluster, &rows[i])) {
            fail_msg("row %zu", i);
        }
    }
    bl_cluster_finish(&cluster);
}

static void nodes_that_make_no_sense_are_refused(void **state)
{
    static const struct bl_node_spec rows[] = {
        {.name = "a"},
        {.name = "b", .gpus = -1},
        {.name = "b", .gpus = 65},
        {.name = "b", .gpus = BL_NODE_COUNTED_GPUS_MAX + 1, .counted = true},
        {.name = "b", .cpu_milli = -1},
    };
    struct bl_cluster cluster = one_node(64);

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(bl_cluster_add_node(&cluster, &rows[i]), -1);
    }
    assert_int_equal(cluster.node_count, 1);
    assert_true(cluster.node[0].free_gpu_mask == UINT64_MAX);
    bl_cluster_finish(&cluster);
}

static void types_and_pools_have_a_ceiling(void **state)
{
    struct bl_cluster cluster = {0};
    int added = 0;

    (void)state;
    for (int i = 0; i < 100; i++) {
        char name[16];
        char type[16];

        snprintf(name, sizeof name, "n%d", i);
        snprintf(type, sizeof type, "t%d", i);
        added += bl_cluster_add_node(&cluster, &(struct bl_node_spec){
                                                   .name = name, .gpu_type = type, .gpus = 1}) >= 0;
    }
    assert_int_equal(added, BL_GPU_TYPES_MAX - 1);
    assert_int_equal(bl_cluster_find_type(&cluster, "t3"), 3);
    assert_int_equal(bl_cluster_find_type(&cluster, "t99"), -1);
    assert_int_equal(bl_cluster_find_pool(&cluster, "default"), 0);
    bl_cluster_finish(&cluster);
}

static void a_drained_node_is_capacity_but_not_free(void **state)
{
    struct bl_cluster cluster = one_node(4);
    struct bl_alloc alloc = {1, {0, 1, 0x1, 0, 0}, NULL};

    (void)state;
    bl_cluster_take(&cluster, &alloc);
    bl_cluster_set_state(&cluster, 0, BL_NODE_DRAINED);
    assert_int_equal(cluster.free.amount[BL_RESOURCE_GPU], 0);
    assert_int_equal(cluster.capacity.amount[BL_RESOURCE_GPU], 4);
    bl_cluster_set_state(&cluster, 0, BL_NODE_DOWN);
    assert_int_equal(cluster.capacity.amount[BL_RESOURCE_GPU], 0);
    bl_cluster_give_back(&cluster, &alloc);
    bl_cluster_set_state(&cluster, 0, BL_NODE_UP);
    assert_int_equal(cluster.free.amount[BL_RESOURCE_GPU], 4);
    bl_cluster_finish(&cluster);
}

static void a_node_takes_another_shape_only_while_nobody_uses_it(void **state)
{
    struct bl_cluster cluster = one_node(4);
    struct bl_alloc alloc = {1, {0, 1, 0x1, 1000, 10}, NULL};
    struct bl_node_spec bigger = {
        .name = "a", .gpu_type = "H100", .gpus = 6, .cpu_milli = 8000, .mem_bytes = 300};
    struct bl_node_spec senseless = {.name = "a", .gpus = BL_NODE_NAMED_GPUS_MAX + 1};

    (void)state;
    bl_cluster_take(&cluster, &alloc);
    assert_false(bl_cluster_reshape_node(&cluster, 0, &bigger));
    assert_int_equal(cluster.node[0].spec.gpus, 4);
    bl_cluster_give_back(&cluster, &alloc);
    assert_false(bl_cluster_reshape_node(&cluster, 0, &senseless));
    bl_cluster_set_state(&cluster, 0, BL_NODE_DOWN);
    assert_true(bl_cluster_reshape_node(&cluster, 0, &bigger));
    assert_int_equal(cluster.node[0].state, BL_NODE_DOWN);
    assert_int_equal(cluster.capacity.amount[BL_RESOURCE_GPU], 0);
    bl_cluster_set_state(&cluster, 0, BL_NODE_UP);
    assert_int_equal(cluster.free.amount[BL_RESOURCE_GPU], 6);
    assert_int_equal(cluster.capacity.amount[BL_RESOURCE_MEM], 300);
    assert_int_equal(cluster.node[0].free_gpu_mask, 0x3F);
    assert_int_equal(cluster.type_node_gpus[cluster.node[0].type], 6);
    assert_int_equal(cluster.type_node_gpus[0], 0);
    assert_string_equal(cluster.node[0].spec.gpu_type, "H100");
    assert_string_equal(cluster.node[0].spec.name, "a");
    bl_cluster_finish(&cluster);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_taken_comes_back_exactly),
        cmocka_unit_test(an_allocation_that_does_not_stand_in_the_books_is_seen),
        cmocka_unit_test(nodes_that_make_no_sense_are_refused),
        cmocka_unit_test(types_and_pools_have_a_ceiling),
        cmocka_unit_test(a_drained_node_is_capacity_but_not_free),
        cmocka_unit_test(a_node_takes_another_shape_only_while_nobody_uses_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
