#include "bl_test.h"
#include "core/job.h"

static void every_word_leads_back_to_its_value(void **state)
{
    (void)state;
    for (int i = 0; i < BL_JOB_STATE_COUNT; i++) {
        assert_int_equal(bl_job_state_find(bl_job_state_name((enum bl_job_state)i)), i);
    }
    for (int i = 0; i < BL_CLASS_COUNT; i++) {
        assert_int_equal(bl_job_class_find(bl_job_class_name((enum bl_job_class)i)), i);
    }
    for (int i = 0; i < BL_KIND_COUNT; i++) {
        assert_int_equal(bl_job_kind_find(bl_job_kind_name((enum bl_job_kind)i)), i);
    }
    for (int i = 0; i < BL_AFTER_COUNT; i++) {
        assert_int_equal(
            bl_dependency_kind_find(bl_dependency_kind_name((enum bl_dependency_kind)i)), i);
    }
    assert_int_equal(bl_job_state_find("asleep"), -1);
}

static void an_ended_job_never_changes_and_no_job_is_both_active_and_ended(void **state)
{
    (void)state;
    for (int from = 0; from < BL_JOB_STATE_COUNT; from++) {
        assert_false(bl_job_state_is_active((enum bl_job_state)from) &&
                     bl_job_state_is_ended((enum bl_job_state)from));
        for (int to = 0; to < BL_JOB_STATE_COUNT; to++) {
            if (bl_job_state_is_ended((enum bl_job_state)from)) {
                assert_false(
                    bl_job_state_may_become((enum bl_job_state)from, (enum bl_job_state)to));
            }
        }
    }
    assert_true(bl_job_state_may_become(BL_JOB_QUEUED, BL_JOB_STARTING));
    assert_false(bl_job_state_may_become(BL_JOB_QUEUED, BL_JOB_RUNNING));
}

static void amounts_are_flat_or_per_gpu(void **state)
{
    struct bl_job_spec spec = {.cpu_milli = {2000, true}, .mem_bytes = {7, false}};
    struct bl_resources need = bl_job_need(&spec, 4);

    (void)state;
    assert_int_equal(need.amount[BL_RESOURCE_GPU], 4);
    assert_int_equal(need.amount[BL_RESOURCE_CPU], 8000);
    assert_int_equal(need.amount[BL_RESOURCE_MEM], 7);
}

static void run_time_follows_the_curve(void **state)
{
    const struct bl_curve_point points[] = {{2, 1.0}, {4, 1.5}, {8, 3.0}};
    const struct {
        struct bl_curve curve;
        int32_t gpus;
        bl_time expected;
    } rows[] = {
        {{.kind = BL_CURVE_FLAT}, 8, BL_HOUR},
        {{.kind = BL_CURVE_EFFICIENCY, .efficiency = 1.0}, 4, BL_HOUR / 2},
        {{.kind = BL_CURVE_EFFICIENCY, .efficiency = 0.5}, 4, 2 * BL_HOUR / 3},
        {{.kind = BL_CURVE_POINTS, .point_count = 3, .point = points}, 4, 2 * BL_HOUR / 3},
        {{.kind = BL_CURVE_POINTS, .point_count = 3, .point = points}, 6, 4 * BL_HOUR / 9},
        {{.kind = BL_CURVE_POINTS, .point_count = 3, .point = points}, 16, BL_HOUR / 3},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_job_spec spec = {.gpus_min = 2, .work = BL_HOUR, .curve = rows[i].curve};

        assert_int_equal(bl_job_run_time(&spec, rows[i].gpus), rows[i].expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_word_leads_back_to_its_value),
        cmocka_unit_test(an_ended_job_never_changes_and_no_job_is_both_active_and_ended),
        cmocka_unit_test(amounts_are_flat_or_per_gpu),
        cmocka_unit_test(run_time_follows_the_curve),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
