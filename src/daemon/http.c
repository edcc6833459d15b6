#include "daemon/http.h"

#include "base/own.h"
#include "daemon/route.h"
#include "os/clock.h"
#include "os/log.h"
#include "os/loop.h"
#include "os/own_fd.h"

#include <assert.h>
#include <microhttpd.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>

enum {
    /* a body this far over the limit is still read, so that the peer hears the answer */
    SWALLOWED_MAX = 64 * 1024 * 1024,
    CONNECTION_MEMORY = 64 * 1024,
    IDLE_SECONDS = 60, /* no byte in either direction while answering */
    STREAM_BLOCK = 16 * 1024,
    LOG_TEXT_MAX = 512
};

/* How far the request of a connection has come. */
enum phase {
    PHASE_IDLE,  /* no request line yet */
    PHASE_BEGUN, /* it arrives */
    PHASE_READ   /* it is handled or answered */
};

struct connection {
    struct connection *next, *previous;
    struct bl_http *http;
    struct bl_peer peer;
    int fd;
    enum phase phase;
    bl_time since; /* of the phase, on the monotonic clock */
};

enum stage { STAGE_READING, STAGE_HANDLING, STAGE_WAITING, STAGE_ANSWERED };

struct bl_request {
    struct bl_request *next, *previous; /* among those that are suspended */
    struct bl_http *http;
    struct connection *connection;
    struct MHD_Connection *mhd;
    enum stage stage;
    const struct bl_route *route;
    char *param;
    struct bl_buf body;
    size_t received;
    bool has_refusal;
    enum bl_answer refusal;
    struct bl_error refusal_err;
    int status;
    struct MHD_Response *response;
    struct bl_stream stream; /* `read` NULL when it is none */
    bool is_suspended;
};

struct bl_http {
    struct MHD_Daemon *mhd;
    const struct bl_route *route;
    void *self;
    bl_time request_time;
    struct bl_watch *readable, *timeout, *sweep;
    struct connection connections; /* ring heads */
    struct bl_request suspended;
    size_t connection_count;
    size_t body_bytes;
    bool is_stopping;
};

/* --- the loop -------------------------------------------------------------------------------- */

static void arm_timeout(struct bl_http *http)
{
    MHD_UNSIGNED_LONG_LONG milliseconds;

    if (MHD_get_timeout(http->mhd, &milliseconds) == MHD_YES) {
        bl_watch_arm(http->timeout, (bl_time)milliseconds * BL_MILLISECOND);
    } else {
        bl_watch_disarm(http->timeout);
    }
}

static void run_mhd(void *self)
{
    struct bl_http *http = self;

    MHD_run(http->mhd);
    arm_timeout(http);
}

static void on_readable(void *self, uint32_t events)
{
    (void)events;
    run_mhd(self);
}

/* Not at once: the caller may stand in a callback of MHD. */
static void run_soon(struct bl_http *http)
{
    bl_watch_arm(http->timeout, 0);
}

__attribute__((format(printf, 2, 0))) static void log_line(void *self, const char *format,
                                                           va_list args)
{
    char text[LOG_TEXT_MAX];

    (void)self;
    vsnprintf(text, sizeof text, format, args);
    text[strcspn(text, "\n")] = '\0';
    bl_log(BL_LOG_DEBUG, "http: %s", text);
}

/* --- connections ----------------------------------------------------------------------------- */

static struct connection *connection_of(struct MHD_Connection *mhd)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_SOCKET_CONTEXT);

    assert(info && info->socket_context);
    return info->socket_context;
}

static void set_phase(struct connection *connection, enum phase phase)
{
    connection->phase = phase;
    connection->since = bl_clock_monotonic();
}

static size_t count_of_user(const struct bl_http *http, uid_t uid)
{
    const struct connection *ring = &http->connections;
    size_t count = 0;

    for (const struct connection *c = ring->next; c != ring; c = c->next) {
        count += c->peer.uid == uid;
    }
    return count;
}

static void connection_open(struct bl_http *http, struct MHD_Connection *mhd, void **context)
{
    struct connection *connection = bl_alloc_zero(sizeof *connection);
    struct ucred peer = {.uid = (uid_t)-1, .gid = (gid_t)-1};
    socklen_t length = sizeof peer;

    connection->http = http;
    connection->fd = MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
    if (getsockopt(connection->fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) < 0 ||
        (peer.uid != 0 && count_of_user(http, peer.uid) >= BL_HTTP_CONNECTIONS_USER_MAX)) {
        shutdown(connection->fd, SHUT_RDWR);
    }
    connection->peer = (struct bl_peer){.uid = peer.uid, .gid = peer.gid, .pid = peer.pid};
    set_phase(connection, PHASE_IDLE);
    connection->next = http->connections.next;
    connection->previous = &http->connections;
    connection->next->previous = connection;
    http->connections.next = connection;
    if (http->connection_count++ == 0) {
        bl_watch_arm(http->sweep, http->request_time / 4);
    }
    *context = connection;
}

static void connection_close(struct bl_http *http, void **context)
{
    struct connection *connection = BL_TAKE(*context);

    connection->next->previous = connection->previous;
    connection->previous->next = connection->next;
    http->connection_count--;
    free(connection);
}

static void on_connection(void *self, struct MHD_Connection *mhd, void **context,
                          enum MHD_ConnectionNotificationCode code)
{
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        connection_open(self, mhd, context);
    } else if (*context) {
        connection_close(self, context);
    }
}

/* Called with the request line: the request has begun. */
static void *on_request_line(void *self, const char *uri, struct MHD_Connection *mhd)
{
    (void)self;
    (void)uri;
    set_phase(connection_of(mhd), PHASE_BEGUN);
    return NULL;
}

/* MHD cannot answer what has not arrived; nothing was sent on this connection yet, so the answer
 * can go out by hand. */
static void send_timeout(const struct connection *connection)
{
    BL_AUTO_BUF body = {0};
    BL_AUTO_BUF message = {0};
    struct bl_error err;

    bl_fail(&err, BL_EINVAL, "the request did not arrive within %lld s",
            (long long)(connection->http->request_time / BL_SECOND));
    bl_answer_print(&body, BL_ANSWER_TIMEOUT, &err);
    bl_buf_printf(&message,
                  "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n"
                  "Content-Type: application/json\r\nContent-Length: %zu\r\n\r\n",
                  body.length);
    bl_buf_append(&message, bl_buf_text(&body), body.length);
    if (send(connection->fd, bl_buf_text(&message), message.length, MSG_DONTWAIT | MSG_NOSIGNAL) <
        0) {
        bl_log(BL_LOG_DEBUG, "http: a slow sender has gone");
    }
}

static void sweep(void *self)
{
    struct bl_http *http = self;
    bl_time now = bl_clock_monotonic();

    for (struct connection *c = http->connections.next; c != &http->connections; c = c->next) {
        if (c->phase == PHASE_READ || now - c->since < http->request_time) {
            continue;
        }
        if (c->phase == PHASE_BEGUN) {
            send_timeout(c);
        }
        shutdown(c->fd, SHUT_RDWR);
    }
    if (http->connection_count > 0) {
        bl_watch_arm(http->sweep, http->request_time / 4);
    }
}

/* --- answers --------------------------------------------------------------------------------- */

static void suspend(struct bl_request *request)
{
    struct bl_request *ring = &request->http->suspended;

    request->is_suspended = true;
    request->next = ring->next;
    request->previous = ring;
    request->next->previous = request;
    ring->next = request;
    MHD_suspend_connection(request->mhd);
}

static void resume(struct bl_request *request)
{
    request->is_suspended = false;
    request->next->previous = request->previous;
    request->previous->next = request->next;
    MHD_resume_connection(request->mhd);
    run_soon(request->http);
}

/* Takes the response. */
static void set_response(struct bl_request *request, int status, struct MHD_Response *response)
{
    bool was_waiting = request->stage == STAGE_WAITING;

    assert(response && (was_waiting || request->stage == STAGE_HANDLING));
    request->status = status;
    request->response = response;
    request->stage = STAGE_ANSWERED;
    if (was_waiting) {
        resume(request);
    }
}

static struct MHD_Response *response_of(struct bl_buf *body, const char *type)
{
    size_t length = body->length;
    struct MHD_Response *response =
        MHD_create_response_from_buffer(length, bl_buf_take(body), MHD_RESPMEM_MUST_FREE);

    assert(response);
    MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
    return response;
}

void bl_request_answer(struct bl_request *request, int status, struct bl_buf *body)
{
    set_response(request, status, response_of(body, "application/json"));
}

void bl_request_fail(struct bl_request *request, enum bl_answer kind, const struct bl_error *err)
{
    BL_AUTO_BUF body = {0};

    bl_answer_print(&body, kind, err);
    bl_request_answer(request, bl_answer_status(kind), &body);
}

void bl_request_answer_bytes(struct bl_request *request, const struct bl_headers *headers,
                             struct bl_buf *body)
{
    struct MHD_Response *response = response_of(body, headers->type);

    for (size_t i = 0; i < sizeof headers->name / sizeof headers->name[0]; i++) {
        MHD_add_response_header(response, headers->name[i], headers->value[i]);
    }
    set_response(request, MHD_HTTP_OK, response);
}

/* --- streams --------------------------------------------------------------------------------- */

static ssize_t read_stream(void *self, uint64_t position, char *into, size_t room)
{
    struct bl_request *request = self;
    size_t length;

    (void)position;
    if (request->http->is_stopping) {
        return MHD_CONTENT_READER_END_OF_STREAM;
    }
    length = request->stream.read(request->stream.self, into, room);
    if (length == 0) {
        suspend(request);
    }
    return (ssize_t)length;
}

void bl_request_stream(struct bl_request *request, const struct bl_stream *stream)
{
    struct MHD_Response *response = MHD_create_response_from_callback(
        MHD_SIZE_UNKNOWN, STREAM_BLOCK, read_stream, request, NULL);

    assert(response);
    request->stream = *stream;
    MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, "text/event-stream");
    MHD_add_response_header(response, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store");
    set_response(request, MHD_HTTP_OK, response);
}

void bl_request_wake(struct bl_request *request)
{
    if (request->is_suspended) {
        resume(request);
    }
}

/* --- requests -------------------------------------------------------------------------------- */

static void refuse(struct bl_request *request, enum bl_answer kind, const struct bl_error *err)
{
    if (!request->has_refusal) {
        request->has_refusal = true;
        request->refusal = kind;
        request->refusal_err = *err;
    }
}

static enum MHD_Result check_query(void *self, enum MHD_ValueKind kind, const char *key,
                                   const char *value)
{
    struct bl_request *request = self;
    struct bl_error err;

    (void)kind;
    if (!bl_route_has_query(request->route, key)) {
        bl_fail(&err, BL_EINVAL, "unknown key '%s' in the query", key);
        bl_error_set_field(&err, key);
        refuse(request, BL_ANSWER_INVALID, &err);
    } else if (!value) {
        bl_fail(&err, BL_EINVAL, "the key '%s' of the query needs a value", key);
        bl_error_set_field(&err, key);
        refuse(request, BL_ANSWER_INVALID, &err);
    }
    return MHD_YES;
}

static void find_route(struct bl_request *request, const char *method, const char *url)
{
    enum bl_answer kind;
    struct bl_error err;

    request->route = bl_route_find(request->http->route, method, url, &request->param, &kind);
    if (request->route) {
        MHD_get_connection_values(request->mhd, MHD_GET_ARGUMENT_KIND, check_query, request);
    } else if (kind == BL_ANSWER_METHOD) {
        bl_fail(&err, BL_EINVAL, "%s does not take %s", url, method);
        refuse(request, kind, &err);
    } else {
        bl_fail(&err, BL_ENOTFOUND, "there is nothing at %s", url);
        refuse(request, kind, &err);
    }
}

static struct bl_request *new_request(struct bl_http *http, struct MHD_Connection *mhd)
{
    struct bl_request *request = bl_alloc_zero(sizeof *request);

    request->http = http;
    request->mhd = mhd;
    request->connection = connection_of(mhd);
    request->body.ceiling = BL_HTTP_BODY_MAX;
    return request;
}

/* MHD calls it once for every request that has begun, however it ended. */
static void on_completed(void *self, struct MHD_Connection *mhd, void **context,
                         enum MHD_RequestTerminationCode code)
{
    struct bl_request *request = BL_TAKE(*context);

    (void)self;
    (void)code;
    set_phase(connection_of(mhd), PHASE_IDLE);
    if (!request) {
        return;
    }
    if (request->stream.finish) {
        request->stream.finish(request->stream.self);
    }
    request->http->body_bytes -= request->body.length;
    bl_buf_finish(&request->body);
    free(request->param);
    free(request);
}

/* Answers false when so much came that reading on makes no sense. */
static bool take_body(struct bl_request *request, const char *bytes, size_t length)
{
    struct bl_http *http = request->http;
    struct bl_error err;

    request->received += length;
    if (request->received > BL_HTTP_BODY_MAX) {
        bl_fail(&err, BL_ETOOBIG, "the body is larger than %d bytes", BL_HTTP_BODY_MAX);
        refuse(request, BL_ANSWER_TOO_LARGE, &err);
    } else if (http->body_bytes + length > BL_HTTP_BODIES_MAX) {
        bl_fail(&err, BL_ETOOBIG, "too many large requests at once: try again");
        refuse(request, BL_ANSWER_UNAVAILABLE, &err);
    }
    if (!request->has_refusal) {
        bl_buf_append(&request->body, bytes, length);
        http->body_bytes += length;
    }
    return request->received <= SWALLOWED_MAX;
}

static enum MHD_Result send_response(struct bl_request *request)
{
    enum MHD_Result result =
        MHD_queue_response(request->mhd, (unsigned)request->status, request->response);

    MHD_destroy_response(BL_TAKE(request->response));
    return result;
}

static enum MHD_Result handle(struct bl_request *request)
{
    set_phase(request->connection, PHASE_READ);
    request->stage = STAGE_HANDLING;
    if (request->has_refusal) {
        bl_request_fail(request, request->refusal, &request->refusal_err);
    } else {
        request->route->handle(request->http->self, request);
    }
    if (request->stage == STAGE_ANSWERED) {
        return send_response(request);
    }
    request->stage = STAGE_WAITING;
    suspend(request);
    return MHD_YES;
}

/* MHD calls it with the headers, with each piece of the body, at its end, and after a resume. */
/* NOLINTNEXTLINE(readability-function-size): MHD dictates the parameters */
static enum MHD_Result on_request(void *self, struct MHD_Connection *mhd, const char *url,
                                  const char *method, const char *version, const char *piece,
                                  size_t *length, void **context)
{
    struct bl_request *request = *context;

    (void)version;
    if (!request) {
        request = new_request(self, mhd);
        *context = request;
        find_route(request, method, url);
        return MHD_YES;
    }
    if (*length > 0) {
        size_t given = *length;

        *length = 0;
        return take_body(request, piece, given) ? MHD_YES : MHD_NO;
    }
    return request->stage == STAGE_ANSWERED ? send_response(request) : handle(request);
}

const struct bl_peer *bl_request_peer(const struct bl_request *request)
{
    return &request->connection->peer;
}

const char *bl_request_param(const struct bl_request *request)
{
    return request->param;
}

const char *bl_request_query(const struct bl_request *request, const char *key)
{
    return MHD_lookup_connection_value(request->mhd, MHD_GET_ARGUMENT_KIND, key);
}

const char *bl_request_header(const struct bl_request *request, const char *name)
{
    return MHD_lookup_connection_value(request->mhd, MHD_HEADER_KIND, name);
}

const struct bl_buf *bl_request_body(const struct bl_request *request)
{
    return &request->body;
}

/* --- the server ------------------------------------------------------------------------------ */

static struct MHD_Daemon *start_mhd(struct bl_http *http, int listen_fd)
{
    const struct MHD_OptionItem options[] = {
        {MHD_OPTION_LISTEN_SOCKET, listen_fd, NULL},
        {MHD_OPTION_CONNECTION_LIMIT, BL_HTTP_CONNECTIONS_MAX, NULL},
        {MHD_OPTION_CONNECTION_MEMORY_LIMIT, CONNECTION_MEMORY, NULL},
        {MHD_OPTION_CONNECTION_TIMEOUT, IDLE_SECONDS, NULL},
        {MHD_OPTION_END, 0, NULL},
    };

    /* the logger must come first: later options may already have something to say */
    return MHD_start_daemon(MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG, 0, NULL,
                            NULL, on_request, http, MHD_OPTION_EXTERNAL_LOGGER, log_line, NULL,
                            MHD_OPTION_NOTIFY_CONNECTION, on_connection, http,
                            MHD_OPTION_NOTIFY_COMPLETED, on_completed, http,
                            MHD_OPTION_URI_LOG_CALLBACK, on_request_line, http, MHD_OPTION_ARRAY,
                            options, MHD_OPTION_END);
}

int bl_http_create(struct bl_loop *loop, const struct bl_http_options *options,
                   struct bl_http **out, struct bl_error *err)
{
    struct bl_http *http = bl_alloc_zero(sizeof *http);

    http->route = options->route;
    http->self = options->self;
    http->request_time =
        options->request_time ? options->request_time : BL_HTTP_REQUEST_SECONDS * BL_SECOND;
    http->connections.next = http->connections.previous = &http->connections;
    http->suspended.next = http->suspended.previous = &http->suspended;
    http->mhd = start_mhd(http, options->listen_fd);
    if (!http->mhd) {
        close(options->listen_fd);
        free(http);
        return bl_fail(err, BL_ESYSTEM, "cannot start the HTTP server");
    }
    http->readable =
        bl_loop_watch_fd(loop, MHD_get_daemon_info(http->mhd, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd,
                         EPOLLIN, on_readable, http);
    http->timeout = bl_loop_watch_timer(loop, run_mhd, http);
    http->sweep = bl_loop_watch_timer(loop, sweep, http);
    *out = http;
    return BL_OK;
}

static void stop_waiting(struct bl_http *http)
{
    while (http->suspended.next != &http->suspended) {
        struct bl_request *request = http->suspended.next;

        if (request->stage == STAGE_WAITING) {
            struct bl_error err;

            bl_fail(&err, BL_EUNREACHABLE, "the daemon stops");
            bl_request_fail(request, BL_ANSWER_UNAVAILABLE, &err);
        } else {
            resume(request);
        }
    }
}

void bl_http_destroy(struct bl_http *http)
{
    if (!http) {
        return;
    }
    http->is_stopping = true;
    stop_waiting(http);
    /* answers that are ready get a last chance to leave */
    for (int i = 0; i < 3; i++) {
        MHD_run(http->mhd);
    }
    bl_watch_destroy(http->readable);
    bl_watch_destroy(http->timeout);
    bl_watch_destroy(http->sweep);
    MHD_stop_daemon(http->mhd);
    free(http);
}
