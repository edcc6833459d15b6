/* Who may do what: identity comes from the socket's peer credentials or from a token. */
#ifndef BL_DAEMON_AUTH_H
#define BL_DAEMON_AUTH_H

#include "base/buf.h"
#include "base/error.h"
#include "core/reason.h"
#include "daemon/http.h"

/* A daemon of an ordinary user serves that user and root; one of root serves everybody. */
int bl_auth_check_peer(const struct bl_peer *peer, struct bl_error *err);

/* Whether the peer may submit: a daemon that is not root starts processes as its own user only. */
int bl_auth_check_submitter(const struct bl_peer *peer, struct bl_error *err);

/* Whether the peer may act on a job of `owner`. */
int bl_auth_check_owner(const struct bl_peer *peer, bl_job_id job, int64_t owner,
                        struct bl_error *err);

struct bl_owner {
    uid_t uid;
    gid_t gid;
};

/* What somebody may who came by the socket. */
enum bl_scope bl_auth_scope_of(uid_t uid);

/* Whether the peer runs this daemon: root, the daemon's own user, and who bears an admin's token.
 */
bool bl_auth_is_manager(const struct bl_peer *peer);
/* The same for something that only they may do: "a priority above 0". */
int bl_auth_check_manager(const struct bl_peer *peer, const char *what, struct bl_error *err);

/* Says that the project is not theirs. */
int bl_auth_fail_stranger(uid_t uid, const char *project, struct bl_error *err);

/* The user with that name; false when there is none. */
bool bl_auth_find_user(const char *name, struct bl_owner *out);

/* Appends the user's name, or its number where it has none. */
void bl_auth_print_user(struct bl_buf *out, uid_t uid);

/* Appends the path of the user's home folder; nothing where there is none. */
void bl_auth_print_home(struct bl_buf *out, uid_t uid);

/* Opens a file for reading with the rights of that user (this thread's file-system rights for the
 * length of the call): regular files only. -1 with errno set when it cannot be opened. */
int bl_auth_open(const struct bl_owner *owner, const char *path);

#endif
