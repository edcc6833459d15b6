#include "bl_test.h"
#include "scene.h"

static void A11_who_has_had_enough_gives_way_to_who_comes(void **state)
{
    struct scene s = scene_new("1x4:A100", "las:threshold=1h");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=4 class=preemptible run=10h");
    scene_event(&s, "t=10m submit id=2 gpus=4 class=preemptible run=1h");
    assert_string_equal(scene_state(&s, 1), "running"); /* 40 GPU-minutes so far */
    scene_event(&s, "t=20m submit id=3 gpus=2 class=preemptible run=1h");
    assert_string_equal(scene_state(&s, 1), "queued");
    assert_string_equal(scene_state(&s, 2), "running");
    assert_string_equal(scene_why_word(&s, 1), "resources");
    scene_free(&s);
}

static void A11_in_a_queue_the_first_goes_first_and_others_fill_what_is_left(void **state)
{
    struct scene s = scene_new("1x8:A100", "las");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=6 run=1h");
    scene_event(&s, "t=1s submit id=2 gpus=4 run=1h");
    scene_event(&s, "t=2s submit id=3 gpus=2 run=1h");
    assert_string_equal(scene_starts(&s), "1@0s 3@2s 2@1h");
    scene_free(&s);
}

static void A11_the_second_queue_goes_by_who_fell_first(void **state)
{
    struct scene s = scene_new("1x8:A100", "las:threshold=1h");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=1 class=preemptible run=20h");
    scene_event(&s, "t=0 submit id=2 gpus=6 class=preemptible run=20h");
    scene_event(&s, "t=30m round");
    scene_event(&s, "t=2h round"); /* both are down now, 2 since half an hour */
    scene_event(&s, "t=3h submit id=3 gpus=2 class=preemptible run=1h");
    assert_string_equal(scene_state(&s, 1), "queued");
    assert_string_equal(scene_state(&s, 2), "running");
    scene_free(&s);
}

static void A11_what_may_not_be_preempted_stays(void **state)
{
    struct scene s = scene_new("1x4:A100", "las:threshold=1h");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=4 run=10h");
    scene_event(&s, "t=5h submit id=2 gpus=4 run=1h");
    assert_string_equal(scene_state(&s, 1), "running");
    assert_string_equal(scene_starts(&s), "1@0s 2@10h");
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(A11_who_has_had_enough_gives_way_to_who_comes),
        cmocka_unit_test(A11_in_a_queue_the_first_goes_first_and_others_fill_what_is_left),
        cmocka_unit_test(A11_the_second_queue_goes_by_who_fell_first),
        cmocka_unit_test(A11_what_may_not_be_preempted_stays),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
