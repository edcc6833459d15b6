/* Who is in a project. A project is known where a group of this machine has its name: its members
 * are then those of the group. Of others nobody knows who is in them. */
#ifndef BL_DAEMON_MEMBERS_H
#define BL_DAEMON_MEMBERS_H

#include "base/vec.h"

#include <stdbool.h>
#include <sys/types.h>

enum { BL_MEMBERS_ASKED_MAX = 256 /* projects of one list that are looked up */ };

enum bl_membership {
    BL_MEMBER,
    BL_STRANGER,
    BL_MEMBERSHIP_UNKNOWN /* there is no such group */
};

enum bl_membership bl_members_find(uid_t uid, const char *project);
bool bl_members_are_known(const char *project);

/* The same of the projects of a list, each looked up once; texts are borrowed. Zeroes are empty. */
struct bl_members_asked {
    const char *project;
    bool is_known;
};
struct bl_members_list {
    BL_VEC(struct bl_members_asked) asked;
};
/* NULL for no project, and for those beyond the most that are looked up. */
const bool *bl_members_ask(struct bl_members_list *list, const char *project);
void bl_members_finish(struct bl_members_list *list);

#endif
