/* Control groups, version 2, as plain files. A job's group holds all of its processes: it can be
 * killed at once, and it tells when it is empty. Memory and CPU are limited only where the
 * controllers have been handed down. */
#ifndef BL_OS_CGROUP_H
#define BL_OS_CGROUP_H

#include "base/buf.h"
#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

struct bl_cgroup_limits {
    int64_t mem_high;   /* bytes over which the group is slowed down; 0 = leave */
    int64_t mem_max;    /* bytes over which it is killed; 0 = leave */
    int64_t cpu_weight; /* 1 … 10000, share against its siblings; 0 = leave */
};

/* What the groups made below a base can do. */
struct bl_cgroup_base {
    struct bl_buf path; /* absolute */
    bool has_memory;
    bool has_cpu;
};

/* Appends where the version 2 tree is mounted, from a text like /proc/self/mounts. */
int bl_cgroup_find_mount(const char *mounts, struct bl_buf *out, struct bl_error *err);

/* Makes `baleen/NAME` beside this process's own group: below the parent, which may hold no
 * processes and then can hand controllers down, and stays when a service manager starts this
 * process anew. Where that is not writable, below the own group, or below `mount`. Hands the
 * controllers down as far as the kernel lets it. `own` is a text like /proc/self/cgroup. */
int bl_cgroup_make_base(const char *mount, const char *own, const char *name,
                        struct bl_cgroup_base *out, struct bl_error *err);

/* The two above with this machine's /proc. */
int bl_cgroup_open_base(const char *name, struct bl_cgroup_base *out, struct bl_error *err);

void bl_cgroup_base_finish(struct bl_cgroup_base *base);

/* Makes a group, and its parent where that is gone (one that is there already is fine), and sets
 * its limits. 0 or an errno. */
int bl_cgroup_make(const char *path, const struct bl_cgroup_limits *limits);

/* Moves a process into it; 0 stands for the caller. 0 or an errno. */
int bl_cgroup_enter(const char *path, int pid);

/* Kills every process in it and below. False where the kernel has no cgroup.kill or the group is
 * not there. */
bool bl_cgroup_kill(const char *path);

/* Whether a process is in it or below. A group that is not there is empty. */
bool bl_cgroup_is_populated(const char *path);

/* Calls for each pid that is in the group itself. */
void bl_cgroup_each(const char *path, void (*call)(void *self, int pid), void *self);

/* Removes an empty group and those below it; false while the kernel still holds one. */
bool bl_cgroup_remove(const char *path);

#endif
