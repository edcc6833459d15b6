/* Starts: each is told once, and by an event. */
#include "conformance.h"

#include <stdio.h>

static void a_job_starts_and_ends(struct kit *kit)
{
    run_job(kit, 1, &brief);
    expect_in_the_end(kit, 1, "started; exited 0");
}

/* The kit refuses reports while it calls. */
static void nothing_is_told_from_inside_a_call(struct kit *kit)
{
    kit_start(kit, 1, &lasting);
    kit_start(kit, 1, &lasting);
    kit_stop(kit, 1);
    kit_start(kit, 2, &brief);
    kit_adopt(kit, 2, &brief);
    assert_int_equal(kit->event_count, 0);
    wait_ended(kit, 1);
    wait_ended(kit, 2);
}

static void P5_starting_twice_at_once_starts_once(struct kit *kit)
{
    kit_start(kit, 1, &brief);
    kit_start(kit, 1, &brief);
    wait_ended(kit, 1);
    expect_in_the_end(kit, 1, "started; exited 0");
}

static void starting_what_runs_starts_nothing(struct kit *kit)
{
    kit_start(kit, 1, &lasting);
    wait_started(kit, 1);
    kit_start(kit, 1, &lasting);
    settle(kit);
    kit_stop(kit, 1);
    wait_ended(kit, 1);
    expect_in_the_end(kit, 1, "started; signalled 15");
}

static void P5_starting_what_ended_runs_nothing_again(struct kit *kit)
{
    static const struct kit_job job = {.script = "echo run >> runs"};

    run_job(kit, 1, &job);
    kit->event_count = 0;
    kit_start(kit, 1, &job);
    wait_ended(kit, 1);
    expect_in_the_end(kit, 1, "started; exited 0");
    expect_file(kit, "runs", "run\n");
}

static void a_report_names_the_attempt(struct kit *kit)
{
    struct kit_job third = brief;

    third.attempt = 3;
    run_job(kit, 1, &third);
    expect_in_the_end(kit, 1, "3:started; 3:exited 0");
}

static void a_second_attempt_follows_the_first(struct kit *kit)
{
    struct kit_job second = brief;

    second.attempt = 2;
    run_job(kit, 1, &brief);
    kit->event_count = 0;
    run_job(kit, 1, &second);
    expect_in_the_end(kit, 1, "2:started; 2:exited 0");
}

static void a_second_attempt_beside_the_first_is_refused(struct kit *kit)
{
    struct kit_job second = lasting;

    second.attempt = 2;
    kit_start(kit, 1, &lasting);
    wait_started(kit, 1);
    kit_start(kit, 1, &second);
    kit_wait(kit, BL_EVENT_JOB_START_FAILED, 1);
    settle(kit);
    expect_story(kit, 1, "started; 2:failed engine 16");
    kit_stop(kit, 1);
    wait_ended(kit, 1);
}

static void a_job_needs_no_gpu(struct kit *kit)
{
    struct kit_job job = brief;

    job.no_gpu = true;
    run_job(kit, 1, &job);
    expect_in_the_end(kit, 1, "started; exited 0");
}

static void a_job_may_have_all_gpus_of_two_nodes(struct kit *kit)
{
    struct kit_job job = brief;

    job.all_gpus = true;
    run_job(kit, 1, &job);
    expect_in_the_end(kit, 1, "started; exited 0");
}

static void an_element_of_an_array_is_a_job_of_its_own(struct kit *kit)
{
    static const struct bl_array_range range = {.first = 0, .last = 9, .step = 3};
    static const struct bl_job array = {.id = 100,
                                        .spec = {.array = &range, .array_range_count = 1}};
    struct kit_job job = brief;

    job.array = &array;
    for (int64_t id = 101; id <= 104; id++) {
        kit_start(kit, id, &job);
    }
    for (int64_t id = 101; id <= 104; id++) {
        wait_ended(kit, id);
        expect_in_the_end(kit, id, "started; exited 0");
    }
}

static void numbers_may_be_large(struct kit *kit)
{
    static const int64_t ids[] = {INT32_MAX, (INT64_C(1) << 53) - 1};
    struct kit_job job = brief;

    job.attempt = INT32_MAX;
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
        run_job(kit, ids[i], &job);
        expect_story(kit, ids[i], "2147483647:started; 2147483647:exited 0");
    }
}

static void a_start_is_told_with_the_first_process(struct kit *kit)
{
    char line[256];
    char expected[64];

    kit_start(kit, 1, &(struct kit_job){.script = "echo me $$; exec sleep 1000"});
    kit_wait_line(kit, "name-1.1.log", "me ", line);
    snprintf(expected, sizeof expected, "me %lld",
             (long long)kit_wait(kit, BL_EVENT_JOB_STARTED, 1)->u.started.pid);
    assert_string_equal(line, expected);
    kit_stop(kit, 1);
    wait_ended(kit, 1);
}

/* ---- many ---- */

enum { MANY = 48 };

static void many_jobs_at_once_each_run_once(struct kit *kit)
{
    for (int64_t id = 1; id <= MANY; id++) {
        kit_start(kit, id, &brief);
    }
    for (int64_t id = 1; id <= MANY; id++) {
        wait_ended(kit, id);
        expect_story(kit, id, "started; exited 0");
    }
}

static void many_jobs_are_started_and_stopped_at_once(struct kit *kit)
{
    for (int64_t id = 1; id <= MANY; id++) {
        kit_start(kit, id, &lasting);
        if (id > MANY / 2) {
            kit_stop(kit, id - MANY / 2);
        }
    }
    for (int64_t id = MANY / 2 + 1; id <= MANY; id++) {
        kit_stop(kit, id);
    }
    for (int64_t id = 1; id <= MANY; id++) {
        wait_ended(kit, id);
    }
    settle_for_good(kit);
    for (int64_t id = 1; id <= MANY; id++) {
        expect_one_end(kit, id, "signalled 15");
    }
}

static void a_job_in_many_attempts_runs_in_each(struct kit *kit)
{
    struct kit_job job = brief;

    for (job.attempt = 1; job.attempt <= 20; job.attempt++) {
        kit->event_count = 0;
        run_job(kit, 1, &job);
        assert_int_equal(kit->event_count, 2);
        assert_int_equal(kit->event[1].attempt, job.attempt);
    }
}

const struct conformance_case conformance_start[] = {
    CASE(a_job_starts_and_ends, 0),
    CASE(nothing_is_told_from_inside_a_call, 0),
    CASE(P5_starting_twice_at_once_starts_once, 0),
    CASE(starting_what_runs_starts_nothing, 0),
    CASE(P5_starting_what_ended_runs_nothing_again, NEEDS_RESTART),
    CASE(a_report_names_the_attempt, 0),
    CASE(a_second_attempt_follows_the_first, 0),
    CASE(a_second_attempt_beside_the_first_is_refused, NEEDS_REFUSAL),
    CASE(a_job_needs_no_gpu, 0),
    CASE(a_job_may_have_all_gpus_of_two_nodes, 0),
    CASE(an_element_of_an_array_is_a_job_of_its_own, 0),
    CASE(numbers_may_be_large, 0),
    CASE(a_start_is_told_with_the_first_process, NEEDS_PROCESSES),
    CASE(many_jobs_at_once_each_run_once, 0),
    CASE(many_jobs_are_started_and_stopped_at_once, 0),
    CASE(a_job_in_many_attempts_runs_in_each, 0),
    {0},
};
