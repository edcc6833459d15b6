#include "bl_test.h"
#include "scene.h"

/* The policy `whale` decides what each has; these are the ways to get there. */
static void who_shrinks_keeps_a_part_of_its_gpus_and_who_stays_keeps_all(void **state)
{
    struct scene s = scene_new("1x8:A100", "whale");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=2-4 nodes=1 run=90h efficiency=0.9");
    scene_event(&s, "t=0 submit id=2 gpus=4 nodes=1 run=80h");
    assert_string_equal(scene_where(&s, 1), "n1:0,1,2,3");
    scene_event(&s, "t=1h submit id=3 gpus=2 nodes=1 run=1h");
    assert_string_equal(scene_where(&s, 1), "n1:0,1");
    assert_string_equal(scene_where(&s, 2), "n1:4,5,6,7");
    assert_string_equal(scene_where(&s, 3), "n1:2,3");
    scene_free(&s);
}

static void who_grows_takes_what_others_have_left(void **state)
{
    struct scene s = scene_new("2x4:A100", "whale");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=4 run=1h");
    scene_event(&s, "t=0 submit id=2 gpus=4-8 run=90h efficiency=0.9");
    assert_string_equal(scene_where(&s, 2), "n2:0,1,2,3");
    scene_event(&s, "t=1h round");
    assert_string_equal(scene_where(&s, 2), "n1:0,1,2,3 n2:0,1,2,3");
    scene_free(&s);
}

static void a_job_of_one_size_moves_by_way_of_the_queue(void **state)
{
    struct scene s = scene_new("1x4:A100 1x8:A100", "whale");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=4 nodes=1 run=9h class=preemptible");
    scene_event(&s, "t=0 submit id=2 gpus=2 nodes=1 run=9h class=preemptible");
    scene_event(&s, "t=0 submit id=3 gpus=6 nodes=1 run=9h class=preemptible");
    for (bl_job_id id = 1; id <= 3; id++) {
        assert_string_equal(scene_state(&s, id), "running");
    }
    scene_free(&s);
}

/* Two that want each other's place would wait for ever. */
static void a_circle_is_broken(void **state)
{
    struct scene s = scene_new("1x4:A 1x7:B 1x2:C", "whale");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=4-7 nodes=1 run=5h efficiency=0.9");
    scene_event(&s, "t=0 submit id=2 gpus=1-2 nodes=1 run=15h efficiency=0.9");
    scene_event(&s, "t=0 submit id=3 gpus=2 nodes=1 run=8h class=preemptible");
    scene_event(&s, "t=0 submit id=4 gpus=4-7 nodes=1 run=2h efficiency=0.9");
    for (bl_job_id id = 1; id <= 4; id++) {
        assert_string_equal(scene_state(&s, id), "running");
    }
    assert_string_equal(scene_where(&s, 1), "n1:0,1,2,3");
    scene_free(&s);
}

static void what_has_no_place_waits_and_the_rest_goes_on(void **state)
{
    struct scene s = scene_new("2x3:A100", "whale");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=2 nodes=1 run=9h");
    scene_event(&s, "t=0 submit id=2 gpus=2 nodes=1 run=9h");
    scene_event(&s, "t=0 submit id=3 gpus=2 nodes=1 run=1h");
    scene_event(&s, "t=0 submit id=4 gpus=1-2 run=9h");
    assert_string_equal(scene_state(&s, 3), "queued");
    assert_string_equal(scene_state(&s, 4), "running");
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_shrinks_keeps_a_part_of_its_gpus_and_who_stays_keeps_all),
        cmocka_unit_test(who_grows_takes_what_others_have_left),
        cmocka_unit_test(a_job_of_one_size_moves_by_way_of_the_queue),
        cmocka_unit_test(a_circle_is_broken),
        cmocka_unit_test(what_has_no_place_waits_and_the_rest_goes_on),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
