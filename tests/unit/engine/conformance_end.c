/* How jobs end, and what must be gone by then. */
#include "conformance.h"

#include <stdio.h>
#include <string.h>

static void ends_are_told_in_their_order(struct kit *kit)
{
    static const struct kit_job first = {.script = "exit 1", .takes = BL_MINUTE};
    static const struct kit_job second = {.script = "while [ ! -e go ]; do sleep 0.02; done",
                                          .takes = 2 * BL_MINUTE};
    size_t ends = 0;

    kit_start(kit, 1, &second);
    kit_start(kit, 2, &first);
    wait_ended(kit, 2);
    touch(kit, "go");
    wait_ended(kit, 1);
    for (size_t i = 0; i < kit->event_count; i++) {
        if (kit->event[i].kind == BL_EVENT_JOB_ENDED) {
            assert_int_equal(kit->event[i].job, ends++ ? 1 : 2);
        }
    }
    assert_int_equal(ends, 2);
}

static void a_job_that_has_nothing_to_do_ends(struct kit *kit)
{
    static const char *const nothing[] = {"true", NULL};

    run_job(kit, 1, &(struct kit_job){.argv = nothing});
    expect_in_the_end(kit, 1, "started; exited 0");
}

static void exit_codes_are_told_as_they_are(struct kit *kit)
{
    static const int codes[] = {0, 1, 2, 85, 126, 127, 128, 143, 255};

    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        char script[32];
        char expected[64];
        int64_t id = (int64_t)i + 1;

        snprintf(script, sizeof script, "exit %d", codes[i]);
        snprintf(expected, sizeof expected, "started; exited %d", codes[i]);
        run_job(kit, id, &(struct kit_job){.script = script});
        expect_story(kit, id, expected);
    }
}

static void a_deadly_signal_is_told_as_it_is(struct kit *kit)
{
    static const struct {
        const char *script;
        const char *story;
    } rows[] = {
        {"kill -HUP $$", "started; signalled 1"},   {"kill -INT $$", "started; signalled 2"},
        {"kill -KILL $$", "started; signalled 9"},  {"kill -USR1 $$", "started; signalled 10"},
        {"kill -PIPE $$", "started; signalled 13"}, {"kill -TERM $$", "started; signalled 15"}};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int64_t id = (int64_t)i + 1;

        run_job(kit, id, &(struct kit_job){.script = rows[i].script});
        expect_story(kit, id, rows[i].story);
    }
}

static void a_crash_is_told_as_a_signal(struct kit *kit)
{
    run_job(kit, 1, &(struct kit_job){.script = "ulimit -c 0; kill -SEGV $$"});
    expect_story(kit, 1, "started; signalled 11");
}

/* Nothing of the job is left when its end is told, and the code is its first process's. */
static void expect_clean_end(struct kit *kit, const char *script, const char *story)
{
    run_job(kit, 1, &(struct kit_job){.script = script, .grace = KIT_SHORT_GRACE});
    assert_int_equal(kit_count(kit, 1), 0);
    expect_in_the_end(kit, 1, story);
}

static void P3_what_runs_in_the_background_ends_with_the_job(struct kit *kit)
{
    expect_clean_end(kit, "sleep 1000 & exit 4", "started; exited 4");
}

static void P3_what_has_its_own_session_ends_with_the_job(struct kit *kit)
{
    expect_clean_end(kit, "setsid sleep 1000 & exit 4", "started; exited 4");
}

static void P3_what_forked_twice_ends_with_the_job(struct kit *kit)
{
    expect_clean_end(kit, "(setsid sh -c '(sleep 1000 &) ; exit 0' &) ; exit 5",
                     "started; exited 5");
}

static void P3_what_is_deaf_ends_with_the_job(struct kit *kit)
{
    expect_clean_end(kit,
                     "(trap '' TERM HUP INT; echo deaf > deaf; sleep 1000; true) &\n"
                     "while [ ! -s deaf ]; do sleep 0.02; done; exit 6",
                     "started; exited 6");
}

static void P3_what_took_off_the_environment_ends_with_the_job(struct kit *kit)
{
    expect_clean_end(kit,
                     "env -i setsid sh -c 'echo pid $$ > pid; exec sleep 1000' &\n"
                     "while [ ! -s pid ]; do sleep 0.02; done; exit 0",
                     "started; exited 0");
    expect_gone(kit, "pid");
}

static void a_job_that_ends_its_whole_group_is_told_so(struct kit *kit)
{
    expect_clean_end(kit, "sleep 1000 & kill -9 0", "started; signalled 9");
}

static void a_job_that_leaves_zombies_ends(struct kit *kit)
{
    expect_clean_end(kit, "(exit 1 & exit 2 & exec sleep 0.1); exit 3", "started; exited 3");
}

static void a_job_that_becomes_another_program_stays_the_same(struct kit *kit)
{
    expect_clean_end(kit, "exec sh -c 'exec sh -c \"exit 8\"'", "started; exited 8");
}

static void a_job_that_closes_its_output_runs_on(struct kit *kit)
{
    expect_clean_end(kit, "exec >&- 2>&- <&-; sleep 0.05; exit 9", "started; exited 9");
}

static void a_job_that_stops_itself_is_still_there(struct kit *kit)
{
    kit_start(kit, 1, &(struct kit_job){.script = "echo ready; kill -STOP $$; exit 3"});
    expect_line(kit, "name-1.1.log", "ready");
    settle(kit);
    expect_story(kit, 1, "started");
    kit_stop(kit, 1);
    wait_ended(kit, 1);
}

const struct conformance_case conformance_end[] = {
    CASE(ends_are_told_in_their_order, 0),
    CASE(a_job_that_has_nothing_to_do_ends, 0),
    CASE(exit_codes_are_told_as_they_are, NEEDS_PROCESSES),
    CASE(a_deadly_signal_is_told_as_it_is, NEEDS_PROCESSES),
    CASE(a_crash_is_told_as_a_signal, NEEDS_PROCESSES),
    CASE(P3_what_runs_in_the_background_ends_with_the_job, NEEDS_PROCESSES),
    CASE(P3_what_has_its_own_session_ends_with_the_job, NEEDS_PROCESSES),
    CASE(P3_what_forked_twice_ends_with_the_job, NEEDS_PROCESSES),
    CASE(P3_what_is_deaf_ends_with_the_job, NEEDS_PROCESSES),
    CASE(P3_what_took_off_the_environment_ends_with_the_job, NEEDS_PROCESSES),
    CASE(a_job_that_ends_its_whole_group_is_told_so, NEEDS_PROCESSES),
    CASE(a_job_that_leaves_zombies_ends, NEEDS_PROCESSES),
    CASE(a_job_that_becomes_another_program_stays_the_same, NEEDS_PROCESSES),
    CASE(a_job_that_closes_its_output_runs_on, NEEDS_PROCESSES),
    CASE(a_job_that_stops_itself_is_still_there, NEEDS_PROCESSES),
    {0},
};
