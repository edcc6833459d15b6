#include "engine/local_nodes.h"
#include "bl_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct bl_local_machine machine = {
    .name = "box", .cpu_milli = 64001, .mem_bytes = 1000};

static void add_gpu(struct bl_nvml_list *gpus, const char *name, int64_t gib)
{
    struct bl_nvml_gpu gpu = {.mem_bytes = gib << 30};

    snprintf(gpu.name, sizeof gpu.name, "%s", name);
    snprintf(gpu.uuid, sizeof gpu.uuid, "GPU-%zu", gpus->gpus.count);
    BL_VEC_PUSH(&gpus->gpus, gpu);
}

/* "box: 2xA100 [0 2] 32000; box-T4: 1xT4 [1] 32001" */
static void describe(const struct bl_local_nodes *nodes, struct bl_buf *out)
{
    for (size_t i = 0; i < nodes->count; i++) {
        const struct bl_node_spec *spec = &nodes->node[i].spec;

        bl_buf_printf(out, "%s%s: %dx%s [", i ? "; " : "", spec->name, spec->gpus,
                      spec->gpu_type ? spec->gpu_type : "-");
        for (int32_t gpu = 0; gpu < spec->gpus; gpu++) {
            bl_buf_printf(out, "%s%d", gpu ? " " : "", nodes->node[i].device[gpu]);
        }
        bl_buf_printf(out, "] %lld", (long long)spec->cpu_milli);
    }
}

static void expect_grouped(struct bl_nvml_list *gpus, const char *expected)
{
    struct bl_local_nodes nodes = {0};
    BL_AUTO_BUF text = {0};

    bl_local_nodes_group(gpus, &machine, &nodes);
    describe(&nodes, &text);
    assert_string_equal(bl_buf_text(&text), expected);
    bl_local_nodes_finish(&nodes);
    bl_nvml_list_finish(gpus);
}

static void a_machine_of_one_model_is_one_node_with_all_it_has(void **state)
{
    struct bl_nvml_list gpus = {0};

    (void)state;
    add_gpu(&gpus, "NVIDIA H200", 140);
    add_gpu(&gpus, "NVIDIA H200", 140);
    expect_grouped(&gpus, "box: 2xH200 [0 1] 64001");
}

static void P2_each_model_of_a_mixed_machine_is_a_node_with_its_own_numbers(void **state)
{
    struct bl_nvml_list gpus = {0};

    (void)state;
    add_gpu(&gpus, "NVIDIA A100-SXM4-80GB", 80);
    add_gpu(&gpus, "NVIDIA GeForce RTX 4090", 24);
    add_gpu(&gpus, "NVIDIA A100-SXM4-80GB", 80);
    add_gpu(&gpus, "NVIDIA A100-SXM4-40GB", 40);
    expect_grouped(&gpus, "box: 2xA100 [0 2] 32000; box-RTX4090: 1xRTX4090 [1] 16000; "
                          "box-A100: 1xA100 [3] 16001");
}

static void two_sizes_of_one_model_get_distinct_names(void **state)
{
    struct bl_nvml_list gpus = {0};

    (void)state;
    add_gpu(&gpus, "NVIDIA T4", 16);
    add_gpu(&gpus, "NVIDIA A100-SXM4-80GB", 80);
    add_gpu(&gpus, "NVIDIA A100-SXM4-40GB", 40);
    expect_grouped(&gpus, "box: 1xT4 [0] 21333; box-A100: 1xA100 [1] 21333; "
                          "box-A100-40G: 1xA100 [2] 21335");
}

static void a_machine_without_gpus_is_one_node_without_gpus(void **state)
{
    struct bl_nvml_list gpus = {0};

    (void)state;
    expect_grouped(&gpus, "box: 0x- [] 64001");
}

static void this_machine_has_at_least_one_node_with_cpus_and_memory(void **state)
{
    struct bl_local_nodes nodes = {0};

    (void)state;
    bl_local_nodes_find(&nodes);
    assert_true(nodes.count >= 1);
    assert_true(nodes.node[0].spec.cpu_milli >= 1000);
    assert_true(nodes.node[0].spec.mem_bytes > INT64_C(1) << 20);
    assert_true(strlen(nodes.node[0].spec.name) > 0);
    bl_local_nodes_finish(&nodes);
}

static void declare(struct bl_local_nodes *nodes)
{
    struct bl_node_spec node[3] = {{.name = "a", .gpu_type = "A100", .gpus = 2, .pool = "p"},
                                   {.name = "b", .gpus = 0},
                                   {.name = "c", .gpu_type = "T4", .gpus = 64}};
    struct bl_clusterspec declared = {.node = node, .node_count = 3};

    assert_int_equal(bl_local_nodes_declare(&declared, nodes, NULL), BL_OK);
}

static void declared_nodes_number_their_gpus_one_after_another(void **state)
{
    struct bl_local_nodes nodes = {0};

    (void)state;
    declare(&nodes);
    assert_int_equal(nodes.node[0].device[1], 1);
    assert_int_equal(nodes.node[2].device[0], 2);
    assert_int_equal(nodes.node[2].device[63], 65);
    assert_string_equal(nodes.node[2].uuid[63], "GPU-declared-c-63");
    assert_string_equal(nodes.node[0].spec.pool, "p");
    bl_local_nodes_finish(&nodes);
}

static void only_gpus_that_were_found_are_known_to_the_driver(void **state)
{
    struct bl_nvml_list gpus = {0};
    struct bl_local_nodes nodes;

    (void)state;
    add_gpu(&gpus, "NVIDIA H200", 141);
    add_gpu(&gpus, "NVIDIA H200", 141);
    bl_local_nodes_group(&gpus, &machine, &nodes);
    assert_string_equal(bl_local_nodes_uuid(&nodes, "box", 1), "GPU-1");
    assert_null(bl_local_nodes_uuid(&nodes, "box", 2));
    assert_null(bl_local_nodes_uuid(&nodes, "box", -1));
    assert_null(bl_local_nodes_uuid(&nodes, "fox", 0));
    bl_nvml_list_finish(&gpus);
    bl_local_nodes_finish(&nodes);
    declare(&nodes);
    assert_null(bl_local_nodes_uuid(&nodes, "c", 0));
    bl_local_nodes_finish(&nodes);
}

static void gpus_that_are_only_counted_are_refused_with_the_way_out(void **state)
{
    struct bl_node_spec rows[] = {{.name = "n", .gpus = 65},
                                  {.name = "n", .gpus = 4, .counted = true}};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct bl_clusterspec declared = {.node = &rows[i], .node_count = 1};
        struct bl_local_nodes nodes = {0};
        struct bl_error err = {0};

        assert_int_equal(bl_local_nodes_declare(&declared, &nodes, &err), BL_EINVAL);
        assert_non_null(strstr(err.text, "declare several nodes"));
        assert_string_equal(err.field, "declared");
    }
}

static void add_to_cluster(const struct bl_local_nodes *nodes, struct bl_cluster *cluster)
{
    for (size_t i = 0; i < nodes->count; i++) {
        assert_int_equal(bl_cluster_add_node(cluster, &nodes->node[i].spec), i);
    }
}

static void an_allocation_over_nodes_becomes_devices_in_order(void **state)
{
    struct bl_alloc_part parts[] = {{.node = 2, .gpus = 2, .gpu_mask = (UINT64_C(1) << 63) | 2},
                                    {.node = 0, .gpus = 1, .gpu_mask = 2}};
    struct bl_alloc alloc = {.part_count = 2, .many = parts};
    struct bl_cluster cluster = {0};
    struct bl_local_nodes nodes = {0};
    bl_local_devices devices = {0};

    (void)state;
    declare(&nodes);
    add_to_cluster(&nodes, &cluster);
    assert_int_equal(bl_local_nodes_resolve(&nodes, &cluster, &alloc, &devices, NULL), BL_OK);
    assert_int_equal(devices.count, 3);
    assert_int_equal(devices.at[0].number, 1);
    assert_int_equal(devices.at[1].number, 3);
    assert_int_equal(devices.at[2].number, 65);
    assert_string_equal(devices.at[2].node, "c");
    assert_int_equal(devices.at[2].gpu, 63);
    BL_VEC_FINISH(&devices);
    bl_cluster_finish(&cluster);
    bl_local_nodes_finish(&nodes);
}

static void a_node_or_gpu_that_is_not_here_is_an_error(void **state)
{
    static const struct {
        int32_t node;
        uint64_t mask;
        const char *text;
    } rows[] = {{0, 4, "node a has no GPU 2"}, {3, 1, "node far is not a node of this machine"}};
    struct bl_node_spec far = {.name = "far", .gpus = 1};
    struct bl_cluster cluster = {0};
    struct bl_local_nodes nodes = {0};

    (void)state;
    declare(&nodes);
    add_to_cluster(&nodes, &cluster);
    bl_cluster_add_node(&cluster, &far);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_alloc alloc = {
            .part_count = 1, .single = {.node = rows[i].node, .gpus = 1, .gpu_mask = rows[i].mask}};
        bl_local_devices devices = {0};
        struct bl_error err = {0};

        assert_int_equal(bl_local_nodes_resolve(&nodes, &cluster, &alloc, &devices, &err),
                         BL_ENOTFOUND);
        assert_string_equal(err.text, rows[i].text);
        BL_VEC_FINISH(&devices);
    }
    bl_cluster_finish(&cluster);
    bl_local_nodes_finish(&nodes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_machine_of_one_model_is_one_node_with_all_it_has),
        cmocka_unit_test(P2_each_model_of_a_mixed_machine_is_a_node_with_its_own_numbers),
        cmocka_unit_test(two_sizes_of_one_model_get_distinct_names),
        cmocka_unit_test(a_machine_without_gpus_is_one_node_without_gpus),
        cmocka_unit_test(this_machine_has_at_least_one_node_with_cpus_and_memory),
        cmocka_unit_test(only_gpus_that_were_found_are_known_to_the_driver),
        cmocka_unit_test(declared_nodes_number_their_gpus_one_after_another),
        cmocka_unit_test(gpus_that_are_only_counted_are_refused_with_the_way_out),
        cmocka_unit_test(an_allocation_over_nodes_becomes_devices_in_order),
        cmocka_unit_test(a_node_or_gpu_that_is_not_here_is_an_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
