#include "os/proc_about.h"

#include "base/buf.h"
#include "os/own_fd.h"
#include "os/spawn_spec.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

enum { FILE_BYTES_MAX = 8 * 1024 * 1024, FIELD_FLAGS = 6, FIELD_EXIT_CODE = 49 };

#define KERNEL_THREAD 0x00200000UL /* PF_KTHREAD among the flags of /proc/PID/stat */

/* ---- files of /proc ---- */

/* Appends the file, not much more of it than `most`; false when it cannot be read. */
static bool read_most(pid_t pid, const char *file, size_t most, struct bl_buf *out)
{
    char path[64];
    char chunk[16 * 1024];
    ssize_t length = 0;

    snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, file);
    BL_AUTO_FD fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return false;
    }
    while (out->length < most && (length = read(fd, chunk, sizeof chunk)) > 0) {
        bl_buf_append(out, chunk, (size_t)length);
    }
    return length >= 0;
}

static bool read_proc(pid_t pid, const char *file, struct bl_buf *out)
{
    return read_most(pid, file, FILE_BYTES_MAX, out);
}

/* Where a link of /proc leads; NULL when that cannot be told or is too long. */
static const char *read_link(pid_t pid, const char *file, struct bl_arena *arena)
{
    char path[64];
    char target[PATH_MAX];
    ssize_t length;

    snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, file);
    length = readlink(path, target, sizeof target - 1);
    if (length <= 0) {
        return NULL;
    }
    target[length] = '\0';
    return target[0] == '/' ? bl_arena_copy_text(arena, target) : NULL;
}

/* The field of /proc/PID/stat with this number, counted from the state on; NULL when it is not
 * there. */
static const char *stat_field(const char *text, int number)
{
    const char *at = strrchr(text, ')');

    at = at && at[1] == ' ' ? at + 2 : NULL;
    for (int field = 0; at && field < number; field++) {
        at = strchr(at, ' ');
        at = at ? at + 1 : NULL;
    }
    return at;
}

static unsigned long long stat_number(pid_t pid, int field)
{
    BL_AUTO_BUF text = {0};
    const char *at = NULL;

    if (read_proc(pid, "stat", &text)) {
        at = stat_field(bl_buf_text(&text), field);
    }
    return at ? strtoull(at, NULL, 10) : 0;
}

/* ---- what it says ---- */

/* "Uid:" or "Gid:" and four numbers: real, effective, saved, of files. */
static bool read_ids(const char *status, const char *key, unsigned long ids[3])
{
    const char *at = strstr(status, key);

    return at && sscanf(at + strlen(key), "%lu %lu %lu", &ids[0], &ids[1], &ids[2]) == 3;
}

static bool read_status(pid_t pid, struct bl_proc_about *out)
{
    BL_AUTO_BUF text = {0};
    unsigned long uid[3];
    unsigned long gid[3];

    if (!read_proc(pid, "status", &text) || !read_ids(bl_buf_text(&text), "\nUid:", uid) ||
        !read_ids(bl_buf_text(&text), "\nGid:", gid)) {
        return false;
    }
    out->uid = (uid_t)uid[0];
    out->gid = (gid_t)gid[0];
    out->is_of_one = uid[0] == uid[1] && uid[0] == uid[2];
    return true;
}

static const char *read_name(pid_t pid, struct bl_arena *arena)
{
    BL_AUTO_BUF text = {0};
    char *name;

    read_proc(pid, "comm", &text);
    name = bl_arena_copy_text(arena, bl_buf_text(&text));
    name[strcspn(name, "\n")] = '\0';
    return name;
}

static void read_command(pid_t pid, struct bl_arena *arena, struct bl_proc_about *out)
{
    BL_AUTO_BUF text = {0};
    size_t at = 0;

    read_most(pid, "cmdline", BL_PROC_COMMAND_BYTES_MAX, &text);
    if (text.length > BL_PROC_COMMAND_BYTES_MAX) {
        text.length = BL_PROC_COMMAND_BYTES_MAX;
    }
    out->argv = bl_arena_alloc(arena, (BL_PROC_ARGS_MAX + 1) * sizeof *out->argv);
    while (at < text.length && out->argc < BL_PROC_ARGS_MAX) {
        size_t length = strnlen(text.text + at, text.length - at);
        size_t kept = length < BL_PROC_ARG_BYTES_MAX ? length : BL_PROC_ARG_BYTES_MAX - 1;
        char *word = bl_arena_alloc(arena, kept + 1);

        memcpy(word, text.text + at, kept);
        out->argv[out->argc++] = word;
        at += length + 1;
    }
    if (out->argc == 0 || !out->argv[0][0]) {
        out->argv[0] = bl_arena_copy_text(arena, out->name);
        out->argc = out->argc ? out->argc : 1;
    }
}

/* The value of a name in a block of zero-ended texts, in the arena; NULL when it is not there. */
static const char *find_value(const struct bl_buf *block, const char *name, struct bl_arena *arena)
{
    size_t length = strlen(name);

    for (size_t at = 0; at < block->length;) {
        size_t bytes = strnlen(block->text + at, block->length - at);

        if (bytes > length && block->text[at + length] == '=' &&
            memcmp(block->text + at, name, length) == 0) {
            return bl_arena_copy_text(arena, block->text + at + length + 1);
        }
        at += bytes + 1;
    }
    return NULL;
}

static void read_environment(pid_t pid, struct bl_arena *arena, struct bl_proc_about *out)
{
    BL_AUTO_BUF block = {0};

    read_proc(pid, "environ", &block);
    bl_buf_append_char(&block, '\0'); /* what was cut off has its end */
    out->devices = find_value(&block, "CUDA_VISIBLE_DEVICES", arena);
    out->token = find_value(&block, BL_SPAWN_TOKEN_NAME, arena);
}

/* The path is told only if it leads to that very file. */
static const char *read_output(pid_t pid, struct bl_arena *arena)
{
    const char *path = read_link(pid, "fd/1", arena);
    char link[64];
    struct stat there;
    struct stat here;

    snprintf(link, sizeof link, "/proc/%d/fd/1", (int)pid);
    return path && stat(link, &there) == 0 && S_ISREG(there.st_mode) && stat(path, &here) == 0 &&
                   here.st_dev == there.st_dev && here.st_ino == there.st_ino
               ? path
               : NULL;
}

bool bl_proc_describe(pid_t pid, struct bl_arena *arena, struct bl_proc_about *out)
{
    struct bl_proc_about about = {0};
    struct bl_proc again;

    if (!bl_proc_read(pid, &about.proc) || !read_status(pid, &about)) {
        return false;
    }
    about.is_kernels = (stat_number(pid, FIELD_FLAGS) & KERNEL_THREAD) != 0;
    about.name = read_name(pid, arena);
    read_command(pid, arena, &about);
    about.workdir = read_link(pid, "cwd", arena);
    about.output = read_output(pid, arena);
    read_environment(pid, arena, &about);
    if (!bl_proc_read(pid, &again) || again.start_ticks != about.proc.start_ticks) {
        return false;
    }
    *out = about;
    return true;
}

bool bl_proc_is_users(pid_t pid, uid_t uid)
{
    struct bl_proc_about about;

    return !read_status(pid, &about) || (about.is_of_one && about.uid == uid);
}

const char *bl_proc_boot(struct bl_arena *arena)
{
    char text[64] = "";
    BL_AUTO_FD fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    ssize_t length = fd >= 0 ? read(fd, text, sizeof text - 1) : 0;

    text[length > 0 ? length : 0] = '\0';
    text[strcspn(text, "\n")] = '\0';
    return bl_arena_copy_text(arena, text);
}

/* ---- its end ---- */

/* Linux 6.15 tells how a process ended to whoever held a descriptor, once its parent has waited for
 * it. The headers of older systems do not have it. */
struct pidfd_info {
    uint64_t mask;
    uint64_t cgroup;
    uint32_t pid, tgid, ppid;
    uint32_t ids[8];
    int32_t exit_code;
};

#define PIDFD_INFO_EXIT UINT64_C(8)
#define PIDFD_GET_INFO  _IOWR(0xFF, 11, struct pidfd_info)

static bool ask_descriptor(int pidfd, int *status)
{
    struct pidfd_info info = {.mask = PIDFD_INFO_EXIT};

    if (pidfd < 0 || ioctl(pidfd, PIDFD_GET_INFO, &info) != 0 || !(info.mask & PIDFD_INFO_EXIT)) {
        return false;
    }
    *status = info.exit_code;
    return true;
}

/* To whom it may not look closer the kernel says 0. A zombie has no program to link to any more. */
static bool may_look_closer(pid_t pid)
{
    char path[64];
    char target[8];

    snprintf(path, sizeof path, "/proc/%d/exe", (int)pid);
    return readlink(path, target, sizeof target) >= 0 || errno == ENOENT;
}

/* Until its parent has waited for it, it is a zombie with a status. */
static bool ask_zombie(const struct bl_proc *proc, int *status)
{
    BL_AUTO_BUF text = {0};
    struct bl_proc now;
    const char *at = NULL;

    if (!read_proc(proc->pid, "stat", &text) || !bl_proc_read(proc->pid, &now) ||
        now.start_ticks != proc->start_ticks || now.state != 'Z') {
        return false;
    }
    at = stat_field(bl_buf_text(&text), FIELD_EXIT_CODE);
    if (!at || *stat_field(bl_buf_text(&text), 0) != 'Z' || !may_look_closer(proc->pid)) {
        return false;
    }
    *status = (int)strtol(at, NULL, 10);
    return true;
}

bool bl_proc_end_of(const struct bl_proc *proc, int pidfd, int *status)
{
    /* Between the two looks its parent may wait for it. */
    return ask_descriptor(pidfd, status) || ask_zombie(proc, status) ||
           ask_descriptor(pidfd, status);
}
