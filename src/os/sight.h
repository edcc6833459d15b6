/* All that is seen of one process. Looking may take as long as others like: the process itself (its
 * memory may wait for a file system), the driver, a mount that is dead. Not for a thread that
 * others wait for. */
#ifndef BL_OS_SIGHT_H
#define BL_OS_SIGHT_H

#include "os/nvml.h"
#include "os/proc_about.h"

struct bl_sight {
    int64_t pid;
    bool is_there;
    struct bl_proc_about about;   /* with is_there; texts lie in the arena */
    struct bl_proc_list all;      /* every process at that time */
    struct bl_nvml_processes who; /* computes on GPUs; none where the driver does not tell */
    struct bl_arena arena;
};

struct bl_sight *bl_sight_create(int64_t pid);
/* Once. */
void bl_sight_look(struct bl_sight *sight);
void bl_sight_destroy(struct bl_sight *sight);

#endif
