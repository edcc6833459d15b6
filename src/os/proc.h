/* What /proc tells about processes, and signals that cannot hit a recycled pid. */
#ifndef BL_OS_PROC_H
#define BL_OS_PROC_H

#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* A process is named by its pid together with the tick at which it started. */
struct bl_proc {
    pid_t pid;
    pid_t parent;
    pid_t group;
    pid_t session;
    int threads;
    char state; /* 'R', 'S', 'D', 'T', 'Z' … */
    uint64_t start_ticks;
};

/* Zeroes are an empty list. */
struct bl_proc_list {
    BL_VEC(struct bl_proc) all;
};

/* False when there is no such process. */
bool bl_proc_read(pid_t pid, struct bl_proc *out);

/* Replaces the list with all processes there are, in order of pid. What forks meanwhile may be
 * missing. False when /proc cannot be read. */
bool bl_proc_scan(struct bl_proc_list *list);

/* Replaces the list with the descendants of a process, looking at nothing else where the kernel
 * tells a process's children; sorted as above. What forks or is orphaned meanwhile may be missing.
 * False when it cannot be told. */
bool bl_proc_scan_below(pid_t pid, struct bl_proc_list *list);

/* By pid, as bl_proc_find needs it after something was added. */
void bl_proc_sort(struct bl_proc_list *list);

void bl_proc_list_finish(struct bl_proc_list *list);

/* The process with this pid in a scanned list, or NULL. */
const struct bl_proc *bl_proc_find(const struct bl_proc_list *list, pid_t pid);

/* Signals this very process; false when it is gone (or not ours to signal). */
bool bl_proc_signal(pid_t pid, uint64_t start_ticks, int signal);

/* Whether the process handles this signal itself; false when it is gone. */
bool bl_proc_catches(pid_t pid, int signal);

/* Whether the environment that the process was executed with has exactly this "NAME=VALUE". */
bool bl_proc_has_environment(pid_t pid, const char *entry);

#endif
