/* Saves: how far a job came is told, then it ends, and may go on from there. */
#include "conformance.h"

static void a_save_ends_the_attempt_and_tells_how_far_it_came(struct kit *kit)
{
    kit_start(kit, 1, &lasting);
    wait_started(kit, 1);
    kit_save(kit, 1, &lasting);
    wait_ended(kit, 1);
    expect_in_the_end(kit, 1, "started; progress; exited 85");
}

static void saving_twice_ends_once(struct kit *kit)
{
    kit_start(kit, 1, &lasting);
    wait_started(kit, 1);
    kit_save(kit, 1, &lasting);
    kit_save(kit, 1, &lasting);
    wait_ended(kit, 1);
    kit_save(kit, 1, &lasting);
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

static void adopting_what_is_to_be_saved_ends_it(struct kit *kit)
{
    struct kit_job job = lasting;

    job.saving = true;
    kit_adopt(kit, 1, &job);
    wait_ended(kit, 1);
    expect_in_the_end(kit, 1, "started; progress; exited 85");
}

const struct conformance_case conformance_save[] = {
    CASE(a_save_ends_the_attempt_and_tells_how_far_it_came, NEEDS_SAVE),
    CASE(saving_twice_ends_once, NEEDS_SAVE),
    CASE(saving_what_never_was_or_has_ended_does_nothing, NEEDS_SAVE),
    CASE(a_stop_of_what_is_being_saved_ends_once, NEEDS_SAVE),
    CASE(adopting_what_is_to_be_saved_ends_it, NEEDS_SAVE),
    {0},
};
