/* The flags that say what a job is, for `run` and `submit`. */
#ifndef BL_CLI_JOB_FLAGS_H
#define BL_CLI_JOB_FLAGS_H

#include "cli/cli.h"
#include "cli/submit.h"

enum {
    BL_KEY_JOB = 100, /* a verb's own keys stay below */
    BL_KEY_NAME = BL_KEY_JOB,
    BL_KEY_TIME,
    BL_KEY_GPUS,
    BL_KEY_GPU_TYPE,
    BL_KEY_GPU_MEM,
    BL_KEY_CPUS,
    BL_KEY_MEM,
    BL_KEY_NODES,
    BL_KEY_PROJECT,
    BL_KEY_CLASS,
    BL_KEY_AFTER,
    BL_KEY_LOG,
    BL_KEY_CHDIR,
    BL_KEY_ARRAY,
    BL_KEY_PRIORITY,
    BL_KEY_REQUEUE,
    BL_KEY_NO_REQUEUE,
    BL_KEY_RETRIES,
    BL_KEY_SIGNAL,
    BL_KEY_BEGIN,
    BL_KEY_RESERVATION,
    BL_KEY_PROMISE,
    BL_KEY_HOLD
};

/* clang-format off */
#define BL_FLAGS_JOB                                                                               \
    {"gpus", 'g', BL_TAKES_VALUE, BL_KEY_GPUS, "N|A-B",                                            \
     BL_SAY_FLAG_JOB_GPUS},                                            \
    {"gpu-type", 0, BL_TAKES_VALUE, BL_KEY_GPU_TYPE, "T,…", BL_SAY_FLAG_JOB_GPU_TYPE},           \
    {"gpu-mem", 0, BL_TAKES_VALUE, BL_KEY_GPU_MEM, "SIZE", BL_SAY_FLAG_JOB_GPU_MEM},      \
    {"cpus", 'c', BL_TAKES_VALUE, BL_KEY_CPUS, "N", BL_SAY_FLAG_JOB_CPUS},           \
    {"mem", 0, BL_TAKES_VALUE, BL_KEY_MEM, "SIZE", BL_SAY_FLAG_JOB_MEM}, \
    {"nodes", 'N', BL_TAKES_VALUE, BL_KEY_NODES, "N", BL_SAY_FLAG_JOB_NODES},   \
    {"reservation", 0, BL_TAKES_VALUE, BL_KEY_RESERVATION, "rN", BL_SAY_FLAG_JOB_RESERVATION},       \
    {"promise", 0, BL_TAKES_NOTHING, BL_KEY_PROMISE, NULL, BL_SAY_FLAG_JOB_PROMISE},                  \
    {"time", 't', BL_TAKES_VALUE, BL_KEY_TIME, "TIME",                                             \
     BL_SAY_FLAG_JOB_TIME},                               \
    {"name", 'J', BL_TAKES_VALUE, BL_KEY_NAME, "NAME", BL_SAY_FLAG_JOB_NAME},             \
    {"after", 'd', BL_TAKES_VALUE, BL_KEY_AFTER, "ID[:ok|any|fail|each]",                          \
     BL_SAY_FLAG_JOB_AFTER},                                         \
    {"array", 'a', BL_TAKES_VALUE, BL_KEY_ARRAY, "0-9%2",                                          \
     BL_SAY_FLAG_JOB_ARRAY},                            \
    {"begin", 'b', BL_TAKES_VALUE, BL_KEY_BEGIN, "TIME",                                           \
     BL_SAY_FLAG_JOB_BEGIN},                                                  \
    {"hold", 'H', BL_TAKES_NOTHING, BL_KEY_HOLD, NULL, BL_SAY_FLAG_JOB_HOLD},             \
    {"priority", 0, BL_TAKES_VALUE, BL_KEY_PRIORITY, "N",                                          \
     BL_SAY_FLAG_JOB_PRIORITY},                                            \
    {"requeue", 0, BL_TAKES_NOTHING, BL_KEY_REQUEUE, NULL,                                         \
     BL_SAY_FLAG_JOB_REQUEUE},                                           \
    {"no-requeue", 0, BL_TAKES_NOTHING, BL_KEY_NO_REQUEUE, NULL, BL_SAY_FLAG_JOB_NO_REQUEUE},               \
    {"retries", 0, BL_TAKES_VALUE, BL_KEY_RETRIES, "N", BL_SAY_FLAG_JOB_RETRIES},    \
    {"ckpt", 0, BL_TAKES_VALUE, BL_KEY_SIGNAL, "[B:]SIG[@TIME]", BL_SAY_FLAG_CKPT}, \
    {"signal", 0, BL_TAKES_VALUE, BL_KEY_SIGNAL, "[B:]SIG[@TIME]",                                 \
     BL_SAY_FLAG_JOB_SIGNAL},                                      \
    {"project", 0, BL_TAKES_VALUE, BL_KEY_PROJECT, "NAME", BL_SAY_FLAG_JOB_PROJECT},           \
    {"class", 0, BL_TAKES_VALUE, BL_KEY_CLASS, "CLASS", BL_SAY_FLAG_JOB_CLASS},      \
    {"log", 'o', BL_TAKES_VALUE, BL_KEY_LOG, "PATTERN",                                            \
     BL_SAY_FLAG_JOB_LOG},                                \
    {"chdir", 'D', BL_TAKES_VALUE, BL_KEY_CHDIR, "DIR", BL_SAY_FLAG_JOB_CHDIR}
/* clang-format on */

/* What the flags said. Zeroes are none. */
struct bl_job_flags {
    const char *chdir;
    struct bl_buf not_before; /* as the daemon reads it */
    struct bl_submit submit;
};

/* "interactive", "batch" or "preemptible". */
bool bl_class_is_one(const char *word);

int bl_job_flags_set(struct bl_job_flags *flags, int key, const char *value, struct bl_error *err);
void bl_job_flags_finish(struct bl_job_flags *flags);

/* Whether any of them was given. */
bool bl_job_flags_any(const struct bl_job_flags *flags);

/* The daemon names a field of the request; the user knows the flag: "request body: name: …" becomes
 * "--name: …". */
void bl_job_flags_name(struct bl_error *err);

/* The directory as the user sees it: through links, where they lead to the same place. Owned by
 * the caller. */
int bl_job_flags_workdir(const struct bl_job_flags *flags, char **out, struct bl_error *err);

/* Puts the id of the caller's last job where "@" stands. */
int bl_job_flags_resolve(struct bl_cli *cli, struct bl_job_flags *flags, struct bl_error *err);

#endif
