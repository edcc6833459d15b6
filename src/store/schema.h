/* The journal's file: how it is made, told from a foreign one, and brought up to date. */
#ifndef BL_STORE_SCHEMA_H
#define BL_STORE_SCHEMA_H

#include "base/error.h"

#include <stdbool.h>

struct sqlite3;

enum {
    BL_SCHEMA_APPLICATION = 0x62616c6e, /* "baln", in the file's header */
    BL_SCHEMA_VERSION = 2
};

/* What can be done about a journal that cannot be read. */
#define BL_SCHEMA_WAY_OUT                                                                          \
    "the file is damaged, or a newer version wrote it: put back a copy of the state directory, "   \
    "or "                                                                                          \
    "start with an empty one by --state"

/* Adds the way out to an error that was made of a failure of `db`, when the file is damaged. */
void bl_schema_hint(struct sqlite3 *db, struct bl_error *err);

/* Makes an empty journal in `path`, complete or not at all. */
int bl_schema_create(const char *path, struct bl_error *err);

/* Looks at the header only, so that a foreign file stays as it is. BL_ENOTFOUND when there is no
 * file, BL_EREFUSED when it is not a journal of ours or of a newer version. */
int bl_schema_check_file(const char *path, struct bl_error *err);

/* The format of an open journal; -1 when it cannot be read. */
int bl_schema_version(struct sqlite3 *db);

/* Brings an open journal from an older version to this one. */
int bl_schema_migrate(struct sqlite3 *db, const char *path, struct bl_error *err);

#endif
