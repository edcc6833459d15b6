#include "bl_test.h"
#include "scene.h"

static void a_held_job_lets_others_pass_and_keeps_its_place(void **state)
{
    struct scene s = scene_new("1x8:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=8 run=1h");
    scene_event(&s, "t=1s submit id=2 gpus=8 run=1h");
    scene_event(&s, "t=2s submit id=3 gpus=8 run=1h");
    scene_event(&s, "t=3s submit id=4 gpus=8 run=1h");
    scene_event(&s, "t=4s hold id=2");
    assert_string_equal(scene_state(&s, 2), "held");
    assert_string_equal(scene_why_word(&s, 2), "held");
    scene_event(&s, "t=90m release id=2");
    assert_string_equal(scene_starts(&s), "1@0s 3@1h 2@2h 4@3h");
    scene_free(&s);
}

static void hold_works_while_waiting_and_changes_nothing_that_runs(void **state)
{
    struct scene s = scene_new("1x8:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=8");
    scene_event(&s, "submit id=2 gpus=8 after=1:ok");
    scene_event(&s, "hold id=1");
    scene_event(&s, "hold id=2");
    assert_string_equal(scene_state(&s, 1), "running");
    scene_event(&s, "end id=1");
    assert_string_equal(scene_state(&s, 2), "held");
    scene_event(&s, "release id=2");
    assert_string_equal(scene_state(&s, 2), "running");
    scene_free(&s);
}

static void a_held_dependent_still_ends_when_its_dependency_fails(void **state)
{
    struct scene s = scene_new("1x8:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=8");
    scene_event(&s, "submit id=2 gpus=8 after=1:ok");
    scene_event(&s, "hold id=2");
    scene_event(&s, "end id=1 code=1");
    assert_string_equal(scene_state(&s, 2), "cancelled");
    scene_free(&s);
}

static void a_moved_job_starts_before_the_other(void **state)
{
    struct scene s = scene_new("1x8:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=8 run=1h");
    scene_event(&s, "t=1s submit id=2 gpus=8 run=1h");
    scene_event(&s, "t=2s submit id=3 gpus=8 run=1h");
    scene_event(&s, "t=3s submit id=4 gpus=8 run=1h");
    scene_event(&s, "t=4s move id=4 before=2");
    scene_event(&s, "t=4s move id=4 before=4");
    scene_event(&s, "t=4s move id=4 before=99");
    assert_string_equal(scene_starts(&s), "1@0s 4@1h 2@2h 3@3h");
    scene_free(&s);
}

static void a_changed_job_is_planned_by_its_new_wishes(void **state)
{
    struct scene s = scene_new("1x8:A100", "easy");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=6 limit=1h");
    scene_event(&s, "t=0 submit id=2 gpus=8 limit=1h");
    scene_event(&s, "t=0 submit id=3 gpus=3 limit=2h");
    scene_event(&s, "t=1m change id=3 gpus=2 limit=30m");
    assert_string_equal(scene_state(&s, 3), "running");
    scene_event(&s, "t=2m change id=1 limit=3h");
    assert_int_equal(bl_core_find_job(s.core, 1)->planned_end, 3 * BL_HOUR);
    scene_event(&s, "t=3m change id=1 gpus=2");
    assert_int_equal(bl_core_find_job(s.core, 1)->spec.gpus_min, 6);
    scene_event(&s, "t=2h round");
    assert_string_equal(scene_state(&s, 1), "running");
    assert_string_equal(scene_state(&s, 3), "stopping");
    scene_free(&s);
}

static void P24_a_drained_node_starts_none_and_lets_running_ones_end(void **state)
{
    struct scene s = scene_new("2x4:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=4 nodes=1");
    scene_event(&s, "t=0 node name=n1 state=drained");
    scene_event(&s, "t=0 submit id=2 gpus=4 nodes=1");
    scene_event(&s, "t=0 submit id=3 gpus=4 nodes=1");
    assert_string_equal(scene_where(&s, 2), "n2:0,1,2,3");
    assert_string_equal(scene_state(&s, 1), "running");
    scene_event(&s, "t=1h end id=1");
    assert_string_equal(scene_state(&s, 3), "queued");
    scene_event(&s, "t=1h node name=n1 state=up");
    assert_string_equal(scene_where(&s, 3), "n1:0,1,2,3");
    scene_free(&s);
}

static void P24_before_a_later_drain_only_what_ends_in_time_starts(void **state)
{
    struct scene s = scene_new("1x8:A100", "easy");

    (void)state;
    scene_event(&s, "t=0 node name=n1 state=drained from=2h");
    scene_event(&s, "t=0 submit id=1 gpus=2 limit=3h");
    scene_event(&s, "t=0 submit id=2 gpus=2");
    scene_event(&s, "t=0 submit id=3 gpus=2 limit=2h");
    assert_string_equal(scene_state(&s, 1), "queued");
    assert_string_equal(scene_why_word(&s, 1), "drain");
    assert_int_equal(scene_why(&s, 1).at, 2 * BL_HOUR);
    assert_string_equal(scene_state(&s, 3), "running");
    scene_event(&s, "t=2h round");
    assert_int_equal(bl_core_cluster(s.core)->node[0].state, BL_NODE_DRAINED);
    scene_event(&s, "t=3h node name=n1 state=up");
    assert_string_equal(scene_state(&s, 2), "running");
    scene_free(&s);
}

static void P24_a_node_that_is_up_again_forgets_the_drain_that_was_to_come(void **state)
{
    struct scene s = scene_new("1x8:A100", "easy");

    (void)state;
    scene_event(&s, "t=0 node name=n1 state=drained from=2h");
    scene_event(&s, "t=0 submit id=1 gpus=2 limit=3h");
    assert_string_equal(scene_state(&s, 1), "queued");
    scene_event(&s, "t=1h node name=n1 state=up");
    assert_string_equal(scene_state(&s, 1), "running");
    scene_event(&s, "t=2h round");
    assert_int_equal(bl_core_cluster(s.core)->node[0].state, BL_NODE_UP);
    scene_free(&s);
}

static void a_job_that_waits_takes_another_type_shape_and_class(void **state)
{
    struct scene s = scene_new("1x4:A100 2x2:V100", "fifo");
    struct bl_core *fork;

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=4 type=A100");
    scene_event(&s, "t=1s submit id=2 gpus=4 type=A100 nodes=1");
    scene_event(&s, "change id=2 type=V100");
    assert_string_equal(scene_state(&s, 2), "queued");
    fork = bl_core_fork(s.core);
    assert_string_equal(bl_core_find_job(fork, 2)->spec.gpu_type[0], "V100");
    bl_core_destroy(fork);
    scene_event(&s, "change id=2 nodes=0 class=preemptible");
    assert_string_equal(scene_where(&s, 2), "n2:0,1 n3:0,1");
    assert_int_equal(bl_core_find_job(s.core, 2)->spec.job_class, BL_CLASS_PREEMPTIBLE);
    scene_event(&s, "change id=2 type=A100 nodes=1 class=batch gpus=1");
    assert_string_equal(bl_core_find_job(s.core, 2)->spec.gpu_type[0], "V100");
    assert_int_equal(bl_core_find_job(s.core, 2)->spec.job_class, BL_CLASS_PREEMPTIBLE);
    assert_int_equal(bl_core_find_job(s.core, 2)->spec.nodes_max, 0);
    assert_int_equal(bl_core_find_job(s.core, 2)->spec.gpus_max, 4);
    scene_free(&s);
}

static void a_type_taken_away_lets_a_job_run_on_any(void **state)
{
    struct scene s = scene_new("1x4:A100 1x4:V100", "fifo");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=4 type=A100");
    scene_event(&s, "t=1s submit id=2 gpus=4 type=A100");
    scene_event(&s, "change id=2 type=any");
    assert_string_equal(scene_where(&s, 2), "n2:0,1,2,3");
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_held_job_lets_others_pass_and_keeps_its_place),
        cmocka_unit_test(hold_works_while_waiting_and_changes_nothing_that_runs),
        cmocka_unit_test(a_held_dependent_still_ends_when_its_dependency_fails),
        cmocka_unit_test(a_moved_job_starts_before_the_other),
        cmocka_unit_test(a_changed_job_is_planned_by_its_new_wishes),
        cmocka_unit_test(P24_a_drained_node_starts_none_and_lets_running_ones_end),
        cmocka_unit_test(P24_before_a_later_drain_only_what_ends_in_time_starts),
        cmocka_unit_test(P24_a_node_that_is_up_again_forgets_the_drain_that_was_to_come),
        cmocka_unit_test(a_job_that_waits_takes_another_type_shape_and_class),
        cmocka_unit_test(a_type_taken_away_lets_a_job_run_on_any),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
