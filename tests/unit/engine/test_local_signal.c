#include "engine/local_signal.h"
#include "bl_test.h"

#include <signal.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t heard;

static void hear(int number)
{
    (void)number;
    heard = 1;
}

struct ends {
    int ready[2];
    int input[2];
};

/* Says that it is there, and waits for a signal or the end of its input. */
static void wait_for_either(const struct ends *ends)
{
    char byte = 'r';

    close(ends->input[1]);
    if (write(ends->ready[1], &byte, 1) == 1) {
        while (!heard && read(ends->input[0], &byte, 1) > 0) {
        }
    }
}

/* A process that ends with 1 if it heard the signal; a child's code counts twice. */
static pid_t start(const struct ends *ends, bool handles, bool has_child)
{
    struct sigaction action = {.sa_handler = handles ? hear : SIG_DFL};
    pid_t pid = fork();
    pid_t below = 0;
    int status = 0;

    if (pid != 0) {
        return pid;
    }
    sigaction(SIGUSR1, &action, NULL);
    if (has_child) {
        below = start(ends, true, false);
    }
    wait_for_either(ends);
    if (below) {
        waitpid(below, &status, 0);
    }
    _exit(heard + 2 * WEXITSTATUS(status));
}

/* How such a process ended, below this one in place of a supervisor. */
static int signal_tree(bool handles, bool has_child)
{
    struct ends ends;
    int status = 0;
    char byte;
    pid_t pid;

    assert_int_equal(pipe(ends.ready), 0);
    assert_int_equal(pipe(ends.input), 0);
    pid = start(&ends, handles, has_child);
    for (int i = 0; i < (has_child ? 2 : 1); i++) {
        assert_int_equal(read(ends.ready[0], &byte, 1), 1);
    }
    bl_local_signal_handlers(getpid(), SIGUSR1);
    close(ends.input[1]);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    close(ends.input[0]);
    close(ends.ready[0]);
    close(ends.ready[1]);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void P18_a_process_with_a_handler_gets_the_signal(void **state)
{
    (void)state;
    assert_int_equal(signal_tree(true, false), 1);
}

static void P18_a_process_without_one_does_not_die_of_it(void **state)
{
    (void)state;
    assert_int_equal(signal_tree(false, false), 0);
}

static void P18_a_child_is_left_to_a_parent_that_handles_it(void **state)
{
    (void)state;
    assert_int_equal(signal_tree(true, true), 1);
    assert_int_equal(signal_tree(false, true), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(P18_a_process_with_a_handler_gets_the_signal),
        cmocka_unit_test(P18_a_process_without_one_does_not_die_of_it),
        cmocka_unit_test(P18_a_child_is_left_to_a_parent_that_handles_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
