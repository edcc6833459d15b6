/* What watches over a job dies: its processes are ended, and the attempt is told as lost. */
#include "conformance.h"

#include <stdio.h>

static const struct kit_job ready = {.script = "echo ready; exec sleep 1000"};

static void start_ready(struct kit *kit, int64_t id, const struct kit_job *job)
{
    char name[64];

    kit_start(kit, id, job);
    snprintf(name, sizeof name, "name-%lld.1.log", (long long)id);
    expect_line(kit, name, "ready");
    wait_started(kit, id);
}

static void P4_a_lost_job_is_told_and_nothing_of_it_is_left(struct kit *kit)
{
    start_ready(kit, 1,
                &(struct kit_job){.script = "trap '' TERM; setsid sleep 1000 & (sleep 1000 &)\n"
                                            "echo ready; sleep 1000; true"});
    kit->fixture->lose(kit, 1);
    wait_ended(kit, 1);
    assert_int_equal(kit_count(kit, 1), 0);
    expect_in_the_end(kit, 1, "started; lost 0");
}

static void P4_only_the_lost_job_is_ended(struct kit *kit)
{
    for (int64_t id = 1; id <= 3; id++) {
        start_ready(kit, id, &ready);
    }
    kit->fixture->lose(kit, 2);
    wait_ended(kit, 2);
    settle(kit);
    assert_int_equal(kit_count(kit, 1), 1);
    assert_int_equal(kit_count(kit, 3), 1);
    kit_stop(kit, 1);
    kit_stop(kit, 3);
    wait_ended(kit, 1);
    wait_ended(kit, 3);
}

static void P4_many_jobs_are_lost_at_once(struct kit *kit)
{
    enum { MANY = 8 };

    for (int64_t id = 1; id <= MANY; id++) {
        start_ready(kit, id, &ready);
    }
    for (int64_t id = 1; id <= MANY; id++) {
        kit->fixture->lose(kit, id);
    }
    for (int64_t id = 1; id <= MANY; id++) {
        wait_ended(kit, id);
        assert_int_equal(kit_count(kit, id), 0);
    }
    settle_for_good(kit);
    for (int64_t id = 1; id <= MANY; id++) {
        expect_story(kit, id, "started; lost 0");
    }
}

static void another_attempt_may_follow_a_loss(struct kit *kit)
{
    struct kit_job second = {.script = "exit 3", .attempt = 2};

    start_ready(kit, 1, &ready);
    kit->fixture->lose(kit, 1);
    wait_ended(kit, 1);
    kit->event_count = 0;
    run_job(kit, 1, &second);
    expect_in_the_end(kit, 1, "2:started; 2:exited 3");
}

static void a_stop_of_a_lost_job_changes_nothing(struct kit *kit)
{
    start_ready(kit, 1, &ready);
    kit->fixture->lose(kit, 1);
    kit_stop(kit, 1);
    wait_ended(kit, 1);
    kit_stop(kit, 1);
    expect_in_the_end(kit, 1, "started; lost 0");
}

static void a_job_may_be_lost_while_it_is_stopped(struct kit *kit)
{
    start_ready(kit, 1,
                &(struct kit_job){.script = "trap '' TERM; echo ready; while :; do sleep 1; done",
                                  .grace = BL_HOUR});
    kit_stop(kit, 1);
    kit->fixture->lose(kit, 1);
    wait_ended(kit, 1);
    assert_int_equal(kit_count(kit, 1), 0);
    expect_in_the_end(kit, 1, "started; lost 0");
}

static void P4_a_job_lost_while_away_is_found(struct kit *kit)
{
    start_ready(kit, 1, &ready);
    go_away(kit);
    kit->fixture->lose(kit, 1);
    kit_open_engine(kit);
    kit_adopt(kit, 1, &ready);
    wait_ended(kit, 1);
    assert_int_equal(kit_count(kit, 1), 0);
    expect_in_the_end(kit, 1, "started; lost 0");
}

static void P4_a_job_that_was_taken_over_may_be_lost(struct kit *kit)
{
    start_ready(kit, 1, &ready);
    kit_restart(kit);
    kit_adopt(kit, 1, &ready);
    wait_started(kit, 1);
    kit->fixture->lose(kit, 1);
    wait_ended(kit, 1);
    assert_int_equal(kit_count(kit, 1), 0);
    expect_in_the_end(kit, 1, "started; lost 0");
}

static void the_daemon_may_die_while_what_was_lost_is_cleared(struct kit *kit)
{
    start_ready(kit, 1, &ready);
    kit->fixture->lose(kit, 1);
    for (int i = 0; i < 5; i++) {
        kit_restart(kit);
        kit_adopt(kit, 1, &ready);
    }
    wait_ended(kit, 1);
    assert_int_equal(kit_count(kit, 1), 0);
    expect_in_the_end(kit, 1, "started; lost 0");
}

static void a_job_that_kills_who_watches_over_it_is_lost(struct kit *kit)
{
    kit_start(kit, 1, &(struct kit_job){.script = "setsid sleep 1000 & kill -9 $PPID; sleep 1000"});
    wait_ended(kit, 1);
    assert_int_equal(kit_count(kit, 1), 0);
    settle_for_good(kit);
    expect_one_end(kit, 1, "lost 0");
}

static void an_orphan_without_the_environment_of_a_lost_job_is_ended(struct kit *kit)
{
    start_ready(kit, 1,
                &(struct kit_job){
                    .script = "(env -i setsid sh -c 'echo pid $$ > pid; exec sleep 1000' &)\n"
                              "while [ ! -s pid ]; do sleep 0.02; done; echo ready; sleep 1000"});
    kit->fixture->lose(kit, 1);
    wait_ended(kit, 1);
    expect_gone(kit, "pid");
}

enum { BOTH = NEEDS_PROCESSES | NEEDS_LOSS };

const struct conformance_case conformance_lose[] = {
    CASE(P4_a_lost_job_is_told_and_nothing_of_it_is_left, BOTH),
    CASE(P4_only_the_lost_job_is_ended, BOTH),
    CASE(P4_many_jobs_are_lost_at_once, BOTH),
    CASE(another_attempt_may_follow_a_loss, BOTH),
    CASE(a_stop_of_a_lost_job_changes_nothing, BOTH),
    CASE(a_job_may_be_lost_while_it_is_stopped, BOTH),
    CASE(P4_a_job_lost_while_away_is_found, BOTH | NEEDS_RESTART),
    CASE(P4_a_job_that_was_taken_over_may_be_lost, BOTH | NEEDS_RESTART),
    CASE(the_daemon_may_die_while_what_was_lost_is_cleared, BOTH | NEEDS_RESTART),
    CASE(a_job_that_kills_who_watches_over_it_is_lost, BOTH),
    CASE(an_orphan_without_the_environment_of_a_lost_job_is_ended, BOTH | NEEDS_GROUPS),
    {0},
};
