#include "daemon/auth.h"

#include "base/own.h"
#include "os/own_fd.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <sys/fsuid.h>
#include <sys/stat.h>
#include <sys/syscall.h>

enum { NAME_ROOM = 16 * 1024, GROUPS_MAX = 1024 };

void bl_auth_print_user(struct bl_buf *out, uid_t uid)
{
    char room[NAME_ROOM];
    struct passwd entry;
    struct passwd *found = NULL;

    if (getpwuid_r(uid, &entry, room, sizeof room, &found) == 0 && found) {
        bl_buf_append_text(out, found->pw_name);
    } else {
        bl_buf_printf(out, "%ld", (long)uid);
    }
}

void bl_auth_print_home(struct bl_buf *out, uid_t uid)
{
    char room[NAME_ROOM];
    struct passwd entry;
    struct passwd *found = NULL;

    if (getpwuid_r(uid, &entry, room, sizeof room, &found) == 0 && found && found->pw_dir) {
        bl_buf_append_text(out, found->pw_dir[0] == '/' ? found->pw_dir : "");
    }
}

bool bl_auth_find_user(const char *name, struct bl_owner *out)
{
    char room[NAME_ROOM];
    struct passwd entry;
    struct passwd *found = NULL;

    if (getpwnam_r(name, &entry, room, sizeof room, &found) != 0 || !found) {
        return false;
    }
    *out = (struct bl_owner){.uid = found->pw_uid, .gid = found->pw_gid};
    return true;
}

enum bl_scope bl_auth_scope_of(uid_t uid)
{
    return uid == 0 || uid == geteuid() ? BL_SCOPE_ADMIN : BL_SCOPE_SUBMIT;
}

int bl_auth_check_peer(const struct bl_peer *peer, struct bl_error *err)
{
    BL_AUTO_BUF name = {0};

    /* guests are shown only what is open to everybody */
    if (geteuid() == 0 || peer->uid == 0 || peer->uid == geteuid() || peer->is_guest) {
        return BL_OK;
    }
    bl_auth_print_user(&name, geteuid());
    return bl_fail(err, BL_EREFUSED, "this daemon serves the user %s only", bl_buf_text(&name));
}

int bl_auth_check_submitter(const struct bl_peer *peer, struct bl_error *err)
{
    BL_AUTO_BUF name = {0};

    if (geteuid() == 0 || peer->uid == geteuid()) {
        return BL_OK;
    }
    bl_auth_print_user(&name, geteuid());
    bl_fail(err, BL_EREFUSED, "this daemon runs as %s and can start jobs of that user only",
            bl_buf_text(&name));
    return bl_error_set_hint(err, "submit as %s, or run the daemon as root", bl_buf_text(&name));
}

bool bl_auth_is_manager(const struct bl_peer *peer)
{
    return peer->scope == BL_SCOPE_ADMIN;
}

int bl_auth_check_manager(const struct bl_peer *peer, const char *what, struct bl_error *err)
{
    BL_AUTO_BUF name = {0};

    if (bl_auth_is_manager(peer)) {
        return BL_OK;
    }
    bl_auth_print_user(&name, geteuid());
    bl_fail(err, BL_EREFUSED, "%s is for root%s%s only", what, geteuid() ? " and " : "",
            geteuid() ? bl_buf_text(&name) : "");
    return bl_error_set_hint(err, "ask who looks after this machine");
}

int bl_auth_check_owner(const struct bl_peer *peer, bl_job_id job, int64_t owner,
                        struct bl_error *err)
{
    BL_AUTO_BUF name = {0};

    if (bl_auth_is_manager(peer) || (int64_t)peer->uid == owner) {
        return BL_OK;
    }
    bl_auth_print_user(&name, (uid_t)owner);
    return bl_fail(err, BL_EREFUSED, "job %lld belongs to %s", (long long)job, bl_buf_text(&name));
}

int bl_auth_fail_stranger(uid_t uid, const char *project, struct bl_error *err)
{
    BL_AUTO_BUF name = {0};

    bl_auth_print_user(&name, uid);
    bl_fail(err, BL_EREFUSED, "project: %s is not in %s", bl_buf_text(&name), project);
    return bl_error_set_hint(err, "the members are those of the group '%s' of this machine",
                             project);
}

/* The library's setgroups changes all threads; the system call only this one. */
static void set_groups(const gid_t *groups, size_t count)
{
    long result = syscall(SYS_setgroups, count, groups);

    assert(result == 0);
}

static size_t find_groups(const struct bl_owner *owner, gid_t *groups)
{
    char room[NAME_ROOM];
    struct passwd entry;
    struct passwd *found = NULL;
    int count = GROUPS_MAX;

    groups[0] = owner->gid;
    if (getpwuid_r(owner->uid, &entry, room, sizeof room, &found) != 0 || !found ||
        getgrouplist(found->pw_name, owner->gid, groups, &count) < 0) {
        return 1;
    }
    return (size_t)count;
}

static int open_regular(const char *path)
{
    /* without blocking: a pipe in the log's place must not hold up the daemon */
    BL_AUTO_FD fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat info;

    if (fd < 0 || fstat(fd, &info) < 0) {
        return -1;
    }
    if (!S_ISREG(info.st_mode)) {
        errno = EINVAL;
        return -1;
    }
    return bl_take_fd(&fd);
}

int bl_auth_open(const struct bl_owner *owner, const char *path)
{
    gid_t own[GROUPS_MAX];
    gid_t theirs[GROUPS_MAX];
    int own_count;
    int fd;
    int saved;

    if (geteuid() != 0 || owner->uid == 0) {
        return open_regular(path);
    }
    own_count = getgroups(GROUPS_MAX, own);
    assert(own_count >= 0);
    set_groups(theirs, find_groups(owner, theirs));
    setfsgid(owner->gid);
    setfsuid(owner->uid);
    fd = open_regular(path);
    saved = errno;
    setfsuid(geteuid());
    setfsgid(getegid());
    set_groups(own, (size_t)own_count);
    errno = saved;
    return fd;
}
