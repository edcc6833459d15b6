/* Tokens: who has which, new ones, and taking them back. */
#include "base/own.h"
#include "base/units.h"
#include "daemon/api.h"
#include "daemon/auth.h"
#include "daemon/identify.h"
#include "daemon/zone.h"
#include "os/clock.h"
#include "os/log.h"

#include <assert.h>
#include <string.h>
#include <unistd.h>

int bl_api_identify(void *self, const struct bl_caller *caller, struct bl_peer *out,
                    enum bl_answer *kind, struct bl_error *err)
{
    const struct bl_api *api = self;
    struct bl_identity_rules rules = {.tokens = api->tokens,
                                      .sessions = api->sessions,
                                      .is_public = api->config->web.is_public,
                                      .open_metrics = api->config->listen.open_metrics,
                                      .hosts = api->config->listen.hosts,
                                      .now = bl_clock_wall()};

    return bl_identify(&rules, caller, out, kind, err);
}

static bool may_see(const struct bl_peer *peer, const struct bl_token *token)
{
    return bl_auth_is_manager(peer) || (int64_t)peer->uid == token->uid;
}

static void put_keys(struct bl_json *json, const struct bl_token *token)
{
    bl_json_put_int(json, "id", token->id);
    bl_json_put_text(json, "name", token->name[0] ? token->name : NULL);
    bl_json_put_text(json, "user", token->user);
    bl_json_put_text(json, "scope", bl_scope_name(token->scope));
    bl_json_put_instant(json, "created_at", token->created_at);
    bl_json_put_instant(json, "expires_at", token->expires_at);
}

/* --- list ------------------------------------------------------------------------------------ */

void bl_api_tokens(void *self, struct bl_request *request)
{
    const struct bl_api *api = self;
    const struct bl_token_list *list = bl_tokens_list(api->tokens);
    BL_AUTO_BUF body = {0};
    struct bl_json json;

    if (!bl_api_admit(request)) {
        return;
    }
    bl_api_open_list(&json, &body, "tokens");
    for (size_t i = 0; i < list->tokens.count; i++) {
        if (may_see(bl_request_peer(request), &list->tokens.at[i])) {
            bl_json_open_object(&json);
            put_keys(&json, &list->tokens.at[i]);
            bl_json_close_object(&json);
        }
    }
    bl_api_answer_list(request, 200, &json);
}

/* --- create ---------------------------------------------------------------------------------- */

/* One that is being made. */
struct making {
    const struct bl_api *api;
    const struct bl_peer *peer;
    struct bl_token_wish wish;
    struct bl_token token;
    enum bl_answer refusal;
    struct bl_error *err;
};

static int resolve_expiry(struct making *making)
{
    struct bl_token *token = &making->token;

    token->created_at = bl_clock_wall();
    if (bl_instant_resolve(&making->wish.expires, token->created_at, &bl_zone_local,
                           &token->expires_at, making->err) != BL_OK) {
        bl_wrap(making->err, "expires");
        return bl_error_set_field(making->err, "expires");
    }
    if (making->wish.expires.kind != BL_INSTANT_NONE && token->expires_at <= token->created_at) {
        bl_fail(making->err, BL_EINVAL, "expires: expected an instant to come");
        return bl_error_set_field(making->err, "expires");
    }
    return BL_OK;
}

/* A daemon that is not root's starts jobs of its own user alone: its tokens act as that user. */
static int resolve_user(struct making *making, struct bl_owner *out)
{
    *out = (struct bl_owner){making->peer->uid, making->peer->gid};
    if (geteuid() != 0) {
        *out = (struct bl_owner){geteuid(), getegid()};
    }
    if (making->wish.user && !bl_auth_find_user(making->wish.user, out)) {
        bl_fail(making->err, BL_EINVAL, "user: this machine knows no user '%s'", making->wish.user);
        return bl_error_set_field(making->err, "user");
    }
    return BL_OK;
}

static int check_rights(struct making *making, uid_t uid)
{
    bool is_own = uid == making->peer->uid;

    making->refusal = BL_ANSWER_FORBIDDEN;
    if (geteuid() != 0 && uid != geteuid()) {
        bl_fail(making->err, BL_EREFUSED,
                "this daemon starts jobs of its own user only, and so do its tokens");
        return bl_error_set_field(making->err, "user");
    }
    if (making->peer->token && !bl_auth_is_manager(making->peer)) {
        bl_fail(making->err, BL_EREFUSED, "only a token with the scope admin makes tokens");
        return bl_error_set_hint(making->err, "log in on the machine: baleen token create");
    }
    if (!is_own && bl_auth_check_manager(making->peer, "a token for another user", making->err)) {
        return (int)making->err->status;
    }
    if (making->wish.scope == BL_SCOPE_ADMIN &&
        bl_auth_check_manager(making->peer, "a token with the scope admin", making->err)) {
        return (int)making->err->status;
    }
    return BL_OK;
}

static int make(struct making *making, struct bl_buf *text, const struct bl_token **out)
{
    BL_AUTO_BUF user = {0};
    BL_AUTO_FREE char *name = bl_copy_text(making->wish.name ? making->wish.name : "");
    struct bl_owner owner;
    int status;

    if (resolve_user(making, &owner) != BL_OK || resolve_expiry(making) != BL_OK ||
        check_rights(making, owner.uid) != BL_OK) {
        return (int)making->err->status;
    }
    bl_auth_print_user(&user, owner.uid);
    making->token.user = user.text;
    making->token.name = name;
    making->token.uid = owner.uid;
    making->token.gid = owner.gid;
    making->token.scope = making->wish.scope;
    status = bl_tokens_create(making->api->tokens, &making->token, text, out, making->err);
    making->refusal = status == BL_EREFUSED ? BL_ANSWER_REFUSED : BL_ANSWER_UNAVAILABLE;
    return status;
}

static int take_in(struct making *making, const struct bl_buf *body, struct bl_buf *text,
                   const struct bl_token **out)
{
    struct bl_tree_source source = {"request body", bl_buf_text(body), body->length};
    struct bl_arena arena = {0};
    int status = bl_token_wish_read(&source, &arena, &making->wish, making->err);

    status = status == BL_OK ? make(making, text, out) : status;
    bl_arena_finish(&arena);
    return status;
}

void bl_api_create_token(void *self, struct bl_request *request)
{
    const struct bl_api *api = self;
    struct bl_error err = {0};
    struct making making = {
        .api = api, .peer = bl_request_peer(request), .refusal = BL_ANSWER_INVALID, .err = &err};
    const struct bl_token *token = NULL;
    BL_AUTO_BUF text = {0};
    BL_AUTO_BUF body = {0};
    struct bl_json json;

    if (!bl_api_admit(request)) {
        return;
    }
    if (take_in(&making, bl_request_body(request), &text, &token) != BL_OK) {
        bl_request_fail(request, making.refusal, &err);
        return;
    }
    assert(token);
    bl_log(BL_LOG_INFO, "token %lld (%s, as %s) was made by uid %ld", (long long)token->id,
           bl_scope_name(token->scope), token->user, (long)making.peer->uid);
    bl_json_init(&json, &body);
    bl_json_open_object(&json);
    put_keys(&json, token);
    bl_json_put_text(&json, "token", bl_buf_text(&text));
    bl_json_close_object(&json);
    bl_request_answer(request, 201, &body);
}

/* --- revoke ---------------------------------------------------------------------------------- */

static void answer_revoked(struct bl_request *request, int64_t id)
{
    BL_AUTO_BUF body = {0};
    struct bl_json json;

    bl_json_init(&json, &body);
    bl_json_open_object(&json);
    bl_json_put_int(&json, "id", id);
    bl_json_put_bool(&json, "revoked", true);
    bl_json_close_object(&json);
    bl_request_answer(request, 200, &body);
}

static void cut(void *self, int64_t mark)
{
    bl_http_cut(self, mark);
}

void bl_api_revoke_token(void *self, struct bl_request *request)
{
    const struct bl_api *api = self;
    const struct bl_peer *peer = bl_request_peer(request);
    const char *text = bl_request_param(request);
    const struct bl_token *token = NULL;
    struct bl_error err;
    int64_t id = 0;
    int status;

    if (!bl_api_admit(request)) {
        return;
    }
    if (bl_int_parse(text, 1, INT64_MAX, &id, NULL) == BL_OK) {
        token = bl_tokens_find(api->tokens, id);
    }
    if (!token || !may_see(peer, token)) {
        bl_fail(&err, BL_ENOTFOUND, "there is no token %s", text);
        bl_error_set_hint(&err, "baleen token list");
        bl_request_fail(request, BL_ANSWER_NOT_FOUND, &err);
        return;
    }
    status = bl_tokens_revoke(api->tokens, id, &err);
    bl_http_cut(api->http, id);
    bl_sessions_end_of(api->sessions, id, &(struct bl_session_listener){api->http, cut});
    if (status != BL_OK) {
        bl_request_fail(request, BL_ANSWER_UNAVAILABLE, &err);
        return;
    }
    bl_log(BL_LOG_INFO, "token %lld was revoked by uid %ld", (long long)id, (long)peer->uid);
    answer_revoked(request, id);
}
