#include "daemon/identify.h"

#include "daemon/access.h"
#include "daemon/auth.h"
#include "daemon/cookie.h"
#include "daemon/hosts.h"

#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { PATH_TOKEN_MAX = 128 };

static const char *bearer_of(const char *authorization)
{
    static const char scheme[] = "Bearer ";

    if (!authorization || strncasecmp(authorization, scheme, sizeof scheme - 1) != 0) {
        return NULL;
    }
    authorization += sizeof scheme - 1;
    return authorization + strspn(authorization, " ");
}

/* The token of an address like "/ical/TOKEN.ics", for programs that can send no header; NULL in
 * others. */
static const char *token_in_path(const char *path, char out[PATH_TOKEN_MAX])
{
    static const char folder[] = "/ical/";
    static const char suffix[] = ".ics";
    size_t length = path ? strlen(path) : 0;
    size_t around = sizeof folder + sizeof suffix - 2;

    if (length <= around || length - around >= PATH_TOKEN_MAX ||
        strncmp(path, folder, sizeof folder - 1) != 0 ||
        strcmp(path + length - sizeof suffix + 1, suffix) != 0) {
        return NULL;
    }
    memcpy(out, path + sizeof folder - 1, length - around);
    out[length - around] = '\0';
    return out;
}

/* An address is shown, kept and sent on: what stands in it may open nothing but a view. */
static int check_path_token(const struct bl_token *token, struct bl_error *err)
{
    if (token->scope == BL_SCOPE_READ) {
        return BL_OK;
    }
    bl_fail(err, BL_EREFUSED,
            "token %lld may do more than look: expected one with the scope read in "
            "the address of a calendar",
            (long long)token->id);
    return bl_error_set_hint(err, "make one with 'baleen token create --scope read'");
}

static int fail_no_token(const struct bl_caller *caller, struct bl_error *err)
{
    bl_fail(err, BL_EREFUSED,
            caller->authorization ? "expected 'Authorization: Bearer TOKEN', found another scheme"
                                  : "a request over TCP needs a token");
    return bl_error_set_hint(err, "make one on the machine with 'baleen token create', and send it "
                                  "as 'Authorization: Bearer TOKEN' or in BALEEN_TOKEN; for a "
                                  "browser, 'baleen web' prints a link that signs in");
}

static bool is_reading(const struct bl_caller *caller)
{
    return strcmp(caller->method, "GET") == 0 || strcmp(caller->method, "HEAD") == 0;
}

static int check_scope(const struct bl_peer *peer, const struct bl_caller *caller,
                       struct bl_error *err)
{
    if (peer->scope > BL_SCOPE_READ || is_reading(caller)) {
        return BL_OK;
    }
    if (bl_sessions_is_mark(peer->token)) {
        bl_fail(err, BL_EREFUSED, "this session may only look: its scope is read");
    } else {
        bl_fail(err, BL_EREFUSED, "token %lld may only look: its scope is read",
                (long long)peer->token);
    }
    return bl_error_set_hint(err, "changes need a token with the scope submit or admin");
}

static enum bl_access access_of(const struct bl_caller *caller)
{
    return caller->path ? bl_access_of(caller->method, caller->path) : BL_ACCESS_KNOWN;
}

static bool is_metrics(const struct bl_caller *caller)
{
    return caller->path && strcmp(caller->path, "/metrics") == 0 &&
           strcmp(caller->method, "GET") == 0;
}

/* A browser sends the cookie for pages of others as well, but not this header. */
static int check_mark(const struct bl_caller *caller, struct bl_error *err)
{
    if (caller->is_marked || is_reading(caller)) {
        return BL_OK;
    }
    bl_fail(err, BL_EREFUSED, "a change from the page needs the header X-Baleen");
    return bl_error_set_hint(err, "send 'X-Baleen: 1', or a token in 'Authorization'");
}

/* A cookie that is worth nothing any more is as good as none. */
static int identify_page(const struct bl_identity_rules *rules, const struct bl_caller *caller,
                         struct bl_peer *out, enum bl_answer *kind, struct bl_error *err)
{
    enum bl_access access = access_of(caller);
    char cookie[BL_COOKIE_ROOM];
    bool is_known = bl_cookie_find(caller->cookie, caller->host, cookie) &&
                    bl_sessions_find(rules->sessions, cookie, rules->now, out);

    out->is_guest = !is_known;
    if (!is_known && access != BL_ACCESS_OPEN && !(access == BL_ACCESS_VIEW && rules->is_public)) {
        return fail_no_token(caller, err);
    }
    *kind = BL_ANSWER_FORBIDDEN;
    if (check_mark(caller, err) != BL_OK) {
        return (int)err->status;
    }
    return access == BL_ACCESS_OPEN ? BL_OK : check_scope(out, caller, err);
}

static int identify_token(const struct bl_identity_rules *rules, const struct bl_caller *caller,
                          struct bl_peer *out, enum bl_answer *kind, struct bl_error *err)
{
    char room[PATH_TOKEN_MAX];
    const char *bearer = bearer_of(caller->authorization);
    const char *in_path = caller->authorization ? NULL : token_in_path(caller->path, room);
    const struct bl_token *token;

    if (!bearer && !in_path) {
        return caller->authorization ? fail_no_token(caller, err)
                                     : identify_page(rules, caller, out, kind, err);
    }
    token = bl_tokens_check(rules->tokens, bearer ? bearer : in_path, rules->now, err);
    if (!token) {
        return (int)err->status;
    }
    *out = (struct bl_peer){.uid = (uid_t)token->uid,
                            .gid = (gid_t)token->gid,
                            .scope = token->scope,
                            .token = token->id,
                            .expires_at = token->expires_at};
    *kind = BL_ANSWER_FORBIDDEN;
    if (check_scope(out, caller, err) != BL_OK ||
        (in_path && check_path_token(token, err) != BL_OK)) {
        return (int)err->status;
    }
    return BL_OK;
}

int bl_identify(const struct bl_identity_rules *rules, const struct bl_caller *caller,
                struct bl_peer *out, enum bl_answer *kind, struct bl_error *err)
{
    struct bl_peer peer;
    int status;

    if (caller->peer) {
        *out = *caller->peer;
        out->scope = bl_auth_scope_of(out->uid);
        return BL_OK;
    }
    *out = (struct bl_peer){.uid = (uid_t)-1, .gid = (gid_t)-1, .scope = BL_SCOPE_READ};
    *kind = BL_ANSWER_FORBIDDEN;
    if (bl_hosts_check(rules->hosts, caller->host, caller->origin, err) != BL_OK) {
        return (int)err->status;
    }
    peer = *out;
    if (rules->open_metrics && !caller->authorization && is_metrics(caller)) {
        out->uid = geteuid(); /* the figures are the daemon's own */
        return BL_OK;
    }
    *kind = BL_ANSWER_UNAUTHORIZED;
    status = identify_token(rules, caller, &peer, kind, err);
    *out = status == BL_OK ? peer : *out;
    return status;
}
