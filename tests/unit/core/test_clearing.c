#include "core/saves.h"

#include "bl_test.h"
#include "scene.h"

static void P14_lent_gpus_are_cleared_in_time_by_who_may_be_preempted(void **state)
{
    struct scene s = scene_new("1x4:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 reserve id=1 gpus=4 from=2h for=1h");
    scene_event(&s, "t=0 submit id=1 gpus=2 class=preemptible");
    scene_event(&s, "t=0 submit id=2 gpus=2 limit=2h run=2h");
    assert_string_equal(scene_where(&s, 1), "n1:0,1");
    assert_int_equal(bl_core_next_wake(s.core), 2 * BL_HOUR - BL_SAVE_GRACE);
    scene_event(&s, "t=1h59m30s round");
    assert_string_equal(scene_state(&s, 1), "stopping");
    assert_string_equal(scene_why_word(&s, 1), "preempted");
    assert_int_equal(scene_why(&s, 1).job, 1);
    assert_int_equal(scene_why(&s, 1).at, 2 * BL_HOUR);
    assert_string_equal(scene_booking(&s, 1), "1 clearing 2h-3h n1:0,1,2,3");
    scene_event(&s, "t=1h59m50s end id=1 code=85");
    assert_string_equal(scene_state(&s, 1), "queued");
    scene_event(&s, "t=2h round");
    assert_string_equal(scene_state(&s, 2), "completed");
    assert_string_equal(scene_booking(&s, 1), "1 active 2h-3h n1:0,1,2,3");
    scene_event(&s, "t=3h round");
    assert_string_equal(scene_state(&s, 1), "running");
    scene_free(&s);
}

static void the_lead_is_what_saving_took_before(void **state)
{
    struct scene s = scene_new("1x2:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 reserve id=1 gpus=2 from=2h for=1h every=10h times=2");
    scene_event(&s, "t=0 submit id=1 gpus=2 class=preemptible warn=1m");
    scene_event(&s, "t=1h58m30s round");
    assert_string_equal(scene_state(&s, 1), "stopping");
    scene_event(&s, "t=1h58m42s end id=1 code=85");
    assert_string_equal(scene_state(&s, 1), "running");
    scene_event(&s, "t=1h59m48s round");
    assert_string_equal(scene_state(&s, 1), "stopping");
    scene_event(&s, "t=1h59m55s end id=1 code=85");
    assert_string_equal(scene_state(&s, 1), "queued");
    scene_event(&s, "t=3h round");
    assert_string_equal(scene_state(&s, 1), "running");
    assert_int_equal(bl_core_next_wake(s.core), 12 * BL_HOUR - 7 * BL_SECOND);
    scene_free(&s);
}

static void an_elastic_job_moves_or_shrinks_rather_than_leaves(void **state)
{
    struct scene s = scene_new("2x4:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=2-4");
    scene_event(&s, "t=0 submit id=2 gpus=2 limit=20h");
    scene_event(&s, "t=0 reserve id=1 on=n1 from=2h for=1h");
    scene_event(&s, "t=1h59m30s round");
    assert_string_equal(scene_state(&s, 1), "resizing");
    assert_string_equal(scene_why_word(&s, 1), "cleared");
    assert_int_equal(scene_why(&s, 1).need, 2);
    scene_event(&s, "t=1h59m40s end id=1 code=85");
    assert_string_equal(scene_where(&s, 1), "n2:2,3");
    assert_string_equal(scene_state(&s, 1), "running");
    scene_free(&s);
}

static void nobody_who_could_not_leave_in_time_starts_there(void **state)
{
    struct scene s = scene_new("1x4:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 reserve id=1 gpus=4 from=1h for=1h");
    scene_event(&s, "t=0 submit id=1 gpus=1 limit=61m run=1m");
    assert_string_equal(scene_state(&s, 1), "queued");
    scene_event(&s, "t=0 change id=1 limit=1h");
    assert_string_equal(scene_state(&s, 1), "running");
    scene_event(&s, "t=59m30s submit id=2 gpus=1 class=preemptible run=1m");
    assert_string_equal(scene_state(&s, 2), "queued");
    assert_string_equal(scene_starts(&s), "1@0s 2@2h");
    scene_free(&s);
}

static void the_limit_of_a_running_job_does_not_grow_into_a_reservation(void **state)
{
    struct scene s = scene_new("1x4:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=1 limit=1h");
    scene_event(&s, "t=0 reserve id=1 gpus=4 from=2h for=1h");
    scene_event(&s, "t=30m change id=1 limit=2h");
    assert_int_equal(bl_core_find_job(s.core, 1)->spec.limit, 2 * BL_HOUR);
    scene_event(&s, "t=30m change id=1 limit=121m");
    assert_int_equal(bl_core_find_job(s.core, 1)->spec.limit, 2 * BL_HOUR);
    scene_free(&s);
}

static void counted_gpus_are_cleared_by_number_the_last_started_first(void **state)
{
    struct scene s = scene_new("1x10c", "fifo");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=4 class=preemptible");
    scene_event(&s, "t=1m submit id=2 gpus=3 class=preemptible");
    scene_event(&s, "t=2m submit id=3 gpus=3 class=preemptible");
    scene_event(&s, "t=2m reserve id=1 gpus=5 from=1h for=1h");
    scene_event(&s, "t=59m29s round");
    assert_string_equal(scene_state(&s, 3), "running");
    scene_event(&s, "t=59m30s round");
    assert_string_equal(scene_state(&s, 1), "running");
    assert_string_equal(scene_state(&s, 2), "stopping");
    assert_string_equal(scene_state(&s, 3), "stopping");
    scene_free(&s);
}

/* It saves already, and need not start again where it would have to leave at once. */
static void one_that_is_resized_leaves_for_a_promise_that_counts_on_it(void **state)
{
    struct scene s = scene_new("1x10c", "fifo");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=2-4");
    scene_event(&s, "t=1m resize id=1 gpus=2");
    assert_string_equal(scene_state(&s, 1), "resizing");
    scene_event(&s, "t=61s submit id=2 gpus=10 limit=1h promise=1");
    assert_int_equal(bl_core_find_job(s.core, 2)->promised_at, 90 * BL_SECOND);
    assert_string_equal(scene_state(&s, 1), "stopping");
    scene_event(&s, "t=89s end id=1 code=85");
    scene_event(&s, "t=90s round");
    assert_string_equal(scene_state(&s, 2), "running");
    scene_free(&s);
}

static void cpus_that_go_with_reserved_gpus_are_cleared_too(void **state)
{
    struct scene s = scene_new("1x4:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=0 cpus=60 class=preemptible");
    scene_event(&s, "t=0 reserve id=1 gpus=1 from=1h for=1h");
    scene_event(&s, "t=59m30s round");
    assert_string_equal(scene_state(&s, 1), "stopping");
    scene_free(&s);
}

static void a_job_that_has_just_started_goes_back_too(void **state)
{
    struct scene s = scene_new("1x4:A100", "fifo");
    struct bl_event event = {.kind = BL_EVENT_JOB_SUBMITTED, .at = 0, .job = 1};

    (void)state;
    scene_event(&s, "t=0 reserve id=1 gpus=4 from=1m for=1h");
    event.u.submitted = (struct bl_job_spec){
        .job_class = BL_CLASS_PREEMPTIBLE, .gpus_min = 1, .gpus_want = 1, .gpus_max = 1};
    bl_core_step(s.core, &event, NULL);
    event = (struct bl_event){.kind = BL_EVENT_ROUND};
    bl_core_step(s.core, &event, &s.actions);
    assert_string_equal(scene_state(&s, 1), "starting");
    event.at = 30 * BL_SECOND;
    bl_core_step(s.core, &event, &s.actions);
    assert_string_equal(scene_state(&s, 1), "stopping");
    assert_int_equal(s.actions.list.at[0].kind, BL_ACTION_STOP);
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(P14_lent_gpus_are_cleared_in_time_by_who_may_be_preempted),
        cmocka_unit_test(the_lead_is_what_saving_took_before),
        cmocka_unit_test(an_elastic_job_moves_or_shrinks_rather_than_leaves),
        cmocka_unit_test(nobody_who_could_not_leave_in_time_starts_there),
        cmocka_unit_test(the_limit_of_a_running_job_does_not_grow_into_a_reservation),
        cmocka_unit_test(counted_gpus_are_cleared_by_number_the_last_started_first),
        cmocka_unit_test(one_that_is_resized_leaves_for_a_promise_that_counts_on_it),
        cmocka_unit_test(cpus_that_go_with_reserved_gpus_are_cleared_too),
        cmocka_unit_test(a_job_that_has_just_started_goes_back_too),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
