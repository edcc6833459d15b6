/* Who has signed in to the page: sessions, kept hashed in the state directory so that they outlive
 * a restart, and the one-time codes that begin them, in memory alone. */
#ifndef BL_DAEMON_SESSIONS_H
#define BL_DAEMON_SESSIONS_H

#include "daemon/http.h"
#include "daemon/tokens.h"

enum {
    BL_SESSION_DAYS = 7,
    BL_CODE_MINUTES = 5,
    BL_CODES_MAX = 64 /* at once; the oldest gives way */
};

struct bl_sessions;

/* Reads STATE/sessions.json. `tokens` is asked whether the token that began a session is still
 * there, and must outlive it. */
int bl_sessions_open(const char *state_dir, const struct bl_tokens *tokens,
                     struct bl_sessions **out, struct bl_error *err);
void bl_sessions_close(struct bl_sessions *sessions);

/* Appends a code that signs in once, within BL_CODE_MINUTES, as that peer. */
void bl_sessions_make_code(struct bl_sessions *sessions, const struct bl_peer *peer, bl_time now,
                           struct bl_buf *text);

/* Begins a session, for who came with a code or with a token; its secret is appended to `text`.
 * `*out` is borrowed until the next change. A code is used up. */
int bl_sessions_begin_by_code(struct bl_sessions *sessions, const char *code, bl_time now,
                              struct bl_buf *text, const struct bl_token **out,
                              struct bl_error *err);
int bl_sessions_begin_by_token(struct bl_sessions *sessions, const struct bl_token *token,
                               bl_time now, struct bl_buf *text, const struct bl_token **out,
                               struct bl_error *err);

/* Who signed in with that secret; false where nobody did, or no more. */
bool bl_sessions_find(const struct bl_sessions *sessions, const char *text, bl_time now,
                      struct bl_peer *out);

/* What a peer that came by a session bears instead of the number of a token. */
int64_t bl_sessions_mark(const struct bl_token *session);
bool bl_sessions_is_mark(int64_t token);

int bl_sessions_end(struct bl_sessions *sessions, int64_t mark, struct bl_error *err);

/* Ends all there are, on disk as well, before anybody is served. `*count`: how many. */
int bl_sessions_end_all(struct bl_sessions *sessions, size_t *count, struct bl_error *err);

/* Ends the sessions, and the codes, that the token began; `ended` hears of each session's mark. */
struct bl_session_listener {
    void *self;
    void (*ended)(void *self, int64_t mark);
};
void bl_sessions_end_of(struct bl_sessions *sessions, int64_t token,
                        const struct bl_session_listener *listener);

#endif
