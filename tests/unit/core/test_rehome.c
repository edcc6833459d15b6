#include "bl_test.h"
#include "scene.h"

static void P13_a_reservation_that_loses_a_node_moves_to_equal_gpus(void **state)
{
    struct scene s = scene_new("1x4:A100 1x4:V100 1x4:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 reserve id=1 gpus=3 from=1h for=1h");
    scene_event(&s, "t=0 node name=n1 state=down");
    assert_string_equal(scene_booking(&s, 1), "1 booked 1h-2h n3:0,1,2");
    assert_true(bl_core_find_booking(s.core, 1)->occurrence[0].is_moved);
    scene_free(&s);
}

static void P13_without_equal_gpus_it_is_degraded_and_its_jobs_run_nowhere_else(void **state)
{
    struct scene s = scene_new("1x4:A100 1x4:V100", "fifo");

    (void)state;
    scene_event(&s, "t=0 reserve id=1 gpus=3 from=1h for=3h");
    scene_event(&s, "t=0 submit id=1 gpus=3 reservation=1 limit=1h run=1h");
    scene_event(&s, "t=30m node name=n1 state=down");
    assert_string_equal(scene_booking(&s, 1), "1 degraded booked 1h-4h n1:0,1,2");
    scene_event(&s, "t=1h30m round");
    assert_string_equal(scene_state(&s, 1), "queued");
    scene_event(&s, "t=2h node name=n1 state=up");
    assert_string_equal(scene_booking(&s, 1), "1 active 1h-4h n1:0,1,2");
    assert_string_equal(scene_starts(&s), "1@2h");
    scene_free(&s);
}

static void only_what_is_lost_moves(void **state)
{
    struct scene s = scene_new("3x4:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 reserve id=1 gpus=6 from=1h for=1h");
    assert_string_equal(scene_booking(&s, 1), "1 booked 1h-2h n1:0,1,2,3 n2:0,1");
    scene_event(&s, "t=0 node name=n1 state=down");
    assert_string_equal(scene_booking(&s, 1), "1 booked 1h-2h n2:0,1 n3:0,1,2,3");
    scene_free(&s);
}

static void a_node_that_is_to_be_drained_in_the_slot_is_lost_too(void **state)
{
    struct scene s = scene_new("2x4:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 reserve id=1 gpus=4 from=1h for=1h every=10h times=2");
    scene_event(&s, "t=0 node name=n1 state=drained from=5h");
    assert_string_equal(scene_booking(&s, 1),
                        "1 booked 1h-2h n1:0,1,2,3; 2 booked 11h-12h n2:0,1,2,3");
    scene_free(&s);
}

static void a_job_that_stays_longer_because_the_clock_was_set_is_left_alone(void **state)
{
    struct scene s = scene_new("2x4:A100", "fifo");

    (void)state;
    scene_event(&s, "t=1m submit id=1 gpus=4 limit=2h");
    scene_event(&s, "t=1m reserve id=1 on=n1 from=3h for=1h");
    scene_event(&s, "t=2m jump by=90m");
    assert_string_equal(scene_booking(&s, 1), "1 booked 3h-4h n2:0,1,2,3");
    assert_string_equal(scene_state(&s, 1), "running");
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(P13_a_reservation_that_loses_a_node_moves_to_equal_gpus),
        cmocka_unit_test(P13_without_equal_gpus_it_is_degraded_and_its_jobs_run_nowhere_else),
        cmocka_unit_test(only_what_is_lost_moves),
        cmocka_unit_test(a_node_that_is_to_be_drained_in_the_slot_is_lost_too),
        cmocka_unit_test(a_job_that_stays_longer_because_the_clock_was_set_is_left_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
