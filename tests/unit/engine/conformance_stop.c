/* Stops: signal, grace, the end of every process; once, and of that attempt alone. */
#include "conformance.h"

#include <stdio.h>
#include <string.h>

static void P22_a_stop_ends_what_runs(struct kit *kit)
{
    kit_start(kit, 1, &lasting);
    wait_started(kit, 1);
    kit_stop(kit, 1);
    wait_ended(kit, 1);
    expect_in_the_end(kit, 1, "started; signalled 15");
}

static void P22_stopping_twice_ends_once(struct kit *kit)
{
    kit_start(kit, 1, &lasting);
    wait_started(kit, 1);
    kit_stop(kit, 1);
    kit_stop(kit, 1);
    wait_ended(kit, 1);
    kit_stop(kit, 1);
    expect_in_the_end(kit, 1, "started; signalled 15");
}

static void P22_a_stop_right_behind_the_start_ends_the_job(struct kit *kit)
{
    for (int64_t id = 1; id <= 8; id++) {
        kit_start(kit, id, &lasting);
        kit_stop(kit, id);
    }
    for (int64_t id = 1; id <= 8; id++) {
        wait_ended(kit, id);
    }
    settle_for_good(kit);
    for (int64_t id = 1; id <= 8; id++) {
        expect_one_end(kit, id, "signalled 15");
    }
}

static void P22_stopping_what_never_was_does_nothing(struct kit *kit)
{
    kit_stop(kit, 77);
    run_job(kit, 1, &brief);
    settle_for_good(kit);
    expect_story(kit, 77, "");
    expect_story(kit, 1, "started; exited 0");
}

static void P22_stopping_what_ended_does_nothing(struct kit *kit)
{
    run_job(kit, 1, &brief);
    kit_stop(kit, 1);
    expect_in_the_end(kit, 1, "started; exited 0");
}

static void a_stop_of_another_attempt_does_nothing(struct kit *kit)
{
    struct kit_job second = lasting;

    second.attempt = 2;
    kit_start(kit, 1, &second);
    wait_started(kit, 1);
    kit_stop(kit, 1); /* the first attempt */
    settle(kit);
    expect_story(kit, 1, "2:started");
    kit->fixture->engine->stop(kit->engine, 1, 2);
    wait_ended(kit, 1);
    expect_in_the_end(kit, 1, "2:started; 2:signalled 15");
}

static void a_start_of_what_is_being_stopped_starts_nothing(struct kit *kit)
{
    kit_start(kit, 1, &lasting);
    wait_started(kit, 1);
    kit_stop(kit, 1);
    kit_start(kit, 1, &lasting);
    wait_ended(kit, 1);
    expect_in_the_end(kit, 1, "started; signalled 15");
}

static void a_stop_leaves_other_jobs_alone(struct kit *kit)
{
    for (int64_t id = 1; id <= 3; id++) {
        kit_start(kit, id, &lasting);
        wait_started(kit, id);
    }
    kit_stop(kit, 2);
    wait_ended(kit, 2);
    settle(kit);
    expect_story(kit, 1, "started");
    expect_story(kit, 3, "started");
    kit_stop(kit, 1);
    kit_stop(kit, 3);
    wait_ended(kit, 1);
    wait_ended(kit, 3);
}

static void another_attempt_may_follow_a_stop(struct kit *kit)
{
    struct kit_job second = brief;

    second.attempt = 2;
    kit_start(kit, 1, &lasting);
    wait_started(kit, 1);
    kit_stop(kit, 1);
    wait_ended(kit, 1);
    kit->event_count = 0;
    run_job(kit, 1, &second);
    expect_in_the_end(kit, 1, "2:started; 2:exited 0");
}

static void adopting_what_is_to_be_stopped_ends_it(struct kit *kit)
{
    struct kit_job job = lasting;

    job.stopping = true;
    kit_adopt(kit, 1, &job);
    wait_ended(kit, 1);
    settle_for_good(kit);
    expect_one_end(kit, 1, "signalled 15");
}

/* ---- with processes ---- */

static void wait_ready(struct kit *kit, int64_t id)
{
    char name[64];

    snprintf(name, sizeof name, "name-%lld.1.log", (long long)id);
    expect_line(kit, name, "ready");
    wait_started(kit, id);
}

static void a_job_that_heeds_the_stop_ends_with_its_own_code(struct kit *kit)
{
    kit_start(kit, 1,
              &(struct kit_job){.script = "trap 'echo saved; exit 3' TERM; echo ready; "
                                          "while :; do sleep 0.01; done",
                                .grace = BL_MINUTE});
    wait_ready(kit, 1);
    kit_stop(kit, 1);
    kit_stop(kit, 1);
    wait_ended(kit, 1);
    expect_line(kit, "name-1.1.log", "saved");
    expect_in_the_end(kit, 1, "started; exited 3");
}

static void a_job_that_takes_its_time_within_the_grace_is_left_to_it(struct kit *kit)
{
    kit_start(kit, 1,
              &(struct kit_job){.script = "trap 'sleep 1; echo saved; exit 0' TERM; echo ready; "
                                          "while :; do sleep 0.01; done",
                                .grace = BL_MINUTE});
    wait_ready(kit, 1);
    kit_stop(kit, 1);
    wait_ended(kit, 1);
    expect_line(kit, "name-1.1.log", "saved");
    expect_in_the_end(kit, 1, "started; exited 0");
}

static void P3_a_deaf_job_is_killed_after_the_grace(struct kit *kit)
{
    kit_start(kit, 1,
              &(struct kit_job){.script = "trap '' TERM; echo ready; while :; do sleep 0.01; done",
                                .grace = KIT_SHORT_GRACE});
    wait_ready(kit, 1);
    kit_stop(kit, 1);
    wait_ended(kit, 1);
    assert_int_equal(kit_count(kit, 1), 0);
    expect_in_the_end(kit, 1, "started; signalled 9");
}

static void P3_a_deaf_child_is_killed_though_its_parent_heeds(struct kit *kit)
{
    kit_start(kit, 1,
              &(struct kit_job){.script = "trap 'exit 4' TERM\n"
                                          "(trap '' TERM; echo ready; sleep 1000; true) &\n"
                                          "while :; do sleep 0.01; done",
                                .grace = KIT_SHORT_GRACE});
    wait_ready(kit, 1);
    kit_stop(kit, 1);
    wait_ended(kit, 1);
    assert_int_equal(kit_count(kit, 1), 0);
    expect_in_the_end(kit, 1, "started; exited 4");
}

/* Many processes are told, so that the first to be told has long begun to clean up meanwhile. A
 * copy of the shell that has yet to become a sleep would swallow the signal and stay for all the
 * grace. */
static void P3_what_a_job_starts_to_clean_up_is_not_told_to_stop(struct kit *kit)
{
    kit_start(kit, 1,
              &(struct kit_job){.script =
                                    "trap 'sleep 0.1 && sleep 0.1 && exit 4; exit 5' TERM\n"
                                    "for i in $(seq 200); do sleep 1000 & pids=\"$pids $!\"; done\n"
                                    "for pid in $pids; do until read -r name </proc/$pid/comm && [ "
                                    "$name = sleep ]; do :; done; done\n"
                                    "echo ready; while :; do wait; sleep 0.01; done",
                                .grace = BL_MINUTE});
    wait_ready(kit, 1);
    kit_stop(kit, 1);
    wait_ended(kit, 1);
    expect_in_the_end(kit, 1, "started; exited 4");
}

static void P3_a_stop_reaches_what_forked_twice_and_has_its_own_session(struct kit *kit)
{
    kit_start(kit, 1,
              &(struct kit_job){.script = "(setsid sh -c '(sleep 1000 &); sleep 1000' &)\n"
                                          "echo ready; sleep 1000; true"});
    wait_ready(kit, 1);
    kit_stop(kit, 1);
    wait_ended(kit, 1);
    assert_int_equal(kit_count(kit, 1), 0);
    expect_in_the_end(kit, 1, "started; signalled 15");
}

static void P3_a_stop_reaches_what_took_off_the_environment(struct kit *kit)
{
    kit_start(kit, 1,
              &(struct kit_job){
                  .script = "(env -i setsid sh -c 'echo pid $$ > pid; exec sleep 1000' &)\n"
                            "while [ ! -s pid ]; do sleep 0.02; done; echo ready; sleep 1000"});
    wait_ready(kit, 1);
    kit_stop(kit, 1);
    wait_ended(kit, 1);
    expect_gone(kit, "pid");
}

static void a_stop_reaches_a_job_that_was_halted(struct kit *kit)
{
    kit_start(
        kit, 1,
        &(struct kit_job){.script = "trap 'exit 5' TERM; echo ready; kill -STOP $$; sleep 1000",
                          .grace = BL_MINUTE});
    wait_ready(kit, 1);
    kit_stop(kit, 1);
    wait_ended(kit, 1);
    expect_in_the_end(kit, 1, "started; exited 5");
}

static void a_job_that_ends_as_it_is_stopped_ends_once(struct kit *kit)
{
    for (int64_t id = 1; id <= 10; id++) {
        kit_start(kit, id, &(struct kit_job){.script = "exit 3"});
    }
    for (int64_t id = 1; id <= 10; id++) {
        wait_started(kit, id);
        kit_stop(kit, id);
    }
    for (int64_t id = 1; id <= 10; id++) {
        wait_ended(kit, id);
    }
    settle_for_good(kit);
    for (int64_t id = 1; id <= 10; id++) {
        size_t ends = 0;

        for (size_t i = 0; i < kit->event_count; i++) {
            ends += kit->event[i].job == id && kit->event[i].kind == BL_EVENT_JOB_ENDED;
        }
        assert_int_equal(ends, 1);
    }
}

const struct conformance_case conformance_stop[] = {
    CASE(P22_a_stop_ends_what_runs, 0),
    CASE(P22_stopping_twice_ends_once, 0),
    CASE(P22_a_stop_right_behind_the_start_ends_the_job, 0),
    CASE(P22_stopping_what_never_was_does_nothing, 0),
    CASE(P22_stopping_what_ended_does_nothing, 0),
    CASE(a_stop_of_another_attempt_does_nothing, 0),
    CASE(a_start_of_what_is_being_stopped_starts_nothing, 0),
    CASE(a_stop_leaves_other_jobs_alone, 0),
    CASE(another_attempt_may_follow_a_stop, 0),
    CASE(adopting_what_is_to_be_stopped_ends_it, 0),
    CASE(a_job_that_heeds_the_stop_ends_with_its_own_code, NEEDS_PROCESSES),
    CASE(a_job_that_takes_its_time_within_the_grace_is_left_to_it, NEEDS_PROCESSES),
    CASE(P3_a_deaf_job_is_killed_after_the_grace, NEEDS_PROCESSES),
    CASE(P3_a_deaf_child_is_killed_though_its_parent_heeds, NEEDS_PROCESSES),
    CASE(P3_what_a_job_starts_to_clean_up_is_not_told_to_stop, NEEDS_PROCESSES),
    CASE(P3_a_stop_reaches_what_forked_twice_and_has_its_own_session, NEEDS_PROCESSES),
    CASE(P3_a_stop_reaches_what_took_off_the_environment, NEEDS_PROCESSES),
    CASE(a_stop_reaches_a_job_that_was_halted, NEEDS_PROCESSES),
    CASE(a_job_that_ends_as_it_is_stopped_ends_once, 0),
    {0},
};
