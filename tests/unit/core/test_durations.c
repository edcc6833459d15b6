#include "bl_test.h"
#include "core/durations.h"
#include "scene.h"

static void a_duration_is_never_over_the_limit_and_falls_back_to_it(void **state)
{
    static const struct {
        int64_t durations;
        bl_time limit, work, predicted, ran_before, expected;
    } rows[] = {
        {BL_DURATIONS_LIMIT, BL_HOUR, BL_MINUTE, BL_MINUTE, 0, BL_HOUR},
        {BL_DURATIONS_EXACT, BL_HOUR, BL_MINUTE, 0, 0, BL_MINUTE},
        {BL_DURATIONS_EXACT, BL_HOUR, 0, BL_MINUTE, 0, BL_HOUR},
        {BL_DURATIONS_EXACT, BL_HOUR, 2 * BL_HOUR, 0, 0, BL_HOUR},
        {BL_DURATIONS_PREDICT, BL_HOUR, 1, BL_MINUTE, 0, BL_MINUTE},
        {BL_DURATIONS_PREDICT, BL_HOUR, 1, 2 * BL_HOUR, 0, BL_HOUR},
        {BL_DURATIONS_PREDICT, 0, 1, 0, 0, BL_JOB_UNLIMITED_RUN},
        {BL_DURATIONS_LIMIT, BL_HOUR, 0, 0, 40 * BL_MINUTE, 20 * BL_MINUTE},
        {BL_DURATIONS_LIMIT, BL_HOUR, 0, 0, 2 * BL_HOUR, 1},
        {BL_DURATIONS_PREDICT, BL_HOUR, 1, BL_MINUTE, 20 * BL_SECOND, 40 * BL_SECOND},
        {BL_DURATIONS_PREDICT, BL_HOUR, 1, BL_MINUTE, 2 * BL_MINUTE, 58 * BL_MINUTE},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_job job = {.spec = {.limit = rows[i].limit, .work = rows[i].work},
                             .predicted_run = rows[i].predicted,
                             .ran_before = rows[i].ran_before};

        assert_int_equal(bl_duration_of(rows[i].durations, &job, 1), rows[i].expected);
    }
}

static void what_a_trace_tells_of_the_work_counts_as_exact(void **state)
{
    static const struct {
        bl_time told, expected;
    } rows[] = {{0, 3 * BL_MINUTE}, {4 * BL_MINUTE, 5 * BL_MINUTE}, {-1, BL_HOUR}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_job job = {.spec = {.limit = BL_HOUR,
                                      .work = 2 * BL_MINUTE,
                                      .told = rows[i].told,
                                      .restart = BL_MINUTE}};

        assert_int_equal(bl_duration_of(BL_DURATIONS_EXACT, &job, 1), rows[i].expected);
    }
}

static void a_job_past_its_prediction_is_planned_to_its_limit(void **state)
{
    struct scene s = scene_new("1x8c", "easy:durations=predict");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=8 run=10m limit=2h user=ann");
    scene_event(&s, "t=20m submit id=2 gpus=6 limit=2h user=ann");
    assert_int_equal(bl_core_find_job(s.core, 2)->planned_end, 30 * BL_MINUTE);
    scene_event(&s, "t=25m submit id=3 gpus=8 limit=1h user=bob");
    assert_int_equal(scene_why(&s, 3).at, 30 * BL_MINUTE);
    scene_event(&s, "t=31m submit id=4 gpus=2 limit=1h user=bob");
    assert_int_equal(scene_why(&s, 3).at, 140 * BL_MINUTE);
    assert_string_equal(scene_state(&s, 4), "running");
    scene_free(&s);
}

/* The runs before a resize count against the limit, whichever policy plans it. */
static void a_resized_job_is_planned_to_what_is_left_of_its_limit(void **state)
{
    (void)state;
    for (size_t i = 0; bl_policies[i]; i++) {
        struct scene s = scene_new("1x8:A100", bl_policies[i]->name);

        scene_event(&s, "t=1m submit id=1 gpus=2-8 limit=2h");
        scene_event(&s, "t=21m resize id=1 gpus=4");
        scene_event(&s, "t=31m end id=1 code=85");
        assert_string_equal(scene_state(&s, 1), "running");
        assert_int_equal(bl_core_find_job(s.core, 1)->planned_end, 121 * BL_MINUTE);
        scene_free(&s);
    }
}

/* It grows on a node that is to be drained if it is sure to be gone by then. */
static void a_resized_job_is_gone_before_a_drain_by_what_is_left_of_its_limit(void **state)
{
    struct scene s = scene_new("1x8:A100", "fifo");
    struct bl_event drain = {.kind = BL_EVENT_NODE_STATE, .at = 50 * BL_MINUTE};
    char node[] = "n1";

    (void)state;
    scene_event(&s, "t=1m submit id=1 gpus=2-8 limit=1h");
    scene_event(&s, "t=41m resize id=1 gpus=2");
    scene_event(&s, "t=46m end id=1 code=85");
    drain.u.node_state.name = node;
    drain.u.node_state.state = BL_NODE_DRAINED;
    drain.u.node_state.from = 61 * BL_MINUTE;
    scene_event(&s, "t=50m round");
    scene_step(&s, &drain);
    scene_event(&s, "resize id=1 gpus=8");
    assert_string_equal(scene_state(&s, 1), "resizing");
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_duration_is_never_over_the_limit_and_falls_back_to_it),
        cmocka_unit_test(what_a_trace_tells_of_the_work_counts_as_exact),
        cmocka_unit_test(a_job_past_its_prediction_is_planned_to_its_limit),
        cmocka_unit_test(a_resized_job_is_planned_to_what_is_left_of_its_limit),
        cmocka_unit_test(a_resized_job_is_gone_before_a_drain_by_what_is_left_of_its_limit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
