/* Signing in to the page, and out: see docs/api.md. */
#include "base/own.h"
#include "calendar/zone.h"
#include "daemon/api.h"
#include "daemon/auth.h"
#include "daemon/cookie.h"
#include "form/signin.h"
#include "os/clock.h"
#include "os/log.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

enum { STATUS_CREATED = 201 };

/* --- what there is --------------------------------------------------------------------------- */

static void put_peer(struct bl_json *json, const struct bl_peer *peer)
{
    BL_AUTO_BUF user = {0};

    bl_auth_print_user(&user, peer->uid);
    bl_json_put_text(json, "user", peer->is_guest ? NULL : bl_buf_text(&user));
    bl_json_put_text(json, "scope", peer->is_guest ? NULL : bl_scope_name(peer->scope));
    bl_json_put_bool(json, "admin", !peer->is_guest && bl_auth_is_manager(peer));
    bl_json_put_instant(json, "expires_at", peer->expires_at);
}

/* Where the last job of the user runs that is in memory; NULL = there is none. */
static const char *find_last_workdir(const struct bl_ledger *ledger, uid_t uid)
{
    const struct bl_ledger_job *entry;
    const struct bl_ledger_job *last = NULL;
    size_t cursor = 0;

    while ((entry = bl_map_next(&ledger->jobs, &cursor))) {
        if (entry->launch.workdir && entry->launch.uid == (int64_t)uid &&
            (!last || entry->id > last->id)) {
            last = entry;
        }
    }
    return last ? last->launch.workdir : NULL;
}

/* Where a form for jobs begins: in the folder that they used last, or at home. */
static void put_places(struct bl_json *json, const struct bl_api *api, const struct bl_peer *peer)
{
    const char *workdir = NULL;
    BL_AUTO_BUF home = {0};

    if (!peer->is_guest) {
        bl_auth_print_home(&home, peer->uid);
        workdir = find_last_workdir(bl_driver_ledger(api->driver), peer->uid);
    }
    workdir = workdir || !home.length ? workdir : bl_buf_text(&home);
    bl_json_put_text(json, "home", home.length ? bl_buf_text(&home) : NULL);
    bl_json_put_text(json, "workdir", workdir);
}

/* `set_cookie` NULL: the browser keeps what it has. */
static void answer(const struct bl_api *api, struct bl_request *request, const struct bl_peer *peer,
                   const char *set_cookie)
{
    struct bl_headers headers = {.type = "application/json",
                                 .name = {"Cache-Control", set_cookie ? "Set-Cookie" : NULL},
                                 .value = {"no-store", set_cookie}};
    BL_AUTO_BUF zone = {0};
    BL_AUTO_BUF body = {0};
    struct bl_json json;

    bl_tz_local_name(&zone);
    bl_json_init(&json, &body);
    bl_json_open_object(&json);
    put_peer(&json, peer);
    put_places(&json, api, peer);
    bl_json_put_text(&json, "zone", bl_buf_text(&zone));
    bl_json_put_bool(&json, "public", peer->is_guest && api->config->web.is_public);
    bl_json_close_object(&json);
    bl_request_answer_bytes(request, &headers, &body);
}

void bl_api_session(void *self, struct bl_request *request)
{
    answer(self, request, bl_request_peer(request), NULL);
}

/* --- in -------------------------------------------------------------------------------------- */

/* Origin is what the browser shows in its address line: https may end at a proxy before us. */
static void print_cookie(struct bl_buf *out, struct bl_request *request, const char *value,
                         bl_time age)
{
    static const char https[] = "https://";
    const char *origin = bl_request_header(request, "Origin");
    struct bl_cookie cookie = {
        .host = bl_request_header(request, "Host"),
        .value = value,
        .age = age,
        .is_secure = origin && strncasecmp(origin, https, sizeof https - 1) == 0,
    };

    bl_cookie_print(out, &cookie);
}

/* Signing in anew ends what the browser's cookie stood for. */
static void end_session_of(const struct bl_api *api, const struct bl_peer *peer)
{
    struct bl_error err;

    if (!bl_sessions_is_mark(peer->token)) {
        return;
    }
    if (bl_sessions_end(api->sessions, peer->token, &err) != BL_OK) {
        bl_log(BL_LOG_WARNING, "a session ended, but not on disk: %s", err.text);
    }
    bl_http_cut(api->http, peer->token);
}

struct entry {
    const struct bl_api *api;
    bl_time now;
    enum bl_answer refusal;
    struct bl_error err;
    const struct bl_token *session;
    struct bl_buf text; /* the session's secret */
};

static int begin(struct entry *entry, const struct bl_signin *signin)
{
    struct bl_sessions *sessions = entry->api->sessions;
    const struct bl_token *token = NULL;
    int status;

    entry->refusal = BL_ANSWER_UNAUTHORIZED;
    if (signin->code) {
        status = bl_sessions_begin_by_code(sessions, signin->code, entry->now, &entry->text,
                                           &entry->session, &entry->err);
    } else {
        token = bl_tokens_check(entry->api->tokens, signin->token, entry->now, &entry->err);
        status = token ? bl_sessions_begin_by_token(sessions, token, entry->now, &entry->text,
                                                    &entry->session, &entry->err)
                       : BL_EREFUSED;
    }
    if (status != BL_OK && status != BL_EREFUSED) {
        entry->refusal = BL_ANSWER_UNAVAILABLE;
    }
    return status;
}

static int read_and_begin(struct entry *entry, const struct bl_buf *body)
{
    struct bl_tree_source source = {"request body", bl_buf_text(body), body->length};
    struct bl_arena arena = {0};
    struct bl_signin signin;
    int status = bl_signin_read(&source, &arena, &signin, &entry->err);

    status = status == BL_OK ? begin(entry, &signin) : status;
    bl_arena_finish(&arena);
    return status;
}

static struct bl_peer peer_of(const struct bl_token *session)
{
    return (struct bl_peer){.uid = (uid_t)session->uid,
                            .gid = (gid_t)session->gid,
                            .scope = session->scope,
                            .token = bl_sessions_mark(session),
                            .expires_at = session->expires_at};
}

void bl_api_sign_in(void *self, struct bl_request *request)
{
    struct entry entry = {.api = self, .now = bl_clock_wall(), .refusal = BL_ANSWER_INVALID};
    BL_AUTO_BUF cookie = {0};
    struct bl_peer peer;

    if (read_and_begin(&entry, bl_request_body(request)) != BL_OK) {
        bl_request_fail(request, entry.refusal, &entry.err);
        bl_buf_finish(&entry.text);
        return;
    }
    assert(entry.session);
    peer = peer_of(entry.session);
    print_cookie(&cookie, request, bl_buf_text(&entry.text), peer.expires_at - entry.now);
    bl_buf_finish(&entry.text);
    bl_log(BL_LOG_INFO, "%s signed in to the page (%s)", entry.session->user,
           bl_scope_name(peer.scope));
    end_session_of(entry.api, bl_request_peer(request));
    answer(entry.api, request, &peer, bl_buf_text(&cookie));
}

/* --- out ------------------------------------------------------------------------------------- */

/* Also of a session that is over already: the cookie goes. */
void bl_api_sign_out(void *self, struct bl_request *request)
{
    static const struct bl_peer guest = {.uid = (uid_t)-1, .is_guest = true};
    const struct bl_api *api = self;
    BL_AUTO_BUF cookie = {0};

    end_session_of(api, bl_request_peer(request));
    print_cookie(&cookie, request, "", 0);
    answer(api, request, &guest, bl_buf_text(&cookie));
}

/* --- codes ----------------------------------------------------------------------------------- */

/* Where a browser on this machine finds the page. */
static void print_url(struct bl_buf *out, const char *url)
{
    static const struct {
        const char *any, *local;
    } rows[] = {{"http://0.0.0.0:", "http://127.0.0.1:"}, {"http://[::]:", "http://[::1]:"}};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t length = strlen(rows[i].any);

        if (strncmp(url, rows[i].any, length) == 0) {
            bl_buf_printf(out, "%s%s", rows[i].local, url + length);
            return;
        }
    }
    bl_buf_append_text(out, url);
}

static bool may_make_code(const struct bl_api *api, struct bl_request *request)
{
    struct bl_error err;

    if (bl_sessions_is_mark(bl_request_peer(request)->token)) {
        bl_fail(&err, BL_EREFUSED, "a session of the page lets nobody in");
        bl_error_set_hint(&err, "make a link on the machine: baleen web");
        bl_request_fail(request, BL_ANSWER_FORBIDDEN, &err);
        return false;
    }
    if (api->url[0] == '\0') {
        bl_fail(&err, BL_EREFUSED, "the daemon listens on its socket alone: no browser finds it");
        bl_error_set_hint(&err, "start it with --http ADDR:PORT of a port that is free, or set "
                                "listen.http");
        bl_request_fail(request, BL_ANSWER_REFUSED, &err);
        return false;
    }
    return true;
}

void bl_api_make_code(void *self, struct bl_request *request)
{
    const struct bl_api *api = self;
    bl_time now = bl_clock_wall();
    BL_AUTO_BUF code = {0};
    BL_AUTO_BUF url = {0};
    BL_AUTO_BUF body = {0};
    struct bl_json json;

    if (!bl_api_admit(request) || !may_make_code(api, request)) {
        return;
    }
    bl_sessions_make_code(api->sessions, bl_request_peer(request), now, &code);
    print_url(&url, api->url);
    bl_json_init(&json, &body);
    bl_json_open_object(&json);
    bl_json_put_text(&json, "code", bl_buf_text(&code));
    bl_json_put_text(&json, "url", bl_buf_text(&url));
    bl_json_put_instant(&json, "expires_at", now + BL_CODE_MINUTES * BL_MINUTE);
    bl_json_close_object(&json);
    bl_request_answer(request, STATUS_CREATED, &body);
}
