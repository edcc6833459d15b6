/* drain and resume: close a node for new jobs, now or at a time, and open it again. */
#include "cli/cli.h"

#include "cli/jobs.h"
#include "cli/when.h"
#include "form/json_out.h"
#include "os/clock.h"

#include <string.h>

enum { KEY_AT = BL_KEY_OWN };

struct drain {
    const char *at_text;
    bl_time at; /* 0: now */
};

static const struct bl_flag drain_flags[] = {
    {"at", 0, BL_TAKES_VALUE, KEY_AT, "TIME", BL_SAY_FLAG_DRAIN_AT},
    BL_FLAGS_COMMON,
};

static const struct bl_flag resume_flags[] = {BL_FLAGS_COMMON};

static int set_flag(void *self, int key, const char *value, struct bl_error *err)
{
    struct drain *drain = self;
    bl_time now = bl_clock_wall();
    int status = bl_when_parse(value, now, &drain->at, err);

    (void)key;
    if (!status && drain->at < now) {
        status = BL_FAIL_SAYING(err, BL_EINVAL, BL_SAY_E_HAS_PASSED, BL_T(value));
    }
    drain->at_text = value;
    return status;
}

static int post_node(struct bl_cli *cli, const char *node, const char *action, const char *body,
                     struct bl_reply *reply, struct bl_error *err)
{
    BL_AUTO_BUF path = {0};

    if (!bl_cli_client(cli, err)) {
        return err->status;
    }
    bl_buf_append_text(&path, "/api/v1/nodes/");
    bl_client_escape(&path, node);
    bl_buf_printf(&path, "/%s", action);
    return bl_client_post(cli->client, bl_buf_text(&path), body, reply, err);
}

static int need_nodes(const struct bl_cli *cli, int argc, struct bl_error *err)
{
    if (argc > 0) {
        return BL_OK;
    }
    bl_say_fail(err, BL_EINVAL, BL_SAY_E_WHICH_NODE, NULL);
    return BL_HINT_SAYING(err, BL_SAY_H_USAGE_NODES, BL_T(cli->verb->usage));
}

static void tell_drained(struct bl_buf *out, const char *node, bl_time at,
                         const struct bl_tree *answer)
{
    const struct bl_tree *jobs = bl_field_list(answer, "jobs");
    int64_t running = jobs ? (int64_t)jobs->child_count : 0;

    if (at > 0) {
        BL_AUTO_BUF when = {0};

        bl_when_print(&when, at, bl_clock_wall());
        BL_SAY(out, BL_SAY_NODE_DRAINS_AT, BL_T(node), BL_T(bl_buf_text(&when)));
    } else {
        BL_SAY(out, running > 0 ? BL_SAY_NODE_DRAINS : BL_SAY_NODE_DRAINED, BL_T(node),
               BL_N(running));
    }
    bl_buf_append_char(out, '\n');
}

static int run_drain(struct bl_cli *cli, void *self, int argc, char **argv, struct bl_error *err)
{
    const struct drain *drain = self;
    BL_AUTO_BUF out = {0};
    BL_AUTO_BUF body = {0};
    struct bl_json json;
    int status = need_nodes(cli, argc, err);

    bl_json_init(&json, &body);
    bl_json_open_object(&json);
    if (drain->at > 0) {
        BL_AUTO_BUF at = {0};

        bl_when_print_iso(&at, drain->at);
        bl_json_put_text(&json, "at", bl_buf_text(&at));
    }
    bl_json_close_object(&json);
    for (int i = 0; !status && i < argc; i++) {
        BL_AUTO_REPLY reply = {0};

        status = post_node(cli, argv[i], "drain", bl_buf_text(&body), &reply, err);
        if (!status && cli->json) {
            bl_buf_printf(&out, "%s\n", bl_buf_text(&reply.body));
        } else if (!status) {
            tell_drained(&out, argv[i], drain->at, reply.tree);
        }
    }
    bl_cli_flush(&out);
    return status;
}

static int run_resume(struct bl_cli *cli, void *self, int argc, char **argv, struct bl_error *err)
{
    BL_AUTO_BUF out = {0};
    int status = need_nodes(cli, argc, err);

    (void)self;
    for (int i = 0; !status && i < argc; i++) {
        BL_AUTO_REPLY reply = {0};

        status = post_node(cli, argv[i], "resume", "{}", &reply, err);
        if (!status && cli->json) {
            bl_buf_printf(&out, "%s\n", bl_buf_text(&reply.body));
        } else if (!status) {
            BL_SAY(&out, BL_SAY_NODE_RESUMED, BL_T(argv[i]));
            bl_buf_append_char(&out, '\n');
        }
    }
    bl_cli_flush(&out);
    return status;
}

const struct bl_verb bl_verb_drain = {
    .name = "drain",
    .usage = "drain NODE… [--at TIME]",
    .summary = BL_SAY_HELP_DRAIN,
    .about = BL_SAY_ABOUT_DRAIN,
    .flag = drain_flags,
    .set = set_flag,
    .self_size = sizeof(struct drain),
    .run = run_drain,
};

const struct bl_verb bl_verb_resume = {
    .name = "resume",
    .usage = "resume NODE…",
    .summary = BL_SAY_HELP_RESUME,
    .about = BL_SAY_ABOUT_RESUME,
    .flag = resume_flags,
    .run = run_resume,
};
