#include "bl_test.h"
#include "scene.h"

static void A10_nobody_is_delayed_by_those_behind(void **state)
{
    struct scene s = scene_new("1x8:A100", "conservative");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=6 run=2h limit=2h");
    scene_event(&s, "t=0 submit id=2 gpus=8 run=1h limit=1h");
    scene_event(&s, "t=0 submit id=3 gpus=6 run=1h limit=1h");
    /* easy would let it start: it does not delay the head, but it would delay the third */
    scene_event(&s, "t=0 submit id=4 gpus=2 run=2h limit=2h");
    scene_event(&s, "t=0 submit id=5 gpus=4 run=1h limit=1h");
    assert_string_equal(scene_why_word(&s, 3), "planned");
    assert_int_equal(scene_why(&s, 3).at, 3 * BL_HOUR);
    assert_string_equal(scene_starts(&s), "1@0s 4@0s 2@2h 3@3h 5@4h");
    scene_free(&s);
}

static void an_early_end_lets_all_move_up(void **state)
{
    struct scene s = scene_new("1x8:A100", "conservative");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=8 run=10m limit=2h");
    scene_event(&s, "t=0 submit id=2 gpus=5 run=10m limit=2h");
    scene_event(&s, "t=0 submit id=3 gpus=5 run=10m limit=2h");
    scene_event(&s, "t=0 submit id=4 gpus=3 run=1h limit=1h array=0-2");
    assert_string_equal(scene_starts(&s), "1@0s 2@10m 5@10m 3@20m 6@30m 7@1h10m");
    scene_free(&s);
}

static void what_lies_beyond_the_depth_waits(void **state)
{
    struct scene s = scene_new("1x8:A100", "conservative");
    struct bl_event shallow = {.kind = BL_EVENT_POLICY_SET};

    (void)state;
    shallow.u.policy = bl_policy_default(bl_policy_find("conservative"));
    shallow.u.policy.value[1] = 1;
    scene_step(&s, &shallow);
    scene_event(&s, "t=0 submit id=1 gpus=6 run=1h limit=1h");
    scene_event(&s, "t=0 submit id=2 gpus=8 run=1h limit=1h");
    scene_event(&s, "t=0 submit id=3 gpus=2 run=1h limit=1h");
    assert_string_equal(scene_starts(&s), "1@0s 2@1h 3@2h");
    scene_free(&s);
}

static void P14_plans_go_around_reservations(void **state)
{
    struct scene s = scene_new("1x8:A100", "conservative");

    (void)state;
    scene_event(&s, "t=0 reserve id=1 gpus=4 from=2h for=2h");
    scene_event(&s, "t=0 submit id=1 gpus=8 run=3h limit=3h");
    scene_event(&s, "t=0 submit id=2 gpus=4 run=1h limit=6h");
    scene_event(&s, "t=0 submit id=3 gpus=4 run=2h limit=4h");
    scene_event(&s, "t=0 submit id=4 gpus=8 run=2h limit=2h class=preemptible");
    scene_event(&s, "t=0 submit id=5 gpus=4 run=1h limit=2h");
    assert_string_equal(scene_why_word(&s, 1), "reserved");
    assert_string_equal(scene_starts(&s), "3@0s 5@0s 1@4h 2@7h 4@8h");
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(A10_nobody_is_delayed_by_those_behind),
        cmocka_unit_test(an_early_end_lets_all_move_up),
        cmocka_unit_test(what_lies_beyond_the_depth_waits),
        cmocka_unit_test(P14_plans_go_around_reservations),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
