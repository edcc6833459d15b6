/* A local engine on a real loop, with the real supervisor, in a directory of its own. */
#ifndef LOCAL_KIT_H
#define LOCAL_KIT_H

#include "base/vec.h"
#include "engine/engine.h"

#include <sys/types.h>

enum { KIT_EVENTS_MAX = 512, KIT_NODE_GPUS = 4, KIT_GPUS = 8 };
#define KIT_GRACE (200 * BL_MILLISECOND)

struct kit {
    char dir[64]; /* holds state/ and work/, both passable by other users */
    char state[96];
    char work[96];
    struct bl_loop *loop;
    void *engine;
    bool no_cgroup;
    struct bl_cluster cluster;
    struct bl_event event[KIT_EVENTS_MAX]; /* all reports, in order */
    size_t event_count;
};

/* What a job is, where a test cares. Zeroes: as the test's own user, batch, one GPU: number id - 1
 * of the machine, of two declared nodes with four each. */
struct kit_job {
    const char *script;      /* for /bin/sh -c */
    const char *const *argv; /* instead of a script */
    const char *workdir;     /* NULL = the kit's */
    const char *log;         /* NULL = %x-%j.%r.log */
    const char *const *env;  /* NULL = PATH alone */
    int64_t uid;             /* 0 = the test's own */
    bool no_gpu;
    bool all_gpus;
    int32_t attempt; /* 0 = 1 */
    bool was_running;
    bool stopping;
    bl_time grace; /* 0 = KIT_GRACE */
};

/* Every test runs twice: in control groups where they can be made, and without. */
void kit_open(struct kit *kit, bool no_cgroup);
void kit_open_engine(struct kit *kit);
void kit_close_engine(struct kit *kit); /* jobs run on */
void kit_close(struct kit *kit);        /* and ends what a failed test left running */

void kit_start(struct kit *kit, int64_t id, const struct kit_job *job);
void kit_adopt(struct kit *kit, int64_t id, const struct kit_job *job);
void kit_stop(struct kit *kit, int64_t id);

/* Turns the loop until such an event comes for the job; fails after a long while. */
const struct bl_event *kit_wait(struct kit *kit, enum bl_event_kind kind, int64_t id);

/* Turns the loop until the file has a line that starts with `start`, and copies that line. */
void kit_wait_line(struct kit *kit, const char *name, const char *start, char line[256]);

/* The whole of a file of the work directory; "" when it is not there. Owned by the caller. */
char *kit_read(const struct kit *kit, const char *name);

/* How many processes carry the environment of this job, of this kit's engine. */
size_t kit_count(const struct kit *kit, int64_t id);

/* The events so far as words, one a line: "started 1", "exited 1 3", "failed 1 log 13". */
char *kit_story(const struct kit *kit);

#endif
