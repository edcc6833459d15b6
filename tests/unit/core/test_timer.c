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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_warning_comes_once_before_the_limit),
        cmocka_unit_test(a_job_waits_for_its_instant),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
