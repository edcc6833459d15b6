#include "form/token.h"

#include "base/own.h"
#include "form/json_out.h"
#include "form/tree_read.h"

#include <string.h>

enum { VERSION = 1, HEX_LENGTH = 2 * BL_TOKEN_HASH_BYTES };

static const char *const scope_names[BL_SCOPE_COUNT + 1] = {"read", "submit", "admin", NULL};

const char *bl_scope_name(enum bl_scope scope)
{
    return scope_names[scope];
}

void bl_token_finish(struct bl_token *token)
{
    free(token->name);
    free(token->user);
    *token = (struct bl_token){0};
}

void bl_token_list_finish(struct bl_token_list *list)
{
    for (size_t i = 0; i < list->tokens.count; i++) {
        bl_token_finish(&list->tokens.at[i]);
    }
    BL_VEC_FINISH(&list->tokens);
}

/* --- the file -------------------------------------------------------------------------------- */

static void put_hash(struct bl_json *json, const unsigned char *hash)
{
    static const char digits[] = "0123456789abcdef";
    char text[HEX_LENGTH + 1] = "";

    for (size_t i = 0; i < BL_TOKEN_HASH_BYTES; i++) {
        text[2 * i] = digits[hash[i] >> 4];
        text[2 * i + 1] = digits[hash[i] & 15];
    }
    bl_json_put_text(json, "hash", text);
}

static void write_token(struct bl_json *json, const struct bl_token *token)
{
    bl_json_open_object(json);
    bl_json_put_int(json, "id", token->id);
    bl_json_put_text(json, "name", token->name);
    bl_json_put_text(json, "user", token->user);
    bl_json_put_int(json, "uid", token->uid);
    bl_json_put_int(json, "gid", token->gid);
    bl_json_put_text(json, "scope", bl_scope_name(token->scope));
    bl_json_put_int(json, "created_us", token->created_at);
    bl_json_put_int(json, "expires_us", token->expires_at);
    put_hash(json, token->hash);
    if (token->parent) {
        bl_json_put_int(json, "parent", token->parent);
    }
    bl_json_close_object(json);
}

void bl_token_list_write(struct bl_buf *out, const struct bl_token_list *list)
{
    struct bl_json json;

    bl_json_init(&json, out);
    bl_json_open_object(&json);
    bl_json_put_int(&json, "version", VERSION);
    bl_json_put_int(&json, "next_id", list->next_id);
    bl_json_key(&json, "tokens");
    bl_json_open_array(&json);
    for (size_t i = 0; i < list->tokens.count; i++) {
        write_token(&json, &list->tokens.at[i]);
    }
    bl_json_close_array(&json);
    bl_json_close_object(&json);
    bl_buf_append_char(out, '\n');
}

static int need(const struct bl_tree_reader *in, const struct bl_tree *map, const char *key,
                const struct bl_tree **out)
{
    *out = bl_tree_find(map, key);
    return *out ? BL_OK : bl_tree_fail(in->source, map, in->err, "expected the key %s", key);
}

static int read_number(const struct bl_tree_reader *in, const struct bl_tree *map, const char *key,
                       int64_t *out)
{
    const struct bl_tree *at;
    int status = need(in, map, key, &at);

    return status == BL_OK ? bl_tree_read_int(in, at, (struct bl_int_range){0, INT64_MAX}, out)
                           : status;
}

static int read_copy(const struct bl_tree_reader *in, const struct bl_tree *map, const char *key,
                     char **out)
{
    const struct bl_tree *at;
    const char *text = NULL;
    int status = need(in, map, key, &at);

    status = status == BL_OK ? bl_tree_read_text(in, at, &text) : status;
    *out = status == BL_OK ? bl_copy_text(text) : NULL;
    return status;
}

static int value_of(char digit)
{
    if (digit >= '0' && digit <= '9') {
        return digit - '0';
    }
    return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

static int read_hash(const struct bl_tree_reader *in, const struct bl_tree *map, unsigned char *out)
{
    const struct bl_tree *at;
    const char *text = "";
    int status = need(in, map, "hash", &at);

    status = status == BL_OK ? bl_tree_read_text(in, at, &text) : status;
    if (status != BL_OK) {
        return status;
    }
    if (strlen(text) != HEX_LENGTH || strspn(text, "0123456789abcdef") != HEX_LENGTH) {
        return bl_tree_fail_kind(in, at, "64 hexadecimal digits");
    }
    for (size_t i = 0; i < BL_TOKEN_HASH_BYTES; i++) {
        out[i] = (unsigned char)(value_of(text[2 * i]) * 16 + value_of(text[2 * i + 1]));
    }
    return BL_OK;
}

static int read_scope(const struct bl_tree_reader *in, const struct bl_tree *map,
                      enum bl_scope *out)
{
    const struct bl_tree *at;
    int word = 0;
    int status = need(in, map, "scope", &at);

    status = status == BL_OK ? bl_tree_read_word(in, at, scope_names, &word) : status;
    *out = (enum bl_scope)word;
    return status;
}

/* Half of it may be read when it fails. */
static int read_token(const struct bl_tree_reader *in, const struct bl_tree *map,
                      struct bl_token *out)
{
    static const char *const keys[] = {"id",         "name",       "user", "uid",    "gid", "scope",
                                       "created_us", "expires_us", "hash", "parent", NULL};
    const struct bl_tree *parent;

    if (bl_tree_check_keys(in->source, map, keys, in->err) != BL_OK ||
        read_number(in, map, "id", &out->id) != BL_OK ||
        read_copy(in, map, "name", &out->name) != BL_OK ||
        read_copy(in, map, "user", &out->user) != BL_OK ||
        read_number(in, map, "uid", &out->uid) != BL_OK ||
        read_number(in, map, "gid", &out->gid) != BL_OK ||
        read_scope(in, map, &out->scope) != BL_OK ||
        read_number(in, map, "created_us", &out->created_at) != BL_OK ||
        read_number(in, map, "expires_us", &out->expires_at) != BL_OK) {
        return (int)in->err->status;
    }
    parent = bl_tree_find(map, "parent");
    if (parent &&
        bl_tree_read_int(in, parent, (struct bl_int_range){0, INT64_MAX}, &out->parent) != BL_OK) {
        return (int)in->err->status;
    }
    return read_hash(in, map, out->hash);
}

static int read_tokens(const struct bl_tree_reader *in, const struct bl_tree *list,
                       struct bl_token_list *out)
{
    int64_t last = 0;

    if (list->kind != BL_TREE_LIST || list->child_count > BL_TOKENS_MAX) {
        return bl_tree_fail(in->source, list, in->err, "expected a list of at most %d tokens",
                            BL_TOKENS_MAX);
    }
    for (size_t i = 0; i < list->child_count; i++) {
        struct bl_token token = {0};
        int status = read_token(in, &list->child[i], &token);

        if (status == BL_OK && (token.id <= last || token.id >= out->next_id)) {
            status = bl_tree_fail(in->source, &list->child[i], in->err,
                                  "expected ids in rising order and below next_id, found %lld",
                                  (long long)token.id);
        }
        last = token.id;
        BL_VEC_PUSH(&out->tokens, token);
        if (status != BL_OK) {
            return status;
        }
    }
    return BL_OK;
}

static int read_file(const struct bl_tree_reader *in, const struct bl_tree *tree,
                     struct bl_token_list *out)
{
    static const char *const keys[] = {"version", "next_id", "tokens", NULL};
    const struct bl_tree *at;
    int64_t version = 0;

    if (tree->kind != BL_TREE_MAP) {
        return bl_tree_fail(in->source, tree, in->err, "expected a JSON object");
    }
    if (read_number(in, tree, "version", &version) != BL_OK) {
        return (int)in->err->status;
    }
    if (version != VERSION) {
        return bl_tree_fail(in->source, tree, in->err,
                            "expected version %d, found %lld: another version of baleen made it",
                            VERSION, (long long)version);
    }
    if (bl_tree_check_keys(in->source, tree, keys, in->err) != BL_OK ||
        read_number(in, tree, "next_id", &out->next_id) != BL_OK ||
        need(in, tree, "tokens", &at) != BL_OK) {
        return (int)in->err->status;
    }
    return read_tokens(in, at, out);
}

int bl_token_list_read(const struct bl_tree_source *source, struct bl_token_list *out,
                       struct bl_error *err)
{
    struct bl_token_list list = {0};
    struct bl_arena arena = {0};
    struct bl_error own = {0};
    struct bl_tree_reader in = {source, &arena, err ? err : &own};
    struct bl_tree *tree = NULL;
    int status = bl_json_read(source, &arena, &tree, in.err);

    status = status == BL_OK ? read_file(&in, tree, &list) : status;
    bl_arena_finish(&arena);
    if (status == BL_OK) {
        *out = list;
    } else {
        bl_token_list_finish(&list);
    }
    return status;
}

/* --- the wish -------------------------------------------------------------------------------- */

static int read_expires(const struct bl_tree_reader *in, const struct bl_tree *at,
                        struct bl_instant *out)
{
    struct bl_error cause = {0};

    if (at->kind != BL_TREE_SCALAR) {
        return bl_tree_fail_kind(in, at, "a time like 30d, or an instant like 2026-12-01");
    }
    if (bl_instant_parse(at->text, out, &cause) != BL_OK) {
        return bl_tree_fail_cause(in, at, &cause);
    }
    return BL_OK;
}

static int read_wish(const struct bl_tree_reader *in, const struct bl_tree *tree,
                     struct bl_token_wish *out)
{
    static const char *const keys[] = {"scope", "user", "name", "expires", NULL};
    const struct bl_tree *user;
    const struct bl_tree *name;
    const struct bl_tree *expires;
    int status;

    if (tree->kind != BL_TREE_MAP || !bl_tree_given(tree, "scope")) {
        return bl_tree_fail(in->source, tree, in->err,
                            "expected {\"scope\": \"read\", \"submit\" or \"admin\"}");
    }
    user = bl_tree_given(tree, "user");
    name = bl_tree_given(tree, "name");
    expires = bl_tree_given(tree, "expires");
    status = bl_tree_check_keys(in->source, tree, keys, in->err);
    status = status == BL_OK ? read_scope(in, tree, &out->scope) : status;
    status = status == BL_OK && user ? bl_tree_read_name(in, user, &out->user) : status;
    status = status == BL_OK && name ? bl_tree_read_name(in, name, &out->name) : status;
    return status == BL_OK && expires ? read_expires(in, expires, &out->expires) : status;
}

int bl_token_wish_read(const struct bl_tree_source *source, struct bl_arena *arena,
                       struct bl_token_wish *out, struct bl_error *err)
{
    struct bl_token_wish wish = {BL_SCOPE_READ, NULL, NULL, {BL_INSTANT_NONE, 0, {0}}};
    struct bl_tree_reader in = {source, arena, err};
    struct bl_tree *tree = NULL;
    int status = bl_json_read(source, arena, &tree, err);

    status = status == BL_OK ? read_wish(&in, tree, &wish) : status;
    if (status == BL_OK) {
        *out = wish;
    }
    return status;
}
