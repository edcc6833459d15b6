/* HTTP over a unix socket and TCP on the event loop. libmicrohttpd below, which shows nowhere else.
 *
 * A request is handed to its route's handler once it has arrived whole and it is known who asks.
 * The handler answers at once or keeps the request and answers later; until then the connection
 * waits. */
#ifndef BL_DAEMON_HTTP_H
#define BL_DAEMON_HTTP_H

#include "base/buf.h"
#include "base/error.h"
#include "base/span.h"
#include "form/config_listen.h"
#include "form/token.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum {
    BL_HTTP_BODIES_MAX = 256 * 1024 * 1024,  /* of all requests that are arriving */
    BL_HTTP_GUEST_BODY_MAX = 4 * 1024,       /* of a request of nobody that is known */
    BL_HTTP_ANSWERS_MAX = 256 * 1024 * 1024, /* of all answers that are on their way */
    BL_HTTP_QUERY_KEYS_MAX = 10,
    BL_HTTP_HEADERS_MAX = 12 /* that a handler adds to an answer */
};

struct bl_loop;
struct bl_http;
struct bl_request;

/* The errors of the contract, each with its status and code. */
enum bl_answer {
    BL_ANSWER_INVALID,
    BL_ANSWER_UNAUTHORIZED,
    BL_ANSWER_FORBIDDEN,
    BL_ANSWER_NOT_FOUND,
    BL_ANSWER_METHOD,
    BL_ANSWER_TIMEOUT,
    BL_ANSWER_REFUSED,
    BL_ANSWER_CONFLICT, /* with what others have, or did meanwhile */
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

/* Who asks. */
struct bl_peer {
    uid_t uid;
    gid_t gid;
    enum bl_scope scope;
    int64_t token;      /* that it came with; 0 on the unix socket, < 0: a session of the page */
    bl_time expires_at; /* of either; 0 = never */
    bool is_guest;      /* nobody that is known: may look at what daemon/access.h opens */
};

/* What a request says of itself before its body is read; NULL what it does not say. */
struct bl_caller {
    const struct bl_peer *peer; /* as the kernel says, on the unix socket; NULL over TCP */
    const char *method, *path, *authorization, *host, *origin, *cookie;
    bool is_marked; /* bears the header X-Baleen, which no page of others can make a browser send */
};

enum { BL_HTTP_SOCKETS = 2 };

struct bl_http_options {
    int listen_fd[BL_HTTP_SOCKETS]; /* taken; -1 = none */
    const struct bl_config_limits *limits;
    const struct bl_route *route; /* ends with a row without a method */
    void *self;                   /* given to the handlers and to `identify` */
    /* Says who asks, or fails with *kind. */
    int (*identify)(void *self, const struct bl_caller *caller, struct bl_peer *out,
                    enum bl_answer *kind, struct bl_error *err);
};

int bl_http_create(struct bl_loop *loop, const struct bl_http_options *options,
                   struct bl_http **out, struct bl_error *err);
/* Requests that still wait are answered that the daemon stops, streams end. */
void bl_http_destroy(struct bl_http *http);

/* Ends what a token still has open: streams at once, and what waits gets no answer any more. */
void bl_http_cut(struct bl_http *http, int64_t token);

/* Answers with this status so far, from 100 to 599. */
int64_t bl_http_answered(const struct bl_http *http, int status);

/* Whether the peer has closed its end, as far as that can be told: over TCP one that has only sent
 * all looks the same. From any thread, as long as the request is not answered. */
bool bl_request_is_left(const struct bl_request *request);

const struct bl_peer *bl_request_peer(const struct bl_request *request);

/* Borrowed as long as the request is not answered. */
const char *bl_request_param(const struct bl_request *request);
const char *bl_request_query(const struct bl_request *request, const char *key);   /* or NULL */
const char *bl_request_header(const struct bl_request *request, const char *name); /* or NULL */
const struct bl_buf *bl_request_body(const struct bl_request *request);

/* Answers with `body`, which is emptied. The request is gone afterwards. */
void bl_request_answer(struct bl_request *request, int status, struct bl_buf *body);
void bl_request_fail(struct bl_request *request, enum bl_answer kind, const struct bl_error *err);

/* As bl_request_answer with bytes that are not JSON and further headers, up to the first without a
 * name. */
struct bl_headers {
    const char *type;
    int status; /* 0: 200 */
    const char *name[BL_HTTP_HEADERS_MAX + 1];
    const char *value[BL_HTTP_HEADERS_MAX + 1];
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

struct bl_json;
/* The key "error", into an object that is open. */
void bl_answer_write(struct bl_json *json, enum bl_answer kind, const struct bl_error *err);
/* Appends {"error": …} as docs/api.md has it. */
void bl_answer_print(struct bl_buf *out, enum bl_answer kind, const struct bl_error *err);
int bl_answer_status(enum bl_answer kind);

#endif
