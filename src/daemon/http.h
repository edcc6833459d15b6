/* HTTP over a unix socket on the event loop. libmicrohttpd below, which shows nowhere else.
 *
 * A request is handed to its route's handler once it has arrived whole. The handler answers at
 * once or keeps the request and answers later; until then the connection waits. */
#ifndef BL_DAEMON_HTTP_H
#define BL_DAEMON_HTTP_H

#include "base/buf.h"
#include "base/error.h"
#include "base/span.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum {
    BL_HTTP_BODY_MAX = 4 * 1024 * 1024,
    BL_HTTP_BODIES_MAX = 256 * 1024 * 1024, /* of all requests that are arriving */
    BL_HTTP_CONNECTIONS_MAX = 1024,
    BL_HTTP_CONNECTIONS_USER_MAX = 512, /* of one user, other than root */
    BL_HTTP_REQUEST_SECONDS = 30,       /* from its first byte to its last */
    BL_HTTP_QUERY_KEYS_MAX = 10
};

struct bl_loop;
struct bl_http;
struct bl_request;

/* The errors of the contract, each with its status and code. */
enum bl_answer {
    BL_ANSWER_INVALID,
    BL_ANSWER_FORBIDDEN,
    BL_ANSWER_NOT_FOUND,
    BL_ANSWER_METHOD,
    BL_ANSWER_TIMEOUT,
    BL_ANSWER_REFUSED,
    BL_ANSWER_TOO_LARGE,
    BL_ANSWER_UNAVAILABLE,
    BL_ANSWER_COUNT
};

/* A pattern's segment ":id" takes any text, which bl_request_param gives. */
struct bl_route {
    const char *method;
    const char *pattern;
    void (*handle)(void *self, struct bl_request *request);
    const char *query[BL_HTTP_QUERY_KEYS_MAX]; /* the keys it knows; others are refused */
};

struct bl_http_options {
    int listen_fd;                /* taken */
    const struct bl_route *route; /* ends with a row without a method */
    void *self;                   /* given to the handlers */
    bl_time request_time;         /* 0 = BL_HTTP_REQUEST_SECONDS */
};

int bl_http_create(struct bl_loop *loop, const struct bl_http_options *options,
                   struct bl_http **out, struct bl_error *err);
/* Requests that still wait are answered that the daemon stops, streams end. */
void bl_http_destroy(struct bl_http *http);

/* Who is at the other end, as the kernel says. */
struct bl_peer {
    uid_t uid;
    gid_t gid;
    pid_t pid;
};
const struct bl_peer *bl_request_peer(const struct bl_request *request);

/* Borrowed as long as the request is not answered. */
const char *bl_request_param(const struct bl_request *request);
const char *bl_request_query(const struct bl_request *request, const char *key);   /* or NULL */
const char *bl_request_header(const struct bl_request *request, const char *name); /* or NULL */
const struct bl_buf *bl_request_body(const struct bl_request *request);

/* Answers with `body`, which is emptied. The request is gone afterwards. */
void bl_request_answer(struct bl_request *request, int status, struct bl_buf *body);
void bl_request_fail(struct bl_request *request, enum bl_answer kind, const struct bl_error *err);

/* As bl_request_answer with bytes that are not JSON and two more headers. */
struct bl_headers {
    const char *type;
    const char *name[2];
    const char *value[2];
};
void bl_request_answer_bytes(struct bl_request *request, const struct bl_headers *headers,
                             struct bl_buf *body);

/* Answers with a stream of server-sent events. `read` gives the next bytes, 0 when there are none
 * now: it is asked again after bl_request_wake. `finish` is called once, when the peer has gone or
 * the server stops; the request is gone afterwards. */
struct bl_stream {
    void *self;
    size_t (*read)(void *self, char *into, size_t room);
    void (*finish)(void *self);
};
void bl_request_stream(struct bl_request *request, const struct bl_stream *stream);
void bl_request_wake(struct bl_request *request);

/* Appends {"error": …} as docs/api.md has it. */
void bl_answer_print(struct bl_buf *out, enum bl_answer kind, const struct bl_error *err);
int bl_answer_status(enum bl_answer kind);

#endif
