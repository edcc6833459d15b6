#include "daemon/background.h"

#include "os/own_fd.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>

__attribute__((noreturn)) static void wait_for_child(pid_t child, int ready)
{
    char byte;
    int status = 0;

    if (read(ready, &byte, 1) == 1) {
        _exit(EXIT_SUCCESS);
    }
    waitpid(child, &status, 0);
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_FAILURE);
}

int bl_background_enter(int *ready, struct bl_error *err)
{
    int ends[2];
    pid_t child;

    if (pipe2(ends, O_CLOEXEC) < 0) {
        return bl_fail_sys(err, "cannot make a pipe");
    }
    child = fork();
    if (child < 0) {
        return bl_fail_sys(err, "cannot start a process");
    }
    if (child > 0) {
        close(ends[1]);
        wait_for_child(child, ends[0]);
    }
    close(ends[0]);
    setsid();
    *ready = ends[1];
    return BL_OK;
}

int bl_background_ready(int ready, const char *log_path, struct bl_error *err)
{
    BL_AUTO_FD null = open("/dev/null", O_RDWR | O_CLOEXEC);
    BL_AUTO_FD log = open(log_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
    BL_AUTO_FD parent = ready;

    if (null < 0 || log < 0) {
        return bl_fail_sys(err, "cannot write the log %s", log_path);
    }
    if (dup2(null, STDIN_FILENO) < 0 || dup2(null, STDOUT_FILENO) < 0 ||
        dup2(log, STDERR_FILENO) < 0 || chdir("/") < 0 || write(parent, "", 1) != 1) {
        return bl_fail_sys(err, "cannot leave the terminal");
    }
    return BL_OK;
}
