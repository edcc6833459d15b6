#include "bl_test.h"
#include "core/view.h"
#include "near.h"
#include "scene.h"

static const struct bl_job *job_of(const struct scene *s, bl_job_id id)
{
    return bl_core_find_job(s->core, id);
}

static int64_t free_gpus(const struct scene *s)
{
    return bl_core_cluster(s->core)->free.amount[BL_RESOURCE_GPU];
}

/* One job on four GPUs of eight, asked to go on six: it saves its work and holds all six. */
static struct scene scene_of_resizing(void)
{
    struct scene s = scene_new("1x8:A100", "fifo");

    scene_event(&s, "t=0 submit id=1 gpus=2-6 limit=1h restart=1");
    scene_event(&s, "t=0 resize id=1 gpus=4");
    scene_event(&s, "t=10m end id=1 code=85");
    scene_event(&s, "t=20m resize id=1 gpus=6");
    assert_string_equal(scene_state(&s, 1), "resizing");
    assert_string_equal(scene_where(&s, 1), "n1:0,1,2,3,4,5");
    return s;
}

static void A1_a_running_job_is_resized_and_holds_old_and_new_until_it_has_ended(void **state)
{
    struct scene s = scene_new("1x8:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=2-6");
    assert_string_equal(scene_where(&s, 1), "n1:0,1,2,3,4,5");
    scene_event(&s, "t=5m resize id=1 gpus=3");
    assert_string_equal(scene_state(&s, 1), "resizing");
    assert_string_equal(scene_why_word(&s, 1), "resize_wished");
    assert_int_equal(free_gpus(&s), 2);
    scene_event(&s, "t=6m end id=1 code=85");
    assert_string_equal(scene_state(&s, 1), "running");
    assert_string_equal(scene_where(&s, 1), "n1:0,1,2");
    assert_int_equal(free_gpus(&s), 5);
    assert_int_equal(job_of(&s, 1)->attempt, 2);
    assert_int_equal(job_of(&s, 1)->restarts, 1);
    assert_int_equal(job_of(&s, 1)->save_time, BL_MINUTE);
    assert_int_equal(job_of(&s, 1)->first_started_at, 0);
    assert_string_equal(bl_buf_text(&s.log), "0 start 1.1 in_order\n"
                                             "300000000 resize 1.1 resize_wished\n"
                                             "360000000 start 1.2 resize_wished\n");
    scene_free(&s);
}

/* Whatever the attempt leaves with, it was asked to leave; only the job itself can say that it has
 * come to its end. */
static void a_resized_job_has_completed_only_when_it_said_so(void **state)
{
    static const struct {
        const char *progress, *end, *state;
    } rows[] = {
        {NULL, "end id=1 code=85", "running"},
        {NULL, "end id=1 code=0", "running"},
        {NULL, "end id=1 code=1", "running"},
        {NULL, "end id=1 signal=15", "running"},
        {"progress id=1 done=9 total=10", "end id=1 code=0", "running"},
        {"progress id=1 done=10 total=10", "end id=1 code=0", "completed"},
        {"progress id=1 done=10 total=10", "end id=1 code=1", "running"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene s = scene_of_resizing();

        if (rows[i].progress) {
            scene_event(&s, rows[i].progress);
        }
        scene_event(&s, rows[i].end);
        assert_string_equal(scene_state(&s, 1), rows[i].state);
        assert_int_equal(job_of(&s, 1)->failures, 0);
        scene_free(&s);
    }
}

/* Each thing that may happen meanwhile; what becomes of the job, and of it after its end. */
static void P22_whatever_happens_while_it_is_resized_has_its_row(void **state)
{
    static const struct {
        const char *event, *then, *after;
        int64_t free;
    } rows[] = {
        {"cancel id=1", "stopping", "cancelled", 8},
        {"requeue id=1", "stopping", "running", 2},
        {"hold id=1", "resizing", "running", 2},
        {"release id=1", "resizing", "running", 2},
        {"fail id=1", "waiting", "waiting", 8},
        {"end id=1 lost=1", "running", "completed", 8},
        {"node name=n1 state=drained", "resizing", "queued", 0},
        {"node name=n1 state=down", "resizing", "queued", 0},
        {"change id=1 limit=2h", "resizing", "running", 2},
        {"t=61m round", "stopping", "timeout", 8},
        {"jump by=2h", "resizing", "running", 2},
        {"resize id=1 gpus=3", "resizing", "running", 2},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene s = scene_of_resizing();

        scene_event(&s, rows[i].event);
        assert_string_equal(scene_state(&s, 1), rows[i].then);
        assert_int_equal(job_of(&s, 1)->next.part_count > 0, strcmp(rows[i].then, "resizing") == 0);
        scene_event(&s, "end id=1 code=0");
        assert_string_equal(scene_state(&s, 1), rows[i].after);
        assert_int_equal(free_gpus(&s), rows[i].free);
        scene_free(&s);
    }
}

static void A1_the_limit_counts_all_runs_of_a_resized_job(void **state)
{
    struct scene s = scene_new("1x8:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=2-8 limit=1h");
    scene_event(&s, "t=20m resize id=1 gpus=2");
    scene_event(&s, "t=30m end id=1 code=85");
    scene_event(&s, "t=59m round");
    assert_string_equal(scene_state(&s, 1), "running");
    scene_event(&s, "t=60m round");
    assert_string_equal(scene_state(&s, 1), "stopping");
    assert_string_equal(scene_why_word(&s, 1), "time_limit");
    scene_free(&s);
}

/* As Slurm's users know it. */
static void the_limit_begins_anew_when_a_job_was_put_back(void **state)
{
    struct scene s = scene_new("1x8:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=2-8 limit=1h");
    scene_event(&s, "t=20m resize id=1 gpus=2");
    scene_event(&s, "t=30m end id=1 code=85");
    scene_event(&s, "t=40m requeue id=1");
    scene_event(&s, "t=41m end id=1 signal=15");
    scene_event(&s, "t=100m round");
    assert_string_equal(scene_state(&s, 1), "running");
    scene_event(&s, "t=101m round");
    assert_string_equal(scene_state(&s, 1), "stopping");
    scene_free(&s);
}

/* The next attempt is decided, but the engine was not told: nothing is there to be stopped. */
static void P22_a_job_between_two_sizes_is_cancelled_or_put_back_at_once(void **state)
{
    static const struct {
        enum bl_event_kind kind;
        const char *state;
    } rows[] = {{BL_EVENT_JOB_CANCELLED, "cancelled"}, {BL_EVENT_JOB_REQUEUED, "queued"}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene s = scene_of_resizing();
        struct bl_event ended = {
            .kind = BL_EVENT_JOB_ENDED, .at = s.now, .job = 1, .attempt = 2, .u.ended.code = 85};
        size_t logged = s.log.length;

        scene_step(&s, &ended);
        assert_string_equal(scene_state(&s, 1), "starting");
        assert_int_equal(job_of(&s, 1)->attempt, 3);
        scene_step(&s, &(struct bl_event){.kind = rows[i].kind, .at = s.now, .job = 1});
        assert_string_equal(scene_state(&s, 1), rows[i].state);
        assert_int_equal(free_gpus(&s), 8);
        scene_event(&s, "node name=n1 state=drained");
        assert_int_equal(s.log.length, logged);
        scene_free(&s);
    }
}

static void P9_a_start_that_fails_at_the_new_size_goes_back_to_the_queue(void **state)
{
    struct scene s = scene_of_resizing();
    struct bl_event failed = {.kind = BL_EVENT_JOB_START_FAILED, .job = 1, .attempt = 3};
    struct bl_event ended = {
        .kind = BL_EVENT_JOB_ENDED, .at = s.now, .job = 1, .attempt = 2, .u.ended.code = 85};

    (void)state;
    scene_step(&s, &ended);
    failed.at = s.now;
    scene_step(&s, &failed);
    assert_string_equal(scene_state(&s, 1), "waiting");
    assert_string_equal(scene_why_word(&s, 1), "retry");
    assert_int_equal(job_of(&s, 1)->start_failures, 1);
    assert_int_equal(free_gpus(&s), 8);
    scene_event(&s, "t=21m round");
    assert_string_equal(scene_state(&s, 1), "running");
    assert_int_equal(job_of(&s, 1)->attempt, 4);
    scene_free(&s);
}

static void a_restart_goes_on_from_what_was_reported_last(void **state)
{
    struct scene s = scene_of_resizing();

    (void)state;
    scene_event(&s, "progress id=1 done=30 total=120 rate=7");
    assert_near(job_of(&s, 1)->progress.done, 0.25, 1e-12);
    assert_near(job_of(&s, 1)->progress.begun_at, 0, 0);
    assert_near(job_of(&s, 1)->progress.rate, 7, 0);
    scene_event(&s, "end id=1 code=85");
    assert_near(job_of(&s, 1)->progress.begun_at, 0.25, 1e-12);
    scene_event(&s, "progress id=1 done=40"); /* of a total that it knows already */
    assert_near(job_of(&s, 1)->progress.steps, 40, 0);
    assert_near(job_of(&s, 1)->progress.done, 0.25, 1e-12);
    scene_free(&s);
}

/* 10 minutes on 6, 10 on 4, then both are held: 2 minutes on 6 and on. */
static void what_a_job_was_given_is_counted_as_it_was_held(void **state)
{
    struct scene s = scene_of_resizing();
    struct bl_figures figures;

    (void)state;
    scene_event(&s, "t=22m end id=1 code=85");
    assert_near(bl_job_attained(job_of(&s, 1), s.now), 60 * (10 * 6 + 10 * 4 + 2 * 6), 1e-6);
    scene_event(&s, "t=23m end id=1");
    bl_metrics_figures(bl_core_metrics(s.core), &figures);
    assert_near(figures.gpu_hours, (10 * 6 + 10 * 4 + 3 * 6) / 60.0, 1e-9);
    assert_int_equal(figures.restarts, 2);
    assert_int_equal(figures.preemptions, 0);
    assert_near(figures.max_wait_s, 0, 0);
    scene_free(&s);
}

static void a_wish_waits_for_room_and_holds_for_the_next_start(void **state)
{
    struct scene s = scene_new("1x8:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=2-4");
    scene_event(&s, "t=0 resize id=1 gpus=2");
    scene_event(&s, "t=1m end id=1 code=85");
    scene_event(&s, "t=2m submit id=2 gpus=6");
    scene_event(&s, "t=3m resize id=1 gpus=3");
    assert_string_equal(scene_state(&s, 1), "running");
    scene_event(&s, "t=4m end id=2");
    assert_string_equal(scene_state(&s, 1), "resizing");
    scene_event(&s, "t=5m end id=1 code=85");
    assert_string_equal(scene_where(&s, 1), "n1:0,1,2");
    scene_event(&s, "t=6m resize id=1 gpus=5"); /* over its range */
    scene_event(&s, "t=6m submit id=3 gpus=4-8");
    scene_event(&s, "t=6m resize id=3 gpus=5");
    assert_string_equal(scene_where(&s, 3), "n1:3,4,5,6,7");
    assert_string_equal(scene_where(&s, 1), "n1:0,1,2");
    scene_free(&s);
}

/* Asked while it could not follow, it follows as soon as it can. */
static void a_wish_that_came_while_a_job_was_resized_is_not_forgotten(void **state)
{
    struct scene s = scene_of_resizing();

    (void)state;
    scene_event(&s, "resize id=1 gpus=3");
    scene_event(&s, "end id=1 code=85");
    assert_string_equal(scene_state(&s, 1), "running");
    assert_true(bl_core_wants_round(s.core));
    scene_event(&s, "round");
    assert_string_equal(scene_state(&s, 1), "resizing");
    scene_event(&s, "end id=1 code=85");
    assert_string_equal(scene_where(&s, 1), "n1:0,1,2");
    assert_false(bl_core_wants_round(s.core));
    scene_free(&s);
}

/* A policy that does what its test says, once. */
struct order {
    bl_job_id preempt;
    bl_job_id for_job;
};

static struct order order;

static bl_time plan_duration(const struct bl_policy_choice *choice, const struct bl_job *job,
                             int32_t gpus)
{
    (void)choice;
    (void)gpus;
    return bl_job_longest_run(&job->spec);
}

static void decide(void *self, const struct bl_view *view, struct bl_decision *decision)
{
    (void)self;
    for (size_t i = 0; i < view->running_count; i++) {
        if (view->running[i].job->id == order.preempt) {
            order.preempt = 0;
            bl_decision_preempt(decision, i, &(struct bl_reason){.job = order.for_job});
        }
    }
}

static void explain(void *self, const struct bl_view *view, const struct bl_job *job,
                    struct bl_reason *out)
{
    (void)self;
    (void)view;
    (void)job;
    (void)out;
}

static const struct bl_policy obedient = {.name = "obedient",
                                          .is_elastic = true,
                                          .plan_duration = plan_duration,
                                          .decide = decide,
                                          .explain = explain};

static void obey(struct scene *s)
{
    struct bl_event event = {.kind = BL_EVENT_POLICY_SET, .at = s->now};

    event.u.policy = bl_policy_default(&obedient);
    scene_step(s, &event);
}

/* P8: twenty times, and it is neither held nor a failure. */
static void P8_preemptions_are_no_failures(void **state)
{
    struct scene s = scene_new("1x8:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=2 class=preemptible");
    for (int i = 1; i <= 20; i++) {
        struct bl_event fifo = {.kind = BL_EVENT_POLICY_SET};

        obey(&s);
        order = (struct order){1, 7};
        scene_event(&s, "round");
        assert_string_equal(scene_state(&s, 1), "stopping");
        scene_event(&s, "end id=1 signal=9");
        assert_string_equal(scene_state(&s, 1), "queued");
        assert_string_equal(scene_why_word(&s, 1), "preempted");
        assert_int_equal(scene_why(&s, 1).job, 7);
        assert_int_equal(free_gpus(&s), 8);
        fifo.at = s.now;
        fifo.u.policy = bl_policy_default(bl_policy_find("fifo"));
        scene_step(&s, &fifo);
        scene_event(&s, "round");
        assert_string_equal(scene_state(&s, 1), "running");
        assert_int_equal(job_of(&s, 1)->restarts, i);
    }
    assert_int_equal(job_of(&s, 1)->failures + job_of(&s, 1)->requeues, 0);
    scene_free(&s);
}

static void a_preempted_job_that_came_to_its_end_has_completed(void **state)
{
    struct scene s = scene_new("1x8:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=2 class=preemptible");
    obey(&s);
    order = (struct order){1, 0};
    scene_event(&s, "t=1m round");
    scene_event(&s, "progress id=1 done=3 total=3");
    scene_event(&s, "end id=1 code=0");
    assert_string_equal(scene_state(&s, 1), "completed");
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(A1_a_running_job_is_resized_and_holds_old_and_new_until_it_has_ended),
        cmocka_unit_test(a_resized_job_has_completed_only_when_it_said_so),
        cmocka_unit_test(P22_whatever_happens_while_it_is_resized_has_its_row),
        cmocka_unit_test(A1_the_limit_counts_all_runs_of_a_resized_job),
        cmocka_unit_test(the_limit_begins_anew_when_a_job_was_put_back),
        cmocka_unit_test(P22_a_job_between_two_sizes_is_cancelled_or_put_back_at_once),
        cmocka_unit_test(P9_a_start_that_fails_at_the_new_size_goes_back_to_the_queue),
        cmocka_unit_test(a_restart_goes_on_from_what_was_reported_last),
        cmocka_unit_test(what_a_job_was_given_is_counted_as_it_was_held),
        cmocka_unit_test(a_wish_waits_for_room_and_holds_for_the_next_start),
        cmocka_unit_test(a_wish_that_came_while_a_job_was_resized_is_not_forgotten),
        cmocka_unit_test(P8_preemptions_are_no_failures),
        cmocka_unit_test(a_preempted_job_that_came_to_its_end_has_completed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
