#include "bl_test.h"
#include "scene.h"

static void P9_a_failing_start_backs_off_then_is_held_with_its_reason(void **state)
{
    struct scene s = scene_new("1x8:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=8");
    scene_event(&s, "t=0 submit id=2 gpus=8 run=1s");
    scene_event(&s, "t=0 fail id=1");
    assert_string_equal(scene_state(&s, 1), "waiting");
    assert_string_equal(scene_why_word(&s, 1), "retry");
    assert_int_equal(scene_why(&s, 1).at, 2 * BL_SECOND);
    assert_string_equal(scene_state(&s, 2), "running");
    scene_event(&s, "t=3s fail id=1");
    assert_int_equal(scene_why(&s, 1).at, 7 * BL_SECOND);
    scene_event(&s, "t=7s fail id=1");
    assert_string_equal(scene_state(&s, 1), "held");
    assert_string_equal(scene_why_word(&s, 1), "start_failed");
    scene_event(&s, "t=8s release id=1");
    assert_string_equal(scene_state(&s, 1), "running");
    assert_int_equal(bl_core_find_job(s.core, 1)->attempt, 4);
    scene_free(&s);
}

static void P8_a_lost_job_goes_back_without_a_failure_counted(void **state)
{
    struct scene s = scene_new("1x8:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=8 restart=1");
    for (int i = 1; i <= 20; i++) {
        char line[64];

        snprintf(line, sizeof line, "t=%dm end id=1 lost=1", i * 10);
        scene_event(&s, line);
        assert_int_equal(bl_core_find_job(s.core, 1)->failures, 0);
        assert_string_equal(scene_state(&s, 1), "running");
    }
    assert_int_equal(bl_core_find_job(s.core, 1)->attempt, 21);
    scene_free(&s);
}

static void P8_requeuing_twenty_times_never_holds_a_job(void **state)
{
    struct scene s = scene_new("1x8:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=8");
    for (int i = 0; i < 20; i++) {
        scene_event(&s, "requeue id=1");
        assert_string_equal(scene_state(&s, 1), "stopping");
        scene_event(&s, "end id=1 signal=15");
        assert_string_equal(scene_state(&s, 1), "running");
    }
    assert_int_equal(bl_core_find_job(s.core, 1)->failures, 0);
    scene_event(&s, "requeue id=1");
    scene_event(&s, "cancel id=1");
    scene_event(&s, "end id=1 signal=15");
    assert_string_equal(scene_state(&s, 1), "cancelled");
    scene_free(&s);
}

static void a_crash_loop_is_held_after_the_jobs_own_limit(void **state)
{
    struct scene s = scene_new("1x8:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=8 retries=2");
    scene_event(&s, "t=0 end id=1 code=3");
    assert_string_equal(scene_state(&s, 1), "waiting");
    scene_event(&s, "t=10s end id=1 code=3");
    scene_event(&s, "t=30s end id=1 code=3");
    assert_string_equal(scene_state(&s, 1), "held");
    assert_string_equal(scene_why_word(&s, 1), "crash_loop");
    assert_int_equal(scene_why(&s, 1).need, 3);
    assert_int_equal(scene_why(&s, 1).have, 3);
    scene_free(&s);
}

static void exit_code_85_puts_a_job_back_but_not_without_end(void **state)
{
    struct scene s = scene_new("1x8:A100", "fifo");
    int runs = 0;

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=8");
    scene_event(&s, "t=2m end id=1 code=85");
    assert_string_equal(scene_state(&s, 1), "running");
    assert_int_equal(bl_core_find_job(s.core, 1)->attempt, 2);
    while (strcmp(scene_state(&s, 1), "held") != 0 && runs++ < 100) {
        char line[64];

        snprintf(line, sizeof line, "t=%dm end id=1 code=85", 10 + runs * 10);
        if (runs % 2) {
            scene_event(&s, line);
        } else {
            scene_event(&s, "end id=1 code=85");
        }
    }
    assert_true(runs >= 20);
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(P9_a_failing_start_backs_off_then_is_held_with_its_reason),
        cmocka_unit_test(P8_a_lost_job_goes_back_without_a_failure_counted),
        cmocka_unit_test(P8_requeuing_twenty_times_never_holds_a_job),
        cmocka_unit_test(a_crash_loop_is_held_after_the_jobs_own_limit),
        cmocka_unit_test(exit_code_85_puts_a_job_back_but_not_without_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
