/* Makes supervisors by fork, on the daemon's order. Ends with the daemon. */
#include "supervisor/supervisor.h"

#include "os/nursery.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What `ps` shows is the memory of the arguments: the last one is long enough for most paths. */
static void show_as(char *const *argv, const struct bl_nursery_order *order)
{
    const char *mode = bl_spawn_mode_name(order->mode);
    size_t room = strlen(argv[2]);

    memset(argv[1], '\0', strlen(argv[1]));
    memcpy(argv[1], mode, strlen(mode)); /* none is longer than "nursery" */
    memset(argv[2], '\0', room);
    memcpy(argv[2], order->path, strnlen(order->path, room));
}

static void become_supervisor(const struct bl_nursery_order *order, char *const *argv)
{
    setpgid(0, 0); /* the session is the nursery's, which has no terminal */
    signal(SIGCHLD, SIG_DFL);
    if (order->attempt_fd >= 0) {
        dup2(order->attempt_fd, BL_SPAWN_FD);
    }
    syscall(SYS_close_range, BL_SPAWN_FD + 1, ~0U, 0);
    show_as(argv, order);
    _exit(mode_by_name(order->mode, order->path));
}

int mode_nursery(char *const *argv)
{
    struct bl_nursery_order order;
    int socket = fcntl(BL_SPAWN_FD, F_DUPFD_CLOEXEC, BL_SPAWN_FD + 1);

    close(BL_SPAWN_FD);
    signal(SIGCHLD, SIG_IGN); /* nobody is to be waited for: supervisors write down how it was */
    while (bl_nursery_receive(socket, &order)) {
        if (fork() == 0) {
            become_supervisor(&order, argv);
        }
        if (order.attempt_fd >= 0) { /* a fork that failed shows by the lock being free */
            close(order.attempt_fd);
        }
    }
    return 0;
}
