#include "bl_test.h"
#include "scene.h"

static void jobs_are_walked_in_order_of_submission(void **state)
{
    struct scene s = scene_new("1x8:A100", "fifo");
    size_t cursor = 0;

    (void)state;
    scene_event(&s, "t=0 submit id=3 gpus=1");
    scene_event(&s, "t=0 submit id=1 gpus=1");
    scene_event(&s, "t=0 submit id=2 gpus=1");
    assert_int_equal(bl_core_next_job(s.core, &cursor)->id, 3);
    assert_int_equal(bl_core_next_job(s.core, &cursor)->id, 1);
    assert_int_equal(bl_core_next_job(s.core, &cursor)->id, 2);
    assert_null(bl_core_next_job(s.core, &cursor));
    assert_null(bl_core_find_job(s.core, 4));
    scene_free(&s);
}

static void ended_jobs_are_forgotten_where_that_was_asked(void **state)
{
    struct bl_core *core = bl_core_create(BL_FORGET_ENDED);
    struct bl_actions actions = {0};
    struct bl_event event = {.kind = BL_EVENT_JOB_SUBMITTED, .job = 1};
    struct bl_event cancel = {.kind = BL_EVENT_JOB_CANCELLED, .job = 1};

    (void)state;
    bl_core_step(core, &event, NULL);
    assert_int_equal(bl_core_job_count(core), 1);
    bl_core_step(core, &cancel, NULL);
    assert_int_equal(bl_core_job_count(core), 0);
    bl_core_step(core, &(struct bl_event){.kind = BL_EVENT_ROUND, .at = 5}, &actions);
    assert_int_equal(bl_core_now(core), 5);
    bl_actions_finish(&actions);
    bl_core_destroy(core);
}

static void without_a_policy_nothing_starts_and_nothing_breaks(void **state)
{
    struct bl_core *core = bl_core_create(BL_KEEP_ENDED);
    struct bl_actions actions = {0};
    struct bl_event event = {.kind = BL_EVENT_JOB_SUBMITTED, .job = 1};
    struct bl_reason reason;

    (void)state;
    bl_core_step(core, &event, NULL);
    bl_core_step(core, &(struct bl_event){.kind = BL_EVENT_ROUND}, &actions);
    assert_int_equal(actions.list.count, 0);
    bl_core_explain(core, bl_core_find_job(core, 1), &reason);
    assert_int_equal(reason.code, BL_REASON_UNDECIDED);
    bl_actions_finish(&actions);
    bl_core_destroy(core);
    bl_core_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jobs_are_walked_in_order_of_submission),
        cmocka_unit_test(ended_jobs_are_forgotten_where_that_was_asked),
        cmocka_unit_test(without_a_policy_nothing_starts_and_nothing_breaks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
