/* Saves: how far a job came is told, then it ends, and may go on from there. */
#include "conformance.h"

/* Where jobs are processes it writes how far it came and leaves with the exit code for that. */
static const struct kit_job saver = {
    .takes = BL_HOUR,
    .script =
        "trap 'echo 3/10 > \"$BALEEN_PROGRESS\"; exit 85' TERM; echo ready > ready.$BALEEN_JOB_ID; "
        "while :; do sleep 0.02; done",
};

static void start_saver(struct kit *kit, int64_t id)
{
    char line[256];
    char name[32];

    kit_start(kit, id, &saver);
    wait_started(kit, id);
    snprintf(name, sizeof name, "ready.%lld", (long long)id);
    if (kit->loop) {
        kit_wait_line(kit, name, "ready", line);
    }
}

static void A1_a_save_ends_the_attempt_and_tells_how_far_it_came(struct kit *kit)
{
    start_saver(kit, 1);
    kit_save(kit, 1, &saver);
    wait_ended(kit, 1);
    expect_in_the_end(kit, 1, "started; progress; exited 85");
}

static void saving_twice_ends_once(struct kit *kit)
{
    start_saver(kit, 1);
    kit_save(kit, 1, &saver);
    kit_save(kit, 1, &saver);
    wait_ended(kit, 1);
    kit_save(kit, 1, &saver);
    expect_in_the_end(kit, 1, "started; progress; exited 85");
}

static void saving_what_never_was_or_has_ended_does_nothing(struct kit *kit)
{
    kit_save(kit, 77, &lasting);
    run_job(kit, 1, &brief);
    kit_save(kit, 1, &brief);
    expect_in_the_end(kit, 1, "started; exited 0");
    expect_story(kit, 77, "");
}

static void a_stop_of_what_is_being_saved_ends_once(struct kit *kit)
{
    size_t ends = 0;

    kit_start(kit, 1, &lasting);
    wait_started(kit, 1);
    kit_save(kit, 1, &lasting);
    kit_stop(kit, 1);
    wait_ended(kit, 1);
    settle_for_good(kit);
    for (size_t i = 0; i < kit->event_count; i++) {
        ends += kit->event[i].job == 1 && kit->event[i].kind == BL_EVENT_JOB_ENDED;
    }
    assert_int_equal(ends, 1);
}

/* The daemon died between the decision and the signal, or after it. */
static void adopting_what_is_to_be_saved_ends_it(struct kit *kit)
{
    struct kit_job job = saver;

    start_saver(kit, 1);
    kit_restart(kit);
    job.was_running = true;
    job.saving = true;
    kit_adopt(kit, 1, &job);
    wait_ended(kit, 1);
    expect_in_the_end(kit, 1, "progress; exited 85");
}

const struct conformance_case conformance_save[] = {
    CASE(A1_a_save_ends_the_attempt_and_tells_how_far_it_came, NEEDS_SAVE),
    CASE(saving_twice_ends_once, NEEDS_SAVE),
    CASE(saving_what_never_was_or_has_ended_does_nothing, NEEDS_SAVE),
    CASE(a_stop_of_what_is_being_saved_ends_once, NEEDS_SAVE),
    CASE(adopting_what_is_to_be_saved_ends_it, NEEDS_SAVE | NEEDS_RESTART),
    {0},
};
