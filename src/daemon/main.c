/* baleend: options, start, serving, end. */
#include "base/own.h"
#include "daemon/api.h"
#include "daemon/background.h"
#include "daemon/listen.h"
#include "daemon/options.h"
#include "daemon/tokens.h"
#include "daemon/zone_keeper.h"
#include "os/log.h"
#include "os/loop.h"
#include "os/own_fd.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { EXIT_USAGE = 2, DESCRIPTORS_WANTED = 65536 };

struct daemon {
    const struct bl_options *options;
    struct bl_loop *loop;
    struct bl_watch *terminate, *interrupt;
    struct bl_driver *driver;
    struct bl_zone_keeper *zones;
    struct bl_api api;
    struct bl_tokens *tokens;
    struct bl_sessions *sessions;
    struct bl_http *http;
    struct bl_config_limits limits;
    struct bl_buf url; /* of the TCP port */
    int ready;         /* to the parent that waits; -1 in the foreground */
};

static void report(const struct bl_error *err)
{
    fprintf(stderr, "baleend: %s\n", err->text);
    if (err->hint[0]) {
        fprintf(stderr, "  %s\n", err->hint);
    }
}

static void on_signal(void *self, int signal)
{
    bl_log(BL_LOG_INFO, "%s: stopping; jobs go on", strsignal(signal));
    bl_loop_stop(self, EXIT_SUCCESS);
}

static void ignore(int signal)
{
    (void)signal;
}

/* A peer that has gone and a file that may not grow are errors where they happen, not the end. With
 * a handler and not SIG_IGN, which jobs would inherit. */
static void survive_failed_writes(void)
{
    struct sigaction action = {.sa_handler = ignore, .sa_flags = SA_RESTART};

    sigaction(SIGPIPE, &action, NULL);
    sigaction(SIGXFSZ, &action, NULL);
}

/* A connection and a job cost a few descriptors each. */
static void raise_descriptor_limit(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < DESCRIPTORS_WANTED) {
        limit.rlim_cur = limit.rlim_max < DESCRIPTORS_WANTED ? limit.rlim_max : DESCRIPTORS_WANTED;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

/* The configuration's, but for what the environment says. */
static int read_limits(struct daemon *daemon, struct bl_error *err)
{
    const char *text = getenv("BALEEN_REQUEST_TIMEOUT");
    bl_time *time = &daemon->limits.request;

    daemon->limits = daemon->options->config.listen.limits;
    if (text && (bl_span_parse(text, time, err) != BL_OK || *time < BL_SECOND)) {
        return bl_fail(err, BL_EINVAL,
                       "BALEEN_REQUEST_TIMEOUT: expected a time of a second or more, found '%s'",
                       text);
    }
    if (text) {
        daemon->limits.idle = *time;
    }
    return BL_OK;
}

/* Whoever has the port was sent the cookies of pages that were open, and must not come with them
 * when the port is ours again. */
static int end_sessions(const struct daemon *daemon, struct bl_error *err)
{
    size_t count;

    if (bl_sessions_end_all(daemon->sessions, &count, err) != BL_OK) {
        return bl_wrap(err, "cannot end the sessions of the page");
    }
    if (count > 0) {
        bl_log(BL_LOG_WARNING,
               "whoever has the port may have been sent cookies of the page: its sessions (%zu) "
               "are ended, sign in anew",
               count);
    }
    return BL_OK;
}

/* A port that nobody asked for is none to fail for: another user's daemon may have it. */
static int listen_on_tcp(struct daemon *daemon, int *out, struct bl_error *err)
{
    const struct bl_options *options = daemon->options;
    struct bl_listen_tcp wish = {options->http, options->config.listen.remote};
    int status = options->http ? bl_listen_open_tcp(&wish, out, &daemon->url, err) : BL_OK;
    struct bl_error ending;

    if (status == BL_ESYSTEM && end_sessions(daemon, &ending) != BL_OK) {
        *err = ending;
        return (int)err->status;
    }
    if (status != BL_OK && options->http_is_standard) {
        bl_log(BL_LOG_WARNING, "%s; it serves on its socket alone, without the page (%s)",
               err->text, err->hint[0] ? err->hint : "--http ADDR:PORT chooses another address");
        *err = (struct bl_error){0};
        return BL_OK;
    }
    return status;
}

static int serve(struct daemon *daemon, struct bl_error *err)
{
    struct bl_http_options http = {.route = bl_api_routes,
                                   .self = &daemon->api,
                                   .identify = bl_api_identify,
                                   .limits = &daemon->limits,
                                   .listen_fd = {-1, -1}};
    int status = read_limits(daemon, err);

    status = status == BL_OK ? listen_on_tcp(daemon, &http.listen_fd[1], err) : status;
    if (status == BL_OK) {
        status = bl_listen_open(daemon->options->socket, &http.listen_fd[0], err);
    }
    status = status == BL_OK ? bl_http_create(daemon->loop, &http, &daemon->http, err) : status;
    daemon->api.http = daemon->http;
    daemon->api.url = bl_buf_text(&daemon->url);
    return status;
}

static int start(struct daemon *daemon, struct bl_error *err)
{
    const struct bl_options *options = daemon->options;
    struct bl_driver_options driver = {
        .loop = daemon->loop,
        .state_dir = options->state_dir,
        .engine = options->engine,
        .declared = options->declared.node_count ? &options->declared : NULL,
        .policy = &options->policy,
        .supervisor = options->supervisor,
        .no_cgroup = options->no_cgroup,
        .rules = &options->config.local,
        .debounce = options->config.scheduler.debounce,
        .period = options->config.scheduler.period,
        .forecasts = {.without_arrivals = options->config.without_arrivals},
    };
    int status = bl_keeper_read_rules(&options->config.retention, &driver.keep, err);

    status = status == BL_OK ? bl_driver_create(&driver, &daemon->driver, err) : status;
    /* the driver has locked the directory */
    status = status == BL_OK ? bl_tokens_open(options->state_dir, &daemon->tokens, err) : status;
    status = status == BL_OK
                 ? bl_sessions_open(options->state_dir, daemon->tokens, &daemon->sessions, err)
                 : status;
    if (status != BL_OK) {
        return status;
    }
    daemon->zones = bl_zone_keeper_create(daemon->loop, daemon->driver, options->state_dir);
    bl_api_init(&daemon->api,
                &(struct bl_api_parts){daemon->loop, daemon->driver, daemon->tokens,
                                       daemon->sessions, &options->config, daemon->zones});
    return serve(daemon, err);
}

static int announce(struct daemon *daemon, struct bl_error *err)
{
    const struct bl_options *options = daemon->options;
    const char *url = bl_buf_text(&daemon->url);
    const char *and = url[0] ? " and " : "";
    BL_AUTO_BUF log = {0};
    BL_AUTO_BUF news = {0};
    int ready = bl_take_fd(&daemon->ready);

    if (ready >= 0) {
        printf("baleen listens on %s%s%s (pid %ld)\n", options->socket, and, url, (long)getpid());
        fflush(stdout);
        bl_buf_printf(&log, "%s/daemon.log", options->state_dir);
        if (bl_background_ready(ready, bl_buf_text(&log), err) != BL_OK) {
            return (int)err->status;
        }
    }
    bl_log(BL_LOG_INFO, "listening on %s%s%s, state in %s", options->socket, and, url,
           options->state_dir);
    bl_buf_printf(&news, "READY=1\nSTATUS=Serving at %s%s%s", options->socket, and, url);
    bl_loop_notify(bl_buf_text(&news));
    bl_loop_keep_watchdog(daemon->loop);
    return BL_OK;
}

/* What is on its way to the disk is finished first, so that whoever asked is answered. */
static void stop(struct daemon *daemon)
{
    bl_loop_notify("STOPPING=1\nSTATUS=Stopping; jobs go on");
    bl_api_stop_inquiries(&daemon->api);
    if (daemon->driver) {
        bl_driver_settle(daemon->driver);
    }
    if (daemon->api.driver) {
        bl_api_stop(&daemon->api);
    }
    if (daemon->http) {
        bl_http_destroy(daemon->http);
        unlink(daemon->options->socket);
    }
    if (daemon->api.driver) {
        bl_api_finish(&daemon->api);
    }
    bl_zone_keeper_destroy(daemon->zones);
    bl_driver_destroy(daemon->driver);
    bl_sessions_close(daemon->sessions);
    bl_tokens_close(daemon->tokens);
    bl_buf_finish(&daemon->url);
    bl_watch_destroy(daemon->terminate);
    bl_watch_destroy(daemon->interrupt);
    bl_loop_destroy(daemon->loop);
    if (daemon->ready >= 0) {
        close(daemon->ready);
    }
}

static int run(const struct bl_options *options)
{
    struct daemon daemon = {.options = options, .ready = -1};
    struct bl_error err = {0};
    int code = EXIT_FAILURE;

    if (!options->foreground && bl_background_enter(&daemon.ready, &err) != BL_OK) {
        report(&err);
        return code;
    }
    bl_loop_notify("STATUS=Reading the journal");
    daemon.loop = bl_loop_create();
    daemon.terminate = bl_loop_watch_signal(daemon.loop, SIGTERM, on_signal, daemon.loop);
    daemon.interrupt = bl_loop_watch_signal(daemon.loop, SIGINT, on_signal, daemon.loop);
    if (start(&daemon, &err) != BL_OK || announce(&daemon, &err) != BL_OK) {
        report(&err);
    } else {
        code = bl_loop_run(daemon.loop);
    }
    stop(&daemon);
    return code;
}

int main(int argc, char **argv)
{
    struct bl_arena arena = {0};
    struct bl_options options;
    struct bl_error err = {0};
    int code = EXIT_FAILURE;

    survive_failed_writes();
    raise_descriptor_limit();
    switch (bl_options_read(argc, argv, &arena, &options, &err)) {
    case BL_OPTIONS_SAID:
        code = EXIT_SUCCESS;
        break;
    case BL_OPTIONS_USAGE:
        report(&err);
        code = EXIT_USAGE;
        break;
    case BL_OPTIONS_GO:
        if (options.checks_only) {
            printf("%s is good\n", options.config_path ? options.config_path : "the command line");
            code = EXIT_SUCCESS;
        } else if (bl_options_prepare(&options, &arena, &err) != BL_OK) {
            report(&err);
        } else {
            code = run(&options);
        }
        break;
    }
    bl_arena_finish(&arena);
    return code;
}
