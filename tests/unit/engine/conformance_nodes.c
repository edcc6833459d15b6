/* What an engine says of its nodes, and what becomes of jobs when the books change them. */
#include "conformance.h"

#include <string.h>

static void discover(struct kit *kit, struct bl_clusterspec *out)
{
    struct bl_error err = {0};

    *out = (struct bl_clusterspec){0};
    if (kit->fixture->engine->discover(kit->engine, out, &err)) {
        fail_msg("%s", err.text);
    }
}

static void expect_declared(struct kit *kit)
{
    struct bl_clusterspec found;

    discover(kit, &found);
    assert_int_equal(found.node_count, KIT_NODES);
    for (size_t i = 0; i < found.node_count; i++) {
        assert_string_equal(found.node[i].name, kit->node[i].name);
        assert_string_equal(found.node[i].gpu_type, kit->node[i].gpu_type);
        assert_int_equal(found.node[i].gpus, kit->node[i].gpus);
        assert_int_equal(found.node[i].gpu_mem_bytes, kit->node[i].gpu_mem_bytes);
        assert_int_equal(found.node[i].cpu_milli, kit->node[i].cpu_milli);
        assert_int_equal(found.node[i].mem_bytes, kit->node[i].mem_bytes);
    }
}

static void declared_nodes_are_the_nodes(struct kit *kit)
{
    expect_declared(kit);
}

static void asking_for_the_nodes_twice_gives_the_same(struct kit *kit)
{
    struct bl_clusterspec first;

    discover(kit, &first);
    expect_declared(kit);
    assert_string_equal(first.node[0].name, "node1"); /* and the first answer is still good */
}

static void jobs_take_nothing_from_what_nodes_are(struct kit *kit)
{
    kit_start(kit, 1, &lasting);
    wait_started(kit, 1);
    expect_declared(kit);
    kit_stop(kit, 1);
    wait_ended(kit, 1);
    expect_declared(kit);
}

static void nodes_are_the_same_after_a_restart(struct kit *kit)
{
    kit_restart(kit);
    expect_declared(kit);
}

static void nodes_may_have_odd_names(struct kit *kit)
{
    kit->node[0].name = "gpu-node_1.example-\xc3\xa4";
    kit->node[1].name = "2";
    kit_restart(kit);
    expect_declared(kit);
}

static void nodes_may_have_no_gpu(struct kit *kit)
{
    kit->node[1].gpus = 0;
    kit_restart(kit);
    expect_declared(kit);
}

static void set_states(struct kit *kit, enum bl_node_state state)
{
    for (int32_t i = 0; i < KIT_NODES; i++) {
        bl_cluster_set_state(&kit->cluster, i, state);
    }
}

static void what_runs_on_a_drained_node_runs_on(struct kit *kit)
{
    kit_start(kit, 1, &lasting);
    wait_started(kit, 1);
    set_states(kit, BL_NODE_DRAINED);
    settle(kit);
    expect_story(kit, 1, "started");
    kit_stop(kit, 1);
    wait_ended(kit, 1);
    expect_in_the_end(kit, 1, "started; signalled 15");
}

static void what_runs_on_a_node_that_is_down_in_the_books_can_be_stopped(struct kit *kit)
{
    kit_start(kit, 1, &lasting);
    wait_started(kit, 1);
    set_states(kit, BL_NODE_DOWN);
    kit_stop(kit, 1);
    wait_ended(kit, 1);
    expect_in_the_end(kit, 1, "started; signalled 15");
}

/* The books know a node that the engine does not have (any more). */
static void rename_in_the_books(struct kit *kit)
{
    bl_cluster_finish(&kit->cluster);
    for (int i = 0; i < KIT_NODES; i++) {
        struct bl_node_spec node = kit->node[i];

        node.name = i ? "other2" : "other1";
        assert_true(bl_cluster_add_node(&kit->cluster, &node) >= 0);
    }
}

static void a_start_on_a_node_that_is_gone_fails(struct kit *kit)
{
    rename_in_the_books(kit);
    kit_start(kit, 1, &brief);
    kit_wait(kit, BL_EVENT_JOB_START_FAILED, 1);
    expect_story(kit, 1, "failed spec 22");
}

static void what_runs_on_a_node_that_is_gone_is_taken_over(struct kit *kit)
{
    kit_start(kit, 1, &lasting);
    wait_started(kit, 1);
    kit_restart(kit);
    rename_in_the_books(kit);
    kit_adopt(kit, 1, &lasting);
    kit_stop(kit, 1);
    wait_ended(kit, 1);
    expect_story(kit, 1, "started; signalled 15");
}

const struct conformance_case conformance_nodes[] = {
    CASE(declared_nodes_are_the_nodes, 0),
    CASE(asking_for_the_nodes_twice_gives_the_same, 0),
    CASE(jobs_take_nothing_from_what_nodes_are, 0),
    CASE(nodes_are_the_same_after_a_restart, 0),
    CASE(nodes_may_have_odd_names, 0),
    CASE(nodes_may_have_no_gpu, 0),
    CASE(what_runs_on_a_drained_node_runs_on, 0),
    CASE(what_runs_on_a_node_that_is_down_in_the_books_can_be_stopped, 0),
    CASE(a_start_on_a_node_that_is_gone_fails, NEEDS_REFUSAL),
    CASE(what_runs_on_a_node_that_is_gone_is_taken_over, NEEDS_RESTART),
    {0},
};
