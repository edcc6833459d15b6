#include "bl_test.h"
#include "scene.h"

static void feed(void *self, const struct bl_event *event)
{
    bl_core_step(self, event, NULL);
}

/* The scene goes on from a snapshot of itself. */
static void pass_through_snapshot(struct scene *s)
{
    struct bl_core *copy = bl_core_create(BL_KEEP_ENDED);
    size_t cursor = 0;

    assert_true(bl_core_can_export(s->core));
    assert_false(bl_core_export(s->core, &cursor, SIZE_MAX, feed, copy));
    bl_core_destroy(s->core);
    s->core = copy;
}

static void what_runs_waits_and_has_ended_comes_back_as_it_stood(void **state)
{
    struct scene s = scene_new("1x4:A100 1x4:V100", "easy");

    (void)state;
    scene_event(&s, "t=0 node name=n2 state=drained from=9h");
    scene_event(&s, "t=0 submit id=1 gpus=3 type=A100 limit=1h warn=5m run=1h user=ann");
    scene_event(&s, "t=1m submit id=2 gpus=4 type=A100 limit=1h run=1h");
    scene_event(&s, "t=2m submit id=3 gpus=1 limit=1h after=2:ok run=1h");
    scene_event(&s, "t=3m submit id=10 gpus=1 limit=1h run=10m array=0-3%2");
    scene_event(&s, "t=4m submit id=20 gpus=1 not_before=5h limit=1h run=1h");
    scene_event(&s, "t=5m submit id=21 gpus=1");
    scene_event(&s, "t=5m hold id=21");
    scene_event(&s, "t=6m submit id=22 gpus=1 limit=1h");
    scene_event(&s, "t=6m end id=22 code=3");
    pass_through_snapshot(&s);
    assert_string_equal(scene_state(&s, 22), "failed");
    assert_int_equal(bl_core_find_job(s.core, 22)->exit_code, 3);
    assert_string_equal(scene_state(&s, 21), "held");
    assert_string_equal(scene_where(&s, 1), "n1:0,1,2");
    assert_int_equal(bl_core_next_wake(s.core), 55 * BL_MINUTE);
    assert_int_equal(bl_core_find_job(s.core, 11)->array_job->id, 10);
    assert_string_equal(scene_starts(&s), "1@0s 11@3m 12@3m 22@6m 13@13m 14@13m 2@1h 3@2h 20@5h");
    scene_free(&s);
}

/* While it saves its work, and after it began again: what it holds, did and had comes back. */
static void a_job_that_is_resized_comes_back_as_it_stood(void **state)
{
    struct scene s = scene_new("1x8:A100", "equal:hold=10m");
    const struct bl_job_attempt *earlier = NULL;

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=2,4,8 limit=1h cost=30s");
    scene_event(&s, "t=11m resize id=1 gpus=4");
    scene_event(&s, "t=12m progress id=1 done=3 total=4 rate=5");
    pass_through_snapshot(&s);
    assert_string_equal(scene_state(&s, 1), "resizing");
    assert_string_equal(scene_where(&s, 1), "n1:0,1,2,3,4,5,6,7");
    assert_int_equal(bl_core_find_job(s.core, 1)->spec.gpu_count_count, 3);
    assert_int_equal(bl_alloc_gpus(&bl_job_open_attempt(bl_core_find_job(s.core, 1))->alloc), 8);
    scene_event(&s, "t=13m end id=1 code=85");
    scene_event(&s, "t=14m resize id=1 gpus=0");
    assert_int_equal(bl_core_next_wake(s.core), 23 * BL_MINUTE);
    pass_through_snapshot(&s);
    assert_int_equal(bl_core_next_wake(s.core), 23 * BL_MINUTE);
    assert_string_equal(scene_where(&s, 1), "n1:0,1,2,3");
    assert_int_equal(bl_core_find_job(s.core, 1)->restarts, 1);
    assert_int_equal(bl_job_earlier_attempts(bl_core_find_job(s.core, 1), &earlier), 1);
    assert_int_equal(earlier->ended_at, 13 * BL_MINUTE);
    assert_int_equal(bl_alloc_gpus(&earlier->alloc), 8);
    assert_true(bl_core_find_job(s.core, 1)->progress.begun_at == 0.75);
    assert_true(bl_job_attained(bl_core_find_job(s.core, 1), s.now) == 60.0 * (13 * 8 + 4));
    assert_int_equal(bl_job_limit_end(bl_core_find_job(s.core, 1)), 60 * BL_MINUTE);
    scene_free(&s);
}

static void A16_what_was_counted_goes_on_after_a_snapshot(void **state)
{
    struct scene s = scene_new("1x4:A100", "fifo");
    struct bl_tally before;
    struct bl_tally after;

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=1 run=1m");
    scene_event(&s, "t=0 submit id=2 gpus=3 run=10m");
    scene_event(&s, "t=2m submit id=3 gpus=4 run=10m");
    bl_metrics_tally(bl_core_metrics(s.core), s.now, &before);
    pass_through_snapshot(&s);
    bl_metrics_tally(bl_core_metrics(s.core), s.now, &after);
    assert_memory_equal(&before, &after, sizeof before);
    assert_string_equal(scene_starts(&s), "1@0s 2@0s 3@10m");
    bl_metrics_tally(bl_core_metrics(s.core), s.now, &after);
    assert_int_equal(after.count[BL_COUNT_SUBMITTED], 3);
    assert_int_equal(after.count[BL_COUNT_COMPLETED], 3);
    assert_int_equal(after.count[BL_COUNT_USED], (1 + 30 + 40) * BL_MINUTE);
    assert_int_equal(after.count[BL_COUNT_IDLE], (0 + 1 * 8 + 1) * BL_MINUTE);
    assert_int_equal(after.waits.sum, 8 * BL_MINUTE);
    scene_free(&s);
}

static void ended_jobs_leave_memory_and_their_ids_stay_unknown(void **state)
{
    struct scene s = scene_new("1x4:A100", "fifo");
    struct bl_event forget = {.kind = BL_EVENT_JOBS_FORGOTTEN};

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=1 run=1m");
    scene_event(&s, "t=0 submit id=2 gpus=1 array=0-1 run=2m");
    scene_event(&s, "t=0 submit id=5 gpus=1 run=9m");
    scene_event(&s, "t=5m round");
    forget.at = 5 * BL_MINUTE;
    forget.u.forgotten.before = 2 * BL_MINUTE;
    scene_step(&s, &forget);
    assert_string_equal(scene_state(&s, 1), "unknown");
    assert_string_equal(scene_state(&s, 3), "completed");
    forget.u.forgotten.before = 4 * BL_MINUTE;
    scene_step(&s, &forget);
    assert_string_equal(scene_state(&s, 2), "unknown");
    assert_string_equal(scene_state(&s, 4), "unknown");
    assert_int_equal(bl_core_job_count(s.core), 1);
    scene_free(&s);
}

static void a_job_said_to_run_on_what_is_not_there_is_left_out(void **state)
{
    struct scene s = scene_new("1x4:A100", "fifo");
    struct bl_alloc alloc = {.part_count = 1, .single = {.node = 0, .gpus = 1, .gpu_mask = 0x10}};
    struct bl_job_past past = {.state = BL_JOB_RUNNING, .alloc = &alloc};
    struct bl_event event = {.kind = BL_EVENT_JOB_RESTORED, .job = 1, .u.restored = &past};

    (void)state;
    scene_step(&s, &event);
    assert_string_equal(scene_state(&s, 1), "unknown");
    alloc.single.gpu_mask = 0x1;
    scene_step(&s, &event);
    assert_string_equal(scene_state(&s, 1), "running");
    event.job = 2;
    scene_step(&s, &event);
    assert_string_equal(scene_state(&s, 2), "unknown");
    scene_free(&s);
}

static void no_snapshot_is_made_while_a_round_is_due(void **state)
{
    struct scene s = scene_new("1x4:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=1");
    assert_true(bl_core_can_export(s.core));
    bl_core_step(s.core, &(struct bl_event){.kind = BL_EVENT_JOB_CANCELLED, .job = 1}, NULL);
    assert_false(bl_core_can_export(s.core));
    scene_event(&s, "t=0 round");
    assert_true(bl_core_can_export(s.core));
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_runs_waits_and_has_ended_comes_back_as_it_stood),
        cmocka_unit_test(a_job_that_is_resized_comes_back_as_it_stood),
        cmocka_unit_test(A16_what_was_counted_goes_on_after_a_snapshot),
        cmocka_unit_test(ended_jobs_leave_memory_and_their_ids_stay_unknown),
        cmocka_unit_test(a_job_said_to_run_on_what_is_not_there_is_left_out),
        cmocka_unit_test(no_snapshot_is_made_while_a_round_is_due),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
