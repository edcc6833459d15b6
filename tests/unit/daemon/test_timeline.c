#include "bl_test.h"
#include "base/buf.h"
#include "daemon/timeline.h"
#include "form/record.h"

#include <stdlib.h>

#define T0 (1000000 * BL_SECOND)

static void feed(struct bl_ledger *ledger, struct bl_event event)
{
    BL_AUTO_BUF record = {0};

    bl_record_write(&record, &event, NULL);
    assert_int_equal(
        bl_ledger_apply(ledger, ledger->seq + 1, bl_buf_text(&record), record.length, NULL), BL_OK);
}

static void round_at(struct bl_ledger *ledger, bl_time at)
{
    feed(ledger, (struct bl_event){.kind = BL_EVENT_ROUND, .at = at});
}

static void add_node(struct bl_ledger *ledger, const char *name, int32_t gpus, bool counted)
{
    feed(ledger, (struct bl_event){.kind = BL_EVENT_NODE_ADDED,
                                   .at = T0,
                                   .u.node = {.name = name,
                                              .gpus = gpus,
                                              .counted = counted,
                                              .gpu_type = "A100",
                                              .cpu_milli = 64000,
                                              .mem_bytes = INT64_C(1) << 40}});
}

/* Four GPUs by name on n1, six that are counted on n2. */
static struct bl_ledger *new_ledger(void)
{
    struct bl_ledger *ledger = bl_ledger_create();

    feed(ledger, (struct bl_event){.kind = BL_EVENT_POLICY_SET,
                                   .at = T0,
                                   .u.policy = {.policy = bl_policy_find("fifo")}});
    add_node(ledger, "n1", 4, false);
    add_node(ledger, "n2", 6, true);
    return ledger;
}

static void submit(struct bl_ledger *ledger, bl_job_id id, int32_t gpus, bl_time limit)
{
    feed(ledger, (struct bl_event){.kind = BL_EVENT_JOB_SUBMITTED,
                                   .job = id,
                                   .at = T0,
                                   .u.submitted = {.name = "train",
                                                   .user = "ann",
                                                   .gpus_min = gpus,
                                                   .gpus_want = gpus,
                                                   .gpus_max = gpus,
                                                   .limit = limit}});
}

static void report(struct bl_ledger *ledger, enum bl_event_kind kind, bl_job_id id, bl_time at)
{
    feed(ledger, (struct bl_event){.kind = kind, .job = id, .attempt = 1, .at = at});
}

static void set_state(struct bl_ledger *ledger, const char *name, enum bl_node_state state,
                      bl_time from)
{
    feed(ledger, (struct bl_event){.kind = BL_EVENT_NODE_STATE,
                                   .at = T0,
                                   .u.node_state = {.name = name, .state = state, .from = from}});
}

static void print_minute(struct bl_buf *out, bl_time at)
{
    if (at == 0 || at == BL_TIME_NEVER) {
        bl_buf_append_char(out, '?');
    } else {
        bl_buf_printf(out, "%lld", (long long)((at - T0) / BL_MINUTE));
    }
}

/* "job 1 0-60 n1:0 n1:1;", minutes from T0; "job 1'" is an attempt before its last. */
static void print_bars(struct bl_buf *out, const struct bl_ledger *ledger,
                       const struct bl_timeline *timeline)
{
    const struct bl_cluster *cluster = bl_core_cluster(ledger->core);

    for (size_t i = 0; i < timeline->bar_count; i++) {
        const struct bl_bar *bar = &timeline->bar[i];

        if (bar->booking) {
            bl_buf_printf(out, "r%lld.%d ", (long long)bar->booking->spec.id,
                          bar->occurrence->number);
        } else if (bar->kind == BL_BAR_JOB) {
            bl_buf_printf(out, "job %lld%s ", (long long)bar->job->id, bar->attempt ? "'" : "");
        } else {
            bl_buf_printf(out, "down %s ", cluster->node[bar->node].spec.name);
        }
        print_minute(out, bar->start);
        bl_buf_append_char(out, '-');
        print_minute(out, bar->end);
        for (size_t k = 0; k < bar->lane_count; k++) {
            bl_buf_append_char(out, ' ');
            bl_lane_print(out, cluster, &timeline->lane[bar->lane[k]]);
        }
        bl_buf_append_char(out, ';');
    }
}

/* The window is in minutes from T0. */
static void check(const struct bl_ledger *ledger, int from, int to, const char *expected)
{
    const struct bl_window window = {T0 + from * BL_MINUTE, T0 + to * BL_MINUTE,
                                     bl_core_now(ledger->core)};
    struct bl_arena arena = {0};
    struct bl_timeline timeline = bl_timeline_make(ledger, &window, &arena);
    BL_AUTO_BUF text = {0};

    print_bars(&text, ledger, &timeline);
    assert_string_equal(bl_buf_text(&text), expected);
    assert_int_equal(timeline.left_out, 0);
    bl_arena_finish(&arena);
}

/* Job 1 ended after half an hour, 2 runs on three GPUs and 3 on four until minute 150, 4 waits for
 * three. */
static struct bl_ledger *ledger_with_jobs(void)
{
    struct bl_ledger *ledger = new_ledger();

    submit(ledger, 1, 4, BL_HOUR);
    round_at(ledger, T0);
    report(ledger, BL_EVENT_JOB_STARTED, 1, T0);
    report(ledger, BL_EVENT_JOB_ENDED, 1, T0 + 30 * BL_MINUTE);
    submit(ledger, 2, 3, 2 * BL_HOUR);
    submit(ledger, 3, 5, 2 * BL_HOUR);
    submit(ledger, 4, 3, BL_HOUR);
    round_at(ledger, T0 + 30 * BL_MINUTE);
    report(ledger, BL_EVENT_JOB_STARTED, 2, T0 + 30 * BL_MINUTE);
    report(ledger, BL_EVENT_JOB_STARTED, 3, T0 + 30 * BL_MINUTE);
    return ledger;
}

static void lanes_are_gpus_by_name_and_nodes_that_count_them(void **state)
{
    struct bl_ledger *ledger = new_ledger();
    const struct bl_window window = {T0, T0 + BL_HOUR, T0};
    struct bl_arena arena = {0};
    struct bl_timeline timeline = bl_timeline_make(ledger, &window, &arena);
    BL_AUTO_BUF text = {0};

    (void)state;
    for (size_t i = 0; i < timeline.lane_count; i++) {
        bl_lane_print(&text, bl_core_cluster(ledger->core), &timeline.lane[i]);
        bl_buf_printf(&text, "=%d ", timeline.lane[i].gpus);
    }
    assert_string_equal(bl_buf_text(&text), "n1:0=1 n1:1=1 n1:2=1 n1:3=1 n2=6 ");
    bl_arena_finish(&arena);
    bl_ledger_destroy(ledger);
}

static void what_ended_runs_and_waits_is_on_its_lanes(void **state)
{
    struct bl_ledger *ledger = ledger_with_jobs();

    (void)state;
    check(ledger, -60, 600,
          "job 1 0-30 n1:0 n1:1 n1:2 n1:3;job 2 30-150 n1:0 n1:1 n1:2;job 3 30-150 n2;"
          "job 4 150-210 n1:0 n1:1 n1:2;");
    bl_ledger_destroy(ledger);
}

static void C3_attempts_before_the_last_have_bars_where_they_ran(void **state)
{
    struct bl_ledger *ledger = ledger_with_jobs();

    (void)state;
    feed(ledger,
         (struct bl_event){.kind = BL_EVENT_JOB_REQUEUED, .job = 2, .at = T0 + 40 * BL_MINUTE});
    round_at(ledger, T0 + 40 * BL_MINUTE);
    report(ledger, BL_EVENT_JOB_ENDED, 2, T0 + 45 * BL_MINUTE);
    check(ledger, 31, 60,
          "job 2' 30-45 n1:0 n1:1 n1:2;job 3 30-150 n2;job 2 45-165 n1:0 n1:1 n1:2;");
    round_at(ledger, T0 + 45 * BL_MINUTE);
    check(ledger, 31, 45, "job 2' 30-45 n1:0 n1:1 n1:2;job 3 30-150 n2;");
    check(ledger, 45, 60, "job 3 30-150 n2;job 2 45-165 n1:0 n1:1 n1:2;");
    bl_ledger_destroy(ledger);
}

static void only_bars_with_an_instant_in_the_window_are_there(void **state)
{
    struct bl_ledger *ledger = ledger_with_jobs();

    (void)state;
    check(ledger, 0, 30, "job 1 0-30 n1:0 n1:1 n1:2 n1:3;");
    check(ledger, 30, 31, "job 2 30-150 n1:0 n1:1 n1:2;job 3 30-150 n2;");
    check(ledger, 150, 600, "job 4 150-210 n1:0 n1:1 n1:2;");
    check(ledger, 600, 700, "");
    bl_ledger_destroy(ledger);
}

static void a_node_out_of_use_has_a_bar_over_all_its_lanes(void **state)
{
    struct bl_ledger *ledger = new_ledger();

    (void)state;
    set_state(ledger, "n1", BL_NODE_DRAINED, T0 + BL_HOUR);
    check(ledger, 0, 600, "down n1 60-? n1:0 n1:1 n1:2 n1:3;");
    check(ledger, 0, 30, "");
    set_state(ledger, "n2", BL_NODE_DOWN, 0);
    check(ledger, 0, 30, "down n2 0-? n2;");
    bl_ledger_destroy(ledger);
}

static void P21_a_lost_gpu_has_a_bar_over_its_lane_and_is_sketched_around(void **state)
{
    struct bl_ledger *ledger = new_ledger();

    (void)state;
    feed(ledger, (struct bl_event){.kind = BL_EVENT_GPU_STATE,
                                   .at = T0,
                                   .u.gpu_state = {.name = "n1", .lost = 4}});
    check(ledger, 0, 600, "down n1 0-? n1:2;");
    set_state(ledger, "n2", BL_NODE_DOWN, 0);
    submit(ledger, 1, 3, BL_HOUR);
    round_at(ledger, T0);
    report(ledger, BL_EVENT_JOB_STARTED, 1, T0);
    submit(ledger, 2, 3, BL_HOUR);
    round_at(ledger, T0);
    check(ledger, 0, 600,
          "job 1 0-60 n1:0 n1:1 n1:3;down n2 0-? n2;down n1 0-? n1:2;job 2 60-120 n1:0 n1:1 n1:3;");
    bl_ledger_destroy(ledger);
}

static void jobs_that_wait_share_a_node_that_counts_its_gpus(void **state)
{
    struct bl_ledger *ledger = new_ledger();

    (void)state;
    set_state(ledger, "n1", BL_NODE_DOWN, 0);
    submit(ledger, 1, 6, BL_HOUR);
    round_at(ledger, T0);
    report(ledger, BL_EVENT_JOB_STARTED, 1, T0);
    submit(ledger, 2, 4, BL_HOUR);
    submit(ledger, 3, 2, BL_HOUR);
    submit(ledger, 4, 2, BL_HOUR);
    round_at(ledger, T0);
    check(ledger, 0, 600,
          "job 1 0-60 n2;down n1 0-? n1:0 n1:1 n1:2 n1:3;job 2 60-120 n2;job 3 60-120 n2;"
          "job 4 120-180 n2;");
    bl_ledger_destroy(ledger);
}

/* GPUs of n1, in minutes from T0. */
static void book(struct bl_ledger *ledger, int64_t id, uint64_t gpus, int from, int to)
{
    const struct bl_slot slot = {T0 + from * BL_MINUTE, T0 + to * BL_MINUTE};
    const struct bl_booking_place place = {"n1", gpus};
    const struct bl_booking_spec spec = {
        .id = id, .on = &place, .on_count = 1, .slot = &slot, .slot_count = 1};

    feed(ledger, (struct bl_event){.kind = BL_EVENT_RESERVED, .at = T0, .u.reserved = &spec});
}

static void C7_reservations_have_bars_and_what_waits_is_sketched_around_them(void **state)
{
    struct bl_ledger *ledger = new_ledger();

    (void)state;
    set_state(ledger, "n2", BL_NODE_DOWN, 0);
    book(ledger, 1, 0x3, 60, 120);
    book(ledger, 2, 0x3, 300, 360);
    submit(ledger, 1, 4, BL_HOUR);
    round_at(ledger, T0);
    report(ledger, BL_EVENT_JOB_STARTED, 1, T0);
    submit(ledger, 2, 2, BL_HOUR);
    round_at(ledger, T0);
    check(ledger, 0, 200,
          "job 1 0-60 n1:0 n1:1 n1:2 n1:3;down n2 0-? n2;job 2 60-120 n1:2 n1:3;"
          "r1.1 60-120 n1:0 n1:1;");
    feed(ledger, (struct bl_event){
                     .kind = BL_EVENT_RESERVATION_CANCELLED, .at = T0, .u.unreserved = {.id = 1}});
    check(ledger, 0, 200, "job 1 0-60 n1:0 n1:1 n1:2 n1:3;down n2 0-? n2;job 2 60-120 n1:0 n1:1;");
    bl_ledger_destroy(ledger);
}

static void one_whose_limit_has_passed_is_expected_to_end_any_moment(void **state)
{
    struct bl_ledger *ledger = ledger_with_jobs();

    (void)state;
    report(ledger, BL_EVENT_JOB_ENDED, 3, T0 + 240 * BL_MINUTE);
    check(ledger, 239, 241, "job 2 30-240 n1:0 n1:1 n1:2;job 3 30-240 n2;job 4 240-300 n2;");
    bl_ledger_destroy(ledger);
}

static void of_too_many_bars_those_that_ended_first_are_left_out(void **state)
{
    struct bl_ledger *ledger = new_ledger();
    const struct bl_window window = {T0, T0 + BL_DAY, T0 + BL_HOUR};
    struct bl_arena arena = {0};
    struct bl_timeline timeline;
    bl_job_id id = 0;

    (void)state;
    for (int i = 0; i < BL_TIMELINE_BARS_MAX + 2; i++) {
        submit(ledger, ++id, 4, BL_HOUR);
        round_at(ledger, T0);
        report(ledger, BL_EVENT_JOB_STARTED, id, T0);
        report(ledger, BL_EVENT_JOB_ENDED, id, T0 + 1);
    }
    timeline = bl_timeline_make(ledger, &window, &arena);
    assert_int_equal(timeline.bar_count, BL_TIMELINE_BARS_MAX);
    assert_int_equal(timeline.left_out, 2);
    assert_int_equal(timeline.bar[0].job->id, 3);
    bl_arena_finish(&arena);
    bl_ledger_destroy(ledger);
}

/* Whatever is told of it: readers of events hear only of what differs. */
static void a_bar_is_another_when_any_of_its_times_or_lanes_is(void **state)
{
    struct bl_job job = {.id = 7, .state = BL_JOB_RUNNING, .spec.name = "train"};
    int32_t lanes[2] = {0, 1};
    const struct bl_bar bar = {.kind = BL_BAR_JOB,
                               .job = &job,
                               .start = T0,
                               .end = T0 + BL_HOUR,
                               .end_p90 = T0 + 2 * BL_HOUR,
                               .gpus = 2,
                               .lane = lanes,
                               .lane_count = 2};
    struct bl_bar other[] = {bar, bar, bar, bar, bar};
    const uint64_t hash = bl_bar_hash(&bar, T0);

    (void)state;
    other[0].start++;
    other[1].end++;
    other[2].end_p90++;
    other[3].gpus++;
    other[4].lane_count--;
    assert_true(bl_bar_hash(&bar, T0) == hash);
    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        assert_true(bl_bar_hash(&other[i], T0) != hash);
    }
    job.state = BL_JOB_STOPPING;
    assert_true(bl_bar_hash(&bar, T0) != hash);
}

static void what_is_told_of_its_job_makes_it_another_too(void **state)
{
    struct bl_job job = {.id = 7, .attempt = 2, .state = BL_JOB_RUNNING};
    const struct bl_bar bar = {.kind = BL_BAR_JOB, .job = &job, .start = T0, .end = T0 + BL_HOUR};
    uint64_t hash = bl_bar_hash(&bar, T0);

    (void)state;
    job.spec.job_class = BL_CLASS_PREEMPTIBLE;
    assert_true(bl_bar_hash(&bar, T0) != hash);
    hash = bl_bar_hash(&bar, T0);
    job.attempt++;
    assert_true(bl_bar_hash(&bar, T0) != hash);
}

/* What becomes of the job later is nothing to it. */
static void the_bar_of_an_earlier_attempt_stays_as_it_is(void **state)
{
    struct bl_job job = {.id = 7, .attempt = 2, .state = BL_JOB_RUNNING};
    const struct bl_job_attempt attempt = {.number = 1, .reason.code = BL_REASON_PREEMPTED};
    const struct bl_bar bar = {.kind = BL_BAR_JOB, .job = &job, .start = T0, .end = T0 + BL_HOUR};
    struct bl_bar earlier = bar;
    uint64_t hash;

    (void)state;
    earlier.attempt = &attempt;
    hash = bl_bar_hash(&earlier, T0);
    assert_true(bl_bar_key(&earlier) != bl_bar_key(&bar));
    assert_true(bl_bar_is_over(&earlier));
    assert_false(bl_bar_waits(&earlier));
    assert_int_equal(bl_bar_attempt(&earlier), 1);
    assert_int_equal(bl_bar_attempt(&bar), 2);
    job.state = BL_JOB_QUEUED;
    job.attempt++;
    assert_true(bl_bar_hash(&earlier, T0) == hash);
    assert_int_equal(bl_bar_attempt(&bar), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_are_gpus_by_name_and_nodes_that_count_them),
        cmocka_unit_test(what_ended_runs_and_waits_is_on_its_lanes),
        cmocka_unit_test(C3_attempts_before_the_last_have_bars_where_they_ran),
        cmocka_unit_test(only_bars_with_an_instant_in_the_window_are_there),
        cmocka_unit_test(a_node_out_of_use_has_a_bar_over_all_its_lanes),
        cmocka_unit_test(P21_a_lost_gpu_has_a_bar_over_its_lane_and_is_sketched_around),
        cmocka_unit_test(jobs_that_wait_share_a_node_that_counts_its_gpus),
        cmocka_unit_test(C7_reservations_have_bars_and_what_waits_is_sketched_around_them),
        cmocka_unit_test(one_whose_limit_has_passed_is_expected_to_end_any_moment),
        cmocka_unit_test(of_too_many_bars_those_that_ended_first_are_left_out),
        cmocka_unit_test(a_bar_is_another_when_any_of_its_times_or_lanes_is),
        cmocka_unit_test(what_is_told_of_its_job_makes_it_another_too),
        cmocka_unit_test(the_bar_of_an_earlier_attempt_stays_as_it_is),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
