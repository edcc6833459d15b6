#include "os/proc.h"

#include "base/sort.h"
#include "os/own_fd.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    STAT_BYTES_MAX = 1024,
    ENVIRONMENT_BYTES_MAX = 8 * 1024 * 1024, /* over the kernel's own ceiling for exec */
    ENVIRONMENT_CHUNK = 64 * 1024,
    CHILDREN_CHUNK = 4096,
    DESCENDANTS_MAX = 1 << 22 /* the kernel has no more pids */
};

/* The fields after "PID (NAME) ": the name may hold any byte, so its last ')' counts. */
static bool parse_stat(const char *text, pid_t pid, struct bl_proc *out)
{
    enum {
        FIELD_STATE = 0,
        FIELD_PARENT = 1,
        FIELD_GROUP = 2,
        FIELD_SESSION = 3,
        FIELD_THREADS = 17,
        FIELD_START = 19
    };
    const char *at = strrchr(text, ')');
    struct bl_proc proc = {.pid = pid};

    if (!at || at[1] != ' ') {
        return false;
    }
    at += 2;
    for (int field = 0; field <= FIELD_START; field++) {
        if (field == FIELD_STATE) {
            proc.state = *at;
        } else if (field == FIELD_PARENT) {
            proc.parent = (pid_t)strtol(at, NULL, 10);
        } else if (field == FIELD_GROUP) {
            proc.group = (pid_t)strtol(at, NULL, 10);
        } else if (field == FIELD_SESSION) {
            proc.session = (pid_t)strtol(at, NULL, 10);
        } else if (field == FIELD_THREADS) {
            proc.threads = (int)strtol(at, NULL, 10);
        } else if (field == FIELD_START) {
            proc.start_ticks = strtoull(at, NULL, 10);
        }
        at = strchr(at, ' ');
        if (!at) {
            return false;
        }
        at++;
    }
    *out = proc;
    return true;
}

bool bl_proc_read(pid_t pid, struct bl_proc *out)
{
    char path[64];
    char text[STAT_BYTES_MAX];
    ssize_t length;

    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    BL_AUTO_FD fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return false;
    }
    length = read(fd, text, sizeof text - 1);
    if (length <= 0) {
        return false;
    }
    text[length] = '\0';
    return parse_stat(text, pid, out);
}

static int compare_pids(const void *left, const void *right)
{
    const struct bl_proc *a = left;
    const struct bl_proc *b = right;

    return (a->pid > b->pid) - (a->pid < b->pid);
}

void bl_proc_sort(struct bl_proc_list *list)
{
    if (list->all.count) {
        bl_sort(list->all.at, list->all.count, sizeof *list->all.at, compare_pids);
    }
}

bool bl_proc_scan(struct bl_proc_list *list)
{
    DIR *directory = opendir("/proc");
    const struct dirent *entry;

    list->all.count = 0;
    if (!directory) {
        return false;
    }
    while ((entry = readdir(directory))) {
        struct bl_proc proc;
        char *end;
        long pid = strtol(entry->d_name, &end, 10);

        if (*end == '\0' && pid > 0 && bl_proc_read((pid_t)pid, &proc)) {
            BL_VEC_PUSH(&list->all, proc);
        }
    }
    closedir(directory);
    bl_proc_sort(list);
    return true;
}

/* Adds the processes of a list of pids, each with a space behind it; the rest without one. */
static char *add_listed(char *text, struct bl_proc_list *list)
{
    char *end;

    for (; (end = strchr(text, ' ')); text = end + 1) {
        struct bl_proc proc;

        if (bl_proc_read((pid_t)strtol(text, NULL, 10), &proc)) {
            BL_VEC_PUSH(&list->all, proc);
        }
    }
    return text;
}

static void add_children_of_thread(pid_t pid, long thread, struct bl_proc_list *list)
{
    char path[96];
    char text[CHILDREN_CHUNK + 1];
    size_t kept = 0;
    ssize_t length;

    snprintf(path, sizeof path, "/proc/%d/task/%ld/children", (int)pid, thread);
    BL_AUTO_FD fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return; /* it ended */
    }
    while ((length = read(fd, text + kept, CHILDREN_CHUNK - kept)) > 0) {
        const char *rest;

        text[kept + (size_t)length] = '\0';
        rest = add_listed(text, list);
        kept = strlen(rest); /* a number cut by the end of the chunk */
        memmove(text, rest, kept);
    }
}

static void add_children(const struct bl_proc *proc, struct bl_proc_list *list)
{
    char path[64];
    const struct dirent *entry;
    DIR *tasks;

    if (proc->threads == 1) {
        add_children_of_thread(proc->pid, proc->pid, list);
        return;
    }
    snprintf(path, sizeof path, "/proc/%d/task", (int)proc->pid);
    tasks = opendir(path);
    while (tasks && (entry = readdir(tasks))) {
        if (entry->d_name[0] != '.') {
            add_children_of_thread(proc->pid, strtol(entry->d_name, NULL, 10), list);
        }
    }
    if (tasks) {
        closedir(tasks);
    }
}

bool bl_proc_scan_below(pid_t pid, struct bl_proc_list *list)
{
    char path[64];
    struct bl_proc top;

    list->all.count = 0;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)pid, (int)pid);
    if (access(path, R_OK) != 0 || !bl_proc_read(pid, &top)) {
        return false;
    }
    add_children(&top, list);
    /* The list is its own queue. A process that moved up meanwhile may come twice, but not for
     * ever: a tree is finite, and the ceiling ends what is not one. */
    for (size_t i = 0; i < list->all.count && i < DESCENDANTS_MAX; i++) {
        struct bl_proc proc = list->all.at[i];

        add_children(&proc, list);
    }
    bl_proc_sort(list);
    return true;
}

void bl_proc_list_finish(struct bl_proc_list *list)
{
    BL_VEC_FINISH(&list->all);
}

const struct bl_proc *bl_proc_find(const struct bl_proc_list *list, pid_t pid)
{
    struct bl_proc wanted = {.pid = pid};

    if (!list->all.count) {
        return NULL;
    }
    return bsearch(&wanted, list->all.at, list->all.count, sizeof wanted, compare_pids);
}

bool bl_proc_signal(pid_t pid, uint64_t start_ticks, int signal)
{
    struct bl_proc now;
    BL_AUTO_FD fd = (int)syscall(SYS_pidfd_open, pid, 0);

    if (fd < 0 && errno == ESRCH) {
        return false;
    }
    /* The descriptor is held first, so what is read now is about the process it names. */
    if (!bl_proc_read(pid, &now) || now.start_ticks != start_ticks) {
        return false;
    }
    if (fd < 0) { /* a kernel without pidfd, or no descriptor left */
        return kill(pid, signal) == 0;
    }
    return syscall(SYS_pidfd_send_signal, fd, signal, NULL, 0) == 0;
}

enum { STATUS_BYTES_MAX = 8192, SIGNALS_MAX = 64 };

bool bl_proc_catches(pid_t pid, int signal)
{
    char path[64];
    char text[STATUS_BYTES_MAX];
    const char *mask;
    ssize_t length;

    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    BL_AUTO_FD fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || signal < 1 || signal > SIGNALS_MAX) {
        return false;
    }
    length = read(fd, text, sizeof text - 1);
    text[length > 0 ? length : 0] = '\0';
    mask = strstr(text, "\nSigCgt:");
    return mask && (strtoull(mask + strlen("\nSigCgt:"), NULL, 16) >> (signal - 1)) & 1;
}

/* Whether `entry` stands in a block of zero-ended texts. */
static bool block_has(const char *block, size_t length, const char *entry)
{
    size_t wanted = strlen(entry) + 1; /* its end counts */
    const char *at = block;
    const char *end = block + length;

    while (at < end) {
        size_t bytes = strnlen(at, (size_t)(end - at)) + 1;

        if (bytes == wanted && memcmp(at, entry, wanted - 1) == 0) {
            return true;
        }
        at += bytes;
    }
    return false;
}

bool bl_proc_has_environment(pid_t pid, const char *entry)
{
    char path[64];
    BL_VEC(char) block = {0};
    ssize_t length = 0;
    bool has = false;

    snprintf(path, sizeof path, "/proc/%d/environ", (int)pid);
    BL_AUTO_FD fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return false;
    }
    do {
        BL_VEC_RESERVE(&block, block.count + ENVIRONMENT_CHUNK);
        length = read(fd, block.at + block.count, ENVIRONMENT_CHUNK);
        block.count += length > 0 ? (size_t)length : 0;
    } while (length > 0 && block.count < ENVIRONMENT_BYTES_MAX);
    if (block.count) {
        has = block_has(block.at, block.count, entry);
    }
    BL_VEC_FINISH(&block);
    return has;
}
