#include "bl_test.h"
#include "scene.h"

static void a_job_goes_from_queued_to_completed(void **state)
{
    struct scene s = scene_new("1x8:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=8");
    assert_string_equal(scene_state(&s, 1), "running");
    assert_string_equal(scene_where(&s, 1), "n1:0,1,2,3,4,5,6,7");
    scene_event(&s, "t=1s end id=1 code=0");
    assert_string_equal(scene_state(&s, 1), "completed");
    assert_string_equal(scene_where(&s, 1), "");
    scene_free(&s);
}

static void ends_are_told_apart(void **state)
{
    static const struct {
        const char *line;
        const char *state;
        const char *why;
        int exit_code;
    } rows[] = {
        {"end id=1 code=0", "completed", "exit", 0},
        {"end id=1 code=3", "failed", "exit", 3},
        {"end id=1 signal=9", "failed", "exit", 137},
        {"end id=1 lost=1", "lost", "lost", -1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene s = scene_new("1x8:A100", "fifo");
        const struct bl_job *job;

        scene_event(&s, "t=0 submit id=1 gpus=1");
        scene_event(&s, rows[i].line);
        job = bl_core_find_job(s.core, 1);
        assert_string_equal(scene_state(&s, 1), rows[i].state);
        assert_string_equal(scene_why_word(&s, 1), rows[i].why);
        assert_int_equal(job->has_exit_code ? job->exit_code : -1, rows[i].exit_code);
        assert_int_equal(bl_core_cluster(s.core)->free.amount[BL_RESOURCE_GPU], 8);
        scene_free(&s);
    }
}

static void A7_a_dependent_job_starts_after_ok_any_and_fail(void **state)
{
    static const struct {
        const char *kind;
        const char *ending;
        const char *state;
    } rows[] = {
        {"ok", "end id=1 code=0", "running"},     {"ok", "end id=1 code=1", "cancelled"},
        {"any", "end id=1 code=0", "running"},    {"any", "end id=1 code=1", "running"},
        {"fail", "end id=1 code=0", "cancelled"}, {"fail", "end id=1 code=1", "running"},
        {"any", "cancel id=1", "running"},        {"ok", "cancel id=1", "cancelled"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene s = scene_new("1x8:A100", "fifo");
        char line[64];

        scene_event(&s, "t=0 submit id=1 gpus=8");
        snprintf(line, sizeof line, "submit id=2 gpus=1 after=1:%s", rows[i].kind);
        scene_event(&s, line);
        assert_string_equal(scene_state(&s, 2), "waiting");
        assert_string_equal(scene_why_word(&s, 2), "dependency");
        scene_event(&s, rows[i].ending);
        scene_event(&s, "end id=1 signal=15");
        if (strcmp(scene_state(&s, 2), rows[i].state) != 0) {
            fail_msg("after=1:%s, %s: %s", rows[i].kind, rows[i].ending, scene_state(&s, 2));
        }
        scene_free(&s);
    }
}

static void A7_what_can_never_start_takes_its_dependents_along(void **state)
{
    struct scene s = scene_new("1x8:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=8");
    scene_event(&s, "submit id=2 gpus=1 after=1:ok");
    scene_event(&s, "submit id=3 gpus=1 after=2:ok");
    scene_event(&s, "submit id=4 gpus=1 after=3:fail");
    scene_event(&s, "end id=1 code=1");
    assert_string_equal(scene_state(&s, 2), "cancelled");
    assert_string_equal(scene_state(&s, 3), "cancelled");
    assert_int_equal(scene_why(&s, 3).job, 2);
    assert_string_equal(scene_state(&s, 4), "running");
    scene_event(&s, "submit id=5 gpus=1 after=2:ok");
    assert_string_equal(scene_state(&s, 5), "cancelled");
    scene_event(&s, "submit id=6 gpus=1 after=99:any");
    assert_string_equal(scene_state(&s, 6), "cancelled");
    scene_free(&s);
}

static void P22_cancel_works_from_every_state_and_twice_is_once(void **state)
{
    struct scene s = scene_new("1x8:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=8");
    scene_event(&s, "submit id=2 gpus=8");
    scene_event(&s, "submit id=3 gpus=8 after=1:ok");
    scene_event(&s, "cancel id=2");
    scene_event(&s, "cancel id=3");
    scene_event(&s, "cancel id=1");
    scene_event(&s, "cancel id=1");
    assert_string_equal(scene_state(&s, 1), "stopping");
    assert_string_equal(scene_state(&s, 2), "cancelled");
    assert_string_equal(scene_state(&s, 3), "cancelled");
    scene_event(&s, "end id=1 signal=15");
    scene_event(&s, "cancel id=1");
    assert_string_equal(scene_state(&s, 1), "cancelled");
    assert_string_equal(bl_buf_text(&s.log), "0 start 1.1 in_order\n0 stop 1.1 user\n");
    scene_free(&s);
}

static void a_cancel_that_meets_a_failing_start_ends_as_cancelled(void **state)
{
    struct scene s = scene_new("1x8:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=8");
    scene_event(&s, "cancel id=1");
    scene_event(&s, "fail id=1");
    assert_string_equal(scene_state(&s, 1), "cancelled");
    scene_free(&s);
}

static void reports_about_a_past_attempt_or_an_unknown_job_change_nothing(void **state)
{
    struct scene s = scene_new("1x8:A100", "fifo");
    struct bl_event stale = {.kind = BL_EVENT_JOB_ENDED, .job = 1, .attempt = 0};
    struct bl_event unknown = {.kind = BL_EVENT_JOB_ENDED, .job = 7, .attempt = 1};

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=8");
    scene_step(&s, &stale);
    scene_step(&s, &unknown);
    assert_string_equal(scene_state(&s, 1), "running");
    scene_event(&s, "submit id=1 gpus=2");
    assert_int_equal(bl_core_job_count(s.core), 1);
    scene_free(&s);
}

static void a_node_that_goes_down_offers_nothing_and_comes_back(void **state)
{
    struct scene s = scene_new("2x4:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 node name=n1 state=down");
    scene_event(&s, "submit id=1 gpus=4");
    scene_event(&s, "submit id=2 gpus=4");
    assert_string_equal(scene_where(&s, 1), "n2:0,1,2,3");
    assert_string_equal(scene_state(&s, 2), "queued");
    scene_event(&s, "node name=n1 state=up");
    assert_string_equal(scene_where(&s, 2), "n1:0,1,2,3");
    scene_event(&s, "node name=n9 state=up");
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_job_goes_from_queued_to_completed),
        cmocka_unit_test(ends_are_told_apart),
        cmocka_unit_test(A7_a_dependent_job_starts_after_ok_any_and_fail),
        cmocka_unit_test(A7_what_can_never_start_takes_its_dependents_along),
        cmocka_unit_test(P22_cancel_works_from_every_state_and_twice_is_once),
        cmocka_unit_test(a_cancel_that_meets_a_failing_start_ends_as_cancelled),
        cmocka_unit_test(reports_about_a_past_attempt_or_an_unknown_job_change_nothing),
        cmocka_unit_test(a_node_that_goes_down_offers_nothing_and_comes_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
