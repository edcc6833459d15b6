#include "bl_test.h"
#include "core/backfill.h"
#include "scene.h"

/* Priority turns the line around: the head is the last to come. */
static void the_head_of_any_line_is_not_delayed(void **state)
{
    struct scene s = scene_new("1x8c", "priority");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=6 run=1h limit=1h");
    scene_event(&s, "t=0 submit id=2 gpus=2 run=2h limit=2h after=9");
    scene_event(&s, "t=1m submit id=3 gpus=4 run=2h limit=2h");
    scene_event(&s, "t=2m submit id=4 gpus=8 run=1h limit=1h priority=5");
    scene_event(&s, "t=3m submit id=5 gpus=2 run=2h limit=2h");
    assert_string_equal(scene_why_word(&s, 5), "backfill");
    assert_int_equal(scene_why(&s, 5).job, 4);
    assert_int_equal(scene_why(&s, 5).at, BL_HOUR);
    scene_event(&s, "t=4m submit id=6 gpus=2 run=30m limit=30m");
    assert_string_equal(scene_starts(&s), "1@0s 6@4m 4@1h 3@2h 5@2h");
    scene_free(&s);
}

static void a_started_job_says_how_it_came_to_pass(void **state)
{
    struct scene s = scene_new("1x8c", "easy");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=4 limit=1h");
    scene_event(&s, "t=0 submit id=2 gpus=6 limit=1h");
    scene_event(&s, "t=0 submit id=3 gpus=1 limit=1h");
    scene_event(&s, "t=0 submit id=4 gpus=2 limit=9h");
    assert_string_equal(scene_why_word(&s, 1), "in_order");
    assert_string_equal(scene_why_word(&s, 3), "before_shadow");
    assert_string_equal(scene_why_word(&s, 4), "beside_head");
    assert_int_equal(scene_why(&s, 4).job, 2);
    scene_free(&s);
}

/* The head needs all GPUs for longer than is left before the reservation. */
static void a_head_waits_for_the_end_of_a_reservation_and_is_not_delayed_then(void **state)
{
    struct scene s = scene_new("1x8:A100", "easy");

    (void)state;
    scene_event(&s, "t=0 reserve id=1 gpus=4 from=2h for=2h");
    scene_event(&s, "t=0 submit id=1 gpus=8 run=3h limit=3h");
    scene_event(&s, "t=0 submit id=2 gpus=4 run=1h limit=6h");
    scene_event(&s, "t=0 submit id=3 gpus=4 run=1h limit=4h");
    scene_event(&s, "t=0 submit id=4 gpus=4 run=1h limit=2h");
    assert_int_equal(scene_why(&s, 3).at, 4 * BL_HOUR);
    assert_string_equal(scene_starts(&s), "3@0s 4@0s 1@4h 2@7h");
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_head_of_any_line_is_not_delayed),
        cmocka_unit_test(a_started_job_says_how_it_came_to_pass),
        cmocka_unit_test(a_head_waits_for_the_end_of_a_reservation_and_is_not_delayed_then),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
