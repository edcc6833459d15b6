#include "os/proc.h"
#include "bl_test.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* A child that waits for a signal, under a name that breaks naive readers of stat. */
static pid_t start_child(void)
{
    int ends[2];
    char byte;
    pid_t pid;

    assert_int_equal(pipe(ends), 0);
    pid = fork();
    if (pid == 0) {
        prctl(PR_SET_NAME, ") R 1 (x");
        if (write(ends[1], "x", 1) == 1) {
            for (;;) {
                pause();
            }
        }
        _exit(1);
    }
    close(ends[1]);
    assert_int_equal(read(ends[0], &byte, 1), 1);
    close(ends[0]);
    return pid;
}

static void end_child(pid_t pid)
{
    kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static void a_process_is_read_whatever_its_name(void **state)
{
    struct bl_proc proc = {0};
    pid_t pid = start_child();

    (void)state;
    assert_true(bl_proc_read(pid, &proc));
    assert_int_equal(proc.pid, pid);
    assert_int_equal(proc.parent, getpid());
    assert_int_equal(proc.session, getsid(0));
    assert_true(proc.state == 'S' || proc.state == 'R');
    assert_true(proc.start_ticks > 0);
    end_child(pid);
    assert_false(bl_proc_read(pid, &proc));
}

static void a_scan_finds_this_process_and_its_child_in_order(void **state)
{
    struct bl_proc_list list = {0};
    pid_t pid = start_child();

    (void)state;
    assert_true(bl_proc_scan(&list));
    assert_non_null(bl_proc_find(&list, getpid()));
    assert_non_null(bl_proc_find(&list, pid));
    assert_null(bl_proc_find(&list, -1));
    for (size_t i = 1; i < list.all.count; i++) {
        assert_true(list.all.at[i - 1].pid < list.all.at[i].pid);
    }
    bl_proc_list_finish(&list);
    end_child(pid);
}

/* A child with two children, one of them made by a second thread of it. */
static void *fork_from_a_thread(void *self)
{
    if (fork() == 0) {
        pause();
        _exit(0);
    }
    return self;
}

static void run_parent(int ready)
{
    pthread_t thread;

    if (fork() == 0) {
        if (fork() == 0) {
            pause();
        }
        pause();
        _exit(0);
    }
    pthread_create(&thread, NULL, fork_from_a_thread, NULL);
    if (write(ready, "x", 1) == 1) {
        pause();
    }
    _exit(0);
}

static void a_scan_below_finds_descendants_of_all_threads_and_nobody_else(void **state)
{
    struct bl_proc_list list = {0};
    int ends[2];
    pid_t stranger;
    pid_t pid;

    (void)state;
    if (!bl_proc_scan_below(getpid(), &list)) {
        BL_SKIP("this kernel does not tell a process's children");
    }
    stranger = start_child();
    assert_int_equal(pipe(ends), 0);
    pid = fork();
    if (pid == 0) {
        run_parent(ends[1]);
    }
    do { /* until all three live */
        assert_true(bl_proc_scan_below(pid, &list));
    } while (list.all.count < 3);
    assert_int_equal(list.all.count, 3);
    for (size_t i = 0; i < list.all.count; i++) {
        assert_int_not_equal(list.all.at[i].pid, pid);
        assert_int_not_equal(list.all.at[i].pid, stranger);
        assert_true(i == 0 || list.all.at[i - 1].pid < list.all.at[i].pid);
        kill(list.all.at[i].pid, SIGKILL);
    }
    bl_proc_list_finish(&list);
    assert_false(bl_proc_scan_below(-1, &list));
    end_child(pid);
    end_child(stranger);
}

static void a_process_with_many_children_is_read_whole(void **state)
{
    enum { CHILDREN = 900 }; /* more numbers than one read takes */
    struct bl_proc_list list = {0};
    static pid_t pid[CHILDREN];

    (void)state;
    for (int i = 0; i < CHILDREN; i++) {
        pid[i] = fork();
        if (pid[i] == 0) {
            pause();
            _exit(0);
        }
        assert_true(pid[i] > 0);
    }
    if (bl_proc_scan_below(getpid(), &list)) {
        assert_int_equal(list.all.count, CHILDREN);
    }
    for (int i = 0; i < CHILDREN; i++) {
        end_child(pid[i]);
    }
    bl_proc_list_finish(&list);
}

static void a_signal_reaches_only_the_process_that_is_meant(void **state)
{
    struct bl_proc proc;
    int status = 0;
    pid_t pid = start_child();

    (void)state;
    assert_true(bl_proc_read(pid, &proc));
    assert_false(bl_proc_signal(pid, proc.start_ticks + 1, SIGKILL)); /* a recycled pid */
    assert_int_equal(waitpid(pid, &status, WNOHANG), 0);
    assert_true(bl_proc_signal(pid, proc.start_ticks, SIGTERM));
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGTERM);
    assert_false(bl_proc_signal(pid, proc.start_ticks, SIGTERM)); /* gone */
}

/* Runs `sleep` with one variable of so many bytes before the one looked for. */
static pid_t start_with_environment(size_t bytes)
{
    char *large = bl_alloc_zero(bytes + 3);
    char entry[] = "TOKEN=abc";
    char *envp[] = {large, entry, NULL};
    char name[] = "sleep";
    char span[] = "1000";
    char *argv[] = {name, span, NULL};
    pid_t pid;

    memset(large, 'x', bytes + 2);
    large[1] = '=';
    pid = fork();
    if (pid == 0) {
        execve("/bin/sleep", argv, envp);
        _exit(1);
    }
    free(large);
    return pid;
}

static bool is_executed(pid_t pid)
{
    char path[64];
    char target[64] = "";

    snprintf(path, sizeof path, "/proc/%d/exe", (int)pid);
    return readlink(path, target, sizeof target - 1) > 0 && strstr(target, "test_os") == NULL;
}

static void a_variable_is_found_exactly_and_behind_much_else(void **state)
{
    static const size_t rows[] = {1, 65535, 65536, 100000};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        pid_t pid = start_with_environment(rows[i]);

        while (!is_executed(pid) || !bl_proc_has_environment(pid, "TOKEN=abc")) {
            assert_int_equal(waitpid(pid, NULL, WNOHANG), 0);
        }
        assert_false(bl_proc_has_environment(pid, "TOKEN=ab"));
        assert_false(bl_proc_has_environment(pid, "TOKEN=abcd"));
        assert_false(bl_proc_has_environment(pid, "OKEN=abc"));
        end_child(pid);
        assert_false(bl_proc_has_environment(pid, "TOKEN=abc"));
    }
}

static void ignore_it(int signal)
{
    (void)signal;
}

static void P18_who_handles_a_signal_is_told_from_who_would_die_of_it(void **state)
{
    struct sigaction action = {.sa_handler = ignore_it};
    struct sigaction before;

    (void)state;
    assert_int_equal(sigaction(SIGUSR2, &action, &before), 0);
    assert_true(bl_proc_catches(getpid(), SIGUSR2));
    sigaction(SIGUSR2, &before, NULL);
    assert_false(bl_proc_catches(getpid(), SIGUSR2));
    assert_false(bl_proc_catches(getpid(), 0));
    assert_false(bl_proc_catches(getpid(), 65));
    assert_false(bl_proc_catches(-1, SIGUSR2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_process_is_read_whatever_its_name),
        cmocka_unit_test(a_scan_finds_this_process_and_its_child_in_order),
        cmocka_unit_test(a_scan_below_finds_descendants_of_all_threads_and_nobody_else),
        cmocka_unit_test(a_process_with_many_children_is_read_whole),
        cmocka_unit_test(a_signal_reaches_only_the_process_that_is_meant),
        cmocka_unit_test(a_variable_is_found_exactly_and_behind_much_else),
        cmocka_unit_test(P18_who_handles_a_signal_is_told_from_who_would_die_of_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
