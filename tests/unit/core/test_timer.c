#include "bl_test.h"
#include "scene.h"

static void a_warning_comes_once_before_the_limit(void **state)
{
    struct scene s = scene_new("1x8:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=1 limit=1h warn=90s");
    assert_int_equal(bl_core_next_wake(s.core), BL_HOUR - 90 * BL_SECOND);
    scene_event(&s, "t=59m round");
    scene_event(&s, "t=1h end id=1");
    assert_string_equal(bl_buf_text(&s.log), "0 start 1.1 in_order\n"
                                             "3510000000 signal 1.1 time_limit\n"
                                             "3600000000 stop 1.1 time_limit\n");
    scene_free(&s);
}

static void a_job_waits_for_its_instant(void **state)
{
    struct scene s = scene_new("1x8:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=8 not_before=2h run=1h");
    scene_event(&s, "t=0 submit id=2 gpus=8 run=1h");
    assert_string_equal(scene_why_word(&s, 1), "not_before");
    assert_int_equal(bl_core_next_wake(s.core), 2 * BL_HOUR);
    assert_string_equal(scene_starts(&s), "2@0s 1@2h");
    scene_free(&s);
}

static void jump(struct scene *s, bl_time to, bl_time by)
{
    struct bl_event event = {.kind = BL_EVENT_CLOCK_JUMPED, .at = to, .u.jumped.by = by};

    s->now = to;
    scene_step(s, &event);
    scene_event(s, "round");
}

static void a_clock_that_is_set_forward_makes_no_run_older(void **state)
{
    struct scene s = scene_new("1x8:A100", "easy");

    (void)state;
    scene_event(&s, "t=1h submit id=1 gpus=4 limit=2h warn=10m");
    scene_event(&s, "submit id=2 gpus=2 limit=3h");
    scene_event(&s, "submit id=3 gpus=8 limit=1h");
    scene_event(&s, "submit id=4 gpus=1 not_before=20h limit=5h");
    jump(&s, 26 * BL_HOUR, 24 * BL_HOUR);
    assert_string_equal(scene_state(&s, 1), "running");
    assert_string_equal(scene_state(&s, 2), "running");
    assert_string_equal(scene_state(&s, 4), "queued");
    assert_int_equal(bl_core_find_job(s.core, 1)->planned_end, 27 * BL_HOUR);
    assert_int_equal(bl_core_next_wake(s.core), 27 * BL_HOUR - 10 * BL_MINUTE);
    scene_event(&s, "t=27h round");
    assert_string_equal(scene_state(&s, 1), "stopping");
    assert_string_equal(scene_state(&s, 2), "running");
    assert_int_equal(bl_core_next_wake(s.core), 28 * BL_HOUR);
    scene_event(&s, "t=27h end id=1 signal=15");
    scene_event(&s, "t=28h end id=2");
    assert_string_equal(scene_state(&s, 3), "running");
    scene_free(&s);
}

static void a_back_off_is_as_long_as_it_was_after_a_jump(void **state)
{
    struct scene s = scene_new("1x8:A100", "fifo");

    (void)state;
    scene_event(&s, "t=10s submit id=1 gpus=8");
    scene_event(&s, "t=10s fail id=1");
    assert_int_equal(bl_core_next_wake(s.core), 12 * BL_SECOND);
    jump(&s, BL_HOUR + 11 * BL_SECOND, BL_HOUR);
    assert_string_equal(scene_state(&s, 1), "waiting");
    assert_int_equal(bl_core_next_wake(s.core), BL_HOUR + 12 * BL_SECOND);
    scene_free(&s);
}

static void a_clock_that_is_set_back_changes_nothing(void **state)
{
    struct scene s = scene_new("1x8:A100", "fifo");

    (void)state;
    scene_event(&s, "t=1h submit id=1 gpus=8 limit=2h");
    jump(&s, 2 * BL_HOUR, -BL_HOUR);
    assert_int_equal(bl_core_next_wake(s.core), 3 * BL_HOUR);
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_warning_comes_once_before_the_limit),
        cmocka_unit_test(a_job_waits_for_its_instant),
        cmocka_unit_test(a_clock_that_is_set_forward_makes_no_run_older),
        cmocka_unit_test(a_back_off_is_as_long_as_it_was_after_a_jump),
        cmocka_unit_test(a_clock_that_is_set_back_changes_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
