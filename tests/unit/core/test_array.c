#include "bl_test.h"
#include "core/graph.h"
#include "scene.h"

static void A7_an_array_is_one_job_until_its_elements_start(void **state)
{
    struct scene s = scene_new("1x4:A100", "fifo");
    const struct bl_job *array_job;

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=1 array=0-99999");
    array_job = bl_core_find_job(s.core, 1);
    assert_int_equal(bl_core_job_count(s.core), 5);
    assert_int_equal(array_job->array->active, 4);
    assert_int_equal(bl_array_pending(array_job->array), 99996);
    assert_string_equal(scene_state(&s, 2), "running");
    assert_int_equal(bl_job_array_index(bl_core_find_job(s.core, 5)), 3);
    assert_string_equal(scene_state(&s, 1), "queued");
    scene_free(&s);
}

static void A7_no_more_elements_run_at_once_than_asked(void **state)
{
    struct scene s = scene_new("1x8:A100", "easy");

    (void)state;
    scene_event(&s, "t=0 submit id=10 gpus=1 run=1h limit=1h array=0-4%2");
    scene_event(&s, "t=0 submit id=30 gpus=8 run=1h limit=1h");
    assert_string_equal(scene_starts(&s), "11@0s 12@0s 13@1h 14@1h 15@2h 30@3h");
    assert_string_equal(scene_state(&s, 10), "completed");
    scene_free(&s);
}

static void an_array_ends_as_the_worst_of_its_elements(void **state)
{
    struct scene s = scene_new("1x2:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=1 array=5-6");
    scene_event(&s, "submit id=9 gpus=1 after=1:ok");
    scene_event(&s, "submit id=10 gpus=1 after=1:fail");
    scene_event(&s, "end id=2 code=0");
    assert_string_equal(scene_state(&s, 9), "waiting");
    scene_event(&s, "end id=3 code=1");
    assert_string_equal(scene_state(&s, 1), "failed");
    assert_string_equal(scene_state(&s, 9), "cancelled");
    assert_string_equal(scene_state(&s, 10), "running");
    scene_free(&s);
}

static void A7_elements_wait_for_their_counterparts(void **state)
{
    struct scene s = scene_new("1x4:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=1 array=0-2");
    scene_event(&s, "submit id=10 gpus=1 array=0-2 after=1:each");
    scene_event(&s, "submit id=20 gpus=1 array=0-2 after=10:each");
    assert_string_equal(scene_state(&s, 10), "queued");
    scene_event(&s, "end id=3 code=0");
    assert_string_equal(scene_state(&s, 12), "running");
    assert_string_equal(scene_state(&s, 11), "unknown");
    scene_event(&s, "end id=2 code=1");
    scene_event(&s, "end id=4 code=0");
    assert_string_equal(scene_state(&s, 13), "running");
    scene_event(&s, "end id=12 code=0");
    scene_event(&s, "end id=13 code=0");
    assert_string_equal(scene_state(&s, 10), "cancelled");
    scene_event(&s, "end id=22 code=0");
    scene_event(&s, "end id=23 code=0");
    assert_string_equal(scene_state(&s, 20), "cancelled");
    assert_int_equal(bl_core_find_job(s.core, 20)->array->ended_as[BL_JOB_COMPLETED], 2);
    scene_free(&s);
}

static void what_ended_before_an_array_came_counts_for_it(void **state)
{
    struct scene s = scene_new("1x4:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=1 array=0-1");
    scene_event(&s, "end id=2 code=0");
    scene_event(&s, "end id=3 code=7");
    scene_event(&s, "submit id=10 gpus=1 array=0-1 after=1:each");
    assert_string_equal(scene_state(&s, 11), "running");
    scene_event(&s, "end id=11 code=0");
    assert_string_equal(scene_state(&s, 10), "cancelled");
    scene_event(&s, "submit id=20 gpus=1 array=0-5 after=1:each");
    assert_string_equal(scene_state(&s, 20), "cancelled");
    scene_free(&s);
}

static void P22_cancelling_an_array_ends_what_runs_and_what_waits(void **state)
{
    struct scene s = scene_new("1x2:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=1 array=0-9");
    scene_event(&s, "end id=2 code=0");
    scene_event(&s, "cancel id=1");
    assert_string_equal(scene_state(&s, 3), "stopping");
    scene_event(&s, "end id=3 signal=15");
    scene_event(&s, "end id=4 signal=15");
    assert_string_equal(scene_state(&s, 1), "cancelled");
    assert_int_equal(bl_core_find_job(s.core, 1)->array->ended_as[BL_JOB_CANCELLED], 9);
    assert_int_equal(bl_core_cluster(s.core)->free.amount[BL_RESOURCE_GPU], 2);
    scene_free(&s);
}

static void an_element_can_be_retried_held_and_cancelled_by_itself(void **state)
{
    struct scene s = scene_new("1x2:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=2 retries=1 array=0-1");
    scene_event(&s, "end id=2 code=1");
    assert_string_equal(scene_state(&s, 2), "waiting");
    assert_string_equal(scene_state(&s, 3), "running");
    scene_event(&s, "hold id=2");
    scene_event(&s, "t=1h end id=3 code=0");
    assert_string_equal(scene_state(&s, 2), "held");
    scene_event(&s, "cancel id=2");
    assert_string_equal(scene_state(&s, 1), "cancelled");
    scene_free(&s);
}

static void a_held_array_starts_no_element(void **state)
{
    struct scene s = scene_new("1x2:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=1 array=0-9");
    scene_event(&s, "hold id=1");
    scene_event(&s, "end id=2 code=0");
    assert_string_equal(scene_state(&s, 4), "unknown");
    scene_event(&s, "release id=1");
    assert_string_equal(scene_state(&s, 4), "running");
    scene_free(&s);
}

static void indices_and_positions_lead_to_each_other(void **state)
{
    const struct bl_array_range ranges[] = {{1, 9, 4}, {20, 20, 1}, {0, 0, 1}};
    const struct bl_job_spec spec = {.array = ranges, .array_range_count = 3};
    const int32_t expected[] = {1, 5, 9, 20, 0};

    (void)state;
    assert_int_equal(bl_array_count(&spec), 5);
    for (int32_t i = 0; i < 5; i++) {
        assert_int_equal(bl_array_index(&spec, i), expected[i]);
        assert_int_equal(bl_array_position(&spec, expected[i]), i);
    }
    assert_int_equal(bl_array_position(&spec, 2), -1);
    assert_int_equal(bl_array_index(&spec, 5), -1);
}

static void A7_an_element_can_be_cancelled_before_it_starts(void **state)
{
    struct scene s = scene_new("1x1:A100", "fifo");
    const struct bl_array *array;

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=1 array=0-3");
    scene_event(&s, "t=0 submit id=10 gpus=1 array=0-3 after=1:each");
    array = bl_core_find_job(s.core, 1)->array;
    scene_event(&s, "cancel id=3");
    scene_event(&s, "cancel id=3");
    scene_event(&s, "cancel id=11");
    assert_int_equal(array->ended_as[BL_JOB_CANCELLED], 1);
    assert_int_equal(bl_array_pending(array), 2);
    scene_event(&s, "t=1h end id=2 code=0");
    assert_string_equal(scene_state(&s, 4), "running");
    scene_event(&s, "cancel id=5");
    scene_event(&s, "t=2h end id=4 code=0");
    assert_string_equal(scene_state(&s, 1), "cancelled");
    assert_string_equal(scene_state(&s, 13), "running");
    scene_event(&s, "t=3h end id=13 code=0");
    assert_string_equal(scene_state(&s, 10), "cancelled");
    assert_int_equal(bl_core_find_job(s.core, 10)->array->ended_as[BL_JOB_CANCELLED], 3);
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(A7_an_array_is_one_job_until_its_elements_start),
        cmocka_unit_test(A7_no_more_elements_run_at_once_than_asked),
        cmocka_unit_test(an_array_ends_as_the_worst_of_its_elements),
        cmocka_unit_test(A7_elements_wait_for_their_counterparts),
        cmocka_unit_test(what_ended_before_an_array_came_counts_for_it),
        cmocka_unit_test(P22_cancelling_an_array_ends_what_runs_and_what_waits),
        cmocka_unit_test(an_element_can_be_retried_held_and_cancelled_by_itself),
        cmocka_unit_test(a_held_array_starts_no_element),
        cmocka_unit_test(indices_and_positions_lead_to_each_other),
        cmocka_unit_test(A7_an_element_can_be_cancelled_before_it_starts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
