#include "os/proc_about.h"
#include "bl_test.h"
#include "waiter.h"

#include "base/own.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t start(const char *script, int output)
{
    static char variables[][64] = {"PATH=/usr/bin:/bin", "NOT_CUDA_VISIBLE_DEVICES=9",
                                   "CUDA_VISIBLE_DEVICES=0,3", "BALEEN_JOB_TOKEN=a.1.2"};
    char *envp[] = {variables[0], variables[1], variables[2], variables[3], NULL};

    return waiter_start(script, "two words", envp, output);
}

static void what_a_process_is_is_told_by_the_kernel(void **state)
{
    char path[] = "/tmp/baleen-about-XXXXXX";
    int log = mkstemp(path);
    pid_t pid = start("cd /; (echo x >&2); read x", log);
    struct bl_arena arena = {0};
    struct bl_proc_about about;

    (void)state;
    assert_true(bl_proc_describe(pid, &arena, &about));
    assert_int_equal(about.proc.pid, pid);
    assert_int_equal(about.uid, getuid());
    assert_int_equal(about.gid, getgid());
    assert_true(about.is_of_one);
    assert_false(about.is_kernels);
    assert_string_equal(about.name, "sh");
    assert_int_equal(about.argc, 4);
    assert_string_equal(about.argv[0], "sh");
    assert_string_equal(about.argv[3], "two words");
    assert_null(about.argv[4]);
    assert_string_equal(about.workdir, "/");
    assert_string_equal(about.output, path);
    assert_string_equal(about.devices, "0,3");
    assert_string_equal(about.token, "a.1.2");
    assert_int_equal(unlink(path), 0);
    assert_true(bl_proc_describe(pid, &arena, &about));
    assert_null(about.output); /* there is no way to it any more */
    waiter_end(pid);
    assert_false(bl_proc_describe(pid, &arena, &about));
    close(log);
    bl_arena_finish(&arena);
}

static void a_thread_of_the_kernel_is_one(void **state)
{
    struct bl_arena arena = {0};
    struct bl_proc_about about;

    (void)state;
    if (!bl_proc_describe(2, &arena, &about)) {
        bl_arena_finish(&arena);
        BL_SKIP("the kernel's threads are not seen from here");
    }
    if (strcmp(about.name, "kthreadd") == 0) {
        assert_true(about.is_kernels);
        assert_int_equal(about.argc, 1);
        assert_string_equal(about.argv[0], "kthreadd");
    }
    assert_false(bl_proc_describe(getpid(), &arena, &about) && about.is_kernels);
    bl_arena_finish(&arena);
}

/* A command may be as long as the system likes, what is kept of it not. */
static void no_more_of_a_command_is_kept_than_has_room(void **state)
{
    static char word[100 * 1024];
    struct bl_arena arena = {0};
    struct bl_proc_about about;
    int ready[2];
    int input[2];
    size_t kept = 0;
    char byte;
    pid_t pid;

    (void)state;
    memset(word, 'x', sizeof word - 1);
    assert_int_equal(pipe(ready), 0);
    assert_int_equal(pipe(input), 0);
    pid = fork();
    if (pid == 0) {
        dup2(input[0], STDIN_FILENO);
        dup2(ready[1], STDERR_FILENO);
        execl("/bin/sh", "sh", "-c", "echo >&2; read x", word, word, word, word, (char *)NULL);
        _exit(127);
    }
    close(ready[1]);
    close(input[0]);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    assert_true(bl_proc_describe(pid, &arena, &about));
    assert_int_equal(about.argc, 6);
    for (size_t i = 0; i < about.argc; i++) {
        kept += strlen(about.argv[i]) + 1;
    }
    assert_in_range(kept, BL_PROC_COMMAND_BYTES_MAX, BL_PROC_COMMAND_BYTES_MAX + 1);
    waiter_end(pid);
    close(ready[0]);
    close(input[1]);
    bl_arena_finish(&arena);
}

static void the_boot_has_a_name_that_stays(void **state)
{
    struct bl_arena arena = {0};

    (void)state;
    assert_int_equal(strlen(bl_proc_boot(&arena)), 36);
    assert_string_equal(bl_proc_boot(&arena), bl_proc_boot(&arena));
    bl_arena_finish(&arena);
}

/* A process that nobody has waited for yet tells how it ended, and no other that is or was. */
static void the_end_of_a_process_is_told_as_long_as_the_kernel_knows_it(void **state)
{
    static const struct {
        const char *script;
        int status;
    } rows[] = {{"echo x >&2; exit 3", 3 << 8},
                {"echo x >&2; exit 0", 0},
                {"echo x >&2; kill -9 $$", SIGKILL}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        pid_t pid = start(rows[i].script, STDOUT_FILENO);
        struct bl_proc proc = {0};
        struct bl_proc other;
        siginfo_t info;
        int status = -1;

        assert_int_equal(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
        assert_true(bl_proc_read(pid, &proc));
        other = proc;
        other.start_ticks++;
        assert_true(bl_proc_end_of(&proc, -1, &status));
        assert_int_equal(status, rows[i].status);
        assert_false(bl_proc_end_of(&other, -1, &status));
        waitpid(pid, NULL, 0);
        assert_false(bl_proc_end_of(&proc, -1, &status));
    }
}

/* New kernels tell it to who held a descriptor even then; old ones tell nothing rather than 0. */
static void a_descriptor_tells_the_end_or_nothing(void **state)
{
    pid_t pid = start("echo x >&2; read x; exit 5", STDOUT_FILENO);
    int fd = (int)syscall(SYS_pidfd_open, pid, 0);
    struct bl_proc proc = {0};
    int status = -1;

    (void)state;
    if (fd < 0) {
        waiter_end(pid);
        BL_SKIP("this kernel has no descriptors of processes");
    }
    assert_true(bl_proc_read(pid, &proc));
    assert_false(bl_proc_end_of(&proc, fd, &status));
    waiter_end(pid);
    if (bl_proc_end_of(&proc, fd, &status)) {
        assert_int_equal(status, SIGKILL);
    } else {
        assert_int_equal(status, -1);
    }
    close(fd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_process_is_is_told_by_the_kernel),
        cmocka_unit_test(a_thread_of_the_kernel_is_one),
        cmocka_unit_test(no_more_of_a_command_is_kept_than_has_room),
        cmocka_unit_test(the_boot_has_a_name_that_stays),
        cmocka_unit_test(the_end_of_a_process_is_told_as_long_as_the_kernel_knows_it),
        cmocka_unit_test(a_descriptor_tells_the_end_or_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
