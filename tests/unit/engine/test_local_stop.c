/* How jobs are ended by request. */
#include "bl_test.h"
#include "engine_kit.h"

#include "os/proc.h"

#include <stdlib.h>
#include <string.h>

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
    kit_wait_ready(kit, 1);
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
    kit_wait_ready(kit, 1);
    kit_stop(kit, 1);
    kit_wait(kit, BL_EVENT_JOB_ENDED, 1);
    assert_int_equal(kit_count(kit, 1), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOTH_WAYS(P3_stop_leaves_no_process_of_a_tree_that_escapes_and_ignores_it),
        BOTH_WAYS(P3_stop_ends_a_bomb_of_forks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
