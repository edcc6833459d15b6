/* What comes over a connection, with the whole daemon behind it but for processes: the simulated
 * engine starts none. The first byte says how the bytes come: */
#include "fuzz.h"

#include "daemon/api.h"
#include "daemon/http_inside.h"
#include "daemon/listen.h"
#include "form/policyspec.h"
#include "os/fs.h"
#include "os/loop.h"

#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    BIT_TCP = 1,   /* over TCP, else over a unix socket */
    BIT_TOKEN = 2, /* with a token behind the first line */
    BIT_BYTES = 4  /* in small pieces */
};

enum { JOBS_MAX = 300, TOKENS_MAX = 50, STEPS_MAX = 2000, PIECE = 7, INPUT_MAX = 64 * 1024 };

static struct {
    char folder[64];
    struct bl_arena arena;
    struct bl_config config;
    struct bl_node_spec node;
    struct bl_clusterspec declared;
    struct bl_policy_choice policy;
    struct bl_loop *loop;
    struct bl_driver *driver;
    struct bl_tokens *tokens;
    struct bl_sessions *sessions;
    struct bl_api api;
    struct bl_http *http;
    struct bl_buf token;
    struct sockaddr_in address;
} daemon_;

static void must(int status)
{
    assert(status == BL_OK);
}

static void open_driver(void)
{
    struct bl_driver_options options = {
        .loop = daemon_.loop,
        .state_dir = daemon_.folder,
        .engine = bl_engine_find("sim"),
        .declared = &daemon_.declared,
        .policy = &daemon_.policy,
    };

    must(bl_declared_parse("8xA100:80GB", 1, &daemon_.arena, &daemon_.node, NULL));
    daemon_.declared = (struct bl_clusterspec){.node = &daemon_.node, .node_count = 1};
    must(bl_policyspec_parse("easy", &daemon_.policy, NULL));
    must(bl_keeper_read_rules(&daemon_.config.retention, &options.keep, NULL));
    must(bl_driver_create(&options, &daemon_.driver, NULL));
}

static void make_token(void)
{
    char name[] = "";
    char user[] = "root";
    struct bl_token wish = {.name = name, .user = user, .scope = BL_SCOPE_ADMIN, .created_at = 1};
    const struct bl_token *made = NULL;

    must(bl_tokens_create(daemon_.tokens, &wish, &daemon_.token, &made, NULL));
}

static void open_http(void)
{
    struct bl_listen_tcp wish = {"127.0.0.1:0", false};
    struct bl_http_options options = {.limits = &daemon_.config.listen.limits,
                                      .route = bl_api_routes,
                                      .self = &daemon_.api,
                                      .identify = bl_api_identify,
                                      .listen_fd = {-1, -1}};
    socklen_t length = sizeof daemon_.address;
    BL_AUTO_BUF url = {0};

    must(bl_listen_open_tcp(&wish, &options.listen_fd[0], &url, NULL));
    getsockname(options.listen_fd[0], (struct sockaddr *)&daemon_.address, &length);
    must(bl_http_create(daemon_.loop, &options, &daemon_.http, NULL));
    daemon_.api.http = daemon_.http;
    daemon_.api.url = "http://127.0.0.1:7420";
}

static void open_daemon(void)
{
    const char *memory = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";

    strncpy(daemon_.folder, memory, sizeof daemon_.folder - 1);
    strncat(daemon_.folder, "/baleen-fuzz-XXXXXX", sizeof daemon_.folder / 2);
    assert(mkdtemp(daemon_.folder));
    daemon_.config = bl_config_default();
    daemon_.loop = bl_loop_create();
    open_driver();
    must(bl_tokens_open(daemon_.folder, &daemon_.tokens, NULL));
    make_token();
    must(bl_sessions_open(daemon_.folder, daemon_.tokens, &daemon_.sessions, NULL));
    daemon_.config.web.is_public = true;
    bl_api_init(&daemon_.api, &(struct bl_api_parts){.loop = daemon_.loop,
                                                     .driver = daemon_.driver,
                                                     .tokens = daemon_.tokens,
                                                     .sessions = daemon_.sessions,
                                                     .config = &daemon_.config});
    open_http();
}

static void close_daemon(void)
{
    if (!daemon_.loop) {
        return;
    }
    bl_driver_settle(daemon_.driver);
    bl_api_stop(&daemon_.api);
    bl_http_destroy(daemon_.http);
    bl_api_finish(&daemon_.api);
    bl_driver_destroy(daemon_.driver);
    bl_sessions_close(daemon_.sessions);
    bl_tokens_close(daemon_.tokens);
    bl_loop_destroy(daemon_.loop);
    bl_buf_finish(&daemon_.token);
    bl_arena_finish(&daemon_.arena);
    must(bl_fs_remove_tree(daemon_.folder, NULL));
    memset(&daemon_, 0, sizeof daemon_);
}

static size_t count_jobs(void)
{
    return bl_core_job_count(bl_driver_ledger(daemon_.driver)->core);
}

static bool is_worn(void)
{
    return count_jobs() > JOBS_MAX || bl_tokens_list(daemon_.tokens)->tokens.count > TOKENS_MAX ||
           !bl_tokens_find(daemon_.tokens, 1);
}

/* A fresh one now and then, so that one input's work stays one input's work. */
static void prepare(void)
{
    static bool is_known;

    if (daemon_.loop && is_worn()) {
        close_daemon();
    }
    if (!daemon_.loop) {
        open_daemon();
    }
    if (!is_known) {
        is_known = atexit(close_daemon) == 0;
    }
}

/* --- one connection -------------------------------------------------------------------------- */

static int dial_tcp(void)
{
    struct linger at_once = {.l_onoff = 1};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    /* no port is left waiting */
    setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    assert(connect(fd, (const struct sockaddr *)&daemon_.address, sizeof daemon_.address) == 0);
    for (int i = 0; i < STEPS_MAX && daemon_.http->connection_count == 0; i++) {
        bl_loop_step(daemon_.loop, BL_MILLISECOND);
    }
    assert(daemon_.http->connection_count == 1);
    return fd;
}

static int dial_unix(void)
{
    int pair[2];

    assert(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair) == 0);
    assert(bl_connection_take(daemon_.http, pair[0]) == BL_GATE_TAKEN);
    return pair[1];
}

static void receive(int fd, struct bl_buf *out)
{
    char room[16 * 1024];
    ssize_t length;

    while ((length = recv(fd, room, sizeof room, MSG_DONTWAIT)) > 0) {
        bl_buf_append(out, room, (size_t)length);
    }
}

static void send_all(int fd, const struct bl_buf *input, size_t piece, struct bl_buf *out)
{
    size_t sent = 0;

    for (int i = 0; i < INPUT_MAX && sent < input->length; i++) {
        size_t left = input->length - sent;
        ssize_t length =
            send(fd, input->text + sent, left < piece ? left : piece, MSG_DONTWAIT | MSG_NOSIGNAL);

        sent += length > 0 ? (size_t)length : 0;
        bl_loop_step(daemon_.loop, 0);
        receive(fd, out);
        if (length < 0 && daemon_.http->connection_count == 0) {
            return; /* it has had enough */
        }
    }
}

/* What waits is answered and what streams is ended, so that the connection comes to its end. */
static void hang_up(int fd, struct bl_buf *out)
{
    for (int i = 0; i < 3; i++) {
        bl_loop_step(daemon_.loop, 0);
        receive(fd, out);
    }
    shutdown(fd, SHUT_WR);
    close(fd);
    for (int i = 0; i < STEPS_MAX && daemon_.http->connection_count > 0; i++) {
        bl_api_stop(&daemon_.api);
        bl_http_cut(daemon_.http, 0);
        bl_http_cut(daemon_.http, 1);
        bl_loop_step(daemon_.loop, BL_MILLISECOND);
    }
    assert(daemon_.http->connection_count == 0);
}

static void make_input(const uint8_t *bytes, size_t length, struct bl_buf *out)
{
    const char *text = (const char *)bytes + 1;
    const char *line = memchr(text, '\n', length - 1);

    if (!(bytes[0] & BIT_TOKEN) || !line) {
        bl_buf_append(out, text, length - 1);
        return;
    }
    bl_buf_append(out, text, (size_t)(line + 1 - text));
    bl_buf_printf(out, "Authorization: Bearer %s\r\n", bl_buf_text(&daemon_.token));
    bl_buf_append(out, line + 1, length - 1 - (size_t)(line + 1 - text));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    BL_AUTO_BUF input = {0};
    BL_AUTO_BUF output = {0};
    size_t before;
    int fd;

    if (length < 2 || length > INPUT_MAX) {
        return 0;
    }
    prepare();
    before = count_jobs();
    make_input(bytes, length, &input);
    fd = bytes[0] & BIT_TCP ? dial_tcp() : dial_unix();
    send_all(fd, &input, bytes[0] & BIT_BYTES ? PIECE : INPUT_MAX, &output);
    hang_up(fd, &output);
    assert(output.length == 0 || strncmp(bl_buf_text(&output), "HTTP/1.", 7) == 0);
    assert(!(bytes[0] & BIT_TCP) || bytes[0] & BIT_TOKEN || count_jobs() == before);
    return 0;
}
