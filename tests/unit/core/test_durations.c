#include "bl_test.h"
#include "core/durations.h"
#include "scene.h"

static void a_duration_is_never_over_the_limit_and_falls_back_to_it(void **state)
{
    static const struct {
        int64_t durations;
        bl_time limit, work, predicted, expected;
    } rows[] = {
        {BL_DURATIONS_LIMIT, BL_HOUR, BL_MINUTE, BL_MINUTE, BL_HOUR},
        {BL_DURATIONS_EXACT, BL_HOUR, BL_MINUTE, 0, BL_MINUTE},
        {BL_DURATIONS_EXACT, BL_HOUR, 0, BL_MINUTE, BL_HOUR},
        {BL_DURATIONS_EXACT, BL_HOUR, 2 * BL_HOUR, 0, BL_HOUR},
        {BL_DURATIONS_PREDICT, BL_HOUR, 1, BL_MINUTE, BL_MINUTE},
        {BL_DURATIONS_PREDICT, BL_HOUR, 1, 2 * BL_HOUR, BL_HOUR},
        {BL_DURATIONS_PREDICT, 0, 1, 0, BL_JOB_UNLIMITED_RUN},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_job job = {.spec = {.limit = rows[i].limit, .work = rows[i].work},
                             .predicted_run = rows[i].predicted};

        assert_int_equal(bl_duration_of(rows[i].durations, &job, 1), rows[i].expected);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_duration_is_never_over_the_limit_and_falls_back_to_it),
        cmocka_unit_test(a_job_past_its_prediction_is_planned_to_its_limit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
