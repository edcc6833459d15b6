/* report: who used what. */
#include "cli/cli.h"

#include "cli/jobs.h"
#include "cli/report.h"
#include "cli/when.h"
#include "os/clock.h"

enum { KEY_BY = BL_KEY_OWN, KEY_FROM, KEY_TO, KEY_CSV, KEY_ETA };

struct report {
    const char *by, *from, *to;
    bool csv, eta;
};

static const struct bl_flag flags[] = {
    {"by", 0, BL_TAKES_VALUE, KEY_BY, "WHAT", BL_SAY_FLAG_REPORT_BY},
    {"from", 0, BL_TAKES_VALUE, KEY_FROM, "TIME", BL_SAY_FLAG_REPORT_FROM},
    {"to", 0, BL_TAKES_VALUE, KEY_TO, "TIME", BL_SAY_FLAG_REPORT_TO},
    {"eta", 0, BL_TAKES_NOTHING, KEY_ETA, NULL, BL_SAY_FLAG_REPORT_ETA},
    {"csv", 0, BL_TAKES_NOTHING, KEY_CSV, NULL, BL_SAY_FLAG_REPORT_CSV},
    BL_FLAGS_COMMON,
};

static int set_flag(void *self, int key, const char *value, struct bl_error *err)
{
    struct report *report = self;

    (void)err;
    if (key == KEY_BY) {
        report->by = value;
    } else if (key == KEY_FROM) {
        report->from = value;
    } else if (key == KEY_TO) {
        report->to = value;
    } else if (key == KEY_ETA) {
        report->eta = true;
    } else {
        report->csv = true;
    }
    return BL_OK;
}

/* Appends "&from=2026-11-29T12:20:00Z". */
static int put_instant(struct bl_buf *path, const char *key, const char *text, struct bl_error *err)
{
    bl_time instant = 0;
    int status = text ? bl_when_parse(text, bl_clock_wall(), &instant, err) : BL_OK;

    if (status) {
        return bl_wrap(err, "--%s", key);
    }
    if (text) {
        bl_buf_printf(path, "&%s=", key);
        bl_when_print_iso(path, instant);
    }
    return BL_OK;
}

static int print_path(const struct report *report, struct bl_buf *path, struct bl_error *err)
{
    int status;

    if (report->eta && (report->by || report->from || report->to)) {
        return bl_say_fail(err, BL_EINVAL, BL_SAY_E_REPORT_ETA, NULL);
    }
    if (report->eta) {
        bl_buf_append_text(path, "/api/v1/report/eta");
        return BL_OK;
    }
    bl_buf_append_text(path, "/api/v1/report?by=");
    bl_client_escape(path, report->by ? report->by : "user");
    status = put_instant(path, "from", report->from, err);
    return status ? status : put_instant(path, "to", report->to, err);
}

static int run_report(struct bl_cli *cli, void *self, int argc, char **argv, struct bl_error *err)
{
    const struct report *report = self;
    struct bl_table_look look = bl_cli_look(cli);
    BL_AUTO_REPLY reply = {0};
    BL_AUTO_BUF path = {0};
    BL_AUTO_BUF out = {0};
    int status = bl_cli_refuse_words(cli, argc, argv, err);

    status = status ? status : print_path(report, &path, err);
    if (!status && !bl_cli_client(cli, err)) {
        status = (int)err->status;
    }
    status = status ? status : bl_client_get(cli->client, bl_buf_text(&path), &reply, err);
    if (status) {
        return status;
    }
    if (cli->json) {
        bl_buf_printf(&out, "%s\n", bl_buf_text(&reply.body));
    } else if (report->csv) {
        bl_report_print_csv(&out, bl_field_list(reply.tree, "rows"));
    } else if (report->eta) {
        bl_report_print_eta(&out, reply.tree, &look);
    } else {
        bl_report_print(&out, reply.tree, &look);
    }
    bl_cli_flush(&out);
    return BL_OK;
}

const struct bl_verb bl_verb_report = {
    .name = "report",
    .usage = "report [--by WHAT,…] [--from TIME] [--to TIME] [--csv] | report --eta [--csv]",
    .summary = BL_SAY_HELP_REPORT,
    .about = BL_SAY_ABOUT_REPORT,
    .flag = flags,
    .set = set_flag,
    .self_size = sizeof(struct report),
    .run = run_report,
};
