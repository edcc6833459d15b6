#include "daemon/members.h"

#include "base/own.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <string.h>

enum { USER_ROOM = 16 * 1024, GROUPS_MAX = 1024, ROOM_FIRST = 16 * 1024, ROOM_MAX = 4 << 20 };

/* A group may have any number of members: the room grows until it holds them. */
static bool find_group(const char *name, gid_t *out)
{
    for (size_t size = ROOM_FIRST; size <= ROOM_MAX; size *= 4) {
        char *room = bl_alloc_zero(size);
        struct group entry;
        struct group *found = NULL;
        int status = getgrnam_r(name, &entry, room, size, &found);

        *out = found ? found->gr_gid : 0;
        free(room);
        if (status != ERANGE) {
            return found;
        }
    }
    return false;
}

static bool is_in(uid_t uid, gid_t group)
{
    char room[USER_ROOM];
    struct passwd entry;
    struct passwd *found = NULL;
    gid_t groups[GROUPS_MAX];
    int count = GROUPS_MAX;

    if (getpwuid_r(uid, &entry, room, sizeof room, &found) != 0 || !found ||
        getgrouplist(found->pw_name, found->pw_gid, groups, &count) < 0) {
        return false;
    }
    for (int i = 0; i < count; i++) {
        if (groups[i] == group) {
            return true;
        }
    }
    return false;
}

bool bl_members_are_known(const char *project)
{
    gid_t group;

    return find_group(project, &group);
}

enum bl_membership bl_members_find(uid_t uid, const char *project)
{
    gid_t group;

    if (!find_group(project, &group)) {
        return BL_MEMBERSHIP_UNKNOWN;
    }
    return is_in(uid, group) ? BL_MEMBER : BL_STRANGER;
}

const bool *bl_members_ask(struct bl_members_list *list, const char *project)
{
    for (size_t i = 0; project && i < list->asked.count; i++) {
        if (strcmp(list->asked.at[i].project, project) == 0) {
            return &list->asked.at[i].is_known;
        }
    }
    if (!project || list->asked.count == BL_MEMBERS_ASKED_MAX) {
        return NULL;
    }
    BL_VEC_PUSH(&list->asked, (struct bl_members_asked){project, bl_members_are_known(project)});
    return &list->asked.at[list->asked.count - 1].is_known;
}

void bl_members_finish(struct bl_members_list *list)
{
    BL_VEC_FINISH(&list->asked);
}
