/* The tokens of a state directory: made once shown, kept hashed, gone at once when revoked.
 *
 * A token is "bl_ID_SECRET"; see daemon/secret.h. */
#ifndef BL_DAEMON_TOKENS_H
#define BL_DAEMON_TOKENS_H

#include "base/buf.h"
#include "form/token.h"

struct bl_tokens;

/* Reads STATE/tokens.json; a file that is not there holds none. */
int bl_tokens_open(const char *state_dir, struct bl_tokens **out, struct bl_error *err);
/* The same with a file of any name. */
int bl_tokens_open_file(const char *path, struct bl_tokens **out, struct bl_error *err);
void bl_tokens_close(struct bl_tokens *tokens);

/* Makes one like `wish`, which is copied (its id and hash are set here); it is on disk before its
 * text is appended to `text`. `*out` is borrowed until the next change. */
int bl_tokens_create(struct bl_tokens *tokens, const struct bl_token *wish, struct bl_buf *text,
                     const struct bl_token **out, struct bl_error *err);
int bl_tokens_revoke(struct bl_tokens *tokens, int64_t id, struct bl_error *err);
int bl_tokens_revoke_all(struct bl_tokens *tokens, struct bl_error *err);

/* Forgets what has expired; the file follows with the next change. */
void bl_tokens_drop_expired(struct bl_tokens *tokens, bl_time now);

/* The token with that text, or NULL with *err saying whether it is unknown or has expired. */
const struct bl_token *bl_tokens_check(const struct bl_tokens *tokens, const char *text,
                                       bl_time now, struct bl_error *err);

const struct bl_token *bl_tokens_find(const struct bl_tokens *tokens, int64_t id); /* or NULL */
/* All of them in order of id. */
const struct bl_token_list *bl_tokens_list(const struct bl_tokens *tokens);

#endif
