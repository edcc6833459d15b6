#include "bl_test.h"
#include "bytes.h"
#include "form/policyspec.h"
#include "sim/driver.h"

#include <stdio.h>

extern const struct bl_trace_format bl_trace_format_swf;
extern const struct bl_trace_format bl_trace_format_baleen;

/* A replay of SWF lines on so many slots; what was waited for, as the CSV. */
struct replay {
    struct bl_sim_output waits, log;
    struct bl_sim_result result;
};

/* "SUBMIT RUN PROCESSORS LIMIT" of each job, numbered from 1, as SWF. */
static void write_swf(struct bl_buf *out, const int (*jobs)[4], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bl_buf_printf(out, "%zu %d -1 %d %d -1 -1 %d %d -1 1 1 -1 -1 -1 -1 -1 -1\n", i + 1,
                      jobs[i][0], jobs[i][1], jobs[i][2], jobs[i][2], jobs[i][3]);
    }
}

struct case_of {
    const char *policy;
    int64_t slots;
    bl_time round;
};

/* A descriptor of the null device: the text stays in the buffer until it is large. */
static struct replay replay_of(struct case_of how, const int (*jobs)[4], size_t count)
{
    struct bl_trace_options options = {.slots = how.slots};
    BL_AUTO_BUF text = {0};
    struct replay replay = {0};
    struct bl_sim_setup setup = {.round = how.round, .format = &bl_trace_format_swf};
    struct bl_clusterspec cluster;
    struct bl_byte_source source;
    struct kit_bytes bytes;

    write_swf(&text, jobs, count);
    bytes = kit_text(bl_buf_text(&text));
    source = kit_bytes_source("t", &bytes);
    assert_int_equal(bl_policyspec_parse(how.policy, &setup.choice, NULL), BL_OK);
    assert_int_equal(setup.format->open(&source, &options, &setup.trace, NULL), BL_OK);
    setup.format->cluster(setup.trace, &cluster);
    setup.cluster = &cluster;
    setup.waits = &replay.waits;
    setup.log = &replay.log;
    assert_int_equal(bl_sim_replay(&setup, &replay.result, NULL), BL_OK);
    setup.format->close(setup.trace);
    return replay;
}

static void replay_free(struct replay *replay)
{
    bl_buf_finish(&replay->waits.text);
    bl_buf_finish(&replay->log.text);
}

static void expect_waits(struct case_of how, const int (*jobs)[4], size_t count,
                         const char *expected)
{
    struct replay replay = replay_of(how, jobs, count);

    assert_string_equal(bl_buf_text(&replay.waits.text), expected);
    assert_int_equal(replay.result.left, 0);
    replay_free(&replay);
}

#define COUNT(jobs) (sizeof(jobs) / sizeof((jobs)[0]))

static void D4_a_job_starts_when_it_fits_and_ends_after_its_run(void **state)
{
    static const int jobs[][4] = {{0, 100, 3, 200}, {10, 50, 2, 60}, {20, 5, 1, 90}};

    (void)state;
    expect_waits((struct case_of){"fifo", 4, 0}, jobs, COUNT(jobs),
                 "id,submit,start,end\n1,0,0,100\n3,20,100,105\n2,10,100,150\n");
    expect_waits((struct case_of){"easy", 4, 0}, jobs, COUNT(jobs),
                 "id,submit,start,end\n3,20,20,25\n1,0,0,100\n2,10,100,150\n");
}

/* Job 1 ends as planned at 100, when job 2 is submitted: its slots are free for job 2. */
static void an_end_as_planned_goes_before_a_submission_of_that_instant(void **state)
{
    static const int jobs[][4] = {{0, 100, 4, 100}, {100, 10, 4, 10}};
    struct replay replay = replay_of((struct case_of){"easy", 4, 0}, jobs, COUNT(jobs));

    (void)state;
    assert_string_equal(bl_buf_text(&replay.waits.text),
                        "id,submit,start,end\n1,0,0,100\n2,100,100,110\n");
    replay_free(&replay);
}

/* Job 1 ends before its plan at 100, when 3 is submitted, behind 2 that waits for all four slots:
 * with the end first, 2 would start; with the submission first, 3 is backfilled beside 1. */
static void a_submission_goes_before_an_end_that_nobody_planned(void **state)
{
    static const int jobs[][4] = {{0, 100, 3, 500}, {50, 10, 4, 10}, {100, 20, 1, 20}};

    (void)state;
    expect_waits((struct case_of){"easy", 4, 0}, jobs, COUNT(jobs),
                 "id,submit,start,end\n1,0,0,100\n3,100,100,120\n2,50,120,130\n");
}

/* Jobs 2 and 3 end at 100, 3 before its plan and started first; 2 as planned. The round after 3
 * sees both ends: with four slots free job 4 starts, not job 5 with the two of job 2 alone. */
static void an_end_as_planned_is_decided_on_in_the_order_of_starting(void **state)
{
    static const int jobs[][4] = {
        {0, 100, 2, 300}, {40, 60, 2, 60}, {50, 9, 4, 9}, {60, 9, 2, 500}};
    static const int planned_first[][4] = {
        {0, 100, 2, 100}, {40, 60, 2, 300}, {50, 9, 4, 9}, {60, 9, 2, 500}};

    (void)state;
    expect_waits((struct case_of){"easy", 4, 0}, jobs, COUNT(jobs),
                 "id,submit,start,end\n2,40,40,100\n1,0,0,100\n3,50,100,109\n4,60,109,118\n");
    expect_waits((struct case_of){"easy", 4, 0}, planned_first, COUNT(planned_first),
                 "id,submit,start,end\n1,0,0,100\n2,40,40,100\n3,50,100,109\n4,60,109,118\n");
}

static void with_a_period_rounds_take_place_at_its_multiples_only(void **state)
{
    static const int jobs[][4] = {{5, 100, 4, 100}, {10, 50, 4, 60}, {700, 5, 1, 90}};
    struct replay replay =
        replay_of((struct case_of){"easy", 4, 60 * BL_SECOND}, jobs, COUNT(jobs));

    (void)state;
    assert_string_equal(bl_buf_text(&replay.waits.text),
                        "id,submit,start,end\n1,5,60,160\n2,10,180,230\n3,700,720,725\n");
    replay_free(&replay);
}

static void the_log_holds_each_event_and_action_in_order(void **state)
{
    static const int jobs[][4] = {{0, 10, 2, 20}};
    static const char *const words[] = {
        "\"policy_set\"", "\"node_added\"",  "\"job_submitted\"", "\"action\":\"start\"",
        "\"in_order\"",   "\"job_started\"", "\"job_ended\""};
    struct replay replay = replay_of((struct case_of){"easy", 4, 0}, jobs, COUNT(jobs));
    const char *at = bl_buf_text(&replay.log.text);

    (void)state;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        at = strstr(at, words[i]);
        if (!at) {
            fail_msg("%s is missing or too early in %s", words[i], bl_buf_text(&replay.log.text));
            return;
        }
    }
    assert_int_equal(replay.result.events, 5);
    assert_int_equal(replay.result.figures.rounds, 2);
    replay_free(&replay);
}

static void the_same_trace_gives_the_same_log(void **state)
{
    static const int jobs[][4] = {
        {0, 100, 3, 200}, {10, 50, 2, 60}, {20, 5, 1, 90}, {20, 5, 2, 90}};
    struct replay first = replay_of((struct case_of){"easy", 4, 0}, jobs, COUNT(jobs));
    struct replay second = replay_of((struct case_of){"easy", 4, 0}, jobs, COUNT(jobs));

    (void)state;
    assert_string_equal(bl_buf_text(&first.log.text), bl_buf_text(&second.log.text));
    replay_free(&first);
    replay_free(&second);
}

static void an_empty_trace_is_an_empty_result(void **state)
{
    struct replay replay = replay_of((struct case_of){"easy", 4, 0}, NULL, 0);

    (void)state;
    assert_int_equal(replay.result.figures.jobs, 0);
    assert_string_equal(bl_buf_text(&replay.waits.text), "id,submit,start,end\n");
    replay_free(&replay);
}

static void percentiles_of_rounds_are_nearest_rank(void **state)
{
    bl_time sample[] = {5, 1, 4, 2, 3};

    (void)state;
    assert_int_equal(bl_sim_percentile(sample, 5, 50), 3);
    assert_int_equal(bl_sim_percentile(sample, 5, 99), 5);
    assert_int_equal(bl_sim_percentile(sample, 1, 50), 1);
    assert_int_equal(bl_sim_percentile(NULL, 0, 50), 0);
}

/* A replay of a YAML document on a node of eight GPUs. */
static int replay_yaml(const char *policy, const char *yaml, struct bl_sim_result *out,
                       struct bl_error *err)
{
    const struct bl_node_spec node = {.name = "n1",
                                      .gpu_type = "A100",
                                      .gpus = 8,
                                      .cpu_milli = 128000,
                                      .mem_bytes = INT64_C(1) << 40};
    struct bl_clusterspec cluster = {.node = (struct bl_node_spec *)(uintptr_t)&node,
                                     .node_count = 1};
    struct bl_trace_options options = {.cluster = &cluster};
    struct bl_sim_setup setup = {.format = &bl_trace_format_baleen, .cluster = &cluster};
    struct kit_bytes bytes = kit_text(yaml);
    struct bl_byte_source source = kit_bytes_source("t", &bytes);
    int status = bl_policyspec_parse(policy, &setup.choice, err);

    status = status == BL_OK ? setup.format->open(&source, &options, &setup.trace, err) : status;
    if (status == BL_OK) {
        status = bl_sim_replay(&setup, out, err);
        setup.format->close(setup.trace);
    }
    return status;
}

/* Twice a day GPUs are reserved, and there is always preemptible work for all of them. */
static void P14_in_a_week_of_reservations_next_to_nothing_is_idle_before_them(void **state)
{
    static const char *const policies[] = {"fifo", "easy", "conservative", "las"};
    const double reserved_s = 7 * (4 * 4 + 8 * 2) * 3600.0;
    BL_AUTO_BUF yaml = {0};

    (void)state;
    bl_buf_append_text(&yaml, "reservations:\n"
                              "- {gpus: 4, from: 9h, for: 4h, every: 1d, until: 7d}\n"
                              "- {gpus: 8, from: 20h, for: 2h, every: 1d, until: 7d}\njobs:\n");
    for (int i = 0; i < 300; i++) {
        bl_buf_printf(&yaml,
                      "- {name: p-%d, submit: %dm, class: preemptible, work: %dm, restart: 30s, "
                      "resources: {gpus: %d}}\n",
                      i, i < 40 ? 0 : i * 30, 180 + i * 37 % 200, 1 + i % 2);
    }
    for (size_t i = 0; i < sizeof policies / sizeof policies[0]; i++) {
        struct bl_sim_result result = {0};

        assert_int_equal(replay_yaml(policies[i], bl_buf_text(&yaml), &result, NULL), BL_OK);
        assert_int_equal(result.figures.done, 300);
        assert_true(result.figures.preemptions > 14);
        assert_true(result.figures.reservation_idle_gpu_s <= reserved_s / 100);
    }
}

static void a_reservation_that_cannot_be_booked_is_an_error(void **state)
{
    struct bl_sim_result result = {0};
    struct bl_error err = {0};

    (void)state;
    assert_int_equal(replay_yaml("fifo",
                                 "reservations: [{gpus: 5, from: 1h, for: 1h}, {gpus: 4, from: "
                                 "90m, for: 1h}]\njobs: [{work: 1m, resources: {gpus: 1}}]\n",
                                 &result, &err),
                     BL_EINVAL);
    assert_string_equal(err.text, "reservation 2 of the trace cannot be booked");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(P14_in_a_week_of_reservations_next_to_nothing_is_idle_before_them),
        cmocka_unit_test(a_reservation_that_cannot_be_booked_is_an_error),
        cmocka_unit_test(D4_a_job_starts_when_it_fits_and_ends_after_its_run),
        cmocka_unit_test(an_end_as_planned_goes_before_a_submission_of_that_instant),
        cmocka_unit_test(a_submission_goes_before_an_end_that_nobody_planned),
        cmocka_unit_test(an_end_as_planned_is_decided_on_in_the_order_of_starting),
        cmocka_unit_test(with_a_period_rounds_take_place_at_its_multiples_only),
        cmocka_unit_test(the_log_holds_each_event_and_action_in_order),
        cmocka_unit_test(the_same_trace_gives_the_same_log),
        cmocka_unit_test(an_empty_trace_is_an_empty_result),
        cmocka_unit_test(percentiles_of_rounds_are_nearest_rank),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
