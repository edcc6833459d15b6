#include "os/sight.h"

#include "base/own.h"

#include <stdlib.h>

struct bl_sight *bl_sight_create(int64_t pid)
{
    struct bl_sight *sight = bl_alloc_zero(sizeof *sight);

    sight->pid = pid;
    return sight;
}

void bl_sight_look(struct bl_sight *sight)
{
    struct bl_error err = {0};

    sight->is_there = sight->pid > 0 && sight->pid <= INT32_MAX &&
                      bl_proc_describe((pid_t)sight->pid, &sight->arena, &sight->about);
    if (!sight->is_there) {
        return;
    }
    bl_proc_scan(&sight->all);
    bl_nvml_who(&sight->who, &err); /* where it fails there is nobody, and the environment tells */
}

void bl_sight_destroy(struct bl_sight *sight)
{
    if (!sight) {
        return;
    }
    bl_nvml_processes_finish(&sight->who);
    bl_proc_list_finish(&sight->all);
    bl_arena_finish(&sight->arena);
    free(sight);
}
