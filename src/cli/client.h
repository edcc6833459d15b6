/* The daemon's HTTP API over its unix socket or TCP, one request after the other. */
#ifndef BL_CLI_CLIENT_H
#define BL_CLI_CLIENT_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "cli/server.h"
#include "form/tree.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    BL_CLIENT_ANSWER_BYTES_MAX = BL_TREE_BYTES_MAX,
    BL_CLIENT_PATIENCE_S = 75 /* the daemon may keep a waiting request for 60 s */
};

struct bl_client;

/* What came back. Zeroes are empty; a reply can be used again and again. */
struct bl_reply {
    long status;
    struct bl_buf body;         /* the bytes as they came */
    const struct bl_tree *tree; /* the same read as JSON; lives in `arena` */
    struct bl_arena arena;
    int64_t log_next;  /* header Baleen-Log-Next, -1 without it */
    bool log_complete; /* header Baleen-Log-Complete: yes */
};

/* Where a daemon may be listening. `given` (a flag) wins over BALEEN_SOCKET, which wins over the
 * user's runtime directory, the user's folder in /tmp and the system's. Appends the first that
 * exists, or the one that a daemon of this user would make. Refuses a folder in /tmp that belongs
 * to somebody else. */
int bl_client_find_socket(const char *given, struct bl_buf *path, struct bl_error *err);

/* Copies what it needs of the server. */
struct bl_client *bl_client_create(const struct bl_server *server);
void bl_client_destroy(struct bl_client *client);

/* A descriptor that ends a request with BL_EREFUSED and *interrupted when it becomes readable. */
void bl_client_watch(struct bl_client *client, int fd);
bool bl_client_was_interrupted(const struct bl_client *client);

/* The answer as JSON. An answer of 400 and over is turned into the error that it carries. */
int bl_client_get(struct bl_client *client, const char *path, struct bl_reply *reply,
                  struct bl_error *err);
int bl_client_post(struct bl_client *client, const char *path, const char *body,
                   struct bl_reply *reply, struct bl_error *err);
int bl_client_patch(struct bl_client *client, const char *path, const char *body,
                    struct bl_reply *reply, struct bl_error *err);

int bl_client_delete(struct bl_client *client, const char *path, struct bl_reply *reply,
                     struct bl_error *err);

/* The answer as bytes. */
int bl_client_get_bytes(struct bl_client *client, const char *path, struct bl_reply *reply,
                        struct bl_error *err);

/* The error in an answer of 400 and over, BL_OK for others. */
int bl_client_judge(long status, const char *body, size_t length, struct bl_error *err);

/* Appends `text` as it may stand in a query. */
void bl_client_escape(struct bl_buf *out, const char *text);

void bl_reply_finish(struct bl_reply *reply);

#define BL_AUTO_REPLY __attribute__((cleanup(bl_reply_finish))) struct bl_reply

/* The daemon names a field of the request, the user knows a word for it: "request body: name: …"
 * becomes "WORD: …". */
void bl_client_name_field(struct bl_error *err, const char *word);

#endif
