/* Starts that fail: the stage and the errno are told, nothing is left, nothing follows. */
#include "conformance.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void expect_failure(struct kit *kit, const struct kit_job *job, const char *expected)
{
    kit_start(kit, 1, job);
    kit_wait(kit, BL_EVENT_JOB_START_FAILED, 1);
    expect_in_the_end(kit, 1, expected);
    assert_int_equal(kit_count(kit, 1), 0);
}

static void a_command_that_is_missing_fails(struct kit *kit)
{
    static const char *const argv[] = {"/no/such/command", "x", NULL};

    expect_failure(kit, &(struct kit_job){.argv = argv}, "failed exec 2");
}

static void a_command_that_is_not_in_the_path_fails(struct kit *kit)
{
    static const char *const argv[] = {"no-such-command", NULL};

    expect_failure(kit, &(struct kit_job){.argv = argv}, "failed exec 2");
}

static void a_command_that_is_no_program_fails(struct kit *kit)
{
    static const char *const argv[] = {"/etc/passwd", NULL};

    expect_failure(kit, &(struct kit_job){.argv = argv}, "failed exec 13");
}

static void a_command_that_is_a_directory_fails(struct kit *kit)
{
    static const char *const argv[] = {"/tmp", NULL};

    expect_failure(kit, &(struct kit_job){.argv = argv}, "failed exec 13");
}

static const char *const script_argv[] = {"script", NULL};

static void an_interpreter_that_is_missing_fails(struct kit *kit)
{
    expect_failure(kit, &(struct kit_job){.argv = script_argv, .file = "#!/no/such/shell\ntrue\n"},
                   "failed exec 2");
}

static void an_interpreter_that_is_no_program_fails(struct kit *kit)
{
    expect_failure(kit, &(struct kit_job){.argv = script_argv, .file = "#!/etc/passwd\ntrue\n"},
                   "failed exec 13");
}

static void an_interpreter_with_a_carriage_return_fails(struct kit *kit)
{
    expect_failure(kit, &(struct kit_job){.argv = script_argv, .file = "#!/bin/sh\r\ntrue\r\n"},
                   "failed exec 2");
}

static void a_missing_directory_fails(struct kit *kit)
{
    expect_failure(kit, &(struct kit_job){.script = "true", .workdir = "/no/such/directory"},
                   "failed workdir 2");
}

static void a_directory_that_is_a_file_fails(struct kit *kit)
{
    expect_failure(kit, &(struct kit_job){.script = "true", .workdir = "/etc/passwd"},
                   "failed workdir 20");
}

static void a_log_that_cannot_be_made_fails(struct kit *kit)
{
    expect_failure(kit, &(struct kit_job){.script = "true", .log = "/proc/no/log"}, "failed log 2");
}

static void a_log_that_is_a_directory_fails(struct kit *kit)
{
    expect_failure(kit, &(struct kit_job){.script = "true", .log = "/dev"}, "failed log 21");
}

static void an_error_log_that_cannot_be_made_fails(struct kit *kit)
{
    expect_failure(kit, &(struct kit_job){.script = "true", .error = "/proc/no/log"},
                   "failed log 2");
}

static void an_unknown_user_fails(struct kit *kit)
{
    if (geteuid() != 0) {
        BL_SKIP("only root can start jobs of other users");
    }
    expect_failure(kit, &(struct kit_job){.script = "true", .uid = 3999999999}, "failed user 2");
}

static void a_log_that_the_user_may_not_write_fails(struct kit *kit)
{
    if (geteuid() != 0) {
        BL_SKIP("only root can start jobs of other users");
    }
    touch(kit, "closed");
    expect_failure(kit, &(struct kit_job){.script = "true", .log = "closed", .uid = 65534},
                   "failed log 13");
}

static char *letters(size_t count)
{
    char *text = bl_alloc_zero(count + 1);

    memset(text, 'x', count);
    return text;
}

/* The kernel takes 128 KiB for one text. */
static void an_argument_that_is_too_long_fails(struct kit *kit)
{
    BL_AUTO_FREE char *text = letters((size_t)200 * 1024);
    const char *const argv[] = {"true", text, NULL};

    expect_failure(kit, &(struct kit_job){.argv = argv}, "failed exec 7");
}

static void a_variable_that_is_too_long_fails(struct kit *kit)
{
    BL_AUTO_FREE char *text = letters((size_t)200 * 1024);
    const char *const env[] = {text, "PATH=/usr/bin:/bin", NULL};

    text[1] = '=';
    expect_failure(kit, &(struct kit_job){.script = "true", .env = env}, "failed exec 7");
}

static void an_environment_that_was_lost_fails(struct kit *kit)
{
    kit_adopt(kit, 1, &brief); /* no environment was kept for it */
    kit_wait(kit, BL_EVENT_JOB_START_FAILED, 1);
    expect_in_the_end(kit, 1, "failed spec 22");
}

static void a_start_that_failed_can_be_tried_again(struct kit *kit)
{
    struct kit_job job = {.script = "exit 4", .workdir = "/no/such/directory"};

    kit_start(kit, 1, &job);
    kit_wait(kit, BL_EVENT_JOB_START_FAILED, 1);
    job.workdir = NULL;
    job.attempt = 2;
    run_job(kit, 1, &job);
    expect_in_the_end(kit, 1, "failed workdir 2; 2:started; 2:exited 4");
}

static void a_start_that_failed_is_not_told_otherwise_when_stopped(struct kit *kit)
{
    kit_start(kit, 1, &(struct kit_job){.script = "true", .workdir = "/no/such/directory"});
    kit_wait(kit, BL_EVENT_JOB_START_FAILED, 1);
    kit_stop(kit, 1);
    expect_in_the_end(kit, 1, "failed workdir 2");
}

static void a_start_that_fails_leaves_others_alone(struct kit *kit)
{
    kit_start(kit, 1, &(struct kit_job){.script = "true", .workdir = "/no/such/directory"});
    kit_start(kit, 2, &(struct kit_job){.script = "exit 6"});
    kit_wait(kit, BL_EVENT_JOB_START_FAILED, 1);
    wait_ended(kit, 2);
    expect_in_the_end(kit, 2, "started; exited 6");
}

static void a_start_that_failed_while_away_is_told(struct kit *kit)
{
    static const struct kit_job job = {.script = "true", .workdir = "/no/such/directory"};

    kit_start(kit, 1, &job);
    kit_wait(kit, BL_EVENT_JOB_START_FAILED, 1);
    kit_restart(kit);
    kit_adopt(kit, 1, &job);
    kit_wait(kit, BL_EVENT_JOB_START_FAILED, 1);
    expect_in_the_end(kit, 1, "failed workdir 2");
}

enum { BOTH = NEEDS_PROCESSES | NEEDS_REFUSAL };

const struct conformance_case conformance_fail[] = {
    CASE(a_command_that_is_missing_fails, BOTH),
    CASE(a_command_that_is_not_in_the_path_fails, BOTH),
    CASE(a_command_that_is_no_program_fails, BOTH),
    CASE(a_command_that_is_a_directory_fails, BOTH),
    CASE(an_interpreter_that_is_missing_fails, BOTH),
    CASE(an_interpreter_that_is_no_program_fails, BOTH),
    CASE(an_interpreter_with_a_carriage_return_fails, BOTH),
    CASE(a_missing_directory_fails, BOTH),
    CASE(a_directory_that_is_a_file_fails, BOTH),
    CASE(a_log_that_cannot_be_made_fails, BOTH),
    CASE(a_log_that_is_a_directory_fails, BOTH),
    CASE(an_error_log_that_cannot_be_made_fails, BOTH),
    CASE(an_unknown_user_fails, BOTH),
    CASE(a_log_that_the_user_may_not_write_fails, BOTH),
    CASE(an_argument_that_is_too_long_fails, BOTH),
    CASE(a_variable_that_is_too_long_fails, BOTH),
    CASE(an_environment_that_was_lost_fails, BOTH),
    CASE(a_start_that_failed_can_be_tried_again, BOTH),
    CASE(a_start_that_failed_is_not_told_otherwise_when_stopped, BOTH),
    CASE(a_start_that_fails_leaves_others_alone, BOTH),
    CASE(a_start_that_failed_while_away_is_told, BOTH | NEEDS_RESTART),
    {0},
};
