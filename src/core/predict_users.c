#include "core/predict_users.h"

#include "base/own.h"

#include <stdlib.h>

static void forget_first(struct bl_map *users)
{
    size_t cursor = 0;
    const int64_t *first = bl_map_next(users, &cursor);

    free(bl_map_remove(users, *first));
}

void *bl_users_open(struct bl_map *users, int64_t key, size_t bytes, size_t most)
{
    int64_t *user = bl_map_find(users, key);

    if (user) {
        return user;
    }
    if (users->count == most) {
        forget_first(users);
    }
    user = bl_alloc_zero(bytes);
    *user = key;
    bl_map_insert(users, key, user);
    return user;
}

void bl_users_finish(struct bl_map *users)
{
    bl_map_finish_owned(users);
}
