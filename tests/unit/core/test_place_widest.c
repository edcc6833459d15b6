#include "base/buf.h"
#include "bl_test.h"
#include "core/place.h"

/* Nodes of so many GPUs, of each of which some are taken. */
static void add_node(struct bl_cluster *cluster, const char *name, const char *type, int32_t gpus,
                     int32_t taken)
{
    struct bl_node_spec spec = {.name = name, .gpu_type = type, .gpus = gpus};
    int32_t node = bl_cluster_add_node(cluster, &spec);
    struct bl_alloc alloc = {1, {node, taken, (UINT64_C(1) << taken) - 1, 0, 0}, NULL};

    if (taken > 0) {
        bl_cluster_take(cluster, &alloc);
    }
}

/* "NODE:GPUS" of each part, in their order; "none". */
static const char *place(const struct bl_cluster *cluster, int32_t gpus, struct bl_buf *out)
{
    struct bl_job job = {.spec = {.gpus_min = gpus, .gpus_want = gpus, .gpus_max = gpus},
                         .pool = -1};
    struct bl_alloc alloc;

    if (!bl_place_widest(cluster, &job, gpus, &alloc)) {
        return "none";
    }
    assert_true(bl_cluster_can_take(cluster, &alloc));
    for (uint32_t i = 0; i < alloc.part_count; i++) {
        const struct bl_alloc_part *part = &bl_alloc_parts(&alloc)[i];

        bl_buf_printf(out, "%s%d:%d", i ? " " : "", part->node, part->gpus);
    }
    bl_alloc_finish(&alloc);
    return bl_buf_text(out);
}

static void the_emptiest_node_is_taken_first(void **state)
{
    static const struct {
        int32_t gpus;
        const char *parts;
    } rows[] = {{1, "1:1"}, {4, "1:4"}, {5, "1:4 2:1"}, {8, "1:4 2:3 0:1"}, {9, "none"}};
    struct bl_cluster cluster = {0};

    (void)state;
    add_node(&cluster, "a", "T4", 4, 3);
    add_node(&cluster, "b", "T4", 4, 0);
    add_node(&cluster, "c", "T4", 4, 1);
    add_node(&cluster, "d", "T4", 4, 4);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        BL_AUTO_BUF out = {0};

        assert_string_equal(place(&cluster, rows[i].gpus, &out), rows[i].parts);
    }
    bl_cluster_finish(&cluster);
}

static void gpu_types_are_not_mixed(void **state)
{
    static const struct {
        int32_t gpus;
        const char *parts;
    } rows[] = {{4, "0:4"}, {5, "2:5"}, {8, "2:8"}, {9, "none"}};
    struct bl_cluster cluster = {0};

    (void)state;
    add_node(&cluster, "a", "T4", 4, 0);
    add_node(&cluster, "b", "T4", 4, 0);
    add_node(&cluster, "c", "A100", 8, 0);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        BL_AUTO_BUF out = {0};

        assert_string_equal(place(&cluster, rows[i].gpus, &out), rows[i].parts);
    }
    bl_cluster_finish(&cluster);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_emptiest_node_is_taken_first),
        cmocka_unit_test(gpu_types_are_not_mixed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
