/* What an engine needs to run a job's process, besides what the core knows: command, directory,
 * log, owner. The submitter's environment is not here: it lies apart, by job id. */
#ifndef BL_FORM_LAUNCH_H
#define BL_FORM_LAUNCH_H

#include "base/span.h"
#include "core/foresight.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    BL_LAUNCH_ARGS_MAX = 4096,
    BL_LAUNCH_ARG_BYTES_MAX = 128 * 1024, /* what the kernel takes for one argument */
    BL_LAUNCH_BYTES_MAX = 1024 * 1024,    /* command and environment, each */
    BL_LAUNCH_PATH_MAX = 4096,            /* with its end */
    BL_LAUNCH_SCRIPT_MAX = 1024 * 1024,   /* bytes of a script */
    BL_LAUNCH_NOTES_MAX = 256,            /* parameters, and labels */
    BL_LAUNCH_NOTE_BYTES_MAX = 4096,      /* of NAME=VALUE */
    BL_LAUNCH_UMASK_MAX = 0777,
    BL_LAUNCH_PAD_MAX = 10 /* digits that "%4j" may ask for */
};

#define BL_LAUNCH_LOG_DEFAULT "%x-%j.%r.log"
#define BL_LAUNCH_LOG_WORDS   "%x, %j, %A, %a, %r, %u, %N and %%"

/* Texts "NAME=VALUE", NULL-terminated; NULL when there is none. */
struct bl_launch_notes {
    char **at;
    size_t count;
};

/* Owned by whoever holds it; zeroes are empty. */
struct bl_launch {
    /* NULL-terminated. With a script argv[0] stands for the file that the script is written to, and
     * its arguments follow. */
    char **argv;
    size_t argc;
    char *script;        /* text that begins with "#!", to be run from a file; NULL = argv is all */
    char *workdir;       /* absolute */
    char *log_pattern;   /* %x name, %j id, %A array, %a index, %r attempt, %u user, %N node, %4j
                            padded; relative to workdir */
    char *error_pattern; /* of standard error; NULL = it goes to the log */
    char *resume;        /* words behind argv from the second attempt on, so that it goes on from
                            its checkpoint; NULL = none */
    bl_time checkpoint_every; /* how often it shall save its work; 0 = as it likes */
    bool slurm_env;           /* it came with #SBATCH lines: it finds SLURM_* in its environment */
    struct bl_launch_notes params; /* for people and predictions; nothing is done with them */
    struct bl_launch_notes labels;
    bool mem_unasked; /* it books some memory because it did not say how much it needs */
    bool has_umask;   /* of its files; else 022 */
    int32_t umask;
    int64_t uid, gid;  /* who it runs as */
    bl_time grace;     /* between SIGTERM and SIGKILL */
    int64_t pid;       /* of a process that is adopted, and nothing is started; 0 = none */
    int64_t pid_start; /* in ticks since boot: with them no recycled pid is taken for it */
    char *boot;        /* and of which boot */
};

void bl_launch_copy(struct bl_launch *to, const struct bl_launch *from);
void bl_launch_finish(struct bl_launch *launch);

/* What it says of how long the job will run. */
void bl_launch_clues(const struct bl_launch *launch, struct bl_clues *out);

/* Whether every '%' of the pattern stands for something. */
bool bl_launch_pattern_is_good(const char *pattern);

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
    int64_t array_id; /* of an element: its array's id, else 0: %A is the job's own id, %a is 0 */
    int32_t array_index;
};
void bl_launch_log_path(struct bl_buf *out, const struct bl_launch *launch,
                        const struct bl_log_names *names);

/* The same for standard error; false, and nothing appended, when it goes to the log. */
bool bl_launch_error_path(struct bl_buf *out, const struct bl_launch *launch,
                          const struct bl_log_names *names);

#endif
