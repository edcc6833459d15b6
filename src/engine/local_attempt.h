/* One attempt that the local engine looks after, and how it is asked to end. */
#ifndef BL_ENGINE_LOCAL_ATTEMPT_H
#define BL_ENGINE_LOCAL_ATTEMPT_H

#include "core/job.h"
#include "engine/local_progress.h"
#include "os/spawn_spec.h"

struct bl_attempt {
    bl_job_id job;
    int32_t number;
    bool is_adopted;
    int watch; /* inotify's; -1 = looked at on the timer */
    bool told_started;
    bool let_go;     /* nobody has the attempt file open: look whether the supervisor lives */
    bl_time look_at; /* monotonic: the next look, where it is let go or not watched */
    bool sweeping;   /* the supervisor died, another one ends what it left, or goes on watching */
    int tries;       /* how often a supervisor was started that left no record */
    bool stop_asked;
    bool stop_told;
    bl_time grace;
    bl_time stop_by; /* monotonic; 0 = no stop was told */
    bl_time gone_by; /* monotonic: its supervisor let go and must have ended; 0 = it holds on */
    struct bl_warning save_by_signal; /* how it is asked to save its work */
    bool save_asked;
    bl_time save_by; /* monotonic: when it has had its time to save; 0 = it is not saving */
    struct bl_local_progress progress;
    struct bl_spawn_status status;
};

/* Whether nobody will tell of what comes next. */
static inline bool bl_attempt_must_look(const struct bl_attempt *attempt)
{
    return attempt->let_go || attempt->watch < 0;
}

/* Whether the very supervisor that wrote the records lives. */
bool bl_attempt_is_supervised(const struct bl_attempt *attempt);

enum bl_start_stage bl_attempt_stage_of(enum bl_spawn_stage stage);

/* A stop that was asked for reaches the supervisor as soon as it is known who that is. */
void bl_attempt_tell_stop(struct bl_attempt *attempt);

/* A supervisor that is stuck is ended: what it leaves is swept. */
void bl_attempt_end_stuck(struct bl_attempt *attempt, bl_time now);

/* A save that was asked for reaches the job as soon as it lives; without a signal, or a process
 * that handles it, the stop is all the warning there is. */
void bl_attempt_tell_save(struct bl_attempt *attempt);

/* It has had its time: now it is stopped. */
void bl_attempt_end_save(struct bl_attempt *attempt, bl_time now);

#endif
