#include "form_test.h"

#include "form/record.h"

static void add_node(struct bl_cluster *cluster, const char *name, int32_t gpus, bool counted)
{
    const struct bl_node_spec spec = {
        .name = name, .gpus = gpus, .counted = counted, .cpu_milli = 64000, .mem_bytes = 1 << 30};

    assert_true(bl_cluster_add_node(cluster, &spec) >= 0);
}

static void a_start_tells_its_reason_and_every_part_of_the_allocation(void **state)
{
    struct bl_cluster cluster = {0};
    struct bl_alloc_part parts[] = {
        {.node = 1, .gpus = 2, .gpu_mask = (UINT64_C(1) << 63) | 1, .cpu_milli = 500},
        {.node = 0, .gpus = 100, .mem_bytes = 7},
        {.node = 1, .cpu_milli = 1},
    };
    struct bl_alloc alloc = {.part_count = 3, .many = parts};
    struct bl_action action = {.kind = BL_ACTION_START,
                               .job = 12,
                               .attempt = 2,
                               .reason = {BL_REASON_BEFORE_SHADOW, .job = 7, .at = 1500000},
                               .alloc = &alloc};
    BL_AUTO_BUF out = {0};

    (void)state;
    add_node(&cluster, "slots", 1000, true);
    add_node(&cluster, "n1", 64, false);
    bl_record_write_action(&out, 250000, &action, &cluster);
    assert_string_equal(
        bl_buf_text(&out),
        "{\"action\":\"start\",\"at\":0.25,\"job\":12,\"attempt\":2,\"reason\":{\"code\":"
        "\"before_shadow\",\"job\":7,\"at\":1.5},\"where\":["
        "{\"node\":\"n1\",\"gpus\":[0,63],\"gpu_count\":2,\"cpu_milli\":500,\"mem_bytes\":0},"
        "{\"node\":\"slots\",\"gpus\":null,\"gpu_count\":100,\"cpu_milli\":0,\"mem_bytes\":7},"
        "{\"node\":\"n1\",\"gpus\":[],\"gpu_count\":0,\"cpu_milli\":1,\"mem_bytes\":0}]}\n");
    bl_cluster_finish(&cluster);
}

static void a_stop_has_no_place_and_never_is_null(void **state)
{
    struct bl_cluster cluster = {0};
    struct bl_action action = {
        .kind = BL_ACTION_STOP,
        .job = 3,
        .attempt = 1,
        .reason = {BL_REASON_RESOURCES, .need = 4, .have = 2, .at = BL_TIME_NEVER}};
    BL_AUTO_BUF out = {0};

    (void)state;
    bl_record_write_action(&out, 2 * BL_SECOND, &action, &cluster);
    assert_string_equal(bl_buf_text(&out),
                        "{\"action\":\"stop\",\"at\":2,\"job\":3,\"attempt\":1,\"reason\":{"
                        "\"code\":\"resources\",\"need\":4,\"have\":2,\"at\":null}}\n");
}

static void a_signal_tells_which_and_to_whom(void **state)
{
    struct bl_cluster cluster = {0};
    struct bl_action action = {.kind = BL_ACTION_SIGNAL,
                               .job = 3,
                               .attempt = 1,
                               .reason = {BL_REASON_TIME_LIMIT, .at = BL_HOUR},
                               .signal = 10,
                               .shell_only = true};
    BL_AUTO_BUF out = {0};

    (void)state;
    bl_record_write_action(&out, 2 * BL_SECOND, &action, &cluster);
    assert_string_equal(bl_buf_text(&out),
                        "{\"action\":\"signal\",\"at\":2,\"job\":3,\"attempt\":1,\"reason\":{"
                        "\"code\":\"time_limit\",\"at\":3600},\"signal\":10,"
                        "\"shell_only\":true}\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_start_tells_its_reason_and_every_part_of_the_allocation),
        cmocka_unit_test(a_stop_has_no_place_and_never_is_null),
        cmocka_unit_test(a_signal_tells_which_and_to_whom),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
