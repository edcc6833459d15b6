/* web: a link that opens the page signed in. */
#include "cli/cli.h"

#include "base/own.h"
#include "cli/jobs.h"
#include "cli/say.h"
#include "cli/when.h"
#include "form/json_out.h"
#include "os/clock.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KEY_NO_OPEN = BL_KEY_OWN };

struct web_flags {
    bool no_open;
};

static const struct bl_flag flags[] = {
    {"no-open", 0, BL_TAKES_NOTHING, KEY_NO_OPEN, NULL, BL_SAY_FLAG_NO_OPEN},
    BL_FLAGS_COMMON,
};

static int set_flag(void *self, int key, const char *value, struct bl_error *err)
{
    struct web_flags *given = self;

    (void)value;
    (void)err;
    given->no_open = given->no_open || key == KEY_NO_OPEN;
    return BL_OK;
}

static bool is_set(const char *name)
{
    const char *value = getenv(name);

    return value && *value;
}

/* Lets the desktop choose a browser, and does not wait for it. */
static void open_link(const char *link)
{
    static const char program[] = "xdg-open";
    char *const words[] = {bl_copy_text(program), bl_copy_text(link), NULL};
    posix_spawn_file_actions_t quiet;
    pid_t pid;

    posix_spawn_file_actions_init(&quiet);
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        posix_spawn_file_actions_addopen(&quiet, fd, "/dev/null", O_RDWR, 0);
    }
    posix_spawnp(&pid, program, &quiet, NULL, words, environ);
    posix_spawn_file_actions_destroy(&quiet);
    free(words[0]);
    free(words[1]);
}

/* The part behind # stays in the browser: it is in no log and no history of a proxy. Over TCP the
 * page is where the API is. */
static void print_link(struct bl_buf *out, const struct bl_cli *cli, const struct bl_tree *answer)
{
    const char *url = bl_field_text(answer, "url", "");
    BL_AUTO_SERVER server = {0};
    struct bl_error err;

    if (bl_server_find(&cli->server, &server, &err) == BL_OK && server.url.length > 0) {
        url = bl_buf_text(&server.url);
    }
    bl_buf_printf(out, "%s/#/in/%s", url, bl_field_text(answer, "code", ""));
}

static void print_json(struct bl_buf *out, const char *link, double expires_at)
{
    struct bl_json json;

    bl_json_init(&json, out);
    bl_json_open_object(&json);
    bl_json_put_text(&json, "link", link);
    bl_json_put_double(&json, "expires_at", expires_at);
    bl_json_close_object(&json);
    bl_buf_append_char(out, '\n');
}

/* Beside the link, which alone goes to standard output. */
static void tell_life(double expires_at)
{
    BL_AUTO_BUF when = {0};
    BL_AUTO_BUF text = {0};

    bl_when_print(&when, (bl_time)(expires_at * (double)BL_SECOND), bl_clock_wall());
    BL_SAY(&text, BL_SAY_WEB_LINK, BL_T(bl_buf_text(&when)));
    fprintf(stderr, "%s\n", bl_buf_text(&text));
}

static int run_web(struct bl_cli *cli, void *self, int argc, char **argv, struct bl_error *err)
{
    const struct web_flags *given = self;
    BL_AUTO_REPLY reply = {0};
    BL_AUTO_BUF link = {0};
    BL_AUTO_BUF out = {0};
    double expires_at;

    if (bl_cli_refuse_words(cli, argc, argv, err) || !bl_cli_client(cli, err) ||
        bl_client_post(cli->client, "/api/v1/session/codes", "", &reply, err)) {
        return (int)err->status;
    }
    expires_at = bl_field_double(reply.tree, "expires_at", 0);
    print_link(&link, cli, reply.tree);
    if (cli->json) {
        print_json(&out, bl_buf_text(&link), expires_at);
    } else {
        bl_buf_printf(&out, "%s\n", bl_buf_text(&link));
    }
    bl_cli_flush(&out);
    if (!cli->json) {
        tell_life(expires_at);
    }
    if (!given->no_open && (is_set("DISPLAY") || is_set("WAYLAND_DISPLAY"))) {
        open_link(bl_buf_text(&link));
    }
    return BL_OK;
}

const struct bl_verb bl_verb_web = {
    .name = "web",
    .usage = "web [--no-open]",
    .summary = BL_SAY_HELP_WEB,
    .about = BL_SAY_ABOUT_WEB,
    .flag = flags,
    .set = set_flag,
    .self_size = sizeof(struct web_flags),
    .run = run_web,
};
