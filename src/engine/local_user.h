/* Who a job runs as, in numbers. Looking a user up may ask a server: answers are kept a while. */
#ifndef BL_ENGINE_LOCAL_USER_H
#define BL_ENGINE_LOCAL_USER_H

#include "base/span.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { BL_LOCAL_USERS_MAX = 64, BL_LOCAL_GROUPS_MAX = 1024 };
#define BL_LOCAL_USER_KEPT BL_MINUTE

struct bl_local_user {
    uid_t uid;
    gid_t gid;
    bool become; /* false: it is who this process is, nothing is to be changed */
    gid_t *group;
    size_t group_count;
    bl_time found_at;
};

/* Zeroes are an empty cache. */
struct bl_local_users {
    struct bl_local_user user[BL_LOCAL_USERS_MAX];
    size_t count;
    size_t next; /* the one to be replaced when the cache is full */
};

/* The user, borrowed until the next call. NULL with *error_number set: EPERM when this process may
 * not become somebody else, ENOENT when there is no such user. `now` is monotonic. */
const struct bl_local_user *bl_local_users_find(struct bl_local_users *users, int64_t uid,
                                                int64_t gid, bl_time now, int *error_number);

void bl_local_users_finish(struct bl_local_users *users);

#endif
