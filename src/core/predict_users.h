/* What a predictor remembers of each user: entries of its own in a map, which begin with their key
 * (int64_t). There is a ceiling; the first to come is the first to go. */
#ifndef BL_CORE_PREDICT_USERS_H
#define BL_CORE_PREDICT_USERS_H

#include "base/map.h"

/* The entry of the key; a new one of `bytes` zeroes but for the key where there is none. Owned by
 * the map until it goes or bl_users_finish. */
void *bl_users_open(struct bl_map *users, int64_t key, size_t bytes, size_t most);

void bl_users_finish(struct bl_map *users);

#endif
