/* What an engine needs to run a job's process, besides what the core knows: command, directory,
 * log, owner. The submitter's environment is not here: it lies apart, by job id. */
#ifndef BL_FORM_LAUNCH_H
#define BL_FORM_LAUNCH_H

#include "base/span.h"

#include <stddef.h>
#include <stdint.h>

enum {
    BL_LAUNCH_ARGS_MAX = 4096,
    BL_LAUNCH_ARG_BYTES_MAX = 128 * 1024, /* what the kernel takes for one argument */
    BL_LAUNCH_BYTES_MAX = 1024 * 1024,    /* command and environment, each */
    BL_LAUNCH_PATH_MAX = 4096             /* with its end */
};

/* What may stand behind '%' in a log pattern. */
#define BL_LAUNCH_LOG_LETTERS "xjruN%"

#define BL_LAUNCH_LOG_DEFAULT "%x-%j.%r.log"

/* Owned by whoever holds it; zeroes are empty. */
struct bl_launch {
    char **argv; /* NULL-terminated; for a script: the interpreter and `-c` come from `form` */
    size_t argc;
    char *workdir;     /* absolute */
    char *log_pattern; /* %x name, %j id, %r attempt, %u user, %N node; relative to workdir */
    int64_t uid, gid;  /* who it runs as */
    bl_time grace;     /* between SIGTERM and SIGKILL */
};

void bl_launch_copy(struct bl_launch *to, const struct bl_launch *from);
void bl_launch_finish(struct bl_launch *launch);

/* Appends the log's path for this attempt: pattern expanded, made absolute by workdir; without a
 * pattern the default one. Bytes of a name that would leave its directory ('/', and the dots of a
 * name of dots alone) become '_'; "%%" is '%', and what stands for nothing is left as it is. */
struct bl_buf;
struct bl_log_names {
    const char *name; /* NULL counts as "job" */
    const char *user;
    const char *node;
    int64_t id;
    int32_t attempt;
};
void bl_launch_log_path(struct bl_buf *out, const struct bl_launch *launch,
                        const struct bl_log_names *names);

#endif
