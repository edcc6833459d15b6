/* What http.c, connections.c and request_check.c share. */
#ifndef BL_DAEMON_HTTP_INSIDE_H
#define BL_DAEMON_HTTP_INSIDE_H

#include "daemon/gate.h"
#include "daemon/http.h"

#include <microhttpd.h>

/* Connections over the limit that are left to those who run the daemon. */
enum { BL_HTTP_RESERVE = 32 };

enum { BL_HTTP_STATUS_FIRST = 100, BL_HTTP_STATUS_END = 600 };

/* How far the request of a connection has come. */
enum bl_phase {
    BL_PHASE_IDLE,    /* no request line yet */
    BL_PHASE_BEGUN,   /* it arrives */
    BL_PHASE_READ,    /* it is handled, or streams */
    BL_PHASE_ANSWERED /* the answer is on its way */
};

struct bl_connection {
    struct bl_connection *next, *previous;
    struct bl_http *http;
    struct bl_peer peer; /* valid on the unix socket */
    bool is_tcp;
    int fd;
    enum bl_phase phase;
    bl_time since; /* of the phase, on the monotonic clock */
};

enum bl_stage { BL_STAGE_READING, BL_STAGE_HANDLING, BL_STAGE_WAITING, BL_STAGE_ANSWERED };

struct bl_request {
    struct bl_request *next, *previous;
    struct bl_http *http;
    struct bl_connection *connection;
    struct MHD_Connection *mhd;
    struct bl_peer peer;
    enum bl_stage stage;
    const struct bl_route *route;
    char *param;
    struct bl_buf body;
    size_t received;
    bool has_refusal;
    enum bl_answer refusal;
    struct bl_error refusal_err;
    int status;
    struct MHD_Response *response;
    size_t answer_bytes;
    struct bl_stream stream; /* `read` NULL when it is none */
    bool is_suspended;
    bool must_close; /* after the answer */
    bool is_cut;     /* its token was taken back */
};

struct bl_http {
    struct MHD_Daemon *mhd;
    struct bl_http_options options;
    struct bl_config_limits limits;
    struct bl_gate *gate[BL_HTTP_SOCKETS];
    struct bl_watch *readable, *timeout, *sweep;
    struct bl_connection connections; /* ring heads */
    struct bl_request requests;
    struct bl_connection *arriving; /* handed to the library a moment ago */
    size_t connection_count;
    size_t body_bytes, answer_bytes;
    int64_t answered[BL_HTTP_STATUS_END]; /* by status */
    bool is_stopping;
};

/* Lets the library work, soon: the caller may stand in one of its callbacks. */
void bl_http_run_soon(struct bl_http *http);

struct bl_connection *bl_connection_of(struct MHD_Connection *mhd);
void bl_connection_set_phase(struct bl_connection *connection, enum bl_phase phase);

/* Callbacks of the library and of the gates. */
void bl_connection_notify(void *self, struct MHD_Connection *mhd, void **context,
                          enum MHD_ConnectionNotificationCode code);
enum bl_gate_verdict bl_connection_take(void *self, int fd);

/* The most that the descriptors of this process allow. */
void bl_connections_fit_limit(struct bl_config_limits *limits);
/* What those hear for whom there is no room. */
void bl_connections_print_refusal(struct bl_buf *out, const struct bl_config_limits *limits);

/* Ends connections that take too long, and what expired tokens have open; goes on by itself. */
void bl_connections_sweep(void *self);

/* Looks at what came before the body; the first thing that is wrong becomes the answer. */
void bl_request_check(struct bl_request *request, const char *method, const char *url);
void bl_request_refuse(struct bl_request *request, enum bl_answer kind, const struct bl_error *err);

/* Ends a stream, or withholds an answer. */
void bl_request_cut(struct bl_request *request);

#endif
