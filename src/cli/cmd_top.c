/* top: the GPUs and the queue, live. */
#include "cli/cli.h"

#include "cli/live.h"
#include "cli/pages.h"

enum { KEY_DELAY = BL_KEY_OWN, KEY_ONCE };

struct top {
    bl_time delay; /* 0: the usual */
    bool once;
};

static const struct bl_flag flags[] = {
    {"delay", 'd', BL_TAKES_VALUE, KEY_DELAY, "SECONDS", BL_SAY_FLAG_TOP_DELAY},
    {"once", '1', BL_TAKES_NOTHING, KEY_ONCE, NULL, BL_SAY_FLAG_TOP_ONCE},
    BL_FLAGS_COMMON,
};

static int set_flag(void *self, int key, const char *value, struct bl_error *err)
{
    struct top *top = self;

    if (key == KEY_ONCE) {
        top->once = true;
        return BL_OK;
    }
    return bl_live_parse(value, &top->delay, err);
}

static int print_page(struct bl_cli *cli, const void *self, struct bl_buf *out,
                      struct bl_error *err)
{
    int status = bl_gpus_print(cli, out, err);

    (void)self;
    if (!status && !cli->json) {
        bl_buf_append_char(out, '\n');
    }
    return status ? status : bl_queue_print(cli, out, err);
}

static int run_top(struct bl_cli *cli, void *self, int argc, char **argv, struct bl_error *err)
{
    struct top *top = self;
    BL_AUTO_BUF out = {0};
    struct bl_live live = {0, print_page, NULL};
    int status = bl_cli_refuse_words(cli, argc, argv, err);

    if (status) {
        return status;
    }
    if (!bl_cli_client(cli, err)) {
        return err->status;
    }
    if (!top->delay) {
        bl_live_parse(NULL, &top->delay, NULL);
    }
    live.interval = top->delay;
    if (!top->once) {
        return bl_live_run(cli, &live, err);
    }
    status = print_page(cli, NULL, &out, err);
    bl_cli_flush(&out);
    return status;
}

const struct bl_verb bl_verb_top = {
    .name = "top",
    .usage = "top [--delay SECONDS] [--once]",
    .summary = BL_SAY_HELP_TOP,
    .about = BL_SAY_ABOUT_TOP,
    .flag = flags,
    .set = set_flag,
    .self_size = sizeof(struct top),
    .run = run_top,
};
