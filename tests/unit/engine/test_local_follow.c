/* What becomes of a job whose supervisor is not well. */
#include "bl_test.h"
#include "engine_kit.h"

#include "os/fs.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pid_t supervisor_of(const struct kit *kit, int64_t id)
{
    char path[256];
    char text[512] = "";
    FILE *file;

    snprintf(path, sizeof path, "%s/attempts/%lld.1", kit->state, (long long)id);
    file = fopen(path, "r");
    assert_non_null(file);
    assert_true(fread(text, 1, sizeof text - 1, file) > 0);
    fclose(file);
    assert_int_equal(strncmp(text, "supervisor ", 11), 0);
    return (pid_t)strtol(text + 11, NULL, 10);
}

static void P22_a_stopped_supervisor_still_ends_its_job(void **state)
{
    struct kit *kit = *state;

    kit_start(kit, 1, &(struct kit_job){.script = "echo ready; exec sleep 1000"});
    kit_wait_ready(kit, 1);
    kill(supervisor_of(kit, 1), SIGSTOP);
    kit_stop(kit, 1);
    kit_wait(kit, BL_EVENT_JOB_ENDED, 1);
    kit_expect_story(kit, "started 1\nsignalled 1 15\n");
}

/* It left no record, so nothing of the job was started; nobody tries that for ever. */
static void D1_a_supervisor_that_dies_at_once_is_tried_again_and_then_told_of(void **state)
{
    static const char program[] = "#!/bin/sh\necho x >> $0.count\n";
    struct kit *kit = *state;
    BL_AUTO_FREE char *real = bl_copy_text(getenv("BALEEN_SUPERVISOR"));
    BL_AUTO_BUF count = {0};
    char path[128];
    char counter[160];

    snprintf(path, sizeof path, "%s/dies", kit->dir);
    snprintf(counter, sizeof counter, "%s.count", path);
    assert_int_equal(bl_fs_write_atomic(path, 0755, program, sizeof program - 1, NULL), BL_OK);
    setenv("BALEEN_SUPERVISOR", path, 1);
    kit_restart(kit);
    kit_start(kit, 1, &(struct kit_job){.script = "echo never"});
    kit_wait(kit, BL_EVENT_JOB_START_FAILED, 1);
    setenv("BALEEN_SUPERVISOR", real, 1);
    kit_expect_story(kit, "failed 1 supervisor 10\n");
    assert_int_equal(bl_fs_read(counter, 4096, &count, NULL), BL_OK);
    assert_true(count.length >= 3 * strlen("x\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOTH_WAYS(P22_a_stopped_supervisor_still_ends_its_job),
        BOTH_WAYS(D1_a_supervisor_that_dies_at_once_is_tried_again_and_then_told_of),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
