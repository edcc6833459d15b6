/* What the next daemon finds, in every state in which the last one can have left a job. */
#include "conformance.h"

#include <stdio.h>

/* Ends with 7 when it is let. */
static const struct kit_job waits = {
    .script = "echo ready; while [ ! -e go ]; do sleep 0.02; done; echo done; exit 7"};

static void start_waiting(struct kit *kit)
{
    kit_start(kit, 1, &waits);
    expect_line(kit, "name-1.1.log", "ready");
    wait_started(kit, 1);
}

static struct kit_job known(const struct kit_job *job)
{
    struct kit_job copy = *job;

    copy.was_running = true;
    return copy;
}

static struct kit_job stopped(const struct kit_job *job)
{
    struct kit_job copy = *job;

    copy.stopping = true;
    return copy;
}

static void adopting_what_was_never_started_starts_it(struct kit *kit)
{
    run_job(kit, 1, &brief); /* keeps an environment for it */
    struct kit_job second = brief;

    second.attempt = 2;
    kit->event_count = 0;
    kit_adopt(kit, 1, &second);
    wait_ended(kit, 1);
    expect_in_the_end(kit, 1, "2:started; 2:exited 0");
}

static void adopting_twice_is_once(struct kit *kit)
{
    struct kit_job second = brief;

    second.attempt = 2;
    run_job(kit, 1, &brief);
    kit->event_count = 0;
    kit_adopt(kit, 1, &second);
    kit_adopt(kit, 1, &second);
    wait_ended(kit, 1);
    expect_in_the_end(kit, 1, "2:started; 2:exited 0");
}

static void D1_what_runs_is_taken_over_with_its_process(struct kit *kit)
{
    int64_t pid;

    start_waiting(kit);
    pid = kit_wait(kit, BL_EVENT_JOB_STARTED, 1)->u.started.pid;
    kit_restart(kit);
    kit_adopt(kit, 1, &waits);
    assert_int_equal(kit_wait(kit, BL_EVENT_JOB_STARTED, 1)->u.started.pid, pid);
    touch(kit, "go");
    wait_ended(kit, 1);
    expect_file(kit, "name-1.1.log", "ready\ndone\n");
    expect_in_the_end(kit, 1, "started; exited 7");
}

static void what_is_known_to_run_is_taken_over(struct kit *kit)
{
    struct kit_job job = known(&waits);

    start_waiting(kit);
    kit_restart(kit);
    kit_adopt(kit, 1, &job);
    touch(kit, "go");
    wait_ended(kit, 1);
    settle_for_good(kit);
    expect_one_end(kit, 1, "exited 7");
}

static void what_runs_is_adopted_once_when_asked_twice(struct kit *kit)
{
    start_waiting(kit);
    kit_restart(kit);
    kit_adopt(kit, 1, &waits);
    kit_adopt(kit, 1, &waits);
    kit_start(kit, 1, &waits);
    touch(kit, "go");
    wait_ended(kit, 1);
    expect_in_the_end(kit, 1, "started; exited 7");
}

static void D1_an_end_while_away_is_told_with_its_code(struct kit *kit)
{
    start_waiting(kit);
    go_away(kit);
    touch(kit, "go");
    wait_gone(kit, 1);
    kit_open_engine(kit);
    kit_adopt(kit, 1, &waits);
    wait_ended(kit, 1);
    expect_in_the_end(kit, 1, "started; exited 7");
}

static void D1_a_death_while_away_is_told_with_its_signal(struct kit *kit)
{
    struct kit_job job = {.script = "echo ready; exec sleep 1000"};

    kit_start(kit, 1, &job);
    expect_line(kit, "name-1.1.log", "ready");
    wait_started(kit, 1);
    go_away(kit);
    kit_kill_processes(kit, 1);
    wait_gone(kit, 1);
    kit_open_engine(kit);
    kit_adopt(kit, 1, &job);
    wait_ended(kit, 1);
    expect_in_the_end(kit, 1, "started; signalled 9");
}

static void P5_what_was_just_being_started_starts_once(struct kit *kit)
{
    static const struct kit_job job = {.script = "echo run >> runs; exit 3"};

    kit_start(kit, 1, &job);
    for (int i = 0; i < 10; i++) {
        kit_restart(kit);
        kit_adopt(kit, 1, &job);
    }
    wait_ended(kit, 1);
    expect_in_the_end(kit, 1, "started; exited 3");
    expect_file(kit, "runs", "run\n");
}

static void D1_what_was_never_started_is_started_after_a_restart(struct kit *kit)
{
    struct kit_job second = {.script = "exit 6", .attempt = 2};

    run_job(kit, 1, &brief);
    kit_restart(kit);
    kit_adopt(kit, 1, &second);
    wait_ended(kit, 1);
    expect_in_the_end(kit, 1, "2:started; 2:exited 6");
}

static void P22_a_stop_before_the_start_ends_it_unstarted(struct kit *kit)
{
    struct kit_job job = {.script = "echo run >> runs", .stopping = true};

    kit_restart(kit);
    kit_adopt(kit, 1, &job);
    wait_ended(kit, 1);
    expect_in_the_end(kit, 1, "signalled 15");
    expect_file(kit, "runs", "");
}

static void P22_a_stop_decided_before_reaches_what_runs(struct kit *kit)
{
    struct kit_job job = stopped(&waits);

    start_waiting(kit);
    kit_restart(kit);
    kit_adopt(kit, 1, &job);
    wait_ended(kit, 1);
    settle_for_good(kit);
    expect_one_end(kit, 1, "signalled 15");
    assert_int_equal(kit_count(kit, 1), 0);
}

static void P22_a_stop_that_was_under_way_goes_on(struct kit *kit)
{
    struct kit_job deaf = {.script = "trap '' TERM; echo ready; while :; do sleep 0.05; done",
                           .grace = KIT_SHORT_GRACE};
    struct kit_job job = stopped(&deaf);

    kit_start(kit, 1, &deaf);
    expect_line(kit, "name-1.1.log", "ready");
    wait_started(kit, 1);
    kit_stop(kit, 1);
    kit_restart(kit);
    kit_adopt(kit, 1, &job);
    wait_ended(kit, 1);
    settle_for_good(kit);
    expect_one_end(kit, 1, "signalled 9");
}

static void P22_a_stop_of_what_ended_while_away_changes_nothing(struct kit *kit)
{
    struct kit_job job = stopped(&waits);

    start_waiting(kit);
    go_away(kit);
    touch(kit, "go");
    wait_gone(kit, 1);
    kit_open_engine(kit);
    kit_adopt(kit, 1, &job);
    wait_ended(kit, 1);
    expect_in_the_end(kit, 1, "started; exited 7");
}

static void P22_what_was_taken_over_can_be_stopped(struct kit *kit)
{
    start_waiting(kit);
    kit_restart(kit);
    kit_adopt(kit, 1, &waits);
    kit_stop(kit, 1);
    wait_ended(kit, 1);
    expect_in_the_end(kit, 1, "started; signalled 15");
}

static void D1_many_jobs_are_taken_over_at_once(struct kit *kit)
{
    enum { MANY = 16 };

    for (int64_t id = 1; id <= MANY; id++) {
        kit_start(kit, id, &waits);
    }
    for (int64_t id = 1; id <= MANY; id++) {
        wait_started(kit, id);
    }
    kit_restart(kit);
    for (int64_t id = 1; id <= MANY; id++) {
        kit_adopt(kit, id, &waits);
    }
    touch(kit, "go");
    for (int64_t id = 1; id <= MANY; id++) {
        wait_ended(kit, id);
        expect_story(kit, id, "started; exited 7");
    }
}

static void an_end_that_was_told_is_told_again(struct kit *kit)
{
    run_job(kit, 1, &(struct kit_job){.script = "exit 5"});
    kit_restart(kit);
    kit_adopt(kit, 1, &(struct kit_job){.script = "exit 6"});
    wait_ended(kit, 1);
    expect_in_the_end(kit, 1, "started; exited 5");
}

static void a_job_that_was_forgotten_leaves_no_record(struct kit *kit)
{
    const struct bl_engine *engine = kit->fixture->engine;

    run_job(kit, 1, &(struct kit_job){.script = "exit 5"});
    for (int i = 0; engine->forget && i < 2; i++) {
        engine->forget(kit->engine, 1, 1);
    }
    kit_restart(kit);
    kit_adopt(kit, 1, &(struct kit_job){.script = "exit 6"});
    wait_ended(kit, 1);
    expect_in_the_end(kit, 1, "started; exited 6");
}

static void what_runs_is_not_forgotten(struct kit *kit)
{
    const struct bl_engine *engine = kit->fixture->engine;

    start_waiting(kit);
    if (engine->forget) {
        engine->forget(kit->engine, 1, 1);
    }
    if (engine->forget_job) {
        engine->forget_job(kit->engine, 1);
    }
    kit_restart(kit);
    kit_adopt(kit, 1, &waits);
    touch(kit, "go");
    wait_ended(kit, 1);
    expect_in_the_end(kit, 1, "started; exited 7");
}

static enum bl_engine_need first_lives(void *self, bl_job_id job)
{
    (void)self;
    return job == 1 ? BL_NEED_LIVES : BL_NEED_ENDED;
}

static bool is_first_attempt(void *self, bl_job_id job, int32_t attempt)
{
    (void)self;
    return job == 1 && attempt == 1;
}

static void what_nobody_needs_is_tidied_away(struct kit *kit)
{
    static const struct bl_engine_needs needs = {NULL, is_first_attempt, first_lives};

    start_waiting(kit);
    run_job(kit, 2, &(struct kit_job){.script = "exit 5"});
    kit_restart(kit);
    kit_adopt(kit, 1, &waits);
    kit->fixture->engine->tidy(kit->engine, &needs);
    kit_start(kit, 2, &(struct kit_job){.script = "exit 6"}); /* nothing is known of it */
    wait_ended(kit, 2);
    expect_story(kit, 2, "started; exited 6");
    kit_restart(kit);
    kit_adopt(kit, 1, &waits);
    touch(kit, "go");
    wait_ended(kit, 1);
    expect_in_the_end(kit, 1, "started; exited 7");
}

static void forgetting_what_never_was_does_nothing(struct kit *kit)
{
    const struct bl_engine *engine = kit->fixture->engine;

    if (engine->forget) {
        engine->forget(kit->engine, 77, 1);
    }
    if (engine->forget_job) {
        engine->forget_job(kit->engine, 77);
    }
    settle(kit);
    expect_story(kit, 77, "");
}

enum { BOTH = NEEDS_PROCESSES | NEEDS_RESTART };

const struct conformance_case conformance_adopt[] = {
    CASE(adopting_what_was_never_started_starts_it, 0),
    CASE(adopting_twice_is_once, 0),
    CASE(D1_what_runs_is_taken_over_with_its_process, BOTH),
    CASE(what_is_known_to_run_is_taken_over, BOTH),
    CASE(what_runs_is_adopted_once_when_asked_twice, BOTH),
    CASE(D1_an_end_while_away_is_told_with_its_code, BOTH),
    CASE(D1_a_death_while_away_is_told_with_its_signal, BOTH),
    CASE(P5_what_was_just_being_started_starts_once, BOTH),
    CASE(D1_what_was_never_started_is_started_after_a_restart, BOTH),
    CASE(P22_a_stop_before_the_start_ends_it_unstarted, BOTH),
    CASE(P22_a_stop_decided_before_reaches_what_runs, BOTH),
    CASE(P22_a_stop_that_was_under_way_goes_on, BOTH),
    CASE(P22_a_stop_of_what_ended_while_away_changes_nothing, BOTH),
    CASE(P22_what_was_taken_over_can_be_stopped, BOTH),
    CASE(D1_many_jobs_are_taken_over_at_once, BOTH),
    CASE(an_end_that_was_told_is_told_again, BOTH),
    CASE(a_job_that_was_forgotten_leaves_no_record, BOTH),
    CASE(what_runs_is_not_forgotten, BOTH),
    CASE(what_nobody_needs_is_tidied_away, BOTH),
    CASE(forgetting_what_never_was_does_nothing, 0),
    {0},
};
