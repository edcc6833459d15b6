/* Secrets that are given out once and kept as hashes. With 32 random bytes in them a fast hash is
 * as good as a slow one: there is nothing to guess. */
#ifndef BL_DAEMON_SECRET_H
#define BL_DAEMON_SECRET_H

#include "base/error.h"

#include <stdbool.h>

enum { BL_SECRET_ROOM = 44 /* with its end */, BL_SECRET_HASH_BYTES = 32 };

/* Once, before all else. */
int bl_secret_init(struct bl_error *err);

/* In base64 for URLs. */
void bl_secret_make(char out[BL_SECRET_ROOM]);
void bl_secret_hash(const char *secret, unsigned char out[BL_SECRET_HASH_BYTES]);

/* Takes the same time wherever they differ. */
bool bl_secret_is(const unsigned char *hash, const unsigned char *other);

#endif
