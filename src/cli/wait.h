/* Waiting for a job, through the daemon's own waiting requests, with ^C kept for us. */
#ifndef BL_CLI_WAIT_H
#define BL_CLI_WAIT_H

#include "cli/jobs.h"

/* ^C and SIGTERM as a descriptor. Their usual effect comes back with `finish`. */
struct bl_interrupt {
    int fd;
};

int bl_interrupt_init(struct bl_interrupt *interrupt, struct bl_error *err);
void bl_interrupt_finish(struct bl_interrupt *interrupt);

/* Sleeps; true when interrupted. */
bool bl_interrupt_sleep(const struct bl_interrupt *interrupt, bl_time length);

enum bl_wait_for { BL_WAIT_STARTED, BL_WAIT_ENDED };

struct bl_wait {
    int64_t id;
    enum bl_wait_for until;
    const struct bl_interrupt *interrupt;
};

/* A daemon that went away and is to come back. All zeroes = it answers. */
struct bl_absence {
    bl_time since; /* on the monotonic clock */
};

#define BL_ABSENCE_PAUSE (BL_SECOND / 2)

/* After a request that did not reach it: says so once, and whether to try again after a while. It
 * is given a minute. */
bool bl_absence_is_short(struct bl_absence *absence);

/* Returns when the job has come so far or was held after failures, and the job in *reply; BL_OK
 * with *interrupted when the user broke it off. Goes on when a daemon comes back. */
int bl_wait_job(struct bl_cli *cli, const struct bl_wait *wait, struct bl_reply *reply,
                bool *interrupted, struct bl_error *err);

#endif
