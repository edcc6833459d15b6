/* Pieces of JSON text that is known to be well-formed, by their place: `--json` hands the daemon's
 * own words on, never a copy that was read and written anew. */
#ifndef BL_CLI_SLICE_H
#define BL_CLI_SLICE_H

#include "base/buf.h"

#include <stdbool.h>

/* Appends the items of the array under `key` of the outermost object, commas between them and one
 * before the first when `out` has items already (*any). */
void bl_slice_append_items(struct bl_buf *out, const char *json, const char *key, bool *any);

#endif
