/* After a supervisor died: nothing ties the job's processes to anybody any more but their group, or
 * the token in their environment. */
#include "supervisor/supervisor.h"

#include "os/cgroup.h"

#include <poll.h>

enum { PAUSE_FIRST_MS = 10, PAUSE_MAX_MS = 1000 };

int mode_sweep(const struct bl_spawn_spec *spec)
{
    struct victims victims = {.spec = spec, .by = BY_TOKEN};
    int pause = PAUSE_FIRST_MS;

    bl_spawn_status_read(BL_SPAWN_FD, &victims.status);
    while (victims_kill(&victims) || (spec->cgroup && bl_cgroup_is_populated(spec->cgroup))) {
        poll(NULL, 0, pause);
        pause = pause * 2 < PAUSE_MAX_MS ? pause * 2 : PAUSE_MAX_MS;
    }
    group_remove(spec);
    record_write("lost\n");
    victims_finish(&victims);
    return 0;
}
