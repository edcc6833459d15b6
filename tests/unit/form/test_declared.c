#include "cluster_test.h"

static void declared_nodes_are_read(void **state)
{
    static const struct {
        const char *text;
        const char *node;
    } rows[] = {
        {"8xA100", "node3 8xA100 cpu=128000 mem=1TiB;"},
        {"8xA100:80GB", "node3 8xA100 gpu_mem=80GiB cpu=128000 mem=1TiB;"},
        {"8xA100:80GB,cpus=96,mem=1TB", "node3 8xA100 gpu_mem=80GiB cpu=96000 mem=1TiB;"},
        {"1xRTX,mem=64G,pool=small", "node3 1xRTX cpu=16000 mem=64GiB pool=small;"},
        {"cpus=8,mem=16G", "node3 0x- cpu=8000 mem=16GiB;"},
        {"64xx", "node3 64xx cpu=1024000 mem=8TiB;"},
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        struct bl_arena arena = {0};
        struct bl_node_spec node;
        struct bl_error err = {0};
        BL_AUTO_BUF printed = {0};

        if (bl_declared_parse(rows[i].text, 3, &arena, &node, &err) != BL_OK) {
            fail_msg("'%s' was refused: %s", rows[i].text, err.text);
        }
        cluster_print_node(&printed, &node);
        assert_string_equal(bl_buf_text(&printed), rows[i].node);
        bl_arena_finish(&arena);
    }
}

static void what_declares_no_node_is_refused(void **state)
{
    static const struct {
        const char *text;
        const char *message;
    } rows[] = {
        {"", "declared node '': expected a node like 8xA100"},
        {"8", "declared node '8': expected a node like 8xA100"},
        {"A100", "expected a node like 8xA100"},
        {"8x", "expected a node like 8xA100"},
        {"8x:80GB", "expected a node like 8xA100"},
        {"8xA 100", "expected a node like 8xA100"},
        {"8xA100:", "expected a size like"},
        {"8xA100:lots", "expected a size like 512M, 40GB or 1.5TiB, found 'lots'"},
        {"8xA100:2P", "expected at most 1PiB, found '2P'"},
        {"0xA100", "expected a whole number from 1 to 64, found '0'"},
        {"65xA100", "expected a whole number from 1 to 64, found '65'"},
        {"-1xA100", "expected a whole number from 1 to 64"},
        {"8xA100,", "expected cpus=N, mem=SIZE or pool=NAME, found ''"},
        {"8xA100,cpu=4", "expected cpus=N, mem=SIZE or pool=NAME, found 'cpu=4'"},
        {"8xA100,cpus=x", "expected a number like 4 or 1.5, found 'x'"},
        {"8xA100,cpus=1048577", "expected at most 1048576 CPUs"},
        {"8xA100,mem=2P", "expected at most 1PiB"},
        {"8xA100,pool=", "expected the name of a pool, found ''"},
        {"cpus=4", "expected cpus and mem, as the node has no GPU"},
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        struct bl_arena arena = {0};
        struct bl_node_spec node = {.name = "untouched"};
        struct bl_error err = {0};

        assert_int_equal(bl_declared_parse(rows[i].text, 1, &arena, &node, &err), BL_EINVAL);
        form_expect_message(&err, rows[i].message, rows[i].text);
        assert_string_equal(node.name, "untouched");
        bl_arena_finish(&arena);
    }
}

static void a_declared_text_over_the_ceiling_is_refused(void **state)
{
    char text[BL_CLUSTERSPEC_DECLARED_MAX + 2];
    struct bl_arena arena = {0};
    struct bl_node_spec node;

    (void)state;
    memset(text, 'A', sizeof text);
    memcpy(text, "8x", 2);
    text[BL_CLUSTERSPEC_DECLARED_MAX + 1] = '\0';
    assert_int_equal(bl_declared_parse(text, 1, &arena, &node, NULL), BL_ETOOBIG);
    text[BL_CLUSTERSPEC_DECLARED_MAX] = '\0';
    assert_int_equal(bl_declared_parse(text, 1, &arena, &node, NULL), BL_OK);
    bl_arena_finish(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(declared_nodes_are_read),
        cmocka_unit_test(what_declares_no_node_is_refused),
        cmocka_unit_test(a_declared_text_over_the_ceiling_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
