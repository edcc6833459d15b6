#include "store/lock.h"
#include "bl_test.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void remove_dir(const char *dir)
{
    char path[128];

    snprintf(path, sizeof path, "%s/lock", dir);
    unlink(path);
    assert_int_equal(rmdir(dir), 0);
}

/* A child that holds the lock until it is killed. */
static pid_t start_holder(const char *dir)
{
    int ends[2];
    char byte;
    pid_t child;

    assert_int_equal(pipe(ends), 0);
    child = fork();
    if (child == 0) {
        int fd = -1;

        if (bl_state_lock(dir, &fd, NULL) == BL_OK && write(ends[1], "x", 1) == 1) {
            pause();
        }
        _exit(1);
    }
    close(ends[1]);
    assert_int_equal(read(ends[0], &byte, 1), 1);
    close(ends[0]);
    return child;
}

static void a_held_lock_names_its_holder_and_dies_with_it(void **state)
{
    char dir[] = "/tmp/baleen-lock-XXXXXX";
    struct bl_error err = {0};
    char expected[128];
    pid_t holder;
    int fd = -1;

    (void)state;
    assert_non_null(mkdtemp(dir));
    holder = start_holder(dir);
    assert_int_equal(bl_state_lock(dir, &fd, &err), BL_EREFUSED);
    assert_int_equal(fd, -1);
    snprintf(expected, sizeof expected, "another daemon, pid %ld, works in %s", (long)holder, dir);
    assert_string_equal(err.text, expected);
    assert_non_null(strstr(err.hint, "--state"));

    kill(holder, SIGKILL);
    assert_int_equal(waitpid(holder, NULL, 0), holder);
    assert_int_equal(bl_state_lock(dir, &fd, &err), BL_OK);
    close(fd);
    remove_dir(dir);
}

/* A dead process's lock, held on by a child of it until the writing end of `held` is
 * closed. */
static void leave_lock_to_child(const char *dir, const int *held)
{
    int ends[2];
    char byte;
    pid_t holder;

    assert_int_equal(pipe(ends), 0);
    holder = fork();
    if (holder == 0) {
        int fd = -1;

        if (bl_state_lock(dir, &fd, NULL) == BL_OK && fork() == 0) {
            close(held[1]);
            if (write(ends[1], "x", 1) == 1 && read(held[0], &byte, 1) == 0) {
                _exit(0);
            }
        }
        _exit(1);
    }
    close(ends[1]);
    assert_int_equal(read(ends[0], &byte, 1), 1);
    assert_int_equal(waitpid(holder, NULL, 0), holder);
    close(ends[0]);
}

static void a_lock_that_a_child_holds_on_for_a_moment_is_waited_for(void **state)
{
    char dir[] = "/tmp/baleen-lock-XXXXXX";
    int ends[2];
    int fd = -1;

    (void)state;
    assert_non_null(mkdtemp(dir));
    assert_int_equal(pipe(ends), 0);
    leave_lock_to_child(dir, ends);
    close(ends[1]);
    assert_int_equal(bl_state_lock(dir, &fd, NULL), BL_OK);
    close(fd);
    close(ends[0]);
    remove_dir(dir);
}

static void a_directory_that_is_not_there_is_named(void **state)
{
    struct bl_error err = {0};
    int fd = -1;

    (void)state;
    assert_int_equal(bl_state_lock("/nonexistent", &fd, &err), BL_ESYSTEM);
    assert_string_equal(err.text, "cannot open /nonexistent/lock: No such file or directory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_held_lock_names_its_holder_and_dies_with_it),
        cmocka_unit_test(a_lock_that_a_child_holds_on_for_a_moment_is_waited_for),
        cmocka_unit_test(a_directory_that_is_not_there_is_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
