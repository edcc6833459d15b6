/* A job's supervisor, seen from both ends: one file an attempt, which holds its instructions and
 * what it writes about the job, and how it is started.
 *
 * The file's first BL_SPAWN_RECORDS_BYTES are for records, lines followed by zero bytes; room for
 * all of them is there from the beginning, so that a full disk cannot lose one:
 *     supervisor PID START          it lives; START is its start time in ticks since boot
 *     started PID START             the job's command was executed
 *     failed STAGE ERRNO            it could not be executed; nothing is left of it
 *     exited CODE | signalled NUMBER   its first process ended so, and nothing of the job is left
 *     lost                          a supervisor died; nothing of the job is left
 *     gone                          it has ended, nothing is left, and nobody knows how: it was
 *                                   adopted
 * The last four end it.
 *
 * Behind them stands the spec: zero-ended fields "KEY=VALUE"; keys of lists repeat; the last field
 * is "end=", so that a file cut short is told from a whole one. The file is 0600: it holds the
 * submitter's environment.
 *
 * As long as a supervisor lives it holds a lock (flock) on this file, which it inherits from
 * whoever started it: the lock, not a pid, tells whether one lives, and between making the file
 * and starting the supervisor there is no moment without the lock. */
#ifndef BL_OS_SPAWN_H
#define BL_OS_SPAWN_H

#include "base/buf.h"
#include "base/error.h"
#include "base/span.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum {
    BL_SPAWN_SPEC_BYTES_MAX = 16 * 1024 * 1024,
    BL_SPAWN_RECORDS_BYTES = 4096,
    BL_SPAWN_FD = 3 /* where the supervisor finds the file */
};

#define BL_SPAWN_TOKEN_NAME "BALEEN_JOB_TOKEN"

/* Where a start broke off; the words stand in `failed` records. */
enum bl_spawn_stage {
    BL_SPAWN_SPEC,
    BL_SPAWN_CGROUP,
    BL_SPAWN_USER,
    BL_SPAWN_WORKDIR,
    BL_SPAWN_LOG,
    BL_SPAWN_EXEC,
    BL_SPAWN_STAGE_COUNT
};

const char *bl_spawn_stage_name(enum bl_spawn_stage stage);

/* Instructions of one attempt. Strings and arrays are borrowed. */
struct bl_spawn_spec {
    const char *token;     /* BL_SPAWN_TOKEN_NAME=… as it stands in the job's environment */
    const char *directory; /* made for the user, 0700: BALEEN_DIR */
    const char *alloc;     /* content of alloc.json in that directory */
    const char *workdir;
    const char *log;    /* absolute */
    const char *error;  /* the same for standard error; NULL = the log */
    const char *script; /* content of `script` in that directory, which argv runs; NULL = none */
    const char *cgroup; /* directory to make; NULL = none */
    int64_t mem_high;   /* bytes; 0 = no limit, or no controller */
    int64_t mem_max;
    int64_t cpu_weight; /* 0 = leave */
    bool become_user;   /* else uid, gid and groups are not touched */
    uid_t uid;
    gid_t gid;
    gid_t *group; /* supplementary groups */
    size_t group_count;
    mode_t umask;
    bl_time grace; /* between SIGTERM and SIGKILL */
    int oom_score_adj;
    pid_t pid; /* of a process that is adopted: nothing is started; 0 = none */
    uint64_t pid_start;
    const char *boot; /* of which run of the machine (os/proc_about.h) */
    char **argv;      /* NULL-terminated */
    char **envp;      /* NULL-terminated */
};

void bl_spawn_spec_write(struct bl_buf *out, const struct bl_spawn_spec *spec);

/* Reads `bytes`, which must end with a zero byte that `length` counts; strings point into it, the
 * arrays are owned: bl_spawn_spec_finish frees them. */
int bl_spawn_spec_read(char *bytes, size_t length, struct bl_spawn_spec *out, struct bl_error *err);
void bl_spawn_spec_finish(struct bl_spawn_spec *spec);

enum bl_spawn_end {
    BL_SPAWN_NOT_ENDED,
    BL_SPAWN_FAILED,
    BL_SPAWN_EXITED,
    BL_SPAWN_SIGNALLED,
    BL_SPAWN_LOST,
    BL_SPAWN_GONE
};

/* What the records say. */
struct bl_spawn_status {
    pid_t supervisor; /* 0 = no record yet; the last one counts */
    uint64_t supervisor_start;
    pid_t pid; /* 0 = not started */
    uint64_t pid_start;
    enum bl_spawn_end end;
    enum bl_spawn_stage stage; /* FAILED */
    int code;                  /* errno, exit code or signal */
};

/* Takes any bytes; lines that are not whole or not known are passed over. */
void bl_spawn_status_parse(const char *text, size_t length, struct bl_spawn_status *out);

/* Replaces all records by two that say who supervises and what was started, and zero bytes; answers
 * the length of the two. */
size_t bl_spawn_status_shorten(char text[BL_SPAWN_RECORDS_BYTES]);

/* Reads the records of the file behind `fd`; false when it cannot be read. */
bool bl_spawn_status_read(int fd, struct bl_spawn_status *out);

enum bl_spawn_mode {
    BL_SPAWN_RUN,    /* start the job and see it through */
    BL_SPAWN_SWEEP,  /* its supervisor died: end what is left of it, then write `lost` */
    BL_SPAWN_REMOVE, /* remove the directory tree `path`; no attempt file */
    BL_SPAWN_ADOPT,  /* watch a process that runs already; also after its supervisor died */
    BL_SPAWN_NURSERY /* make supervisors on order (os/nursery.h); a socket for the file */
};

const char *bl_spawn_mode_name(enum bl_spawn_mode mode); /* its word on the command line */

struct bl_spawn_supervisor {
    const char *program;
    enum bl_spawn_mode mode;
    const char *path; /* REMOVE: what; else only for `ps` to show */
    int attempt_fd;   /* open for writing and locked; -1 for REMOVE */
};

/* Starts a supervisor in its own session with all signals blocked. 0 or an errno. */
int bl_spawn_supervisor(const struct bl_spawn_supervisor *supervisor, pid_t *out);

#endif
