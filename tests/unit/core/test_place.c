#include "bl_test.h"
#include "scene.h"

/* Jobs are submitted in turn; the last one's place is what is expected ("-" = it waits). */
static void jobs_are_placed_by_best_fit_and_kept_together(void **state)
{
    static const struct {
        const char *nodes;
        const char *jobs[4];
        const char *where;
    } rows[] = {
        {"2x8:A100", {"gpus=1"}, "n1:0"},
        {"2x8:A100", {"gpus=6", "gpus=4", "gpus=2"}, "n1:6,7"},
        {"1x8:A100 1x4:V100", {"gpus=3"}, "n2:0,1,2"},
        {"1x8:A100 1x4:V100", {"gpus=3 type=A100"}, "n1:0,1,2"},
        {"1x8:A100 1x4:V100", {"gpus=3 type=H100"}, "-"},
        {"2x8:A100", {"gpus=12"}, "n1:0,1,2,3,4,5,6,7 n2:0,1,2,3"},
        {"2x8:A100", {"gpus=12 nodes=1"}, "-"},
        {"3x4:A100", {"gpus=12 nodes=2"}, "-"},
        {"3x4:A100", {"gpus=12 nodes=3"}, "n1:0,1,2,3 n2:0,1,2,3 n3:0,1,2,3"},
        {"1x8:A100 1x4:V100", {"gpus=10"}, "-"}, /* never of two types */
        {"1x2:V100 2x4:A100", {"gpus=6"}, "n2:0,1,2,3 n3:0,1"},
        {"1x8:A100", {"gpus=8", "gpus=1"}, "-"},
        {"1x8:A100", {"gpus=0 cpus=128", "gpus=1 cpus=1"}, "-"},
        {"1x8:A100", {"gpus=0 cpus=100", "gpus=1 cpus=28"}, "n1:0"},
        {"1x8:A100", {"gpus=0 mem=1024GiB", "gpus=1 mem=1B"}, "-"},
        {"2x8:A100", {"gpus=0 cpus=96", "gpus=16 cpus=128"}, "-"},
        {"2x8:A100",
         {"gpus=0 cpus=64", "gpus=16 cpus=128"},
         "n1:0,1,2,3,4,5,6,7 n2:0,1,2,3,4,5,6,7"},
        {"1x1000c", {"gpus=999"}, "n1:x999"},
        {"1x8:A100 1x0", {"gpus=0 cpus=1"}, "n2:"},
        {"1x8:A100", {"gpus=1 pool=other"}, "-"},
        {"1x8:A100", {"gpus=1 pool=default"}, "n1:0"},
        {"1x64:A100", {"gpus=1", "gpus=63"}, NULL},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene s = scene_new(rows[i].nodes, "fifo");
        bl_job_id last = 0;
        const char *where;

        for (int j = 0; j < 4 && rows[i].jobs[j]; j++) {
            char line[128];

            snprintf(line, sizeof line, "t=0 submit id=%d %s", ++last ? (int)last : 0,
                     rows[i].jobs[j]);
            scene_event(&s, line);
        }
        where = strcmp(scene_state(&s, last), "running") == 0 ? scene_where(&s, last) : "-";
        if (rows[i].where && strcmp(where, rows[i].where) != 0) {
            fail_msg("row %zu (%s; %s …): %s, expected %s", i, rows[i].nodes, rows[i].jobs[0],
                     where, rows[i].where);
        }
        if (!rows[i].where) {
            assert_int_equal(bl_core_cluster(s.core)->free.amount[BL_RESOURCE_GPU], 0);
        }
        scene_free(&s);
    }
}

static void flat_amounts_of_a_spread_job_are_shared_out_by_gpus(void **state)
{
    struct scene s = scene_new("2x4:A100", "fifo");
    const struct bl_alloc *alloc;

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=6 cpus=9 mem=12GiB");
    alloc = &bl_core_find_job(s.core, 1)->alloc;
    assert_int_equal(alloc->part_count, 2);
    assert_int_equal(alloc->many[0].cpu_milli, 6000);
    assert_int_equal(alloc->many[1].cpu_milli, 3000);
    assert_int_equal(alloc->many[0].mem_bytes, INT64_C(8) << 30);
    scene_free(&s);
}

/* Others may have taken more than there is of what the job does not ask for. */
static void less_than_nothing_of_what_is_not_asked_for_is_no_obstacle(void **state)
{
    struct scene s = scene_new("2x4:A100", "fifo");
    struct bl_arena arena = {0};
    struct bl_free plan = bl_free_copy(bl_core_cluster(s.core), &arena);
    struct bl_job job = {.pool = -1, .spec = {.gpus_min = 2, .gpus_want = 2, .gpus_max = 2}};
    struct bl_alloc alloc = {0};

    (void)state;
    plan.node[0].amount[BL_RESOURCE_CPU] = -1;
    plan.node[1].amount[BL_RESOURCE_GPU] = 0;
    assert_true(bl_place_plan(&plan, &job, 2, &alloc));
    assert_int_equal(alloc.part_count, 1);
    assert_int_equal(alloc.single.node, 0);
    bl_alloc_finish(&alloc);
    bl_arena_finish(&arena);
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jobs_are_placed_by_best_fit_and_kept_together),
        cmocka_unit_test(flat_amounts_of_a_spread_job_are_shared_out_by_gpus),
        cmocka_unit_test(less_than_nothing_of_what_is_not_asked_for_is_no_obstacle),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
