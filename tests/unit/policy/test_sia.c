#include "bl_test.h"
#include "scene.h"

static void A11_everybody_begins_with_the_least(void **state)
{
    struct scene s = scene_new("1x4:T4 1x8:A100", "sia");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=1-8 run=1h");
    scene_event(&s, "t=0 submit id=2 gpus=2-8 run=1h");
    assert_string_equal(scene_where(&s, 1), "n2:0"); /* where there is room to grow */
    assert_string_equal(scene_where(&s, 2), "n2:1,2");
    scene_free(&s);
}

static void A11_odd_counts_are_served_too(void **state)
{
    struct scene s = scene_new("2x4:T4", "sia");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=3 run=1h");
    scene_event(&s, "t=0 submit id=2 gpus=5 run=1h");
    scene_event(&s, "t=1m submit id=3 gpus=3,5 run=1h");
    assert_string_equal(scene_starts(&s), "1@0s 2@0s 3@1h");
    scene_free(&s);
}

static void A11_who_finds_no_room_waits(void **state)
{
    struct scene s = scene_new("1x4:T4", "sia");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=4 run=1h");
    scene_event(&s, "t=1m submit id=2 gpus=4 run=1h");
    assert_string_equal(scene_state(&s, 2), "queued");
    assert_string_equal(scene_why_word(&s, 2), "resources");
    assert_string_equal(scene_starts(&s), "1@0s 2@1h");
    scene_free(&s);
}

static void A11_smaller_jobs_move_for_a_larger_one(void **state)
{
    struct scene s = scene_new("2x4:T4", "sia");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=2-4 run=10h");
    scene_event(&s, "t=0 submit id=2 gpus=2-4 run=1h");
    scene_event(&s, "t=0 submit id=3 gpus=2-4 run=10h");
    scene_event(&s, "t=2h submit id=4 gpus=4 run=1h"); /* two and two are free */
    assert_string_equal(scene_state(&s, 4), "running");
    assert_string_equal(scene_state(&s, 1), "running");
    assert_string_equal(scene_state(&s, 3), "running");
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(A11_everybody_begins_with_the_least),
        cmocka_unit_test(A11_odd_counts_are_served_too),
        cmocka_unit_test(A11_who_finds_no_room_waits),
        cmocka_unit_test(A11_smaller_jobs_move_for_a_larger_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
