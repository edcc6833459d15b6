#include "bl_test.h"
#include "engine_kit.h"

#include "os/fs.h"
#include "os/loop.h"
#include "os/proc.h"

#include <errno.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

extern const struct bl_engine bl_engine_local;

static int open_with_groups(void **state)
{
    struct kit *kit = bl_alloc_zero(sizeof *kit);

    kit_open_local(kit, false);
    *state = kit;
    return 0;
}

static int open_without_groups(void **state)
{
    struct kit *kit = bl_alloc_zero(sizeof *kit);

    kit_open_local(kit, true);
    *state = kit;
    return 0;
}

static int close_kit(void **state)
{
    kit_close(*state);
    free(*state);
    return 0;
}

static void expect_story(const struct kit *kit, const char *expected)
{
    BL_AUTO_FREE char *story = kit_story(kit);

    assert_string_equal(story, expected);
}

/* ---- start and end ---- */

static void D1_a_job_starts_ends_and_its_exit_code_is_known(void **state)
{
    struct kit *kit = *state;
    const struct bl_event *started;
    char line[256];

    kit_start(kit, 1, &(struct kit_job){.script = "echo me $$; exit 7"});
    assert_int_equal(kit->event_count, 0); /* never from inside the call */
    started = kit_wait(kit, BL_EVENT_JOB_STARTED, 1);
    kit_wait(kit, BL_EVENT_JOB_ENDED, 1);
    kit_wait_line(kit, "name-1.1.log", "me ", line);
    assert_int_equal(started->attempt, 1);
    assert_int_equal(started->u.started.pid, strtol(line + 3, NULL, 10));
    expect_story(kit, "started 1\nexited 1 7\n");
}

static void D1_a_job_that_dies_of_a_signal_is_reported_with_it(void **state)
{
    struct kit *kit = *state;

    kit_start(kit, 1, &(struct kit_job){.script = "kill -USR2 $$"});
    kit_wait(kit, BL_EVENT_JOB_ENDED, 1);
    expect_story(kit, "started 1\nsignalled 1 12\n");
}

static void D1_starting_twice_starts_once(void **state)
{
    struct kit *kit = *state;
    struct kit_job job = {.script = "echo once"};
    BL_AUTO_FREE char *log = NULL;

    kit_start(kit, 1, &job);
    kit_start(kit, 1, &job);
    kit_wait(kit, BL_EVENT_JOB_ENDED, 1);
    log = kit_read(kit, "name-1.1.log");
    assert_string_equal(log, "once\n");
    expect_story(kit, "started 1\nexited 1 0\n");
}

static void D1_a_log_is_appended_to_and_its_directories_are_made(void **state)
{
    struct kit *kit = *state;
    BL_AUTO_FREE char *log = NULL;

    for (int64_t id = 1; id <= 2; id++) {
        kit_start(kit, id,
                  &(struct kit_job){.script = "echo out; echo err >&2", .log = "a/b/same.log"});
        kit_wait(kit, BL_EVENT_JOB_ENDED, id);
    }
    log = kit_read(kit, "a/b/same.log");
    assert_string_equal(log, "out\nerr\nout\nerr\n");
}

static void D1_what_a_job_left_in_the_background_ends_before_its_end_is_told(void **state)
{
    struct kit *kit = *state;
    struct kit_job job = {.script = "setsid sleep 1000 & exit 4"};

    kit_start(kit, 1, &job);
    kit_wait(kit, BL_EVENT_JOB_ENDED, 1);
    assert_int_equal(kit_count(kit, 1), 0);
    expect_story(kit, "started 1\nexited 1 4\n");
}

static void D1_a_start_that_fails_names_its_stage(void **state)
{
    static const char *const missing_command[] = {"/no/such/command", "x", NULL};
    static const char *const no_command[] = {"/etc/passwd", NULL};
    static const struct {
        struct kit_job job;
        const char *story;
    } rows[] = {
        {{.argv = missing_command}, "failed 1 exec 2\n"},
        {{.argv = no_command}, "failed 1 exec 13\n"},
        {{.script = "true", .workdir = "/no/such/directory"}, "failed 1 workdir 2\n"},
        {{.script = "true", .workdir = "/etc/passwd"}, "failed 1 workdir 20\n"},
        {{.script = "true", .log = "/proc/no/log"}, "failed 1 log 2\n"},
        {{.script = "true", .log = "/dev"}, "failed 1 log 21\n"},
        {{.script = "true", .uid = 3999999999}, "failed 1 user 2\n"},
    };
    bool no_cgroup = ((struct kit *)*state)->variant;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct kit kit;
        BL_AUTO_FREE char *story = NULL;

        if (rows[i].job.uid && geteuid() != 0) {
            continue;
        }
        kit_open_local(&kit, no_cgroup);
        kit_start(&kit, 1, &rows[i].job);
        kit_wait(&kit, BL_EVENT_JOB_START_FAILED, 1);
        story = kit_story(&kit);
        assert_string_equal(story, rows[i].story);
        kit_close(&kit);
    }
}

static void D1_a_start_without_the_submitted_environment_fails(void **state)
{
    struct kit *kit = *state;
    char path[256];

    kit_start(kit, 1, &(struct kit_job){.script = "exit 1", .attempt = 1});
    kit_wait(kit, BL_EVENT_JOB_ENDED, 1);
    snprintf(path, sizeof path, "%s/env/1", kit->state);
    assert_int_equal(unlink(path), 0);
    kit_adopt(kit, 1, &(struct kit_job){.script = "exit 1", .attempt = 2});
    kit_wait(kit, BL_EVENT_JOB_START_FAILED, 1);
    expect_story(kit, "started 1\nexited 1 1\nfailed 1 spec 22\n");
}

static void D1_a_missing_supervisor_is_refused_at_once(void **state)
{
    const struct kit *kit = *state;
    struct bl_engine_config config = {
        .loop = kit->loop, .state_dir = kit->state, .supervisor = "/no/such/supervisor"};
    struct bl_error err = {0};
    void *engine = NULL;

    assert_int_equal(bl_engine_local.create(&config, (struct bl_engine_host){0}, &engine, &err),
                     BL_ESYSTEM);
    assert_non_null(strstr(err.text, "/no/such/supervisor"));
    assert_null(engine);
}

/* ---- users ---- */

static void D1_a_job_runs_as_its_user_and_writes_its_log_as_that_user(void **state)
{
    struct kit *kit = *state;
    const struct passwd *nobody = getpwnam("nobody");
    struct stat about;
    char path[256];
    char line[256];

    if (geteuid() != 0 || !nobody) {
        BL_SKIP("only root can start jobs of other users");
    }
    kit_start(kit, 1,
              &(struct kit_job){.script = "id -u; id -G; stat -c %u:%a $BALEEN_DIR; echo end",
                                .log = "deep/log",
                                .uid = nobody->pw_uid});
    kit_wait(kit, BL_EVENT_JOB_ENDED, 1);
    kit_wait_line(kit, "deep/log", "65534", line);
    kit_wait_line(kit, "deep/log", "65534:700", line);
    kit_wait_line(kit, "deep/log", "end", line);
    snprintf(path, sizeof path, "%s/deep/log", kit->work);
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(about.st_uid, nobody->pw_uid);
    expect_story(kit, "started 1\nexited 1 0\n");
}

static void D1_a_log_that_the_user_may_not_write_fails_the_start(void **state)
{
    struct kit *kit = *state;
    char path[256];

    if (geteuid() != 0) {
        BL_SKIP("only root can start jobs of other users");
    }
    snprintf(path, sizeof path, "%s/closed.log", kit->work);
    assert_int_equal(bl_fs_write_atomic(path, 0600, "", 0, NULL), BL_OK);
    kit_start(kit, 1, &(struct kit_job){.script = "true", .log = "closed.log", .uid = 65534});
    kit_wait(kit, BL_EVENT_JOB_START_FAILED, 1);
    expect_story(kit, "failed 1 log 13\n");
}

static void D1_records_and_environment_are_closed_to_the_user(void **state)
{
    struct kit *kit = *state;
    char script[512];
    char line[256];

    if (geteuid() != 0) {
        BL_SKIP("only root can start jobs of other users");
    }
    snprintf(script, sizeof script,
             "for f in %s/env/1 %s/attempts/1.1; do cat $f && echo open; done; "
             "ls /proc/self/fd | wc -l; echo end",
             kit->state, kit->state);
    kit_start(kit, 1, &(struct kit_job){.script = script, .uid = 65534});
    kit_wait(kit, BL_EVENT_JOB_ENDED, 1);
    kit_wait_line(kit, "name-1.1.log", "end", line);
    kit_wait_line(kit, "name-1.1.log", "4", line); /* 0, 1, 2 and the one that lists */
    BL_AUTO_FREE char *log = kit_read(kit, "name-1.1.log");
    assert_null(strstr(log, "open"));
}

/* ---- environment ---- */

static void P2_the_environment_is_the_contract_and_what_was_submitted(void **state)
{
    static const char *const submitted[] = {"PATH=/usr/bin:/bin", "MINE=a b",
                                            "CUDA_VISIBLE_DEVICES=7", "BALEEN_JOB_ID=99", NULL};
    struct kit *kit = *state;
    char line[256];
    char expected[256];
    static const char *const rows[] = {
        "PATH=/usr/bin:/bin",
        "MINE=a b",
        "BALEEN_JOB_ID=6",
        "BALEEN_ATTEMPT=1",
        "BALEEN_GPUS=1",
        "BALEEN_GPU_UUIDS=GPU-declared-node2-1",
        "CUDA_DEVICE_ORDER=PCI_BUS_ID",
        "CUDA_VISIBLE_DEVICES=5",
        "NVIDIA_VISIBLE_DEVICES=5",
        "ROCR_VISIBLE_DEVICES=5",
        "HIP_VISIBLE_DEVICES=0",
        "ASCEND_RT_VISIBLE_DEVICES=5",
    };

    kit_start(kit, 6,
              &(struct kit_job){.argv = (const char *const[]){"env", NULL}, .env = submitted});
    kit_wait(kit, BL_EVENT_JOB_ENDED, 6);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        kit_wait_line(kit, "name-6.1.log", rows[i], line);
        assert_string_equal(line, rows[i]);
    }
    snprintf(expected, sizeof expected, "BALEEN_DIR=%s/jobs/6", kit->state);
    kit_wait_line(kit, "name-6.1.log", "BALEEN_DIR=", line);
    assert_string_equal(line, expected);
    snprintf(expected, sizeof expected, "BALEEN_PROGRESS=%s/jobs/6/progress", kit->state);
    kit_wait_line(kit, "name-6.1.log", "BALEEN_PROGRESS=", line);
    assert_string_equal(line, expected);
    kit_wait_line(kit, "name-6.1.log", "BALEEN_JOB_TOKEN=", line);
    BL_AUTO_FREE char *log = kit_read(kit, "name-6.1.log");
    size_t lines = 0;
    for (const char *at = log; (at = strchr(at, '\n')); at++) {
        lines++;
    }
    assert_int_equal(lines, sizeof rows / sizeof rows[0] + 3); /* and nothing else */
}

static void D1_signals_are_as_a_login_would_give_them(void **state)
{
    static const char *const argv[] = {"grep", "-E", "^Sig(Ign|Blk):.*[^0\t]", "/proc/self/status",
                                       NULL};
    struct kit *kit = *state;
    void (*before)(int) = signal(SIGPIPE, SIG_IGN); /* as a daemon does */

    kit_start(kit, 1, &(struct kit_job){.argv = argv});
    kit_wait(kit, BL_EVENT_JOB_ENDED, 1);
    signal(SIGPIPE, before);
    expect_story(kit, "started 1\nexited 1 1\n"); /* grep found none */
}

static void P17_jobs_at_once_see_distinct_devices_and_their_own_allocation(void **state)
{
    struct kit *kit = *state;
    char seen[KIT_GPUS + 1] = "";

    for (int64_t id = 1; id <= KIT_GPUS; id++) {
        kit_start(kit, id,
                  &(struct kit_job){.script =
                                        "echo device $CUDA_VISIBLE_DEVICES; "
                                        "grep -o '\"device\": *[0-9]' $BALEEN_DIR/alloc.json"});
    }
    for (int64_t id = 1; id <= KIT_GPUS; id++) {
        char name[32];
        char line[256];

        kit_wait(kit, BL_EVENT_JOB_ENDED, id);
        snprintf(name, sizeof name, "name-%lld.1.log", (long long)id);
        kit_wait_line(kit, name, "device ", line);
        seen[id - 1] = line[7];
        assert_int_equal(line[8], '\0');
        kit_wait_line(kit, name, "\"device\"", line);
        assert_int_equal(line[strlen(line) - 1], seen[id - 1]);
    }
    assert_string_equal(seen, "01234567");
}

/* ---- forget ---- */

static void D1_a_forgotten_job_leaves_nothing_in_the_state_directory(void **state)
{
    static const char *const scripts[] = {
        "true", "mkdir -p $BALEEN_DIR/a/b; echo x > $BALEEN_DIR/a/b/c; chmod 0 $BALEEN_DIR/a"};
    struct kit *kit = *state;

    for (int64_t id = 1; id <= 2; id++) {
        char path[256];

        kit_start(kit, id, &(struct kit_job){.script = scripts[id - 1]});
        kit_wait(kit, BL_EVENT_JOB_ENDED, id);
        bl_engine_local.forget(kit->engine, id, 1);
        snprintf(path, sizeof path, "%s/attempts/%lld.1", kit->state, (long long)id);
        assert_int_equal(access(path, F_OK), -1);
        bl_engine_local.forget_job(kit->engine, id);
        snprintf(path, sizeof path, "%s/env/%lld", kit->state, (long long)id);
        assert_int_equal(access(path, F_OK), -1);
        snprintf(path, sizeof path, "%s/jobs/%lld", kit->state, (long long)id);
        for (int turns = 0; turns < 1000 && access(path, F_OK) == 0; turns++) {
            bl_loop_step(kit->loop, 10 * BL_MILLISECOND);
        }
        assert_int_equal(access(path, F_OK), -1);
        bl_engine_local.forget_job(kit->engine, id);
    }
}

static void D1_a_running_job_is_not_forgotten(void **state)
{
    struct kit *kit = *state;
    char path[256];

    kit_start(kit, 1, &(struct kit_job){.script = "exec sleep 1000"});
    kit_wait(kit, BL_EVENT_JOB_STARTED, 1);
    bl_engine_local.forget(kit->engine, 1, 1);
    bl_engine_local.forget_job(kit->engine, 1);
    snprintf(path, sizeof path, "%s/attempts/1.1", kit->state);
    assert_int_equal(access(path, F_OK), 0);
    kit_stop(kit, 1);
    kit_wait(kit, BL_EVENT_JOB_ENDED, 1);
    expect_story(kit, "started 1\nsignalled 1 15\n");
}

#define BOTH_WAYS(claim)                                                                           \
    {#claim, claim, open_with_groups, close_kit, NULL},                                            \
    {                                                                                              \
#claim "_without_groups", claim, open_without_groups, close_kit, NULL                      \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOTH_WAYS(D1_a_job_starts_ends_and_its_exit_code_is_known),
        BOTH_WAYS(D1_a_job_that_dies_of_a_signal_is_reported_with_it),
        BOTH_WAYS(D1_starting_twice_starts_once),
        BOTH_WAYS(D1_a_log_is_appended_to_and_its_directories_are_made),
        BOTH_WAYS(D1_what_a_job_left_in_the_background_ends_before_its_end_is_told),
        BOTH_WAYS(D1_a_start_that_fails_names_its_stage),
        BOTH_WAYS(D1_a_start_without_the_submitted_environment_fails),
        BOTH_WAYS(D1_a_missing_supervisor_is_refused_at_once),
        BOTH_WAYS(D1_a_job_runs_as_its_user_and_writes_its_log_as_that_user),
        BOTH_WAYS(D1_a_log_that_the_user_may_not_write_fails_the_start),
        BOTH_WAYS(D1_records_and_environment_are_closed_to_the_user),
        BOTH_WAYS(P2_the_environment_is_the_contract_and_what_was_submitted),
        BOTH_WAYS(D1_signals_are_as_a_login_would_give_them),
        BOTH_WAYS(P17_jobs_at_once_see_distinct_devices_and_their_own_allocation),
        BOTH_WAYS(D1_a_forgotten_job_leaves_nothing_in_the_state_directory),
        BOTH_WAYS(D1_a_running_job_is_not_forgotten),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
