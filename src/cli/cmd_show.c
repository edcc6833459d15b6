#include "cli/cli.h"

#include "base/units.h"
#include "cli/jobs.h"
#include "cli/text.h"
#include "os/clock.h"

#include <inttypes.h>
#include <string.h>

static const struct bl_flag flags[] = {BL_FLAGS_COMMON};

static void begin(struct bl_buf *out, const char *label)
{
    bl_buf_printf(out, "  %-11s ", label);
}

static void put(struct bl_buf *out, const char *label, const char *text)
{
    if (text && *text) {
        begin(out, label);
        bl_text_escape(out, text);
        bl_buf_append_char(out, '\n');
    }
}

static void put_instant(struct bl_buf *out, const char *label, bl_time instant)
{
    if (instant > 0) {
        begin(out, label);
        bl_clock_print_full(out, instant);
        bl_buf_append_char(out, '\n');
    }
}

static void put_state(struct bl_buf *out, const struct bl_job_view *job, bl_time now)
{
    begin(out, "state");
    bl_job_print_standing(out, job);
    if (!bl_job_is_ended(job) && job->started_at > 0 && now > job->started_at) {
        bl_buf_append_text(out, ", for ");
        bl_text_span_words(out, (now - job->started_at) / BL_SECOND * BL_SECOND);
    }
    bl_buf_append_char(out, '\n');
    /* a job that runs has a reason too: why it was let start */
    if (bl_job_is_placed(job)) {
        put(out, "reason", job->reason_text);
    }
}

static void put_types(struct bl_buf *out, const struct bl_tree *types)
{
    for (size_t i = 0; types && i < types->child_count; i++) {
        bl_buf_append_text(out, i ? " or " : " of type ");
        bl_text_escape(out, bl_item_text(types, i));
    }
}

static void put_request(struct bl_buf *out, const struct bl_job_view *job)
{
    BL_AUTO_BUF gpus = {0};
    double cpus = bl_field_double(job->tree, "cpus", 0);
    int64_t mem = bl_field_int(job->tree, "mem_bytes", 0);

    begin(out, "asks for");
    bl_job_print_gpus(&gpus, job);
    bl_buf_printf(out, "%s GPU%s", bl_buf_text(&gpus), job->gpus_max == 1 ? "" : "s");
    put_types(out, bl_field_list(job->tree, "gpu_types"));
    bl_buf_printf(out, ", %g CPU%s, ", cpus, cpus == 1 ? "" : "s");
    bl_size_print(out, mem);
    bl_buf_append_char(out, '\n');
    if (job->limit > 0) {
        begin(out, "limit");
        bl_text_span_words(out, job->limit);
        if (bl_job_has_process(job)) {
            bl_buf_append_text(out, ", ends by ");
            bl_clock_print_full(out, job->started_at + job->limit);
        }
        bl_buf_append_char(out, '\n');
    }
}

static void put_after(struct bl_buf *out, const struct bl_job_view *job)
{
    const struct bl_tree *after = bl_field_list(job->tree, "after");

    for (size_t i = 0; after && i < after->child_count; i++) {
        if (i == 0) {
            begin(out, "after");
        }
        bl_buf_printf(out, "%s%" PRId64 ":%s", i ? ", " : "",
                      bl_field_int(&after->child[i], "job", 0),
                      bl_field_text(&after->child[i], "kind", "ok"));
    }
    bl_buf_append_text(out, after && after->child_count ? "\n" : "");
}

static void put_command(struct bl_buf *out, const struct bl_job_view *job)
{
    const struct bl_tree *command = bl_field_list(job->tree, "command");
    BL_AUTO_BUF line = {0};

    for (size_t i = 0; command && i < command->child_count; i++) {
        bl_buf_append_text(&line, i ? " " : "");
        bl_text_quote(&line, bl_item_text(command, i));
    }
    put(out, "command", bl_buf_text(&line));
}

static void put_owner(struct bl_buf *out, const struct bl_job_view *job)
{
    begin(out, "owner");
    bl_text_escape(out, job->user);
    bl_buf_append_text(out, *job->project ? ", project " : "");
    bl_text_escape(out, job->project);
    bl_buf_append_text(out, ", class ");
    bl_text_escape(out, job->job_class);
    bl_buf_append_char(out, '\n');
}

static void put_process(struct bl_buf *out, const struct bl_job_view *job)
{
    int64_t pid = bl_field_int(job->tree, "pid", 0);

    if (job->attempt > 0) {
        begin(out, "attempt");
        bl_buf_printf(out, "%" PRId64, job->attempt);
        if (pid > 0 && bl_job_has_process(job)) {
            bl_buf_printf(out, ", process %" PRId64, pid);
        }
        bl_buf_append_char(out, '\n');
    }
}

static void print_job(struct bl_buf *out, const struct bl_job_view *job, bl_time now)
{
    bl_job_print_title(out, job);
    bl_buf_append_char(out, '\n');
    put_state(out, job, now);
    put_owner(out, job);
    put_request(out, job);
    put_after(out, job);
    put_instant(out, "submitted", job->submitted_at);
    put_instant(out, "started", job->started_at);
    put_instant(out, "ended", job->ended_at);
    put_process(out, job);
    put_command(out, job);
    put(out, "directory", bl_field_text(job->tree, "workdir", ""));
    put(out, "log", bl_field_text(job->tree, "log", ""));
}

static int run_show(struct bl_cli *cli, void *self, int argc, char **argv, struct bl_error *err)
{
    BL_AUTO_REPLY reply = {0};
    BL_AUTO_BUF path = {0};
    BL_AUTO_BUF out = {0};
    int64_t id = 0;
    int status;

    (void)self;
    if (argc != 1) {
        bl_fail(err, BL_EINVAL, argc ? "'baleen show' takes one job" : "which job?");
        return bl_error_set_hint(err, "usage: baleen show ID; 'baleen q -a' lists the ids");
    }
    if (!bl_cli_client(cli, err)) {
        return err->status;
    }
    status = bl_cli_one_job(cli, argv[0], &id, err);
    if (status) {
        return status;
    }
    bl_buf_printf(&path, "/api/v1/jobs/%" PRId64, id);
    status = bl_client_get(cli->client, bl_buf_text(&path), &reply, err);
    if (!status && cli->json) {
        bl_buf_printf(&out, "%s\n", bl_buf_text(&reply.body));
    } else if (!status) {
        struct bl_job_view job;

        bl_job_view_read(reply.tree, &job);
        print_job(&out, &job, bl_clock_wall());
    }
    bl_cli_flush(&out);
    return status;
}

const struct bl_verb bl_verb_show = {
    .name = "show",
    .other_name = "describe",
    .usage = "show ID",
    .summary = "tell all about one job",
    .about = "\nexamples:\n"
             "  baleen show 7\n"
             "  baleen show @          your last job\n"
             "  baleen show --json 7\n",
    .flag = flags,
    .run = run_show,
};
