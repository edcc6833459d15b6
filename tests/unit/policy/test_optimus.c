#include "bl_test.h"
#include "scene.h"

static void A11_gpus_go_to_who_gains_most(void **state)
{
    struct scene s = scene_new("1x8:A100", "optimus");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=1-8 run=1h efficiency=0.9");
    assert_string_equal(scene_where(&s, 1), "n1:0,1,2,3,4,5,6,7");
    scene_event(&s, "t=1m submit id=2 gpus=1-8 run=100h efficiency=0.9");
    assert_string_equal(scene_where(&s, 1), "n1:0");
    assert_string_equal(scene_where(&s, 2), "n1:1,2,3,4,5,6,7");
    scene_free(&s);
}

static void A11_everybody_gets_the_least_first_in_order(void **state)
{
    struct scene s = scene_new("1x4:A100", "optimus");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=2-4 run=1h efficiency=0.9");
    scene_event(&s, "t=1m submit id=2 gpus=1-4 run=1h efficiency=0.9");
    scene_event(&s, "t=2m submit id=3 gpus=2-4 run=1h efficiency=0.9");
    assert_string_equal(scene_state(&s, 3), "queued");
    assert_string_equal(scene_why_word(&s, 3), "resources");
    assert_string_equal(scene_state(&s, 1), "running");
    assert_string_equal(scene_state(&s, 2), "running");
    scene_free(&s);
}

/* Jobs of the published traces may be restarted: they are put back and placed anew. */
static void A11_who_keeps_running_is_resized_unless_it_may_be_restarted(void **state)
{
    static const struct {
        const char *more, *log;
    } rows[] = {{"", "0 start 1.1 in_order\n60000000 resize 1.1 resized\n"
                     "60000000 start 1.2 resized\n60000000 start 2.1 in_order\n"
                     "3660000000 resize 1.2 resized\n3660000000 start 1.3 resized\n"},
                {"restart=1", "0 start 1.1 in_order\n60000000 preempt 1.1 preempted\n"
                              "60000000 start 1.2 in_order\n60000000 start 2.1 in_order\n"
                              "3660000000 preempt 1.2 preempted\n3660000000 start 1.3 in_order\n"}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene s = scene_new("1x8:A100", "optimus");
        char line[100];

        snprintf(line, sizeof line, "t=0 submit id=1 gpus=2-8 run=9h efficiency=0.9 %s",
                 rows[i].more);
        scene_event(&s, line);
        scene_event(&s, "t=1m submit id=2 gpus=4 run=1h");
        assert_string_equal(scene_where(&s, 1), "n1:0,1,2,3");
        scene_event(&s, "t=61m round");
        assert_string_equal(bl_buf_text(&s.log), rows[i].log);
        scene_free(&s);
    }
}

static void A11_who_gains_nothing_from_more_keeps_the_least(void **state)
{
    struct scene s = scene_new("1x8:A100", "optimus");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=2-8 run=1h"); /* no curve: flat */
    assert_string_equal(scene_where(&s, 1), "n1:0,1");
    scene_free(&s);
}

static void A11_jobs_without_gpus_start_at_once(void **state)
{
    static const char *const policies[] = {"las", "optimus", "sia"};

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct scene s = scene_new("1x4:A100", policies[i]);

        scene_event(&s, "t=0 submit id=1 gpus=4 run=1h");
        scene_event(&s, "t=1m submit id=2 gpus=0 run=1h");
        assert_string_equal(scene_starts(&s), "1@0s 2@1m");
        scene_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(A11_gpus_go_to_who_gains_most),
        cmocka_unit_test(A11_everybody_gets_the_least_first_in_order),
        cmocka_unit_test(A11_jobs_without_gpus_start_at_once),
        cmocka_unit_test(A11_who_keeps_running_is_resized_unless_it_may_be_restarted),
        cmocka_unit_test(A11_who_gains_nothing_from_more_keeps_the_least),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
