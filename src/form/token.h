/* Tokens that open the HTTP port: the file that keeps them, and the wish for a new one. */
#ifndef BL_FORM_TOKEN_H
#define BL_FORM_TOKEN_H

#include "base/vec.h"
#include "form/instant.h"
#include "form/tree.h"

#include <stdbool.h>
#include <stdint.h>

/* What its bearer may do; each may do what those before it may. */
enum bl_scope {
    BL_SCOPE_READ,   /* look */
    BL_SCOPE_SUBMIT, /* and submit, and change jobs of its own */
    BL_SCOPE_ADMIN,  /* and all that those who run the daemon may */
    BL_SCOPE_COUNT
};

enum { BL_TOKEN_HASH_BYTES = 32, BL_TOKENS_MAX = 4096 };

struct bl_token {
    int64_t id; /* never used twice */
    char *name; /* "" where it was given none */
    char *user; /* whom it acts as */
    int64_t uid, gid;
    enum bl_scope scope;
    bl_time created_at, expires_at; /* 0 = it does not expire */
    int64_t parent;                 /* of a session: the token that began it; 0 = none */
    unsigned char hash[BL_TOKEN_HASH_BYTES];
};

struct bl_token_list {
    int64_t next_id;
    BL_VEC(struct bl_token) tokens; /* in order of id */
};

const char *bl_scope_name(enum bl_scope scope);

void bl_token_finish(struct bl_token *token);
void bl_token_list_finish(struct bl_token_list *list);

/* The file: JSON. `*out` is written on success only. */
void bl_token_list_write(struct bl_buf *out, const struct bl_token_list *list);
int bl_token_list_read(const struct bl_tree_source *source, struct bl_token_list *out,
                       struct bl_error *err);

/* {"scope": "read", "user": "alice", "name": "dashboard", "expires": "30d"}; all but the scope may
 * be left away. Texts are in the arena. */
struct bl_token_wish {
    enum bl_scope scope;
    const char *user, *name; /* NULL where not given */
    struct bl_instant expires;
};
int bl_token_wish_read(const struct bl_tree_source *source, struct bl_arena *arena,
                       struct bl_token_wish *out, struct bl_error *err);

#endif
