/* An engine put up for tests: its daemon's part is played by the kit, which keeps what is reported.
 * What differs from engine to engine stands in a fixture. */
#ifndef ENGINE_KIT_H
#define ENGINE_KIT_H

#include "base/vec.h"
#include "engine/engine.h"

#include <sys/types.h>

enum { KIT_EVENTS_MAX = 1024, KIT_NODES = 2, KIT_NODE_GPUS = 4, KIT_GPUS = 8 };
/* No machine is so busy that a job which heeds a stop needs longer; for jobs that do not, the short
 * one. */
#define KIT_GRACE       BL_HOUR
#define KIT_SHORT_GRACE (200 * BL_MILLISECOND)

struct kit;

/* How an engine is put up. */
struct kit_fixture {
    const struct bl_engine *engine;
    const char *const *variants; /* names of the ways to run it, NULL-terminated; the first: "" */
    void (*open)(struct kit *kit);
    void (*configure)(const struct kit *kit, struct bl_engine_config *config);
    /* Lets something happen. False when nothing will unless the engine is called. */
    bool (*turn)(struct kit *kit);
    void (*close)(struct kit *kit); /* ends what a failed test left as well */
    /* Has what watches over a running job die, without a word to the engine. NULL = nothing does.
     */
    void (*lose)(struct kit *kit, int64_t id);
};

struct kit {
    const struct kit_fixture *fixture;
    int variant;
    char dir[64]; /* holds state/ and work/, both passable by other users */
    char state[96];
    char work[96];
    struct bl_loop *loop; /* NULL where the fixture has none */
    void *engine;
    bool calling; /* an engine may not report from inside a call */
    struct bl_node_spec node[KIT_NODES];
    struct bl_clusterspec declared;
    struct bl_cluster cluster;
    struct bl_event event[KIT_EVENTS_MAX]; /* all reports, in order */
    size_t event_count;
};

/* What a job is, where a test cares. Zeroes: as the test's own user, batch, one GPU: number id - 1
 * of the machine, of two declared nodes with four each. */
struct kit_job {
    const char *script;      /* for /bin/sh -c */
    bl_time takes;           /* how long, where jobs are only counted */
    const char *const *argv; /* instead of a script */
    const char *file;        /* a script that is run from a file, with argv behind it */
    const char *name;        /* NULL = "name" */
    const char *workdir;     /* NULL = the kit's */
    const char *log;         /* NULL = %x-%j.%r.log */
    const char *error;       /* NULL = to the log */
    const char *const *env;  /* NULL = PATH alone */
    int64_t uid;             /* 0 = the test's own */
    bool no_gpu;
    bool all_gpus;
    const struct bl_job *array; /* whose element it is */
    int32_t attempt;            /* 0 = 1 */
    bool was_running;
    bool stopping;
    bool saving;
    bl_time grace; /* 0 = KIT_GRACE */
    pid_t pid;     /* of a process that is adopted; 0 = none */
    uint64_t pid_start;
    const char *boot; /* of that process; NULL = of now */
};

void kit_open(struct kit *kit, const struct kit_fixture *fixture, int variant);
void kit_open_engine(struct kit *kit);
void kit_close_engine(struct kit *kit); /* the daemon ends; jobs run on */
void kit_restart(struct kit *kit);      /* and another one comes, which has heard nothing yet */
void kit_close(struct kit *kit);

void kit_start(struct kit *kit, int64_t id, const struct kit_job *job);
void kit_adopt(struct kit *kit, int64_t id, const struct kit_job *job);
void kit_save(struct kit *kit, int64_t id, const struct kit_job *job);
void kit_stop(struct kit *kit, int64_t id); /* attempt 1 */

/* Lets something happen; fails when the time is over or nothing ever will. */
void kit_turn(struct kit *kit, bl_time until, const char *what);

/* Turns until such an event comes for the job; fails after a long while. */
const struct bl_event *kit_wait(struct kit *kit, enum bl_event_kind kind, int64_t id);

/* Turns until the file has a line that starts with `start`, and copies that line. */
void kit_wait_line(struct kit *kit, const char *name, const char *start, char line[256]);

/* Turns until the job lives and its first line says "ready": a job can speak before its supervisor
 * has told. */
void kit_wait_ready(struct kit *kit, int64_t id);

/* The whole of a file of the work directory; "" when it is not there. Owned by the caller. */
char *kit_read(const struct kit *kit, const char *name);

/* How many processes carry the environment of this job, of this kit's engine. */
size_t kit_count(const struct kit *kit, int64_t id);
void kit_kill_processes(const struct kit *kit, int64_t id);

/* The events so far as words, one a line: "started 1", "exited 1 3", "failed 1 log 13". */
char *kit_story(const struct kit *kit);

/* Those of one job, behind each other: "started; exited 3"; "2:" stands before those of the second
 * attempt. */
char *kit_story_of(const struct kit *kit, int64_t id);

/* Fails unless kit_story gives this. */
void kit_expect_story(const struct kit *kit, const char *expected);

/* For tests of the local engine alone, which run twice: in control groups where they can be made,
 * and without. */
int kit_open_with_groups(void **state);
int kit_open_without_groups(void **state);
int kit_close_local(void **state);

#define BOTH_WAYS(claim)                                                                           \
    {#claim, claim, kit_open_with_groups, kit_close_local, NULL},                                  \
    {                                                                                              \
#claim "_without_groups", claim, kit_open_without_groups, kit_close_local, NULL            \
    }

#endif
