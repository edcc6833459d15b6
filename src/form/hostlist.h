/* Names in the short form of host lists: "n[1-4]", "rack[1-2]n[01-16,20]". */
#ifndef BL_FORM_HOSTLIST_H
#define BL_FORM_HOSTLIST_H

#include "base/arena.h"
#include "base/error.h"

#include <stddef.h>

enum { BL_HOSTLIST_GROUPS_MAX = 4, BL_HOSTLIST_DIGITS_MAX = 9, BL_HOSTLIST_NAME_MAX = 255 };

struct bl_hostlist {
    const char **name; /* in the arena, in the order as written, the last group fastest */
    size_t count;
};

/* At most `most` names, each of letters, digits, '.', '_' and '-'. A range keeps the width of its
 * first number when that begins with a zero. Names may repeat. */
int bl_hostlist_expand(const char *text, size_t most, struct bl_arena *arena,
                       struct bl_hostlist *out, struct bl_error *err);

#endif
