/* Connections: how many there may be, and how long they may take. */
#include "base/own.h"
#include "daemon/http_inside.h"
#include "os/clock.h"
#include "os/log.h"
#include "os/loop.h"

#include <assert.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum { SWEEPS_IN_LIMIT = 4 };

#define SWEEP_MAX (5 * BL_SECOND)

struct bl_connection *bl_connection_of(struct MHD_Connection *mhd)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_SOCKET_CONTEXT);

    assert(info && info->socket_context);
    return info->socket_context;
}

void bl_connection_set_phase(struct bl_connection *connection, enum bl_phase phase)
{
    connection->phase = phase;
    connection->since = bl_clock_monotonic();
}

/* --- coming ---------------------------------------------------------------------------------- */

void bl_connections_fit_limit(struct bl_config_limits *limits)
{
    struct rlimit files;
    int64_t most;

    if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur >= INT32_MAX) {
        return;
    }
    /* a quarter is left to the journal, the jobs and the logs */
    most = (int64_t)files.rlim_cur * 3 / 4;
    if (limits->connections > most) {
        bl_log(BL_LOG_WARNING,
               "%lld connections are allowed, but the limit of descriptors (%lld) has room for "
               "%lld",
               (long long)limits->connections, (long long)files.rlim_cur, (long long)most);
        limits->connections = most;
    }
}

/* Never none. */
static int64_t most_over_tcp(const struct bl_config_limits *limits)
{
    return (3 * limits->connections + 3) / 4;
}

void bl_connections_print_refusal(struct bl_buf *out, const struct bl_config_limits *limits)
{
    BL_AUTO_BUF body = {0};
    struct bl_error err;

    bl_fail(&err, BL_EREFUSED, "the daemon has no room for another connection");
    bl_error_set_hint(
        &err, "try again in a moment; at most %lld at once, %lld over TCP, %lld of one user",
        (long long)limits->connections, (long long)most_over_tcp(limits),
        (long long)limits->connections_user);
    bl_answer_print(&body, BL_ANSWER_UNAVAILABLE, &err);
    bl_buf_printf(out,
                  "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nRetry-After: 1\r\n"
                  "Content-Type: application/json\r\nContent-Length: %zu\r\n\r\n",
                  body.length);
    bl_buf_append(out, bl_buf_text(&body), body.length);
}

static bool is_manager(const struct bl_connection *connection)
{
    return !connection->is_tcp && (connection->peer.uid == 0 || connection->peer.uid == geteuid());
}

/* Of the same user; over TCP, where nobody is known before they ask, of all. */
static int64_t count_alike(const struct bl_http *http, const struct bl_connection *connection)
{
    const struct bl_connection *ring = &http->connections;
    int64_t count = 0;

    for (const struct bl_connection *c = ring->next; c != ring; c = c->next) {
        count += c->is_tcp == connection->is_tcp && c->peer.uid == connection->peer.uid;
    }
    return count;
}

/* Who runs the daemon is not locked out by others, and nobody on the socket by those who need no
 * more than the port. */
static bool has_room(const struct bl_http *http, const struct bl_connection *connection)
{
    int64_t count = (int64_t)http->connection_count;
    int64_t most;

    if (is_manager(connection)) {
        return count < http->limits.connections + BL_HTTP_RESERVE;
    }
    most = connection->is_tcp ? most_over_tcp(&http->limits) : http->limits.connections_user;
    return count < http->limits.connections && count_alike(http, connection) < most;
}

static struct bl_connection *new_connection(struct bl_http *http, int fd)
{
    struct bl_connection *connection = bl_alloc_zero(sizeof *connection);
    struct ucred peer = {.uid = (uid_t)-1, .gid = (gid_t)-1};
    socklen_t length = sizeof peer;
    int domain = AF_INET;
    socklen_t domain_length = sizeof domain;

    getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &domain_length);
    connection->http = http;
    connection->fd = fd;
    connection->is_tcp = domain != AF_UNIX;
    if (!connection->is_tcp && getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0) {
        connection->peer = (struct bl_peer){.uid = peer.uid, .gid = peer.gid};
    } else {
        connection->peer = (struct bl_peer){.uid = (uid_t)-1, .gid = (gid_t)-1};
    }
    return connection;
}

enum bl_gate_verdict bl_connection_take(void *self, int fd)
{
    struct bl_http *http = self;
    struct bl_connection *connection = new_connection(http, fd);
    struct sockaddr_storage address = {0};
    socklen_t length = sizeof address;

    if (!has_room(http, connection)) {
        free(connection);
        return BL_GATE_FULL;
    }
    getpeername(fd, (struct sockaddr *)&address, &length);
    http->arriving = connection;
    /* where it fails it has closed the descriptor */
    if (MHD_add_connection(http->mhd, fd, (struct sockaddr *)&address, length) != MHD_YES) {
        bl_log(BL_LOG_DEBUG, "http: a connection was not taken");
    }
    free(BL_TAKE(http->arriving));
    bl_http_run_soon(http);
    return BL_GATE_TAKEN;
}

static bl_time sweep_period(const struct bl_config_limits *limits)
{
    bl_time least = limits->idle < limits->request ? limits->idle : limits->request;

    least = (limits->answer < least ? limits->answer : least) / SWEEPS_IN_LIMIT;
    return least < SWEEP_MAX ? least : SWEEP_MAX;
}

static void open_connection(struct bl_http *http, void **context)
{
    struct bl_connection *connection = BL_TAKE(http->arriving);

    assert(connection);
    bl_connection_set_phase(connection, BL_PHASE_IDLE);
    connection->next = http->connections.next;
    connection->previous = &http->connections;
    connection->next->previous = connection;
    http->connections.next = connection;
    if (http->connection_count++ == 0) {
        bl_watch_arm(http->sweep, sweep_period(&http->limits));
    }
    *context = connection;
}

static void close_connection(struct bl_http *http, void **context)
{
    struct bl_connection *connection = BL_TAKE(*context);

    connection->next->previous = connection->previous;
    connection->previous->next = connection->next;
    http->connection_count--;
    free(connection);
}

void bl_connection_notify(void *self, struct MHD_Connection *mhd, void **context,
                          enum MHD_ConnectionNotificationCode code)
{
    (void)mhd;
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        open_connection(self, context);
    } else if (*context) {
        close_connection(self, context);
    }
}

/* --- taking too long ------------------------------------------------------------------------- */

/* The library cannot answer what has not arrived; nothing was sent on this connection yet, so the
 * answer can go out by hand. */
static void send_timeout(const struct bl_connection *connection)
{
    BL_AUTO_BUF body = {0};
    BL_AUTO_BUF message = {0};
    struct bl_error err;

    bl_fail(&err, BL_EINVAL, "the request did not arrive within %lld s",
            (long long)(connection->http->limits.request / BL_SECOND));
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

static bool is_over(const struct bl_connection *connection, bl_time now)
{
    const struct bl_config_limits *limits = &connection->http->limits;
    bl_time passed = now - connection->since;

    switch (connection->phase) {
    case BL_PHASE_IDLE:
        return passed >= limits->idle;
    case BL_PHASE_BEGUN:
        return passed >= limits->request;
    case BL_PHASE_ANSWERED:
        return passed >= limits->answer;
    case BL_PHASE_READ:
        return false;
    }
    return false;
}

/* Whether the peer has said that nothing more comes, and all that came was read. The library may
 * have missed it, when it came together with the last bytes. */
static bool is_half_closed(const struct bl_connection *connection)
{
    char byte;

    return (connection->phase == BL_PHASE_IDLE || connection->phase == BL_PHASE_BEGUN) &&
           recv(connection->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

static void cut_expired(struct bl_http *http, bl_time now)
{
    for (struct bl_request *r = http->requests.next; r != &http->requests; r = r->next) {
        if (r->peer.expires_at > 0 && r->peer.expires_at <= now) {
            bl_request_cut(r);
        }
    }
}

void bl_connections_sweep(void *self)
{
    struct bl_http *http = self;
    struct bl_connection *ring = &http->connections;
    bl_time now = bl_clock_monotonic();

    for (struct bl_connection *c = ring->next; c != ring; c = c->next) {
        bool is_late = is_over(c, now);

        if (is_late && c->phase == BL_PHASE_BEGUN) {
            send_timeout(c);
        }
        if (is_late || is_half_closed(c)) {
            shutdown(c->fd, SHUT_RDWR);
        }
    }
    cut_expired(http, bl_clock_wall());
    if (http->connection_count > 0) {
        bl_watch_arm(http->sweep, sweep_period(&http->limits));
    }
}
