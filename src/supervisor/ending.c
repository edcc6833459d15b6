/* How a job is ended: SIGTERM, its grace, then SIGKILL until nothing is left. */
#include "supervisor/supervisor.h"

#include "os/cgroup.h"

#include <poll.h>

#define KILL_PAUSE_FIRST (10 * BL_MILLISECOND)
#define KILL_PAUSE_MAX   BL_SECOND

void ending_begin(struct ending *ending)
{
    if (ending->phase < TERMINATING) {
        ending->phase = TERMINATING;
        ending->pause = KILL_PAUSE_FIRST;
        ending->next = time_now() + ending->victims.spec->grace;
        victims_terminate(&ending->victims);
    }
}

void ending_go_on(struct ending *ending)
{
    if (ending->phase < TERMINATING || time_now() < ending->next) {
        return;
    }
    ending->phase = KILLING;
    victims_kill(&ending->victims);
    ending->pause = ending->pause * 2 < KILL_PAUSE_MAX ? ending->pause * 2 : KILL_PAUSE_MAX;
    ending->next = time_now() + ending->pause;
}

int ending_patience(const struct ending *ending, bl_time most)
{
    bl_time wait = most;

    if (ending->phase >= TERMINATING && ending->next - time_now() < wait) {
        wait = ending->next - time_now();
    }
    if (wait == BL_TIME_NEVER) {
        return -1;
    }
    return wait <= 0 ? 0 : (int)((wait < BL_HOUR ? wait : BL_HOUR) / BL_MILLISECOND + 1);
}

void group_remove(const struct bl_spawn_spec *spec)
{
    /* The kernel may hold a group for a moment after its last process is gone. */
    for (int tries = 0; spec->cgroup && !bl_cgroup_remove(spec->cgroup) && tries < 20; tries++) {
        poll(NULL, 0, 5);
    }
}
