#include "bl_test.h"
#include "scene.h"

static void A15_a_waiting_job_says_what_it_waits_for(void **state)
{
    struct scene s = scene_new("1x8:A100 1x4:V100", "easy");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=6 type=A100 limit=1h");
    scene_event(&s, "t=0 submit id=2 gpus=8 type=A100 limit=1h");
    scene_event(&s, "t=0 submit id=3 gpus=2 type=A100 limit=2h");
    scene_event(&s, "t=0 submit id=4 gpus=4 type=A100 limit=1m");
    scene_event(&s, "t=0 submit id=5 gpus=1 after=2:ok");
    scene_event(&s, "t=0 node name=n2 state=down");
    scene_event(&s, "t=0 submit id=6 gpus=1 type=V100");
    assert_string_equal(scene_why_word(&s, 1), "in_order");
    assert_string_equal(scene_why_word(&s, 2), "resources");
    assert_int_equal(scene_why(&s, 2).need, 8);
    assert_int_equal(scene_why(&s, 2).have, 2);
    assert_int_equal(scene_why(&s, 2).at, BL_HOUR);
    assert_string_equal(scene_why_word(&s, 3), "backfill");
    assert_int_equal(scene_why(&s, 3).job, 2);
    assert_string_equal(scene_why_word(&s, 4), "priority");
    assert_string_equal(scene_why_word(&s, 5), "dependency");
    assert_int_equal(scene_why(&s, 5).job, 2);
    assert_string_equal(scene_why_word(&s, 6), "nodes_down");
    scene_free(&s);
}

/* What was worked out for one answer serves the next, but never past a change. */
static void answers_are_fresh_after_every_step(void **state)
{
    struct scene s = scene_new("1x8:A100", "conservative");
    struct bl_event priority = {.kind = BL_EVENT_POLICY_SET};

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=8 limit=1h");
    scene_event(&s, "t=0 submit id=2 gpus=8 limit=1h");
    scene_event(&s, "t=0 submit id=3 gpus=8 limit=1h");
    scene_event(&s, "t=0 submit id=4 gpus=8 limit=1h priority=1");
    assert_int_equal(scene_why(&s, 3).at, 2 * BL_HOUR);
    assert_int_equal(scene_why(&s, 4).at, 3 * BL_HOUR);
    bl_core_step(s.core, &(struct bl_event){.kind = BL_EVENT_JOB_CANCELLED, .job = 2}, NULL);
    assert_int_equal(scene_why(&s, 4).at, 2 * BL_HOUR);
    priority.u.policy = bl_policy_default(bl_policy_find("priority"));
    bl_core_step(s.core, &priority, NULL);
    assert_string_equal(scene_why_word(&s, 4), "resources");
    assert_int_equal(scene_why(&s, 3).job, 4);
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(A15_a_waiting_job_says_what_it_waits_for),
        cmocka_unit_test(answers_are_fresh_after_every_step),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
