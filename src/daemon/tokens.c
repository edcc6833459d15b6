#include "daemon/tokens.h"

#include "base/own.h"
#include "base/units.h"
#include "daemon/secret.h"
#include "os/fs.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FILE_BYTES_MAX = 16 * 1024 * 1024 };

static const char prefix[] = "bl_";

struct bl_tokens {
    char *path;
    struct bl_token_list list;
};

static int read_file(struct bl_tokens *tokens, struct bl_error *err)
{
    BL_AUTO_BUF bytes = {0};
    struct bl_tree_source source;

    if (access(tokens->path, F_OK) != 0) {
        tokens->list.next_id = 1;
        return BL_OK;
    }
    if (bl_fs_read(tokens->path, FILE_BYTES_MAX, &bytes, err) != BL_OK) {
        return (int)err->status;
    }
    source = (struct bl_tree_source){tokens->path, bl_buf_text(&bytes), bytes.length};
    if (bl_token_list_read(&source, &tokens->list, err) != BL_OK) {
        return bl_error_set_hint(err, "move it away to start without tokens");
    }
    return BL_OK;
}

int bl_tokens_open(const char *state_dir, struct bl_tokens **out, struct bl_error *err)
{
    BL_AUTO_BUF path = {0};

    bl_buf_printf(&path, "%s/tokens.json", state_dir);
    return bl_tokens_open_file(bl_buf_text(&path), out, err);
}

int bl_tokens_open_file(const char *path, struct bl_tokens **out, struct bl_error *err)
{
    struct bl_tokens *tokens = bl_alloc_zero(sizeof *tokens);
    int status = bl_secret_init(err);

    tokens->path = bl_copy_text(path);
    status = status == BL_OK ? read_file(tokens, err) : status;
    if (status != BL_OK) {
        bl_tokens_close(tokens);
        return status;
    }
    *out = tokens;
    return BL_OK;
}

void bl_tokens_close(struct bl_tokens *tokens)
{
    if (tokens) {
        bl_token_list_finish(&tokens->list);
        free(tokens->path);
        free(tokens);
    }
}

/* --- changes --------------------------------------------------------------------------------- */

static int write_file(const struct bl_tokens *tokens, struct bl_error *err)
{
    BL_AUTO_BUF bytes = {0};

    bl_token_list_write(&bytes, &tokens->list);
    return bl_fs_write_atomic(tokens->path, 0600, bl_buf_text(&bytes), bytes.length, err);
}

int bl_tokens_create(struct bl_tokens *tokens, const struct bl_token *wish, struct bl_buf *text,
                     const struct bl_token **out, struct bl_error *err)
{
    struct bl_token token = *wish;
    char secret[BL_SECRET_ROOM];

    if (tokens->list.tokens.count >= BL_TOKENS_MAX) {
        bl_fail(err, BL_EREFUSED, "there are %d tokens already", BL_TOKENS_MAX);
        return bl_error_set_hint(err, "revoke some: baleen token list");
    }
    bl_secret_make(secret);
    bl_secret_hash(secret, token.hash);
    token.id = tokens->list.next_id++;
    token.name = bl_copy_text(wish->name);
    token.user = bl_copy_text(wish->user);
    BL_VEC_PUSH(&tokens->list.tokens, token);
    if (write_file(tokens, err) != BL_OK) {
        bl_token_finish(&tokens->list.tokens.at[--tokens->list.tokens.count]);
        return (int)err->status;
    }
    bl_buf_printf(text, "%s%lld_%s", prefix, (long long)token.id, secret);
    *out = &tokens->list.tokens.at[tokens->list.tokens.count - 1];
    return BL_OK;
}

static size_t place_of(const struct bl_tokens *tokens, int64_t id)
{
    size_t low = 0;
    size_t high = tokens->list.tokens.count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (tokens->list.tokens.at[middle].id < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

const struct bl_token *bl_tokens_find(const struct bl_tokens *tokens, int64_t id)
{
    size_t place = place_of(tokens, id);
    bool is_there = place < tokens->list.tokens.count && tokens->list.tokens.at[place].id == id;

    return is_there ? &tokens->list.tokens.at[place] : NULL;
}

/* Where the file cannot be written it is refused all the same, and can be revoked again. */
int bl_tokens_revoke(struct bl_tokens *tokens, int64_t id, struct bl_error *err)
{
    size_t place = place_of(tokens, id);
    struct bl_token token;

    if (!bl_tokens_find(tokens, id)) {
        return bl_fail(err, BL_ENOTFOUND, "there is no token %lld", (long long)id);
    }
    token = tokens->list.tokens.at[place];
    BL_VEC_REMOVE(&tokens->list.tokens, place);
    if (write_file(tokens, err) != BL_OK) {
        token.expires_at = 1;
        BL_VEC_INSERT(&tokens->list.tokens, place, token);
        return bl_error_set_hint(err,
                                 "it is refused from now on, but a restart of the daemon would "
                                 "take it again: revoke it again when it can be written");
    }
    bl_token_finish(&token);
    return BL_OK;
}

/* None is taken any more, even where the file cannot be written. */
int bl_tokens_revoke_all(struct bl_tokens *tokens, struct bl_error *err)
{
    while (tokens->list.tokens.count > 0) {
        bl_token_finish(&tokens->list.tokens.at[--tokens->list.tokens.count]);
    }
    return write_file(tokens, err);
}

void bl_tokens_drop_expired(struct bl_tokens *tokens, bl_time now)
{
    for (size_t i = tokens->list.tokens.count; i-- > 0;) {
        struct bl_token token = tokens->list.tokens.at[i];

        if (token.expires_at > 0 && token.expires_at <= now) {
            BL_VEC_REMOVE(&tokens->list.tokens, i);
            bl_token_finish(&token);
        }
    }
}

/* --- checks ---------------------------------------------------------------------------------- */

/* "bl_7_…": the id and what stands behind it; 0 when it is no such text. */
static int64_t split(const char *text, const char **secret)
{
    size_t skip = sizeof prefix - 1;
    const char *mark = strncmp(text, prefix, skip) == 0 ? strchr(text + skip, '_') : NULL;
    BL_AUTO_FREE char *digits = NULL;
    int64_t id = 0;

    if (!mark || mark - text > 24) {
        return 0;
    }
    *secret = mark + 1;
    digits = bl_copy_part(text + skip, (size_t)(mark - text) - skip);
    return bl_int_parse(digits, 1, INT64_MAX, &id, NULL) == BL_OK ? id : 0;
}

const struct bl_token *bl_tokens_check(const struct bl_tokens *tokens, const char *text,
                                       bl_time now, struct bl_error *err)
{
    unsigned char hash[BL_TOKEN_HASH_BYTES];
    const char *secret = "";
    const struct bl_token *token = bl_tokens_find(tokens, split(text, &secret));

    bl_secret_hash(secret, hash);
    if (!token || !bl_secret_is(hash, token->hash)) {
        bl_fail(err, BL_EREFUSED, "the token is not known here: mistyped, or revoked");
        bl_error_set_hint(err, "make a new one on the machine: baleen token create");
        return NULL;
    }
    if (token->expires_at > 0 && token->expires_at <= now) {
        bl_fail(err, BL_EREFUSED, "the token has expired");
        bl_error_set_hint(err, "make a new one on the machine: baleen token create");
        return NULL;
    }
    return token;
}

const struct bl_token_list *bl_tokens_list(const struct bl_tokens *tokens)
{
    return &tokens->list;
}
