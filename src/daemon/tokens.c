#include "daemon/tokens.h"

#include "base/own.h"
#include "base/units.h"
#include "os/fs.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    SECRET_BYTES = 32,
    SECRET_ROOM = sodium_base64_ENCODED_LEN(SECRET_BYTES, sodium_base64_VARIANT_URLSAFE_NO_PADDING),
    FILE_BYTES_MAX = 16 * 1024 * 1024
};

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
    struct bl_tokens *tokens = bl_alloc_zero(sizeof *tokens);
    BL_AUTO_BUF path = {0};
    int status = BL_OK;

    bl_buf_printf(&path, "%s/tokens.json", state_dir);
    tokens->path = bl_buf_take(&path);
    if (sodium_init() < 0) {
        status = bl_fail(err, BL_ESYSTEM, "the machine gives no random numbers");
    }
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

static void hash_secret(const char *secret, unsigned char *out)
{
    crypto_generichash(out, BL_TOKEN_HASH_BYTES, (const unsigned char *)secret, strlen(secret),
                       NULL, 0);
}

static void make_secret(char *out)
{
    unsigned char bytes[SECRET_BYTES];

    randombytes_buf(bytes, sizeof bytes);
    sodium_bin2base64(out, SECRET_ROOM, bytes, sizeof bytes,
                      sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    sodium_memzero(bytes, sizeof bytes);
}

int bl_tokens_create(struct bl_tokens *tokens, const struct bl_token *wish, struct bl_buf *text,
                     const struct bl_token **out, struct bl_error *err)
{
    struct bl_token token = *wish;
    char secret[SECRET_ROOM];

    if (tokens->list.tokens.count >= BL_TOKENS_MAX) {
        bl_fail(err, BL_EREFUSED, "there are %d tokens already", BL_TOKENS_MAX);
        return bl_error_set_hint(err, "revoke some: baleen token list");
    }
    make_secret(secret);
    hash_secret(secret, token.hash);
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

    hash_secret(secret, hash);
    if (!token || sodium_memcmp(hash, token->hash, sizeof hash) != 0) {
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
