#include "bl_test.h"
#include "scene.h"

static void a_job_over_its_limit_is_stopped_once_and_ends_as_timeout(void **state)
{
    struct scene s = scene_new("1x8:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=1 limit=1h");
    assert_int_equal(bl_core_next_wake(s.core), BL_HOUR);
    scene_event(&s, "t=59m round");
    assert_string_equal(scene_state(&s, 1), "running");
    scene_event(&s, "t=1h round");
    scene_event(&s, "t=61m round");
    assert_string_equal(scene_state(&s, 1), "stopping");
    assert_true(bl_core_next_wake(s.core) == BL_TIME_NEVER);
    scene_event(&s, "end id=1 signal=15");
    assert_string_equal(scene_state(&s, 1), "timeout");
    assert_string_equal(scene_why_word(&s, 1), "time_limit");
    assert_string_equal(bl_buf_text(&s.log),
                        "0 start 1.1 in_order\n3600000000 stop 1.1 time_limit\n");
    scene_free(&s);
}

static void the_limit_counts_from_the_living_process(void **state)
{
    struct scene s = scene_new("1x8:A100", "fifo");
    struct bl_actions actions = {0};
    struct bl_event event = {.kind = BL_EVENT_JOB_SUBMITTED, .job = 1};

    (void)state;
    event.u.submitted =
        (struct bl_job_spec){.gpus_min = 1, .gpus_want = 1, .gpus_max = 1, .limit = BL_HOUR};
    bl_core_step(s.core, &event, NULL);
    bl_core_step(s.core, &(struct bl_event){.kind = BL_EVENT_ROUND}, &actions);
    assert_int_equal(actions.list.count, 1);
    assert_string_equal(scene_state(&s, 1), "starting");
    assert_true(bl_core_next_wake(s.core) == BL_TIME_NEVER);
    bl_core_step(
        s.core,
        &(struct bl_event){.kind = BL_EVENT_JOB_STARTED, .at = BL_MINUTE, .job = 1, .attempt = 1},
        NULL);
    assert_int_equal(bl_core_next_wake(s.core), BL_HOUR + BL_MINUTE);
    assert_int_equal(bl_core_find_job(s.core, 1)->planned_end, BL_HOUR + BL_MINUTE);
    bl_actions_finish(&actions);
    scene_free(&s);
}

static void an_ended_job_wakes_nobody(void **state)
{
    struct scene s = scene_new("1x8:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=1 limit=1h");
    scene_event(&s, "t=0 submit id=2 gpus=1 limit=2h");
    scene_event(&s, "t=5m end id=1");
    assert_int_equal(bl_core_next_wake(s.core), 2 * BL_HOUR);
    scene_free(&s);
}

static void a_round_answers_the_wish_for_one(void **state)
{
    struct scene s = scene_new("1x8:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 round");
    assert_false(bl_core_wants_round(s.core));
    scene_event(&s, "t=0 submit id=1 gpus=1");
    assert_false(bl_core_wants_round(s.core));
    bl_core_step(s.core, &(struct bl_event){.kind = BL_EVENT_JOB_ENDED, .job = 1, .attempt = 1},
                 NULL);
    assert_true(bl_core_wants_round(s.core));
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_job_over_its_limit_is_stopped_once_and_ends_as_timeout),
        cmocka_unit_test(the_limit_counts_from_the_living_process),
        cmocka_unit_test(an_ended_job_wakes_nobody),
        cmocka_unit_test(a_round_answers_the_wish_for_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
