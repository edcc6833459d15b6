/* What a second daemon finds of the jobs of the first. */
#include "bl_test.h"
#include "engine_kit.h"

#include "engine/local_files.h"
#include "os/fs.h"
#include "os/loop.h"
#include "os/proc.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void forget_events(struct kit *kit)
{
    kit->event_count = 0;
}

static void path_of(const struct kit *kit, char path[256])
{
    snprintf(path, 256, "%s/attempts/1.1", kit->state);
}

static const struct kit_job waits = {.script = "echo ready; read line < gate; exit $line"};

static void open_gate(const struct kit *kit, const char *code)
{
    char path[256];
    FILE *file;

    snprintf(path, sizeof path, "%s/gate", kit->work);
    file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(code, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* A job that reads its exit code from a pipe. */
static void start_waiting(struct kit *kit)
{
    char command[300];
    char path[256];

    snprintf(path, sizeof path, "%s/gate", kit->work);
    snprintf(command, sizeof command, "mkfifo gate; %s", waits.script);
    kit_start(kit, 1, &(struct kit_job){.script = command});
    kit_wait(kit, BL_EVENT_JOB_STARTED, 1);
    for (int tries = 0; tries < 6000 && access(path, F_OK) != 0; tries++) {
        bl_loop_step(kit->loop, 10 * BL_MILLISECOND);
    }
}

static void D1_a_start_that_the_journal_has_is_not_told_again(void **state)
{
    struct kit *kit = *state;
    struct kit_job known = waits;

    known.was_running = true;
    start_waiting(kit);
    kit_restart(kit);
    kit_adopt(kit, 1, &known);
    open_gate(kit, "0\n");
    kit_wait(kit, BL_EVENT_JOB_ENDED, 1);
    kit_expect_story(kit, "exited 1 0\n");
}

static void wait_unsupervised(const struct kit *kit)
{
    BL_AUTO_PATHS paths;

    bl_local_paths_init(&paths, kit->state, 1, 1);
    while (bl_local_files_is_supervised(&paths)) {
        bl_loop_step(kit->loop, BL_MILLISECOND);
    }
}

/* A job that is over, of a daemon that is gone; `path` is its status file's. */
static void leave_ended(struct kit *kit, char path[256])
{
    kit_start(kit, 1, &(struct kit_job){.script = "exit 0"});
    kit_wait(kit, BL_EVENT_JOB_ENDED, 1);
    kit_close_engine(kit);
    forget_events(kit);
    wait_unsupervised(kit);
    path_of(kit, path);
}

/* The daemon died between making the status file and starting the supervisor. */
static void D1_a_start_that_was_broken_off_is_carried_out(void **state)
{
    struct kit *kit = *state;
    char path[256];

    leave_ended(kit, path);
    assert_int_equal(truncate(path, 0), 0);
    kit_open_engine(kit);
    kit_adopt(kit, 1, &(struct kit_job){.script = "exit 6"});
    kit_wait(kit, BL_EVENT_JOB_ENDED, 1);
    kit_expect_story(kit, "started 1\nexited 1 6\n");
}

static pid_t supervisor_of(const struct kit *kit)
{
    BL_AUTO_BUF text = {0};
    char path[256];

    path_of(kit, path);
    assert_int_equal(bl_fs_read(path, 65536, &text, NULL), BL_OK);
    assert_int_equal(strncmp(bl_buf_text(&text), "supervisor ", 11), 0);
    return (pid_t)strtol(bl_buf_text(&text) + 11, NULL, 10);
}

static void P5_a_recycled_pid_is_not_taken_for_a_supervisor(void **state)
{
    struct kit *kit = *state;
    char path[256];
    char line[160];
    FILE *file;

    leave_ended(kit, path);
    file = fopen(path, "r+");
    assert_non_null(file);
    snprintf(line, sizeof line, "supervisor %d 1\nstarted %d 1\n%64s", (int)getpid(), (int)getpid(),
             ""); /* over all that was there: half a line counts as nothing */
    assert_true(fputs(line, file) >= 0);
    assert_int_equal(fclose(file), 0);
    kit_open_engine(kit);
    kit_adopt(kit, 1, &(struct kit_job){.script = "exit 0", .was_running = true, .stopping = true});
    kit_wait(kit, BL_EVENT_JOB_ENDED, 1);
    kit_expect_story(kit, "lost 1 0\n"); /* and this process still lives to say so */
}

static void P4_a_job_whose_records_were_removed_is_swept_and_lost(void **state)
{
    struct kit *kit = *state;
    struct kit_job known = waits;
    pid_t supervisor;

    known.was_running = true;
    start_waiting(kit);
    supervisor = supervisor_of(kit);
    kit_close_engine(kit);
    forget_events(kit);
    char path[256];
    path_of(kit, path);
    assert_int_equal(unlink(path), 0);
    kill(supervisor, SIGKILL);
    kit_open_engine(kit);
    kit_adopt(kit, 1, &known);
    kit_wait(kit, BL_EVENT_JOB_ENDED, 1);
    kit_expect_story(kit, "lost 1 0\n");
    assert_int_equal(kit_count(kit, 1), 0);
}

/* A daemon on a copy of the state directory must not end what runs under the one that was copied.
 */
static void P5_a_copy_of_the_state_directory_leaves_the_jobs_alone(void **state)
{
    struct kit *kit = *state;
    struct kit_job stopped = waits;
    char original[sizeof kit->state];
    char command[300];

    stopped.stopping = true;
    start_waiting(kit);
    snprintf(command, sizeof command, "cp -a %s %s/copy", kit->state, kit->dir);
    kit_start(kit, 2, &(struct kit_job){.script = command});
    kit_wait(kit, BL_EVENT_JOB_ENDED, 2);
    memcpy(original, kit->state, sizeof original);
    snprintf(kit->state, sizeof kit->state, "%s/copy", kit->dir);
    for (int i = 0; i < 2; i++) {
        kit_restart(kit);
        kit_adopt(kit, 1, i ? &stopped : &waits);
        kit_stop(kit, 1);
        kit_wait(kit, BL_EVENT_JOB_ENDED, 1);
        kit_expect_story(kit, "started 1\nlost 1 0\n");
    }
    memcpy(kit->state, original, sizeof original);
    assert_int_equal(kit_count(kit, 1), 1);
    kit_restart(kit);
    kit_adopt(kit, 1, &waits);
    open_gate(kit, "42\n");
    kit_wait(kit, BL_EVENT_JOB_ENDED, 1);
    kit_expect_story(kit, "started 1\nexited 1 42\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOTH_WAYS(D1_a_start_that_the_journal_has_is_not_told_again),
        BOTH_WAYS(D1_a_start_that_was_broken_off_is_carried_out),
        BOTH_WAYS(P5_a_recycled_pid_is_not_taken_for_a_supervisor),
        BOTH_WAYS(P4_a_job_whose_records_were_removed_is_swept_and_lost),
        BOTH_WAYS(P5_a_copy_of_the_state_directory_leaves_the_jobs_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
