#include "daemon/identify.h"

#include "daemon/access.h"
#include "daemon/auth.h"
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
                                  "as 'Authorization: Bearer TOKEN' or in BALEEN_TOKEN");
}

static int check_scope(const struct bl_token *token, const char *method, struct bl_error *err)
{
    if (token->scope > BL_SCOPE_READ || strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0) {
        return BL_OK;
    }
    bl_fail(err, BL_EREFUSED, "token %lld may only look: its scope is read", (long long)token->id);
    return bl_error_set_hint(err, "changes need a token with the scope submit or admin");
}

/* Whoever sends an Authorization wants to be known. */
static bool may_be_guest(const struct bl_caller *caller)
{
    return !caller->authorization && caller->path &&
           bl_access_of(caller->method, caller->path) == BL_ACCESS_OPEN;
}

static bool is_metrics(const struct bl_caller *caller)
{
    return caller->path && strcmp(caller->path, "/metrics") == 0 &&
           strcmp(caller->method, "GET") == 0;
}

int bl_identify(const struct bl_identity_rules *rules, const struct bl_caller *caller,
                struct bl_peer *out, enum bl_answer *kind, struct bl_error *err)
{
    char room[PATH_TOKEN_MAX];
    const char *bearer = bearer_of(caller->authorization);
    const char *in_path = caller->authorization ? NULL : token_in_path(caller->path, room);
    const struct bl_token *token;

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
    if (rules->open_metrics && !caller->authorization && is_metrics(caller)) {
        out->uid = geteuid(); /* the figures are the daemon's own */
        return BL_OK;
    }
    *kind = BL_ANSWER_UNAUTHORIZED;
    if (!bearer && !in_path) {
        out->is_guest = may_be_guest(caller);
        return out->is_guest ? BL_OK : fail_no_token(caller, err);
    }
    token = bl_tokens_check(rules->tokens, bearer ? bearer : in_path, rules->now, err);
    if (!token) {
        return (int)err->status;
    }
    *kind = BL_ANSWER_FORBIDDEN;
    if (check_scope(token, caller->method, err) != BL_OK ||
        (in_path && check_path_token(token, err) != BL_OK)) {
        return (int)err->status;
    }
    *out = (struct bl_peer){.uid = (uid_t)token->uid,
                            .gid = (gid_t)token->gid,
                            .scope = token->scope,
                            .token = token->id,
                            .expires_at = token->expires_at};
    return BL_OK;
}
