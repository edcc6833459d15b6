/* Signals: to those who handle them, or to the first process alone; never the end of a job. */
#include "conformance.h"

#include <signal.h>

static void send_to(struct kit *kit, int64_t id, int32_t attempt, bool shell_only)
{
    kit->calling = true;
    kit->fixture->engine->signal(kit->engine, id, attempt, SIGUSR1, shell_only);
    kit->calling = false;
}

static const struct kit_job handles = {
    .script = "trap 'echo heard; exit 7' USR1; echo ready; while :; do sleep 0.02; done"};

static void start_ready(struct kit *kit, const struct kit_job *job)
{
    kit_start(kit, 1, job);
    expect_line(kit, "name-1.1.log", "ready");
    wait_started(kit, 1);
}

static void a_signal_reaches_the_first_process(struct kit *kit)
{
    start_ready(kit, &handles);
    send_to(kit, 1, 1, true);
    wait_ended(kit, 1);
    expect_in_the_end(kit, 1, "started; exited 7");
}

static void P18_a_signal_reaches_who_handles_it(struct kit *kit)
{
    start_ready(kit,
                &(struct kit_job){.script = "sh -c 'trap \"echo heard; exit 0\" USR1; echo ready; "
                                            "while :; do sleep 0.02; done'; exit 8"});
    send_to(kit, 1, 1, false);
    wait_ended(kit, 1);
    expect_file(kit, "name-1.1.log", "ready\nheard\n");
    expect_in_the_end(kit, 1, "started; exited 8");
}

static void P18_a_signal_that_nobody_handles_harms_nobody(struct kit *kit)
{
    start_ready(kit, &(struct kit_job){.script = "echo ready; sleep 1000"});
    send_to(kit, 1, 1, false);
    settle(kit);
    expect_story(kit, 1, "started");
    kit_stop(kit, 1);
    wait_ended(kit, 1);
}

static void a_signal_after_the_end_does_nothing(struct kit *kit)
{
    run_job(kit, 1, &brief);
    send_to(kit, 1, 1, true);
    send_to(kit, 1, 1, false);
    expect_in_the_end(kit, 1, "started; exited 0");
}

static void a_signal_to_what_never_was_does_nothing(struct kit *kit)
{
    send_to(kit, 77, 1, true);
    send_to(kit, 77, 1, false);
    settle(kit);
    expect_story(kit, 77, "");
}

static void a_signal_to_another_attempt_does_nothing(struct kit *kit)
{
    start_ready(kit, &handles);
    send_to(kit, 1, 2, true);
    send_to(kit, 1, 2, false);
    settle(kit);
    expect_story(kit, 1, "started");
    kit_stop(kit, 1);
    wait_ended(kit, 1);
}

static void a_signal_before_the_start_is_told_harms_nobody(struct kit *kit)
{
    kit_start(kit, 1, &lasting);
    send_to(kit, 1, 1, true);
    send_to(kit, 1, 1, false);
    wait_started(kit, 1);
    kit_stop(kit, 1);
    wait_ended(kit, 1);
    expect_in_the_end(kit, 1, "started; signalled 15");
}

static void a_signal_reaches_a_job_that_was_taken_over(struct kit *kit)
{
    start_ready(kit, &handles);
    kit_restart(kit);
    kit_adopt(kit, 1, &handles);
    wait_started(kit, 1);
    send_to(kit, 1, 1, true);
    wait_ended(kit, 1);
    expect_in_the_end(kit, 1, "started; exited 7");
}

enum { BOTH = NEEDS_PROCESSES | NEEDS_SIGNALS };

const struct conformance_case conformance_signal[] = {
    CASE(a_signal_reaches_the_first_process, BOTH),
    CASE(P18_a_signal_reaches_who_handles_it, BOTH),
    CASE(P18_a_signal_that_nobody_handles_harms_nobody, BOTH),
    CASE(a_signal_after_the_end_does_nothing, NEEDS_SIGNALS),
    CASE(a_signal_to_what_never_was_does_nothing, NEEDS_SIGNALS),
    CASE(a_signal_to_another_attempt_does_nothing, BOTH),
    CASE(a_signal_before_the_start_is_told_harms_nobody, NEEDS_SIGNALS),
    CASE(a_signal_reaches_a_job_that_was_taken_over, BOTH | NEEDS_RESTART),
    {0},
};
