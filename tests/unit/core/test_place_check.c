#include "bl_test.h"
#include "scene.h"

static void P20_what_no_state_of_the_machine_can_hold_is_named(void **state)
{
    static const struct {
        const char *nodes;
        struct bl_job_spec spec;
        enum bl_misfit kind;
        int64_t most;
    } rows[] = {
        {"1x8:A100", {.gpus_want = 8, .gpus_max = 8}, BL_MISFIT_NONE, 0},
        {"1x8:A100", {.gpus_want = 9, .gpus_max = 9}, BL_MISFIT_GPUS, 8},
        {"2x8:A100", {.gpus_want = 9, .gpus_max = 9}, BL_MISFIT_NONE, 0},
        {"2x8:A100", {.gpus_want = 9, .gpus_max = 9, .nodes_max = 1}, BL_MISFIT_GPUS, 8},
        {"1x8:A100 1x4:V100", {.gpus_want = 12, .gpus_max = 12}, BL_MISFIT_GPUS, 8},
        {"1x8:A100",
         {.gpus_want = 1, .gpus_max = 1, .gpu_type = {"H100"}, .gpu_type_count = 1},
         BL_MISFIT_GPU_TYPE,
         0},
        {"1x8:A100",
         {.gpus_want = 1, .gpus_max = 1, .gpu_type = {"H100", "A100"}, .gpu_type_count = 2},
         BL_MISFIT_NONE,
         0},
        {"1x8:A100", {.gpus_want = 1, .gpus_max = 1, .pool = "x"}, BL_MISFIT_POOL, 0},
        {"1x8:A100",
         {.gpus_want = 1, .gpus_max = 1, .gpu_mem_bytes = INT64_C(81) << 30},
         BL_MISFIT_GPU_MEM,
         INT64_C(80) << 30},
        {"1x8:A100",
         {.gpus_want = 2, .gpus_max = 2, .cpu_milli = {129000, false}},
         BL_MISFIT_CPU,
         128000},
        {"1x8:A100",
         {.gpus_want = 2, .gpus_max = 2, .mem_bytes = {INT64_C(513) << 30, true}},
         BL_MISFIT_MEM,
         INT64_C(1024) << 30},
        {"1x8:A100", {.cpu_milli = {1000, false}}, BL_MISFIT_NONE, 0},
        {"", {.cpu_milli = {1000, false}}, BL_MISFIT_GPUS, 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene s = scene_new(rows[i].nodes, "fifo");
        struct bl_misfit_report report = bl_place_check(bl_core_cluster(s.core), &rows[i].spec);

        if (report.kind != rows[i].kind || report.most != rows[i].most) {
            fail_msg("row %zu: kind %d, most %lld", i, (int)report.kind, (long long)report.most);
        }
        scene_free(&s);
    }
}

static void a_full_or_drained_machine_is_no_misfit(void **state)
{
    struct scene s = scene_new("1x8:A100", "fifo");
    struct bl_job_spec spec = {.gpus_want = 8, .gpus_max = 8};

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=8");
    scene_event(&s, "t=0 node name=n1 state=drained");
    assert_int_equal(bl_place_check(bl_core_cluster(s.core), &spec).kind, BL_MISFIT_NONE);
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(P20_what_no_state_of_the_machine_can_hold_is_named),
        cmocka_unit_test(a_full_or_drained_machine_is_no_misfit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
