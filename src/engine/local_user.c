#include "engine/local_user.h"

#include "base/own.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdint.h>
#include <unistd.h>

enum { PASSWD_BYTES_MAX = 64 * 1024 };

/* The supplementary groups of a user; false when there is no such user. */
static bool look_up(struct bl_local_user *user)
{
    BL_AUTO_FREE char *room = bl_alloc_zero(PASSWD_BYTES_MAX);
    struct passwd entry;
    struct passwd *found = NULL;
    int count = BL_LOCAL_GROUPS_MAX;

    if (getpwuid_r(user->uid, &entry, room, PASSWD_BYTES_MAX, &found) != 0 || !found) {
        return false;
    }
    user->group = bl_realloc_array(NULL, (size_t)count, sizeof *user->group);
    if (getgrouplist(entry.pw_name, user->gid, user->group, &count) < 0) {
        count = BL_LOCAL_GROUPS_MAX; /* the list was cut at the ceiling */
    }
    user->group_count = (size_t)count;
    return true;
}

/* The place of this user, or of the one that makes room. */
static struct bl_local_user *place_for(struct bl_local_users *users, uid_t uid, gid_t gid)
{
    for (size_t i = 0; i < users->count; i++) {
        if (users->user[i].uid == uid && users->user[i].gid == gid) {
            return &users->user[i];
        }
    }
    if (users->count < BL_LOCAL_USERS_MAX) {
        return &users->user[users->count++];
    }
    users->next = (users->next + 1) % BL_LOCAL_USERS_MAX;
    return &users->user[users->next];
}

const struct bl_local_user *bl_local_users_find(struct bl_local_users *users, int64_t uid,
                                                int64_t gid, bl_time now, int *error_number)
{
    struct bl_local_user *user;
    bool become = geteuid() == 0;

    if (uid < 0 || uid >= UINT32_MAX || gid < 0 || gid >= UINT32_MAX) {
        *error_number = EINVAL;
        return NULL;
    }
    if (!become && uid != (int64_t)geteuid()) {
        *error_number = EPERM;
        return NULL;
    }
    user = place_for(users, (uid_t)uid, (gid_t)gid);
    if (user->found_at && user->uid == (uid_t)uid && user->gid == (gid_t)gid &&
        now - user->found_at < BL_LOCAL_USER_KEPT) {
        return user;
    }
    free(user->group);
    *user = (struct bl_local_user){.uid = (uid_t)uid, .gid = (gid_t)gid, .become = become};
    if (become && !look_up(user)) {
        *error_number = ENOENT;
        return NULL;
    }
    user->found_at = now ? now : 1;
    return user;
}

void bl_local_users_finish(struct bl_local_users *users)
{
    for (size_t i = 0; i < users->count; i++) {
        free(users->user[i].group);
    }
    *users = (struct bl_local_users){0};
}
