#include "daemon/sessions.h"

#include "base/own.h"
#include "daemon/auth.h"
#include "daemon/secret.h"

#include <stdlib.h>
#include <string.h>

struct code {
    unsigned char hash[BL_SECRET_HASH_BYTES];
    struct bl_peer peer;
    bl_time expires_at;
};

struct bl_sessions {
    const struct bl_tokens *tokens;
    struct bl_tokens *kept; /* a session is kept like a token */
    struct code code[BL_CODES_MAX];
    size_t code_count; /* the oldest first */
};

int bl_sessions_open(const char *state_dir, const struct bl_tokens *tokens,
                     struct bl_sessions **out, struct bl_error *err)
{
    struct bl_sessions *sessions = bl_alloc_zero(sizeof *sessions);
    BL_AUTO_BUF path = {0};

    bl_buf_printf(&path, "%s/sessions.json", state_dir);
    sessions->tokens = tokens;
    if (bl_tokens_open_file(bl_buf_text(&path), &sessions->kept, err) != BL_OK) {
        free(sessions);
        return (int)err->status;
    }
    *out = sessions;
    return BL_OK;
}

void bl_sessions_close(struct bl_sessions *sessions)
{
    if (sessions) {
        bl_tokens_close(sessions->kept);
        free(sessions);
    }
}

/* --- codes ----------------------------------------------------------------------------------- */

static void drop_code(struct bl_sessions *sessions, size_t place)
{
    sessions->code_count--;
    memmove(&sessions->code[place], &sessions->code[place + 1],
            (sessions->code_count - place) * sizeof *sessions->code);
}

static void drop_old_codes(struct bl_sessions *sessions, bl_time now)
{
    while (sessions->code_count > 0 && sessions->code[0].expires_at <= now) {
        drop_code(sessions, 0);
    }
}

void bl_sessions_make_code(struct bl_sessions *sessions, const struct bl_peer *peer, bl_time now,
                           struct bl_buf *text)
{
    struct code code = {.peer = *peer, .expires_at = now + BL_CODE_MINUTES * BL_MINUTE};
    char secret[BL_SECRET_ROOM];

    drop_old_codes(sessions, now);
    if (sessions->code_count == BL_CODES_MAX) {
        drop_code(sessions, 0);
    }
    bl_secret_make(secret);
    bl_secret_hash(secret, code.hash);
    sessions->code[sessions->code_count++] = code;
    bl_buf_append_text(text, secret);
}

/* Looks at all of them, so that the time it takes tells nothing. */
static bool take_code(struct bl_sessions *sessions, const char *text, bl_time now, struct code *out)
{
    unsigned char hash[BL_SECRET_HASH_BYTES];
    size_t found = BL_CODES_MAX;

    drop_old_codes(sessions, now);
    bl_secret_hash(text, hash);
    for (size_t i = 0; i < sessions->code_count; i++) {
        found = bl_secret_is(sessions->code[i].hash, hash) ? i : found;
    }
    if (found == BL_CODES_MAX) {
        return false;
    }
    *out = sessions->code[found];
    drop_code(sessions, found);
    return true;
}

/* --- sessions -------------------------------------------------------------------------------- */

/* Room for one more: what has expired goes, else the oldest. */
static int make_room(struct bl_sessions *sessions, bl_time now, struct bl_error *err)
{
    const struct bl_token_list *list = bl_tokens_list(sessions->kept);

    bl_tokens_drop_expired(sessions->kept, now);
    return list->tokens.count < BL_TOKENS_MAX
               ? BL_OK
               : bl_tokens_revoke(sessions->kept, list->tokens.at[0].id, err);
}

static int begin(struct bl_sessions *sessions, const struct bl_token *wish, struct bl_buf *text,
                 const struct bl_token **out, struct bl_error *err)
{
    char nothing[] = "";
    struct bl_token session = *wish;
    bl_time end = wish->created_at + BL_SESSION_DAYS * BL_DAY;

    session.name = nothing;
    session.expires_at = wish->expires_at > 0 && wish->expires_at < end ? wish->expires_at : end;
    if (make_room(sessions, wish->created_at, err) != BL_OK) {
        return (int)err->status;
    }
    return bl_tokens_create(sessions->kept, &session, text, out, err);
}

int bl_sessions_begin_by_code(struct bl_sessions *sessions, const char *code, bl_time now,
                              struct bl_buf *text, const struct bl_token **out,
                              struct bl_error *err)
{
    struct code found;
    BL_AUTO_BUF user = {0};
    struct bl_token wish;

    if (!take_code(sessions, code, now, &found)) {
        bl_fail(err, BL_EREFUSED, "the link was used already, or is older than %d minutes",
                BL_CODE_MINUTES);
        return bl_error_set_hint(err, "make a new one on the machine: baleen web");
    }
    bl_auth_print_user(&user, found.peer.uid);
    wish = (struct bl_token){.user = user.text,
                             .uid = found.peer.uid,
                             .gid = found.peer.gid,
                             .scope = found.peer.scope,
                             .created_at = now,
                             .expires_at = found.peer.expires_at,
                             .parent = found.peer.token};
    return begin(sessions, &wish, text, out, err);
}

int bl_sessions_begin_by_token(struct bl_sessions *sessions, const struct bl_token *token,
                               bl_time now, struct bl_buf *text, const struct bl_token **out,
                               struct bl_error *err)
{
    struct bl_token wish = *token;

    wish.parent = token->id;
    wish.created_at = now;
    return begin(sessions, &wish, text, out, err);
}

int64_t bl_sessions_mark(const struct bl_token *session)
{
    return -session->id;
}

bool bl_sessions_is_mark(int64_t token)
{
    return token < 0;
}

bool bl_sessions_find(const struct bl_sessions *sessions, const char *text, bl_time now,
                      struct bl_peer *out)
{
    struct bl_error err;
    const struct bl_token *session = bl_tokens_check(sessions->kept, text, now, &err);

    if (!session || (session->parent && !bl_tokens_find(sessions->tokens, session->parent))) {
        return false;
    }
    *out = (struct bl_peer){.uid = (uid_t)session->uid,
                            .gid = (gid_t)session->gid,
                            .scope = session->scope,
                            .token = bl_sessions_mark(session),
                            .expires_at = session->expires_at};
    return true;
}

int bl_sessions_end(struct bl_sessions *sessions, int64_t mark, struct bl_error *err)
{
    return bl_tokens_revoke(sessions->kept, -mark, err);
}

int bl_sessions_end_all(struct bl_sessions *sessions, size_t *count, struct bl_error *err)
{
    *count = bl_tokens_list(sessions->kept)->tokens.count;
    return *count > 0 ? bl_tokens_revoke_all(sessions->kept, err) : BL_OK;
}

static void drop_codes_of(struct bl_sessions *sessions, int64_t token)
{
    for (size_t i = sessions->code_count; i-- > 0;) {
        if (sessions->code[i].peer.token == token) {
            drop_code(sessions, i);
        }
    }
}

/* From the end: what ends leaves the list. One that cannot be taken off the disk is dead all the
 * same, as its token is not there any more. */
void bl_sessions_end_of(struct bl_sessions *sessions, int64_t token,
                        const struct bl_session_listener *listener)
{
    const struct bl_token_list *list = bl_tokens_list(sessions->kept);
    struct bl_error err;

    drop_codes_of(sessions, token);
    for (size_t i = list->tokens.count; i-- > 0;) {
        if (list->tokens.at[i].parent == token) {
            int64_t mark = bl_sessions_mark(&list->tokens.at[i]);

            bl_sessions_end(sessions, mark, &err);
            listener->ended(listener->self, mark);
        }
    }
}
