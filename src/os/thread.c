#include "os/thread.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { NICE_BACK = 10 };

int bl_thread_start(pthread_t *thread, void *(*run)(void *self), void *self, const char *what,
                    struct bl_error *err)
{
    sigset_t all;
    sigset_t before;
    int rc;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    rc = pthread_create(thread, NULL, run, self);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = rc;
    return rc == 0 ? BL_OK : bl_fail_sys(err, "cannot start %s", what);
}

void bl_thread_init_condition(pthread_cond_t *condition)
{
    pthread_condattr_t clock;

    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &clock);
    pthread_condattr_destroy(&clock);
}

/* Priorities are the process's by the standard, and each thread's own on Linux. */
int bl_thread_niceness(void)
{
    return getpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid));
}

/* Back is always allowed, forward again only to root and within RLIMIT_NICE. */
void bl_thread_set_niceness(int niceness)
{
    setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), niceness);
}

void bl_thread_step_back(void)
{
    bl_thread_set_niceness(bl_thread_niceness() + NICE_BACK);
}
