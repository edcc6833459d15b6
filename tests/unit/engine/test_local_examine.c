#include "bl_test.h"
#include "engine_kit.h"
#include "waiter.h"

#include "os/proc.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern const struct bl_engine bl_engine_local;

enum { OTHER = 65534 }; /* a user that is not the test's */

/* A process with this environment. */
static pid_t start(const char *devices, const char *token)
{
    char first[128] = "A=1";
    char second[128] = "B=2";
    char *envp[] = {first, second, NULL};

    if (devices) {
        snprintf(first, sizeof first, "CUDA_VISIBLE_DEVICES=%s", devices);
    }
    if (token) {
        snprintf(second, sizeof second, "BALEEN_JOB_TOKEN=%s", token);
    }
    return waiter_start("echo >&2; read x", "sh", envp, -1);
}

/* What is told of it lies in the arena and in *seen. */
static int examine(struct kit *kit, struct bl_engine_asker asker, struct bl_sight **seen,
                   struct bl_arena *arena, struct bl_engine_process *out, struct bl_error *err)
{
    *err = (struct bl_error){0};
    *seen = bl_sight_create(asker.pid);
    bl_sight_look(*seen);
    return bl_engine_local.examine(kit->engine, &asker, *seen, arena, out, err);
}

static struct bl_engine_asker owner_of(pid_t pid)
{
    return (struct bl_engine_asker){.pid = pid, .uid = getuid()};
}

static void expect_refused(struct kit *kit, struct bl_engine_asker asker, const char *why)
{
    struct bl_arena arena = {0};
    struct bl_sight *seen;
    struct bl_engine_process process;
    struct bl_error err;
    int status = examine(kit, asker, &seen, &arena, &process, &err);

    if (status == BL_OK || !strstr(err.text, why)) {
        fail_msg("process %lld: expected '%s', found %d '%s'", (long long)asker.pid, why, status,
                 err.text);
    }
    bl_arena_finish(&arena);
    bl_sight_destroy(seen);
}

static void P11_a_process_is_told_of_with_the_gpus_that_it_sees(void **state)
{
    static const struct {
        const char *devices;
        bool knows;
        size_t nodes;
        uint64_t mask[2];
    } rows[] = {
        {NULL, false, 0, {0}},
        {"", true, 0, {0}},
        {"-1", true, 0, {0}},
        {"2", true, 1, {4}},
        {"0, 1,5", true, 2, {3, 2}},
        {"3,99,1", true, 1, {8}},
        {"GPU-declared-node2-1", true, 1, {2}},
        {"MIG-1", true, 0, {0}},
    };
    struct kit *kit = *state;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        pid_t pid = start(rows[i].devices, NULL);
        struct bl_arena arena = {0};
        struct bl_sight *seen;
        struct bl_engine_process process;
        struct bl_error err;
        struct bl_proc proc = {0};

        assert_int_equal(examine(kit, owner_of(pid), &seen, &arena, &process, &err), BL_OK);
        assert_true(bl_proc_read(pid, &proc));
        assert_int_equal(process.launch.pid, pid);
        assert_int_equal(process.launch.pid_start, proc.start_ticks);
        assert_int_equal(process.launch.uid, getuid());
        assert_string_equal(process.launch.argv[0], "sh");
        assert_string_equal(process.name, "sh");
        assert_string_equal(process.node, "node1");
        assert_int_equal(process.knows_gpus, rows[i].knows);
        assert_int_equal(process.on_count, rows[i].nodes);
        for (size_t k = 0; k < rows[i].nodes; k++) {
            assert_int_equal(process.on[k].gpu_mask, rows[i].mask[k]);
        }
        waiter_end(pid);
        bl_arena_finish(&arena);
        bl_sight_destroy(seen);
    }
}

static void P11_what_cannot_be_a_job_is_refused_with_the_reason(void **state)
{
    struct kit *kit = *state;
    pid_t pid = start(NULL, NULL);
    struct bl_engine_asker other = {.pid = pid, .uid = (int64_t)getuid() + 1};
    struct bl_engine_asker manager = {.pid = pid, .uid = other.uid, .is_manager = true};
    struct bl_arena arena = {0};
    struct bl_sight *seen;
    struct bl_engine_process process;
    struct bl_error err;

    expect_refused(kit, owner_of(0), "there is no process 0");
    expect_refused(kit, (struct bl_engine_asker){.pid = INT64_C(1) << 40}, "there is no process");
    expect_refused(kit, (struct bl_engine_asker){.pid = 1, .is_manager = true}, "first one");
    expect_refused(kit, owner_of(getpid()), "the baleen daemon itself");
    expect_refused(kit, (struct bl_engine_asker){.pid = getppid(), .is_manager = true},
                   getppid() == 1 ? "first one" : "descends from");
    expect_refused(kit, other, "belongs to another user");
    assert_int_equal(examine(kit, manager, &seen, &arena, &process, &err), BL_OK);
    kill(pid, SIGKILL);
    for (struct bl_proc proc = {.state = 'R'}; proc.state != 'Z';) {
        assert_true(bl_proc_read(pid, &proc));
    }
    expect_refused(kit, owner_of(pid), "has ended");
    waitpid(pid, NULL, 0);
    expect_refused(kit, owner_of(pid), "there is no process");
    bl_arena_finish(&arena);
    bl_sight_destroy(seen);
}

static void say(int fd)
{
    if (write(fd, "r", 1) != 1) {
        _exit(1);
    }
}

/* A session whose leader is another user's, with a process of the test's own user in it: a child,
 * or one that has lost its parent. */
static pid_t start_mixed(bool is_orphan)
{
    int ready[2];
    char byte;
    pid_t pid;

    assert_int_equal(pipe(ready), 0);
    pid = fork();
    if (pid == 0) {
        setsid();
        if (fork() == 0) {
            if (!is_orphan || fork() == 0) {
                say(ready[1]);
                for (;;) {
                    pause();
                }
            }
            _exit(0);
        }
        if ((is_orphan && wait(NULL) < 0) || setresuid(OTHER, OTHER, OTHER) != 0) {
            _exit(1);
        }
        say(ready[1]);
        for (;;) {
            pause();
        }
    }
    for (int i = 0; i < 2; i++) {
        assert_int_equal(read(ready[0], &byte, 1), 1);
    }
    close(ready[0]);
    close(ready[1]);
    return pid;
}

static void end_session(pid_t session)
{
    struct bl_proc_list all = {0};

    assert_true(bl_proc_scan(&all));
    for (size_t i = 0; i < all.all.count; i++) {
        if (all.all.at[i].session == session) {
            kill(all.all.at[i].pid, SIGKILL);
        }
    }
    bl_proc_list_finish(&all);
    waitpid(session, NULL, 0);
}

static void P11_one_with_processes_of_another_user_is_an_administrators_to_adopt(void **state)
{
    struct kit *kit = *state;

    if (getuid() != 0) {
        BL_SKIP("only root starts processes of others");
    }
    for (int is_orphan = 0; is_orphan <= 1; is_orphan++) {
        pid_t pid = start_mixed(is_orphan);
        struct bl_engine_asker owner = {.pid = pid, .uid = OTHER};
        struct bl_engine_asker manager = {.pid = pid, .is_manager = true};
        struct bl_arena arena = {0};
        struct bl_sight *seen;
        struct bl_engine_process process;
        struct bl_error err;

        expect_refused(kit, owner, "has processes of another user with it");
        assert_int_equal(examine(kit, manager, &seen, &arena, &process, &err), BL_OK);
        end_session(pid);
        bl_arena_finish(&arena);
        bl_sight_destroy(seen);
    }
}

static void P11_what_the_daemon_starts_jobs_by_is_no_job(void **state)
{
    struct kit *kit = *state;
    struct bl_proc_list own = {0};
    struct bl_proc last = {0}; /* those of the engines before may not be gone yet */

    assert_true(bl_proc_scan_below(getpid(), &own));
    for (size_t i = 0; i < own.all.count; i++) {
        last = own.all.at[i].start_ticks >= last.start_ticks ? own.all.at[i] : last;
    }
    expect_refused(kit, (struct bl_engine_asker){.pid = last.pid, .is_manager = true},
                   "is one of the baleen daemon's own");
    bl_proc_list_finish(&own);
}

/* It could neither end nor limit it. */
static void P11_a_daemon_that_is_not_root_adopts_nobody_elses(void **state)
{
    struct kit *kit = *state;
    pid_t pid = start(NULL, NULL);

    if (getuid() != 0) {
        waiter_end(pid);
        BL_SKIP("only root becomes another user");
    }
    assert_int_equal(seteuid(OTHER), 0);
    expect_refused(kit, (struct bl_engine_asker){.pid = pid, .uid = OTHER, .is_manager = true},
                   "belongs to another user");
    assert_int_equal(seteuid(0), 0);
    waiter_end(pid);
}

static void P11_what_is_a_jobs_already_is_no_other_jobs(void **state)
{
    struct kit *kit = *state;
    pid_t foreign = start(NULL, "0123456789abcdef.7.1");
    pid_t pid = start(NULL, NULL);
    struct bl_proc proc = {0};
    struct bl_proc own = {0};

    assert_true(bl_proc_read(pid, &proc));
    kit_start(kit, 1, &(struct kit_job){.script = "echo ready; read x < /dev/null; sleep 1000"});
    kit_wait_ready(kit, 1);
    kit_start(kit, 2, &(struct kit_job){.pid = pid, .pid_start = proc.start_ticks});
    kit_wait(kit, BL_EVENT_JOB_STARTED, 2);
    expect_refused(kit, owner_of((pid_t)kit_wait(kit, BL_EVENT_JOB_STARTED, 1)->u.started.pid),
                   "belongs to job 1 already");
    expect_refused(kit, owner_of(pid), "belongs to job 2 already");
    expect_refused(kit, owner_of(foreign), "another baleen daemon");
    assert_true(bl_proc_read((pid_t)kit_wait(kit, BL_EVENT_JOB_STARTED, 1)->u.started.pid, &own));
    expect_refused(kit, (struct bl_engine_asker){.pid = own.parent, .is_manager = true},
                   "supervisor of a job");
    kit_stop(kit, 1);
    kit_stop(kit, 2);
    kit_wait(kit, BL_EVENT_JOB_ENDED, 1);
    kit_wait(kit, BL_EVENT_JOB_ENDED, 2);
    waitpid(pid, NULL, 0);
    waiter_end(foreign);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOTH_WAYS(P11_a_process_is_told_of_with_the_gpus_that_it_sees),
        BOTH_WAYS(P11_what_cannot_be_a_job_is_refused_with_the_reason),
        BOTH_WAYS(P11_one_with_processes_of_another_user_is_an_administrators_to_adopt),
        BOTH_WAYS(P11_what_the_daemon_starts_jobs_by_is_no_job),
        BOTH_WAYS(P11_a_daemon_that_is_not_root_adopts_nobody_elses),
        BOTH_WAYS(P11_what_is_a_jobs_already_is_no_other_jobs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
