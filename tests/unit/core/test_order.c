#include "bl_test.h"
#include "scene.h"

static void the_queue_is_in_order_of_submission_even_for_late_comers(void **state)
{
    struct scene s = scene_new("1x1:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=1 run=1h");
    scene_event(&s, "t=1m submit id=2 gpus=1 run=1h after=1:any");
    scene_event(&s, "t=2m submit id=3 gpus=1 run=1h");
    scene_event(&s, "t=2m submit id=4 gpus=1 run=1h");
    assert_string_equal(scene_starts(&s), "1@0s 2@1h 3@2h 4@3h");
    scene_free(&s);
}

static void a_new_policy_plans_what_runs_and_waits_anew(void **state)
{
    struct scene s = scene_new("1x4:A100", "easy");
    struct bl_event exact = {.kind = BL_EVENT_POLICY_SET};

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=3 run=1h limit=10h");
    scene_event(&s, "t=0 submit id=2 gpus=4 run=1h limit=10h");
    scene_event(&s, "t=0 submit id=3 gpus=1 run=30m limit=20h");
    assert_int_equal(bl_core_find_job(s.core, 1)->planned_end, 10 * BL_HOUR);
    exact.u.policy = bl_policy_default(bl_policy_find("easy"));
    exact.u.policy.value[0] = 1;
    scene_step(&s, &exact);
    assert_int_equal(bl_core_find_job(s.core, 1)->planned_end, BL_HOUR);
    scene_event(&s, "t=1m round");
    assert_string_equal(scene_state(&s, 3), "running");
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_queue_is_in_order_of_submission_even_for_late_comers),
        cmocka_unit_test(a_new_policy_plans_what_runs_and_waits_anew),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
