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
    BL_KEY_HOLD
};

/* clang-format off */
#define BL_FLAGS_JOB                                                                               \
    {"gpus", 'g', BL_TAKES_VALUE, BL_KEY_GPUS, "N|A-B",                                            \
     "GPUs: a number; of a range, the most are given"},                                            \
    {"gpu-type", 0, BL_TAKES_VALUE, BL_KEY_GPU_TYPE, "T,…", "allowed types: A100,H100"},           \
    {"gpu-mem", 0, BL_TAKES_VALUE, BL_KEY_GPU_MEM, "SIZE", "least memory of each GPU: 40GB"},      \
    {"cpus", 'c', BL_TAKES_VALUE, BL_KEY_CPUS, "N", "CPUs: 8, or 4/gpu; default 1/gpu"},           \
    {"mem", 0, BL_TAKES_VALUE, BL_KEY_MEM, "SIZE", "memory: 64GB, or 8GB/gpu; held to it if given"}, \
    {"nodes", 'N', BL_TAKES_VALUE, BL_KEY_NODES, "N", "spread over at most N nodes; default 1"},   \
    {"time", 't', BL_TAKES_VALUE, BL_KEY_TIME, "TIME",                                             \
     "longest run: 30 (minutes), 2h30m, 1:30:00, 1-12 (day-hours)"},                               \
    {"name", 'J', BL_TAKES_VALUE, BL_KEY_NAME, "NAME", "default: the program's name"},             \
    {"after", 'd', BL_TAKES_VALUE, BL_KEY_AFTER, "ID[:ok|any|fail|each]",                          \
     "wait for a job (@: your last); repeat, or 7,8:any"},                                         \
    {"array", 'a', BL_TAKES_VALUE, BL_KEY_ARRAY, "0-9%2",                                          \
     "one job for each index, at most 2 at once; $BALEEN_ARRAY_INDEX"},                            \
    {"begin", 'b', BL_TAKES_VALUE, BL_KEY_BEGIN, "TIME",                                           \
     "not before: 22:00, 'tomorrow 09:00', +2h"},                                                  \
    {"hold", 'H', BL_TAKES_NOTHING, BL_KEY_HOLD, NULL, "held until 'baleen release'"},             \
    {"priority", 0, BL_TAKES_VALUE, BL_KEY_PRIORITY, "N",                                          \
     "higher goes first where the policy looks at it"},                                            \
    {"requeue", 0, BL_TAKES_NOTHING, BL_KEY_REQUEUE, NULL,                                         \
     "put it back when its node or supervisor is lost"},                                           \
    {"no-requeue", 0, BL_TAKES_NOTHING, BL_KEY_NO_REQUEUE, NULL, "let it end then"},               \
    {"retries", 0, BL_TAKES_VALUE, BL_KEY_RETRIES, "N", "run it again when it fails, N times"},    \
    {"signal", 0, BL_TAKES_VALUE, BL_KEY_SIGNAL, "[B:]SIG[@TIME]",                                 \
     "warn it before its limit: USR1@90 (seconds), USR1@5m"},                                      \
    {"project", 0, BL_TAKES_VALUE, BL_KEY_PROJECT, "NAME", "project to count it under"},           \
    {"class", 0, BL_TAKES_VALUE, BL_KEY_CLASS, "CLASS", "interactive, batch or preemptible"},      \
    {"log", 'o', BL_TAKES_VALUE, BL_KEY_LOG, "PATTERN",                                            \
     "log file: %x name, %j id, %r attempt; default %x-%j.%r.log"},                                \
    {"chdir", 'D', BL_TAKES_VALUE, BL_KEY_CHDIR, "DIR", "run there; default: here"}
/* clang-format on */

/* What the flags said. Zeroes are none. */
struct bl_job_flags {
    const char *chdir;
    struct bl_buf not_before; /* as the daemon reads it */
    struct bl_submit submit;
};

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
