/* What somebody shows to sign in to the page: {"token": "bl_7_…"} or {"code": "…"}. */
#ifndef BL_FORM_SIGNIN_H
#define BL_FORM_SIGNIN_H

#include "form/tree.h"

enum { BL_SIGNIN_BYTES_MAX = 256 /* of either */ };

/* In the arena; one of them, the other is NULL. */
struct bl_signin {
    const char *token, *code;
};
int bl_signin_read(const struct bl_tree_source *source, struct bl_arena *arena,
                   struct bl_signin *out, struct bl_error *err);

#endif
