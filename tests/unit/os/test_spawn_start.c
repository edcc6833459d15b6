#include "os/spawn_spec.h"
#include "bl_test.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { HIGHEST_SIGNAL = 64 };

/* This program in the supervisor's place: writes down what it was given. */
static int play_supervisor(char **argv)
{
    sigset_t blocked;
    int free_signals = 0;
    size_t variables = 0;

    sigprocmask(SIG_BLOCK, NULL, &blocked);
    for (int number = 1; number <= HIGHEST_SIGNAL; number++) {
        bool cannot = number == SIGKILL || number == SIGSTOP || number == 32 || number == 33;

        free_signals += !cannot && !sigismember(&blocked, number);
    }
    while (environ[variables]) {
        variables++;
    }
    return dprintf(BL_SPAWN_FD, "%s|%s|session %d|free %d|variables %zu\n", argv[1], argv[2],
                   getsid(0) == getpid(), free_signals, variables) > 0
               ? 0
               : 1;
}

static void it_gets_its_mode_its_spec_the_status_file_and_a_session_of_its_own(void **state)
{
    static const struct {
        enum bl_spawn_mode mode;
        const char *expected;
    } rows[] = {{BL_SPAWN_RUN, "run|/a spec|session 1|free 0|variables 0\n"},
                {BL_SPAWN_SWEEP, "sweep|/a spec|session 1|free 0|variables 0\n"}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char path[] = "/tmp/baleen-started-XXXXXX";
        char text[256] = "";
        int fd = mkstemp(path);
        struct bl_spawn_supervisor supervisor = {
            .program = "/proc/self/exe", .mode = rows[i].mode, .path = "/a spec", .attempt_fd = fd};
        int status = -1;
        pid_t pid = 0;

        assert_int_equal(bl_spawn_supervisor(&supervisor, &pid), 0);
        assert_int_equal(waitpid(pid, &status, 0), pid);
        assert_int_equal(status, 0);
        assert_true(pread(fd, text, sizeof text - 1, 0) > 0);
        assert_string_equal(text, rows[i].expected);
        close(fd);
        unlink(path);
    }
}

static void a_missing_program_is_an_errno(void **state)
{
    struct bl_spawn_supervisor supervisor = {
        .program = "/no/such/program", .mode = BL_SPAWN_RUN, .path = "/x", .attempt_fd = -1};
    pid_t pid = 0;

    (void)state;
    assert_int_equal(bl_spawn_supervisor(&supervisor, &pid), ENOENT);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_gets_its_mode_its_spec_the_status_file_and_a_session_of_its_own),
        cmocka_unit_test(a_missing_program_is_an_errno),
    };

    if (argc == 3) {
        return play_supervisor(argv);
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
