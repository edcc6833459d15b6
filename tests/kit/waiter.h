/* A process that says when it lives, and waits for input that never comes. */
#ifndef BL_KIT_WAITER_H
#define BL_KIT_WAITER_H

#include "bl_test.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* The script says a byte on its error output once it lives; `name` is its $0; output < 0
 * is the test's own. */
static inline pid_t waiter_start(const char *script, const char *name, char *const envp[],
                                 int output)
{
    int ready[2];
    int input[2];
    char byte;
    pid_t pid;

    assert_int_equal(pipe(ready), 0);
    assert_int_equal(pipe(input), 0);
    pid = fork();
    if (pid == 0) {
        dup2(input[0], STDIN_FILENO);
        dup2(ready[1], STDERR_FILENO);
        if (output >= 0) {
            dup2(output, STDOUT_FILENO);
        }
        execle("/bin/sh", "sh", "-c", script, name, (char *)NULL, envp);
        _exit(127);
    }
    close(ready[1]);
    close(input[0]);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    close(ready[0]); /* the other end of its input stays open, as long as this process lives */
    return pid;
}

static inline void waiter_end(pid_t pid)
{
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

#endif
