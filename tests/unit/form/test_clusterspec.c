#include "cluster_test.h"

static void cluster_files_become_nodes(void **state)
{
    static const struct {
        const char *yaml;
        const char *nodes;
    } rows[] = {
        {"nodes:\n"
         "  - {name: 'n[1-2]', gpus: {type: A100, count: 8, mem: 80GB}, cpus: 96, mem: 1TB, pool: "
         "main, price: 12.5, spot: yes}\n"
         "  - {name: c1, cpus: 1.5, mem: 2G}\n",
         "n1 8xA100 gpu_mem=80GiB cpu=96000 mem=1TiB pool=main price=12500000 spot;"
         "n2 8xA100 gpu_mem=80GiB cpu=96000 mem=1TiB pool=main price=12500000 spot;"
         "c1 0x- cpu=1500 mem=2GiB;"},
        {"nodes: [{name: a, gpus: {count: 2}}]", "a 2x- cpu=32000 mem=256GiB;"},
        {"nodes: [{name: a, gpus: 4, spot: no, pool: ~}]", "a 4x- cpu=64000 mem=512GiB;"},
        {"[{name: a, gpus: 1, cpus: 0, mem: 0}]", "a 1x- cpu=0 mem=0B;"},
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        struct form_text text;
        struct bl_clusterspec cluster = {0};
        BL_AUTO_BUF printed = {0};

        form_read_yaml(&text, rows[i].yaml);
        if (bl_clusterspec_read(&text.source, text.tree, &text.arena, &cluster, &text.err)) {
            fail_msg("'%s' was refused: %s", rows[i].yaml, text.err.text);
        }
        for (size_t j = 0; j < cluster.node_count; j++) {
            cluster_print_node(&printed, &cluster.node[j]);
        }
        assert_string_equal(bl_buf_text(&printed), rows[i].nodes);
        form_finish(&text);
    }
}

static void expect_refusal(const char *yaml, const char *message)
{
    struct form_text text;
    struct bl_clusterspec cluster = {0};

    form_read_yaml(&text, yaml);
    assert_non_null(text.tree);
    assert_int_not_equal(
        bl_clusterspec_read(&text.source, text.tree, &text.arena, &cluster, &text.err), BL_OK);
    form_expect_message(&text.err, message, yaml);
    assert_null(cluster.node);
    form_finish(&text);
}

static void refused_clusters_are_told_where_and_why(void **state)
{
    static const struct {
        const char *yaml;
        const char *message;
    } rows[] = {
        {"{}", "test:1: expected nodes, a list of at least one node"},
        {"nodes: []", "expected nodes, a list of at least one node"},
        {"nodes: {a: 1}", "expected nodes, a list of at least one node"},
        {"nodse: []", "test:1: nodse: unknown key, did you mean 'nodes'?"},
        {"word", "expected a map of keys and values, found a text"},
        {"nodes:\n- {name: a, gpus: 1}\n- {nam: b}\n", "test:3: nam: unknown key, did you mean"},
        {"nodes: [x]", "expected a map of keys and values, found a text"},
        {"nodes: [{gpus: 1}]", "expected name, the node's name"},
        {"nodes: [{name: [a], gpus: 1}]", "expected name, the node's name"},
        {"nodes: [{name: 'n[1-', gpus: 1}]", "name: expected a name like n1, n[1-4]"},
        {"nodes:\n- {name: 'n[1-9]', gpus: 1}\n- {name: n7, gpus: 1}\n",
         "test:3: name: the node 'n7' is given twice"},
        {"nodes: [{name: a}]", "expected cpus and mem, as the node has no GPU"},
        {"nodes: [{name: a, cpus: 1}]", "expected cpus and mem, as the node has no GPU"},
        {"nodes: [{name: a, gpus: {type: A100}}]", "gpus: expected count, the number of GPUs"},
        {"nodes: [{name: a, gpus: 65}]", "gpus: expected a whole number from 0 to 64, found '65'"},
        {"nodes: [{name: a, gpus: {count: -1}}]", "count: expected a whole number from 0 to 64"},
        {"nodes: [{name: a, gpus: {count: 1, mem: 2P}}]", "mem: expected at most 1PiB"},
        {"nodes: [{name: a, gpus: {count: 1, tpye: x}}]", "tpye: unknown key"},
        {"nodes: [{name: a, gpus: [1]}]", "gpus: expected a map of keys and values, found a list"},
        {"nodes: [{name: a, gpus: 1, cpus: x}]", "cpus: expected a number like 4 or 1.5"},
        {"nodes: [{name: a, gpus: 1, cpus: 1048577}]", "cpus: expected at most 1048576 CPUs"},
        {"nodes: [{name: a, gpus: 1, cpus: [1]}]", "cpus: expected a number of CPUs, found"},
        {"nodes: [{name: a, gpus: 1, mem: 2P}]", "mem: expected at most 1PiB, found '2P'"},
        {"nodes: [{name: 'n[1-2000]', gpus: 1, mem: 1P}]",
         "the nodes have more than 1024PiB of memory together"},
        {"nodes: [{name: a, gpus: 1, price: -1}]", "price: expected a number like"},
        {"nodes: [{name: a, gpus: 1, price: [1]}]", "price: expected a price per hour like 12.5"},
        {"nodes: [{name: a, gpus: 1, spot: maybe}]", "spot: expected one of no, yes, false, true"},
        {"nodes: [{name: a, gpus: 1, pool: ''}]", "pool: expected a name of 1 to 255 bytes"},
        {"nodes: [{name: a, gpus: 1, labels: {x: y}}]", "labels: labels is not supported by this"},
        {"nodes: [{name: a, gpus: 1, data: [x]}]", "data: data is not supported by this version"},
        {"nodes: [{name: a, gpus: 1, at: row1}]", "at: at is not supported by this version yet"},
        {"nodes: [{name: 'n[1-1048577]', gpus: 1}]", "name: expected at most 1048576 names"},
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        expect_refusal(rows[i].yaml, rows[i].message);
    }
}

static void expect_distinct(const char *format_head, int count, const char *message)
{
    BL_AUTO_BUF yaml = {0};
    struct form_text text;
    struct bl_clusterspec cluster = {0};
    int status;

    for (int i = 0; i < count; i++) {
        bl_buf_printf(&yaml, "- {name: n%d, %s%d}%s\n", i, format_head, i,
                      strchr(format_head, '{') ? "}" : "");
    }
    form_read_yaml(&text, bl_buf_text(&yaml));
    assert_non_null(text.tree);
    status = bl_clusterspec_read(&text.source, text.tree, &text.arena, &cluster, &text.err);
    assert_int_equal(status, message ? BL_EINVAL : BL_OK);
    if (message) {
        form_expect_message(&text.err, message, format_head);
    }
    form_finish(&text);
}

static void the_tables_of_types_and_pools_have_ceilings(void **state)
{
    (void)state;
    expect_distinct("gpus: {count: 1, type: t", BL_GPU_TYPES_MAX, NULL);
    expect_distinct("gpus: {count: 1, type: t", BL_GPU_TYPES_MAX + 1,
                    "expected at most 64 types of GPU");
    expect_distinct("gpus: 1, pool: p", BL_POOLS_MAX, NULL);
    expect_distinct("gpus: 1, pool: p", BL_POOLS_MAX + 1, "expected at most 64 pools");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cluster_files_become_nodes),
        cmocka_unit_test(refused_clusters_are_told_where_and_why),
        cmocka_unit_test(the_tables_of_types_and_pools_have_ceilings),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
