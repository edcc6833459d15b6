/* One daemon a state directory: STATE/lock, held by flock and so gone with its process. */
#ifndef BL_STORE_LOCK_H
#define BL_STORE_LOCK_H

#include "base/error.h"

/* Answers the descriptor that holds the lock; the lock ends when it is closed. BL_EREFUSED names
 * the process that holds it. */
int bl_state_lock(const char *state_dir, int *out, struct bl_error *err);

#endif
