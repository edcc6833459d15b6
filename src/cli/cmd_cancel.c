#include "cli/cli.h"

#include "cli/jobs.h"

#include <inttypes.h>
#include <string.h>

static const struct bl_flag flags[] = {BL_FLAGS_COMMON};

static void tell(struct bl_buf *out, int64_t id, const char *state)
{
    static const char *const words[][2] = {
        {"stopping", "stopping"},
        {"cancelled", "cancelled"},
        {"completed", "nothing to cancel, it has completed"},
        {"failed", "nothing to cancel, it has failed"},
        {"timeout", "nothing to cancel, it ran into its time limit"},
        {"lost", "nothing to cancel, it was lost"},
    };
    const char *said = state;

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        said = strcmp(words[i][0], state) == 0 ? words[i][1] : said;
    }
    bl_buf_printf(out, "job %" PRId64 ": %s\n", id, said);
}

static int cancel_one(struct bl_cli *cli, int64_t id, struct bl_buf *out, struct bl_error *err)
{
    BL_AUTO_BUF path = {0};
    BL_AUTO_REPLY reply = {0};
    int status;

    bl_buf_printf(&path, "/api/v1/jobs/%" PRId64 "/cancel", id);
    status = bl_client_post(cli->client, bl_buf_text(&path), "", &reply, err);
    if (status) {
        return status;
    }
    if (cli->json) {
        bl_buf_printf(out, "%s%s", out->length ? ", " : "", bl_buf_text(&reply.body));
    } else {
        tell(out, id, bl_field_text(reply.tree, "state", "?"));
    }
    return BL_OK;
}

/* Each id is tried, whatever came of those before it; the last failure gives the exit code. */
static int cancel_all(struct bl_cli *cli, const struct bl_ids *ids, struct bl_buf *out,
                      struct bl_error *err)
{
    int worst = BL_OK;
    struct bl_error kept = {0};

    for (size_t i = 0; i < ids->count; i++) {
        struct bl_error one = {0};
        int status = cancel_one(cli, ids->at[i], out, &one);

        if (status == BL_EUNREACHABLE) {
            *err = one;
            return status;
        }
        if (status && worst) {
            bl_cli_report(&kept);
        }
        if (status) {
            worst = status;
            kept = one;
        }
    }
    *err = kept;
    return worst;
}

static int read_ids(struct bl_cli *cli, int argc, char **argv, struct bl_ids *ids,
                    struct bl_error *err)
{
    int status = BL_OK;

    if (argc == 0) {
        bl_fail(err, BL_EINVAL, "which job?");
        return bl_error_set_hint(err, "usage: baleen cancel ID…, as in 'baleen cancel 7 9-12'");
    }
    for (int i = 0; !status && i < argc; i++) {
        status = bl_ids_parse(argv[i], ids, err);
    }
    for (size_t i = 0; !status && i < ids->count; i++) {
        if (ids->at[i] == BL_IDS_LAST) {
            status = bl_cli_last_job(cli, &ids->at[i], err);
        }
    }
    return status;
}

static int run_cancel(struct bl_cli *cli, void *self, int argc, char **argv, struct bl_error *err)
{
    struct bl_ids ids = {0};
    BL_AUTO_BUF out = {0};
    BL_AUTO_BUF whole = {0};
    int status;

    (void)self;
    status = read_ids(cli, argc, argv, &ids, err);
    if (!status && !bl_cli_client(cli, err)) {
        status = (int)err->status;
    }
    status = status ? status : cancel_all(cli, &ids, &out, err);
    bl_ids_finish(&ids);
    if (cli->json && out.length) {
        bl_buf_printf(&whole, "{\"jobs\": [%s]}\n", bl_buf_text(&out));
    }
    bl_cli_flush(cli->json ? &whole : &out);
    return status;
}

const struct bl_verb bl_verb_cancel = {
    .name = "cancel",
    .usage = "cancel ID…",
    .summary = "take jobs from the queue, end running ones",
    .about = "A running job gets SIGTERM and, when its grace is over, SIGKILL, with all its\n"
             "processes. Cancelling twice is the same as once.\n\n"
             "examples:\n"
             "  baleen cancel 7\n"
             "  baleen cancel 3-9 12   several\n"
             "  baleen cancel @        your last job\n",
    .flag = flags,
    .run = run_cancel,
};
