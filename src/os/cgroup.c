#include "os/cgroup.h"

#include "os/own_fd.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH_BYTES_MAX = 4096, FILE_BYTES_MAX = 64 * 1024, DEPTH_MAX = 64 };

/* ---- one file of a group ---- */

static bool file_path(char *out, const char *group, const char *file)
{
    return snprintf(out, PATH_BYTES_MAX, "%s/%s", group, file) < PATH_BYTES_MAX;
}

/* 0 or an errno. */
static int write_file(const char *group, const char *file, const char *text)
{
    char path[PATH_BYTES_MAX];

    if (!file_path(path, group, file)) {
        return ENAMETOOLONG;
    }
    BL_AUTO_FD fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0 || write(fd, text, strlen(text)) < 0) {
        return errno;
    }
    return 0;
}

/* Appends the whole file; false when it cannot be read. */
static bool read_file(const char *path, struct bl_buf *out)
{
    char chunk[4096];
    ssize_t length;
    BL_AUTO_FD fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0) {
        return false;
    }
    while ((length = read(fd, chunk, sizeof chunk)) > 0 && out->length < FILE_BYTES_MAX) {
        bl_buf_append(out, chunk, (size_t)length);
    }
    return length >= 0;
}

static bool read_group_file(const char *group, const char *file, struct bl_buf *out)
{
    char path[PATH_BYTES_MAX];

    return file_path(path, group, file) && read_file(path, out);
}

/* Whether `word` stands in a text of words parted by spaces. */
static bool has_word(const char *text, const char *word)
{
    size_t length = strlen(word);

    for (const char *at = text; (at = strstr(at, word)); at += length) {
        bool starts = at == text || at[-1] == ' ';
        bool ends = at[length] == ' ' || at[length] == '\n' || at[length] == '\0';

        if (starts && ends) {
            return true;
        }
    }
    return false;
}

/* ---- where groups can be made ---- */

/* Appends a mount point; the kernel writes blanks in it as \040. */
static void append_unescaped(struct bl_buf *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\\' && i + 3 < length) {
            char digits[4] = {text[i + 1], text[i + 2], text[i + 3], '\0'};

            bl_buf_append_char(out, (char)strtol(digits, NULL, 8));
            i += 3;
        } else {
            bl_buf_append_char(out, text[i]);
        }
    }
}

int bl_cgroup_find_mount(const char *mounts, struct bl_buf *out, struct bl_error *err)
{
    for (const char *line = mounts; line && *line;) {
        const char *end = strchr(line, '\n');
        const char *point = strchr(line, ' ');
        const char *type = point ? strchr(point + 1, ' ') : NULL;

        if (type && (!end || type < end) && strncmp(type, " cgroup2 ", 9) == 0) {
            append_unescaped(out, point + 1, (size_t)(type - point - 1));
            return BL_OK;
        }
        line = end ? end + 1 : NULL;
    }
    return bl_fail(err, BL_ENOTFOUND, "no cgroup2 file system is mounted");
}

/* The path behind "0::", which is this process's group in the version 2 tree. */
static void append_own_group(const char *own, struct bl_buf *out)
{
    for (const char *line = own; line && *line;) {
        const char *end = strchr(line, '\n');

        /* "/.." leads out of this namespace's part of the tree */
        if (strncmp(line, "0::/", 4) == 0 && strncmp(line + 3, "/..", 3) != 0) {
            bl_buf_append(out, line + 3, end ? (size_t)(end - line - 3) : strlen(line + 3));
        }
        line = end ? end + 1 : NULL;
    }
    if (out->length && out->text[out->length - 1] == '/') {
        out->length--; /* "/" is the root: nothing to add to the mount */
        out->text[out->length] = '\0';
    }
}

/* Only the root of the tree has no type. */
static bool is_root(const char *group)
{
    BL_AUTO_BUF type = {0};

    return !read_group_file(group, "cgroup.type", &type);
}

static bool has_processes(const char *group)
{
    BL_AUTO_BUF processes = {0};

    return !read_group_file(group, "cgroup.procs", &processes) || processes.length > 0;
}

/* Asks for the controllers in the groups below; what is not to be had is left out. A group with
 * processes of its own can hand down threads at most: no process could enter the groups below. */
static void hand_down(const char *group)
{
    if (!is_root(group) && has_processes(group)) {
        return;
    }
    write_file(group, "cgroup.subtree_control", "+memory");
    write_file(group, "cgroup.subtree_control", "+cpu");
}

static bool make_directory(const char *path)
{
    return mkdir(path, 0755) == 0 || errno == EEXIST;
}

/* Processes must be movable into the base's groups, which a group that is only readable denies. */
static bool make_below(const char *top, const char *name, struct bl_buf *path)
{
    bl_buf_clear(path);
    hand_down(top);
    bl_buf_printf(path, "%s/baleen", top);
    if (!make_directory(bl_buf_text(path))) {
        return false;
    }
    hand_down(bl_buf_text(path));
    bl_buf_printf(path, "/%s", name);
    if (!make_directory(bl_buf_text(path)) || access(bl_buf_text(path), W_OK) != 0) {
        return false;
    }
    hand_down(bl_buf_text(path));
    return true;
}

/* Beside the own group, which holds this process and so cannot hand controllers down: below its
 * parent. The root is its own parent here. */
static void append_parent_group(const char *own, struct bl_buf *out)
{
    size_t mount_bytes = out->length;
    const char *slash;

    append_own_group(own, out);
    slash = strrchr(bl_buf_text(out) + mount_bytes, '/');
    if (slash) {
        out->length = (size_t)(slash - bl_buf_text(out));
        out->text[out->length] = '\0';
    }
}

int bl_cgroup_make_base(const char *mount, const char *own, const char *name,
                        struct bl_cgroup_base *out, struct bl_error *err)
{
    BL_AUTO_BUF beside = {0};
    BL_AUTO_BUF below = {0};
    BL_AUTO_BUF controllers = {0};

    *out = (struct bl_cgroup_base){0};
    bl_buf_append_text(&beside, mount);
    append_parent_group(own, &beside);
    bl_buf_append_text(&below, mount);
    append_own_group(own, &below);
    if (!make_below(bl_buf_text(&beside), name, &out->path) &&
        !make_below(bl_buf_text(&below), name, &out->path) &&
        !make_below(mount, name, &out->path)) {
        bl_fail_sys(err, "cannot make a control group below %s or %s", bl_buf_text(&below), mount);
        bl_cgroup_base_finish(out);
        return BL_ESYSTEM;
    }
    if (read_group_file(bl_buf_text(&out->path), "cgroup.subtree_control", &controllers)) {
        out->has_memory = has_word(bl_buf_text(&controllers), "memory");
        out->has_cpu = has_word(bl_buf_text(&controllers), "cpu");
    }
    return BL_OK;
}

int bl_cgroup_open_base(const char *name, struct bl_cgroup_base *out, struct bl_error *err)
{
    BL_AUTO_BUF mounts = {0};
    BL_AUTO_BUF own = {0};
    BL_AUTO_BUF mount = {0};
    int status;

    if (!read_file("/proc/self/mounts", &mounts) || !read_file("/proc/self/cgroup", &own)) {
        return bl_fail_sys(err, "cannot read /proc/self/mounts and /proc/self/cgroup");
    }
    status = bl_cgroup_find_mount(bl_buf_text(&mounts), &mount, err);
    if (!status) {
        status = bl_cgroup_make_base(bl_buf_text(&mount), bl_buf_text(&own), name, out, err);
    }
    return status;
}

void bl_cgroup_base_finish(struct bl_cgroup_base *base)
{
    bl_buf_finish(&base->path);
}

/* ---- a job's group ---- */

static int set_limit(const char *path, const char *file, int64_t value)
{
    char text[32];

    if (!value) {
        return 0;
    }
    snprintf(text, sizeof text, "%lld", (long long)value);
    return write_file(path, file, text);
}

/* An empty parent may have been tidied away since it was made. */
static bool make_with_parent(const char *path)
{
    char parent[PATH_BYTES_MAX];
    const char *slash = strrchr(path, '/');

    if (make_directory(path)) {
        return true;
    }
    if (errno != ENOENT || !slash || slash - path >= PATH_BYTES_MAX) {
        return false;
    }
    snprintf(parent, sizeof parent, "%.*s", (int)(slash - path), path);
    return make_directory(parent) && make_directory(path);
}

int bl_cgroup_make(const char *path, const struct bl_cgroup_limits *limits)
{
    int failed = 0;

    if (!make_with_parent(path)) {
        return errno;
    }
    failed = set_limit(path, "memory.high", limits->mem_high);
    if (!failed) {
        failed = set_limit(path, "memory.max", limits->mem_max);
    }
    if (!failed) {
        failed = set_limit(path, "cpu.weight", limits->cpu_weight);
    }
    return failed;
}

int bl_cgroup_enter(const char *path, int pid)
{
    char text[16];

    snprintf(text, sizeof text, "%d", pid);
    return write_file(path, "cgroup.procs", text);
}

bool bl_cgroup_kill(const char *path)
{
    return write_file(path, "cgroup.kill", "1") == 0;
}

bool bl_cgroup_is_populated(const char *path)
{
    BL_AUTO_BUF events = {0};

    return read_group_file(path, "cgroup.events", &events) &&
           strstr(bl_buf_text(&events), "populated 1") != NULL;
}

void bl_cgroup_each(const char *path, void (*call)(void *self, int pid), void *self)
{
    BL_AUTO_BUF text = {0};
    const char *at;

    if (!read_group_file(path, "cgroup.procs", &text)) {
        return;
    }
    for (at = bl_buf_text(&text); *at;) {
        char *end;
        long pid = strtol(at, &end, 10);

        if (end == at) {
            return;
        }
        if (pid > 0) { /* 0 stands for a process of another pid namespace */
            call(self, (int)pid);
        }
        at = *end == '\n' ? end + 1 : end;
    }
}

static bool remove_below(int parent, const char *name, int depth)
{
    int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *directory = fd >= 0 ? fdopendir(fd) : NULL;
    const struct dirent *entry;

    if (!directory) {
        if (fd >= 0) {
            close(fd);
        }
        return fd < 0 && errno == ENOENT;
    }
    while (depth < DEPTH_MAX && (entry = readdir(directory))) {
        if (entry->d_type == DT_DIR && entry->d_name[0] != '.') {
            remove_below(fd, entry->d_name, depth + 1);
        }
    }
    closedir(directory);
    return unlinkat(parent, name, AT_REMOVEDIR) == 0 || errno == ENOENT;
}

bool bl_cgroup_remove(const char *path)
{
    /* The common case has nothing below. */
    if (rmdir(path) == 0 || errno == ENOENT) {
        return true;
    }
    return remove_below(AT_FDCWD, path, 0);
}
