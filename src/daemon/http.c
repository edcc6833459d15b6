#include "daemon/http_inside.h"

#include "base/own.h"
#include "os/clock.h"
#include "os/log.h"
#include "os/loop.h"
#include "os/own_fd.h"

#include <assert.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>

enum {
    /* a body this far over the limit is still read, so that the peer hears the answer */
    SWALLOWED_MAX = 64 * 1024 * 1024,
    CONNECTION_SPARE = 8 * 1024, /* memory of a connection, beside its headers */
    STALL_SECONDS = 60,          /* no byte in either direction while answering */
    STREAM_BLOCK = 16 * 1024,
    LOG_TEXT_MAX = 512
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

void bl_http_run_soon(struct bl_http *http)
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

/* Called with the request line: the request has begun. */
static void *on_request_line(void *self, const char *uri, struct MHD_Connection *mhd)
{
    (void)self;
    (void)uri;
    bl_connection_set_phase(bl_connection_of(mhd), BL_PHASE_BEGUN);
    return NULL;
}

/* --- answers --------------------------------------------------------------------------------- */

static void suspend(struct bl_request *request)
{
    request->is_suspended = true;
    MHD_suspend_connection(request->mhd);
}

static void resume(struct bl_request *request)
{
    request->is_suspended = false;
    MHD_resume_connection(request->mhd);
    bl_http_run_soon(request->http);
}

static struct MHD_Response *response_of(struct bl_buf *body, const char *type)
{
    size_t length = body->length;
    struct MHD_Response *response =
        MHD_create_response_from_buffer(length, bl_buf_take(body), MHD_RESPMEM_MUST_FREE);

    assert(response);
    MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
    MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
    return response;
}

static void fail_cut(struct bl_error *err)
{
    bl_fail(err, BL_EREFUSED, "the token was revoked, or has expired");
}

static struct MHD_Response *make_withheld(void)
{
    BL_AUTO_BUF body = {0};
    struct bl_error err;

    fail_cut(&err);
    bl_answer_print(&body, BL_ANSWER_UNAUTHORIZED, &err);
    return response_of(&body, "application/json");
}

/* Takes the response. What was asked with a token that was taken back meanwhile is not told. */
static void set_response(struct bl_request *request, int status, struct MHD_Response *response)
{
    bool was_waiting = request->stage == BL_STAGE_WAITING;

    assert(response && (was_waiting || request->stage == BL_STAGE_HANDLING));
    if (request->is_cut && was_waiting && strcmp(request->route->method, "GET") == 0) {
        MHD_destroy_response(response);
        response = make_withheld();
        status = bl_answer_status(BL_ANSWER_UNAUTHORIZED);
    }
    request->status = status;
    request->response = response;
    request->stage = BL_STAGE_ANSWERED;
    if (was_waiting) {
        resume(request);
    }
}

static void count_answer(struct bl_request *request, size_t length)
{
    request->answer_bytes = length;
    request->http->answer_bytes += length;
}

void bl_request_answer(struct bl_request *request, int status, struct bl_buf *body)
{
    count_answer(request, body->length);
    set_response(request, status, response_of(body, "application/json"));
}

void bl_request_fail(struct bl_request *request, enum bl_answer kind, const struct bl_error *err)
{
    BL_AUTO_BUF body = {0};
    struct MHD_Response *response;

    bl_answer_print(&body, kind, err);
    response = response_of(&body, "application/json");
    if (kind == BL_ANSWER_UNAUTHORIZED) {
        MHD_add_response_header(response, MHD_HTTP_HEADER_WWW_AUTHENTICATE, "Bearer");
    }
    if (request->must_close) {
        MHD_add_response_header(response, MHD_HTTP_HEADER_CONNECTION, "close");
    }
    set_response(request, bl_answer_status(kind), response);
}

void bl_request_answer_bytes(struct bl_request *request, const struct bl_headers *headers,
                             struct bl_buf *body)
{
    struct MHD_Response *response;

    count_answer(request, body->length);
    response = response_of(body, headers->type);
    for (size_t i = 0; headers->name[i]; i++) {
        MHD_add_response_header(response, headers->name[i], headers->value[i]);
    }
    set_response(request, headers->status ? headers->status : MHD_HTTP_OK, response);
}

/* --- streams --------------------------------------------------------------------------------- */

static ssize_t read_stream(void *self, uint64_t position, char *into, size_t room)
{
    struct bl_request *request = self;
    size_t length;

    (void)position;
    if (request->http->is_stopping || request->is_cut) {
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

/* Of a stream the connection ends as well: the peer may not be reading. */
void bl_request_cut(struct bl_request *request)
{
    request->is_cut = true;
    if (request->stream.read) {
        shutdown(request->connection->fd, SHUT_RDWR);
        bl_request_wake(request);
    }
}

void bl_http_cut(struct bl_http *http, int64_t token)
{
    for (struct bl_request *r = http->requests.next; r != &http->requests; r = r->next) {
        if (r->peer.token == token) {
            bl_request_cut(r);
        }
    }
}

/* --- requests -------------------------------------------------------------------------------- */

static struct bl_request *new_request(struct bl_http *http, struct MHD_Connection *mhd)
{
    struct bl_request *request = bl_alloc_zero(sizeof *request);

    request->http = http;
    request->mhd = mhd;
    request->connection = bl_connection_of(mhd);
    request->body.ceiling = (size_t)http->limits.body;
    request->next = http->requests.next;
    request->previous = &http->requests;
    request->next->previous = request;
    http->requests.next = request;
    return request;
}

/* MHD calls it once for every request that has begun, however it ended. */
static void on_completed(void *self, struct MHD_Connection *mhd, void **context,
                         enum MHD_RequestTerminationCode code)
{
    struct bl_request *request = BL_TAKE(*context);

    (void)self;
    (void)code;
    bl_connection_set_phase(bl_connection_of(mhd), BL_PHASE_IDLE);
    if (!request) {
        return;
    }
    if (request->stream.finish) {
        request->stream.finish(request->stream.self);
    }
    request->next->previous = request->previous;
    request->previous->next = request->next;
    request->http->body_bytes -= request->body.length;
    request->http->answer_bytes -= request->answer_bytes;
    bl_buf_finish(&request->body);
    free(request->param);
    free(request);
}

/* Whoever is not known has a token or a code to show, and keeps no room from others. */
static size_t most_of_body(const struct bl_request *request)
{
    size_t most = (size_t)request->http->limits.body;

    return request->peer.is_guest && most > BL_HTTP_GUEST_BODY_MAX ? BL_HTTP_GUEST_BODY_MAX : most;
}

/* Answers false when so much came that reading on makes no sense. */
static bool take_body(struct bl_request *request, const char *bytes, size_t length)
{
    struct bl_http *http = request->http;
    struct bl_error err;

    request->received += length;
    if (request->received > most_of_body(request)) {
        bl_fail(&err, BL_ETOOBIG, "the body is larger than %zu bytes", most_of_body(request));
        bl_request_refuse(request, BL_ANSWER_TOO_LARGE, &err);
    } else if (http->body_bytes + length > BL_HTTP_BODIES_MAX) {
        bl_fail(&err, BL_ETOOBIG, "too many large requests at once: try again");
        bl_request_refuse(request, BL_ANSWER_UNAVAILABLE, &err);
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
    request->http->answered[request->status]++;
    if (!request->stream.read) {
        bl_connection_set_phase(request->connection, BL_PHASE_ANSWERED);
    }
    return result;
}

static enum MHD_Result handle(struct bl_request *request)
{
    bl_connection_set_phase(request->connection, BL_PHASE_READ);
    request->stage = BL_STAGE_HANDLING;
    if (request->is_cut) {
        struct bl_error err;

        fail_cut(&err);
        bl_request_fail(request, BL_ANSWER_UNAUTHORIZED, &err);
    } else if (request->has_refusal) {
        bl_request_fail(request, request->refusal, &request->refusal_err);
    } else {
        request->route->handle(request->http->options.self, request);
    }
    if (request->stage == BL_STAGE_ANSWERED) {
        return send_response(request);
    }
    request->stage = BL_STAGE_WAITING;
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
        bl_request_check(request, method, url);
        return MHD_YES;
    }
    if (*length > 0) {
        size_t given = *length;

        *length = 0;
        return take_body(request, piece, given) ? MHD_YES : MHD_NO;
    }
    return request->stage == BL_STAGE_ANSWERED ? send_response(request) : handle(request);
}

int64_t bl_http_answered(const struct bl_http *http, int status)
{
    assert(status >= BL_HTTP_STATUS_FIRST && status < BL_HTTP_STATUS_END);
    return http->answered[status];
}

bool bl_request_is_left(const struct bl_request *request)
{
    struct pollfd peer = {.fd = request->connection->fd};

    return poll(&peer, 1, 0) > 0 && (peer.revents & (POLLHUP | POLLERR)) != 0;
}

const struct bl_peer *bl_request_peer(const struct bl_request *request)
{
    return &request->peer;
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

static struct MHD_Daemon *start_mhd(struct bl_http *http)
{
    bl_time idle = http->limits.idle / BL_SECOND + 1;
    const struct MHD_OptionItem options[] = {
        {MHD_OPTION_CONNECTION_LIMIT, (intptr_t)http->limits.connections + BL_HTTP_RESERVE + 1,
         NULL},
        {MHD_OPTION_CONNECTION_MEMORY_LIMIT, (intptr_t)http->limits.header + CONNECTION_SPARE,
         NULL},
        {MHD_OPTION_CONNECTION_TIMEOUT, idle > STALL_SECONDS ? idle : STALL_SECONDS, NULL},
        {MHD_OPTION_END, 0, NULL},
    };

    /* the logger must come first: later options may already have something to say */
    return MHD_start_daemon(
        MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG | MHD_USE_NO_LISTEN_SOCKET, 0,
        NULL, NULL, on_request, http, MHD_OPTION_EXTERNAL_LOGGER, log_line, NULL,
        MHD_OPTION_NOTIFY_CONNECTION, bl_connection_notify, http, MHD_OPTION_NOTIFY_COMPLETED,
        on_completed, http, MHD_OPTION_URI_LOG_CALLBACK, on_request_line, http, MHD_OPTION_ARRAY,
        options, MHD_OPTION_END);
}

static void open_gates(struct bl_loop *loop, struct bl_http *http)
{
    BL_AUTO_BUF refusal = {0};
    struct bl_gate_options gate = {.self = http, .take = bl_connection_take};

    bl_connections_print_refusal(&refusal, &http->limits);
    gate.refusal = bl_buf_text(&refusal);
    for (size_t i = 0; i < BL_HTTP_SOCKETS; i++) {
        gate.listen_fd = http->options.listen_fd[i];
        http->gate[i] = gate.listen_fd >= 0 ? bl_gate_create(loop, &gate) : NULL;
    }
}

static void close_sockets(const struct bl_http_options *options)
{
    for (size_t i = 0; i < BL_HTTP_SOCKETS; i++) {
        if (options->listen_fd[i] >= 0) {
            close(options->listen_fd[i]);
        }
    }
}

int bl_http_create(struct bl_loop *loop, const struct bl_http_options *options,
                   struct bl_http **out, struct bl_error *err)
{
    struct bl_http *http = bl_alloc_zero(sizeof *http);

    http->options = *options;
    http->limits = *options->limits;
    bl_connections_fit_limit(&http->limits);
    http->connections.next = http->connections.previous = &http->connections;
    http->requests.next = http->requests.previous = &http->requests;
    http->mhd = start_mhd(http);
    if (!http->mhd) {
        close_sockets(options);
        free(http);
        return bl_fail(err, BL_ESYSTEM, "cannot start the HTTP server");
    }
    http->readable =
        bl_loop_watch_fd(loop, MHD_get_daemon_info(http->mhd, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd,
                         EPOLLIN, on_readable, http);
    http->timeout = bl_loop_watch_timer(loop, run_mhd, http);
    http->sweep = bl_loop_watch_timer(loop, bl_connections_sweep, http);
    open_gates(loop, http);
    *out = http;
    return BL_OK;
}

static void stop_waiting(struct bl_http *http)
{
    for (struct bl_request *r = http->requests.next; r != &http->requests; r = r->next) {
        if (r->stage == BL_STAGE_WAITING) {
            struct bl_error err;

            bl_fail(&err, BL_EUNREACHABLE, "the daemon stops");
            bl_request_fail(r, BL_ANSWER_UNAVAILABLE, &err);
        } else {
            bl_request_wake(r);
        }
    }
}

void bl_http_destroy(struct bl_http *http)
{
    if (!http) {
        return;
    }
    http->is_stopping = true;
    for (size_t i = 0; i < BL_HTTP_SOCKETS; i++) {
        bl_gate_destroy(http->gate[i]);
    }
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
