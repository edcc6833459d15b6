/* How jobs are ended, by request and after their supervisor died. */
#include "bl_test.h"
#include "engine_kit.h"

#include "os/clock.h"
#include "os/loop.h"
#include "os/proc.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern const struct bl_engine bl_engine_local;

/* Waits until the script has said so in its log. */
static void wait_ready(struct kit *kit, int64_t id)
{
    char name[64];
    char line[256];

    snprintf(name, sizeof name, "name-%lld.1.log", (long long)id);
    kit_wait_line(kit, name, "ready", line);
    kit_wait(kit, BL_EVENT_JOB_STARTED, id); /* a job can speak before its supervisor has told */
}

/* bash -> bash -> python: one setsid, one double fork, and all of them deaf to SIGTERM. */
static const char tree_script[] =
    "trap '' TERM\n"
    "cat > tree.py <<'END'\n"
    "import os, signal, sys, time\n"
    "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
    "if os.fork() == 0:\n"
    "    os.setsid()\n"
    "    if os.fork() == 0:\n"
    "        print('grandchild', os.getpid(), flush=True)\n"
    "        os.execve('/bin/sleep', ['sleep', '1000'], {})\n"
    "    os._exit(0)\n"
    "os.wait()\n"
    "print('ready', flush=True)\n"
    "time.sleep(1000)\n"
    "END\n"
    "bash -c 'trap \"\" TERM; setsid bash -c \"trap \\\"\\\" TERM; python3 tree.py; true\"; true'\n"
    "true\n";

static void P3_stop_leaves_no_process_of_a_tree_that_escapes_and_ignores_it(void **state)
{
    struct kit *kit = *state;
    char line[256];
    struct bl_proc proc;
    pid_t grandchild;

    kit_start(kit, 1, &(struct kit_job){.script = tree_script, .grace = KIT_SHORT_GRACE});
    wait_ready(kit, 1);
    kit_wait_line(kit, "name-1.1.log", "grandchild ", line);
    grandchild = (pid_t)strtol(line + strlen("grandchild "), NULL, 10);
    assert_true(kit_count(kit, 1) >= 4);
    assert_true(bl_proc_read(grandchild, &proc));
    kit_stop(kit, 1);
    kit_wait(kit, BL_EVENT_JOB_ENDED, 1);
    assert_int_equal(kit_count(kit, 1), 0);
    assert_false(bl_proc_read(grandchild, &proc));
    kit_expect_story(kit, "started 1\nsignalled 1 9\n");
}

static void P3_stop_ends_a_bomb_of_forks(void **state)
{
    struct kit *kit = *state;

    kit_start(kit, 1,
              &(struct kit_job){.script =
                                    "trap '' TERM\n"
                                    "ulimit -t 20; bomb() { while :; do (sleep 0.05 &); done; }\n"
                                    "for i in 1 2 3 4; do (bomb) & done\n"
                                    "echo ready; wait",
                                .grace = KIT_SHORT_GRACE});
    wait_ready(kit, 1);
    kit_stop(kit, 1);
    kit_wait(kit, BL_EVENT_JOB_ENDED, 1);
    assert_int_equal(kit_count(kit, 1), 0);
}

/* ---- a supervisor that dies ---- */

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
    wait_ready(kit, 1);
    kill(supervisor_of(kit, 1), SIGSTOP);
    kit_stop(kit, 1);
    kit_wait(kit, BL_EVENT_JOB_ENDED, 1);
    kit_expect_story(kit, "started 1\nsignalled 1 15\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOTH_WAYS(P3_stop_leaves_no_process_of_a_tree_that_escapes_and_ignores_it),
        BOTH_WAYS(P3_stop_ends_a_bomb_of_forks),
        BOTH_WAYS(P22_a_stopped_supervisor_still_ends_its_job),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
