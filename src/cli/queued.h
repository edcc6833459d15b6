/* Sending jobs to the daemon, telling what became of them, and waiting for their ends. */
#ifndef BL_CLI_QUEUED_H
#define BL_CLI_QUEUED_H

#include "cli/cli.h"

struct bl_queued {
    bool wait;       /* for the end; the job's exit code becomes the program's */
    bool parsable;   /* ids alone */
    bool from_flags; /* errors name the flag in place of the request's field */
};

/* `body` is that of POST /api/v1/jobs, with one job or several. */
int bl_queued_post(struct bl_cli *cli, const struct bl_queued *how, const char *body,
                   struct bl_error *err);

/* After ^C: the job goes on. */
void bl_queued_tell_interrupted(int64_t id);

/* Says how many variables of the environment could not be passed on. */
void bl_queued_tell_left_out(size_t variables);

#endif
