/* Interface of an engine: what carries decisions out. An engine is one file, engine/NAME.c, that
 * defines `const struct bl_engine bl_engine_NAME`, and one word in engine/meson.build.
 *
 * An engine reports only by events, through `host.report`; it never calls back from inside start,
 * stop or adopt: reports come from the event loop (the simulated engine: from its own clock). All
 * calls are idempotent and named by (job, attempt). */
#ifndef BL_ENGINE_ENGINE_H
#define BL_ENGINE_ENGINE_H

#include "base/buf.h"
#include "base/error.h"
#include "core/event.h"
#include "form/clusterspec.h"
#include "form/launch.h"
#include "os/sight.h"

#include <stdbool.h>

struct bl_loop;
struct bl_config_local;

struct bl_engine_config {
    struct bl_loop *loop;   /* NULL for the simulated engine */
    const char *state_dir;  /* absolute */
    const char *supervisor; /* path of baleen-supervisor; NULL = beside this program */
    const struct bl_clusterspec *declared; /* NULL or empty = find GPUs */
    bool no_cgroup;
    const struct bl_config_local *rules; /* of the local engine; NULL = the standard ones */
};

/* Where reports go. The event is borrowed; `at` is set by the host. */
struct bl_engine_host {
    void *self;
    void (*report)(void *self, const struct bl_event *event);
};

/* One attempt to start or adopt. Borrowed. */
struct bl_engine_job {
    const struct bl_job *job;
    int32_t attempt;
    const struct bl_alloc *alloc;
    const struct bl_cluster *cluster;
    const struct bl_launch *launch; /* NULL for the simulated engine */
    bool was_running;               /* adopt: the journal has its JOB_STARTED */
    bool stopping;                  /* adopt: a stop had been decided */
    bool saving;                    /* adopt: so had a save */
};

/* Who wants which process to become a job. */
struct bl_engine_asker {
    int64_t pid;
    int64_t uid;
    bool is_manager; /* may adopt anybody's */
};

/* What becomes of it. In the arena or of what was seen, but for names of nodes, which live as long
 * as the engine. */
struct bl_engine_process {
    const char *name;
    struct bl_launch launch;
    struct bl_booking_place *on; /* the GPUs that it was found to use, each node once */
    size_t on_count;
    bool knows_gpus;  /* they were looked for with success; none is an answer, too */
    const char *node; /* where it would be without GPUs; NULL = there is none */
};

/* What the daemon knows of a job. */
enum bl_engine_need { BL_NEED_NOT_KNOWN, BL_NEED_LIVES, BL_NEED_ENDED };

struct bl_engine_needs {
    void *self;
    bool (*attempt)(void *self, bl_job_id job, int32_t attempt); /* whether it is under way */
    enum bl_engine_need (*job)(void *self, bl_job_id job);
};

struct bl_engine {
    const char *name;
    const char *summary;
    int (*create)(const struct bl_engine_config *config, struct bl_engine_host host, void **out,
                  struct bl_error *err);
    /* Lets go of everything; jobs run on. */
    void (*destroy)(void *self);
    /* The nodes that there are; strings live as long as the engine. */
    int (*discover)(void *self, struct bl_clusterspec *out, struct bl_error *err);
    /* Reports JOB_STARTED or JOB_START_FAILED, later JOB_ENDED. */
    void (*start)(void *self, const struct bl_engine_job *job);
    /* Signal, grace, end of every process; then JOB_ENDED as ever. Unknown jobs: nothing. */
    void (*stop)(void *self, bl_job_id job, int32_t attempt);
    /* Has it save its work and end: the signal that the job asked for, a while, then as `stop`.
     * Just before its JOB_ENDED comes a JOB_PROGRESS where the engine knows how far it came.
     * `job->alloc` is where it will start again, NULL when it goes back to the queue. A `stop`
     * meanwhile ends it at once. NULL = it can only stop. */
    void (*save)(void *self, const struct bl_engine_job *job);
    /* Sends a signal to what runs, to the first process alone with `shell_only`; nothing when it
     * does not run. NULL = it cannot. */
    void (*signal)(void *self, bl_job_id job, int32_t attempt, int signal, bool shell_only);
    /* After a restart of the daemon: takes over what still runs and reports what happened since
     * (started, ended with its exit code, lost). A job whose start the engine never saw is
     * started; with `stopping` it is ended instead. A report that the journal has already may come
     * again. */
    void (*adopt)(void *self, const struct bl_engine_job *job);
    /* The end of this attempt is in the journal: the engine's own records of it may go. Call it
     * after the commit, not before: the records are what `adopt` reads. NULL = nothing to do. */
    void (*forget)(void *self, bl_job_id job, int32_t attempt);
    /* The job has ended for good, and the journal has it: all that is kept for it goes, BALEEN_DIR
     * and the submitted environment as well. Cheap when there is nothing. NULL = nothing to do. */
    void (*forget_job)(void *self, bl_job_id job);
    /* What is to be known of a process of this machine that is to become a job: its `start` with
     * such a launch (`launch->pid`) watches it and starts nothing; and so `adopt`. BL_ENOTFOUND or
     * BL_EREFUSED with why it cannot be one. Nothing is done to it, nor is it asked: what was seen
     * of it may have taken long. NULL = the engine does not run jobs itself. */
    int (*examine)(void *self, const struct bl_engine_asker *asker, const struct bl_sight *seen,
                   struct bl_arena *arena, struct bl_engine_process *out, struct bl_error *err);
    /* Once, after `adopt` was called for all that lives: what is kept for anything that nobody
     * needs goes. It is of ends that a daemon which was killed had no time to forget, and of
     * submissions that never came into the journal. What an unknown job has made itself stays:
     * the journal may be an old copy. NULL = nothing to do. */
    void (*tidy)(void *self, const struct bl_engine_needs *needs);
    /* The identity that the driver gives a GPU of a node; NULL for one that is made up, or is not
     * there. NULL = no GPU has one. */
    const char *(*gpu_uuid)(void *self, const char *node, int32_t gpu);
};

extern const struct bl_engine *const bl_engines[]; /* NULL-terminated */
const struct bl_engine *bl_engine_find(const char *name);
/* Of all of them, with commas between. */
void bl_engine_print_names(struct bl_buf *out);

#endif
