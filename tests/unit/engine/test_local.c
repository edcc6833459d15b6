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

/* ---- start and end ---- */

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
    kit_expect_story(kit, "started 1\nexited 1 0\n");
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOTH_WAYS(D1_a_missing_supervisor_is_refused_at_once),
        BOTH_WAYS(D1_a_job_runs_as_its_user_and_writes_its_log_as_that_user),
        BOTH_WAYS(D1_records_and_environment_are_closed_to_the_user),
        BOTH_WAYS(P2_the_environment_is_the_contract_and_what_was_submitted),
        BOTH_WAYS(P17_jobs_at_once_see_distinct_devices_and_their_own_allocation),
        BOTH_WAYS(D1_a_forgotten_job_leaves_nothing_in_the_state_directory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
