#include "cli/wait.h"

#include "os/clock.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/signalfd.h>
#include <unistd.h>

enum { RETURN_PATIENCE_S = 60, ASK_S = 5 };

static void fill_set(sigset_t *set)
{
    sigemptyset(set);
    sigaddset(set, SIGINT);
    sigaddset(set, SIGTERM);
}

int bl_interrupt_init(struct bl_interrupt *interrupt, struct bl_error *err)
{
    sigset_t set;

    fill_set(&set);
    sigprocmask(SIG_BLOCK, &set, NULL);
    interrupt->fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    return interrupt->fd < 0 ? bl_fail_sys(err, "cannot wait for signals") : BL_OK;
}

void bl_interrupt_finish(struct bl_interrupt *interrupt)
{
    struct signalfd_siginfo pending;
    sigset_t set;

    fill_set(&set);
    /* what was already answered must not end the program at the unblocking */
    while (interrupt->fd >= 0 && read(interrupt->fd, &pending, sizeof pending) > 0) {
    }
    if (interrupt->fd >= 0) {
        close(interrupt->fd);
        interrupt->fd = -1;
    }
    sigprocmask(SIG_UNBLOCK, &set, NULL);
}

bool bl_interrupt_sleep(const struct bl_interrupt *interrupt, bl_time length)
{
    struct pollfd watched = {interrupt->fd, POLLIN, 0};

    return poll(&watched, 1, (int)(length / BL_MILLISECOND)) > 0;
}

bool bl_absence_is_short(struct bl_absence *absence)
{
    if (!absence->since) {
        BL_AUTO_BUF text = {0};

        bl_say(&text, BL_SAY_DAEMON_WENT);
        bl_cli_warn(bl_buf_text(&text), NULL);
        absence->since = bl_clock_monotonic();
    }
    return bl_clock_monotonic() - absence->since <= RETURN_PATIENCE_S * BL_SECOND;
}

static bool has_come(const struct bl_reply *reply, enum bl_wait_for until)
{
    struct bl_job_view job;

    bl_job_view_read(reply->tree, &job);
    return bl_job_is_ended(&job) || bl_job_gave_up(&job) ||
           (until == BL_WAIT_STARTED && bl_job_has_process(&job));
}

int bl_wait_job(struct bl_cli *cli, const struct bl_wait *wait, struct bl_reply *reply,
                bool *interrupted, struct bl_error *err)
{
    struct bl_client *client = bl_cli_client(cli, err);
    struct bl_absence absence = {0};

    *interrupted = false;
    for (;;) {
        BL_AUTO_BUF path = {0};
        int status;

        bl_buf_printf(&path, "/api/v1/jobs/%lld?wait=%s&timeout=%d", (long long)wait->id,
                      wait->until == BL_WAIT_STARTED ? "started" : "ended", (int)ASK_S);
        bl_client_watch(client, wait->interrupt->fd);
        status = bl_client_get(client, bl_buf_text(&path), reply, err);
        bl_client_watch(client, -1);
        *interrupted = status && bl_client_was_interrupted(client);
        if (*interrupted) {
            return BL_OK;
        }
        if (!status && has_come(reply, wait->until)) {
            return BL_OK;
        }
        if (!status) {
            absence = (struct bl_absence){0};
            continue;
        }
        if (status != BL_EUNREACHABLE || !bl_absence_is_short(&absence)) {
            return status;
        }
        *interrupted = bl_interrupt_sleep(wait->interrupt, BL_ABSENCE_PAUSE);
        if (*interrupted) {
            return BL_OK;
        }
    }
}
