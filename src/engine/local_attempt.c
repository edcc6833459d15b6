#include "engine/local_attempt.h"

#include "engine/local_signal.h"
#include "os/clock.h"
#include "os/log.h"
#include "os/proc.h"

#include <signal.h>

#define STOP_SLACK (5 * BL_SECOND) /* over the grace, before a supervisor counts as stuck */

static bool signal_supervisor(const struct bl_attempt *attempt, int number)
{
    const struct bl_spawn_status *status = &attempt->status;

    return status->supervisor &&
           bl_proc_signal(status->supervisor, status->supervisor_start, number);
}

void bl_attempt_tell_stop(struct bl_attempt *attempt)
{
    bool is_swept = attempt->sweeping && !attempt->is_adopted;

    /* one that has died meanwhile is followed by another, which is told then */
    if (attempt->stop_asked && !attempt->stop_told && !is_swept && !attempt->gone_by &&
        signal_supervisor(attempt, SIGTERM)) {
        signal_supervisor(attempt, SIGCONT); /* a job could have stopped its own supervisor */
        attempt->stop_told = true;
        /* one that took over is not stuck: what it waits for the kernel does not let go of */
        attempt->stop_by =
            attempt->sweeping ? 0 : bl_clock_monotonic() + attempt->grace + STOP_SLACK;
    }
}

void bl_attempt_end_stuck(struct bl_attempt *attempt, bl_time now)
{
    if (attempt->stop_by && now >= attempt->stop_by) {
        attempt->stop_by = 0;
        bl_log(BL_LOG_WARNING, "job %lld: its supervisor does not stop it; ending both",
               (long long)attempt->job);
        signal_supervisor(attempt, SIGKILL);
    }
}

static bool warn(const struct bl_spawn_status *status, const struct bl_warning *by)
{
    return by->shell_only ? bl_proc_signal(status->pid, status->pid_start, by->signal)
                          : bl_local_signal_handlers(status->supervisor, by->signal);
}

void bl_attempt_tell_save(struct bl_attempt *attempt)
{
    const struct bl_warning *by = &attempt->save_by_signal;
    bool is_heard;

    if (!attempt->save_asked || attempt->save_by || attempt->stop_asked || attempt->gone_by ||
        !attempt->status.pid) {
        return;
    }
    is_heard = by->signal && warn(&attempt->status, by);
    if (is_heard) {
        attempt->save_by = bl_clock_monotonic() + by->lead;
    } else {
        attempt->stop_asked = true;
        bl_attempt_tell_stop(attempt);
    }
}

void bl_attempt_end_save(struct bl_attempt *attempt, bl_time now)
{
    if (attempt->save_by && now >= attempt->save_by) {
        attempt->save_by = 0;
        attempt->stop_asked = true;
        bl_attempt_tell_stop(attempt);
    }
}

enum bl_start_stage bl_attempt_stage_of(enum bl_spawn_stage stage)
{
    switch (stage) {
    case BL_SPAWN_SPEC:
        return BL_STAGE_SPEC;
    case BL_SPAWN_CGROUP:
        return BL_STAGE_CGROUP;
    case BL_SPAWN_USER:
        return BL_STAGE_USER;
    case BL_SPAWN_WORKDIR:
        return BL_STAGE_WORKDIR;
    case BL_SPAWN_LOG:
        return BL_STAGE_LOG;
    case BL_SPAWN_EXEC:
    case BL_SPAWN_STAGE_COUNT:
        return BL_STAGE_EXEC;
    }
    return BL_STAGE_EXEC;
}

bool bl_attempt_is_supervised(const struct bl_attempt *attempt)
{
    const struct bl_spawn_status *status = &attempt->status;
    struct bl_proc proc;

    return status->supervisor && bl_proc_read(status->supervisor, &proc) &&
           proc.start_ticks == status->supervisor_start && proc.state != 'Z' && proc.state != 'X';
}
