#include "cli/cli.h"

#include "base/units.h"
#include "cli/attempts.h"
#include "cli/curve.h"
#include "cli/eta.h"
#include "cli/jobs.h"
#include "cli/text.h"
#include "cli/use.h"
#include "cli/when.h"
#include "os/clock.h"

#include <inttypes.h>
#include <string.h>

static const struct bl_flag flags[] = {BL_FLAGS_COMMON};

/* In line with what stands behind labels. */
static const char below[] = "              ";

/* Labels are padded by the columns they take. */
static void begin(struct bl_buf *out, enum bl_message label)
{
    enum { LABEL_COLUMNS = 12 };
    BL_AUTO_BUF text = {0};

    bl_say(&text, label);
    bl_buf_printf(out, "  %s", bl_buf_text(&text));
    for (size_t at = bl_text_width(bl_buf_text(&text)); at < LABEL_COLUMNS; at++) {
        bl_buf_append_char(out, ' ');
    }
}

static void put(struct bl_buf *out, enum bl_message label, const char *text)
{
    if (text && *text) {
        begin(out, label);
        bl_text_escape(out, text);
        bl_buf_append_char(out, '\n');
    }
}

static void put_instant(struct bl_buf *out, enum bl_message label, bl_time instant)
{
    if (instant > 0) {
        begin(out, label);
        bl_clock_print_full(out, instant);
        bl_buf_append_char(out, '\n');
    }
}

/* The latest start that was promised, or why none is. */
static void put_promise(struct bl_buf *out, const struct bl_job_view *job, bl_time now)
{
    bl_time promised = bl_field_time(job->tree, "promised_at");
    BL_AUTO_BUF words = {0};

    put_instant(out, BL_SAY_LABEL_PROMISED, promised);
    if (promised == 0) {
        bl_job_print_promise(&words, job, now);
        put(out, BL_SAY_LABEL_PROMISED, bl_buf_text(&words));
    }
}

static void put_state(struct bl_buf *out, const struct bl_job_view *job, bl_time now)
{
    begin(out, BL_SAY_LABEL_STATE);
    bl_job_print_standing(out, job);
    if (!bl_job_is_ended(job) && job->started_at > 0 && now > job->started_at) {
        BL_AUTO_BUF span = {0};

        bl_text_span_words(&span, (now - job->started_at) / BL_SECOND * BL_SECOND);
        BL_SAY(out, BL_SAY_FOR_SPAN, BL_T(bl_buf_text(&span)));
    }
    bl_buf_append_char(out, '\n');
    /* a job that runs has a reason too: why it was let start */
    if (bl_job_is_placed(job) && bl_job_has_reason(job)) {
        begin(out, BL_SAY_LABEL_REASON);
        bl_job_print_reason(out, job);
        bl_buf_append_char(out, '\n');
    }
}

static void put_types(struct bl_buf *out, const struct bl_tree *types)
{
    for (size_t i = 0; types && i < types->child_count; i++) {
        BL_SAY(out, i ? BL_SAY_OR_TYPE : BL_SAY_OF_TYPE, BL_T(bl_item_text(types, i)));
    }
}

static void put_request(struct bl_buf *out, const struct bl_job_view *job)
{
    BL_AUTO_BUF gpus = {0};
    BL_AUTO_BUF cpu_text = {0};
    BL_AUTO_BUF mem_text = {0};
    double cpus = bl_field_double(job->tree, "cpus", 0);
    int64_t mem = bl_field_int(job->tree, "mem_bytes", 0);

    begin(out, BL_SAY_LABEL_ASKS);
    bl_job_print_gpus(&gpus, job);
    BL_SAY(out, BL_SAY_GPUS_TEXT, BL_T(bl_buf_text(&gpus)), BL_N(job->gpus_max));
    put_types(out, bl_field_list(job->tree, "gpu_types"));
    bl_buf_printf(&cpu_text, "%g", cpus);
    bl_size_print(&mem_text, mem);
    BL_SAY(out, BL_SAY_CPUS_AND_MEM, BL_T(bl_buf_text(&cpu_text)), BL_N(cpus == 1 ? 1 : 2),
           BL_T(bl_buf_text(&mem_text)));
    bl_buf_append_char(out, '\n');
    if (job->limit > 0) {
        begin(out, BL_SAY_LABEL_LIMIT);
        bl_text_span_words(out, job->limit);
        if (bl_job_has_process(job)) {
            BL_AUTO_BUF by = {0};

            bl_clock_print_full(&by, job->started_at + job->limit);
            BL_SAY(out, BL_SAY_ENDS_BY, BL_T(bl_buf_text(&by)));
        }
        bl_buf_append_char(out, '\n');
    }
}

static void put_after(struct bl_buf *out, const struct bl_job_view *job)
{
    const struct bl_tree *after = bl_field_list(job->tree, "after");

    for (size_t i = 0; after && i < after->child_count; i++) {
        if (i == 0) {
            begin(out, BL_SAY_LABEL_AFTER);
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
    put(out, BL_SAY_LABEL_COMMAND, bl_buf_text(&line));
}

static void put_owner(struct bl_buf *out, const struct bl_job_view *job)
{
    begin(out, BL_SAY_LABEL_OWNER);
    bl_text_escape(out, job->user);
    if (*job->project) {
        BL_SAY(out, BL_SAY_OWNER_PROJECT, BL_T(job->project));
    }
    BL_SAY(out, BL_SAY_OWNER_CLASS, BL_T(job->job_class));
    bl_buf_append_char(out, '\n');
}

static void put_process(struct bl_buf *out, const struct bl_job_view *job)
{
    int64_t pid = bl_field_int(job->tree, "pid", 0);

    if (job->attempt > 0) {
        begin(out, BL_SAY_LABEL_ATTEMPT);
        bl_buf_printf(out, "%" PRId64, job->attempt);
        if (pid > 0 && bl_job_has_process(job)) {
            BL_SAY(out, BL_SAY_ATTEMPT_PROCESS, BL_N(pid));
        }
        bl_buf_append_char(out, '\n');
    }
}

static void put_lines(struct bl_buf *out, enum bl_message label, const struct bl_buf *lines)
{
    if (lines->length) {
        begin(out, label);
        bl_buf_append_text(out, bl_buf_text(lines));
    }
}

static void put_earlier(struct bl_buf *out, const struct bl_job_view *job)
{
    BL_AUTO_BUF lines = {0};

    bl_attempts_print(&lines, job->tree, below);
    put_lines(out, BL_SAY_LABEL_EARLIER, &lines);
}

static void put_array(struct bl_buf *out, const struct bl_job_view *job)
{
    const char *indices = bl_field_text(bl_job_array(job), "indices", "");

    if (job->array.elements > 0) {
        begin(out, BL_SAY_LABEL_ARRAY);
        bl_text_escape(out, indices);
        bl_say(out, *indices ? BL_SAY_BETWEEN : BL_SAY_NOTHING);
        bl_job_print_counts(out, job);
        bl_buf_append_char(out, '\n');
    }
}

static void put_eta(struct bl_buf *out, enum bl_message label, const struct bl_job_view *job,
                    const struct bl_buf *when)
{
    if (when->length > 0) {
        begin(out, label);
        BL_SAY(out, BL_SAY_ABOUT_WHEN, BL_T(bl_buf_text(when)));
        bl_eta_print_source(out, job);
        bl_buf_append_char(out, '\n');
    }
}

/* By the forecast; a job that runs has started. */
static void put_forecast(struct bl_buf *out, const struct bl_job_view *job, bl_time now)
{
    BL_AUTO_BUF starts = {0};
    BL_AUTO_BUF ends = {0};

    if (bl_job_is_ended(job)) {
        return;
    }
    if (!bl_job_is_placed(job)) {
        bl_eta_print_start(&starts, job, now);
    }
    bl_eta_print_end(&ends, job, now);
    put_eta(out, BL_SAY_LABEL_STARTS, job, &starts);
    put_eta(out, BL_SAY_LABEL_ENDS, job, &ends);
}

static void print_job(struct bl_buf *out, const struct bl_job_view *job, bl_time now)
{
    bl_job_print_title(out, job);
    bl_buf_append_char(out, '\n');
    put_state(out, job, now);
    put_owner(out, job);
    put_request(out, job);
    put_after(out, job);
    put_array(out, job);
    put_forecast(out, job, now);
    put_promise(out, job, now);
    put_instant(out, BL_SAY_LABEL_SUBMITTED, job->submitted_at);
    put_instant(out, BL_SAY_LABEL_STARTED, job->started_at);
    put_instant(out, BL_SAY_LABEL_ENDED, job->ended_at);
    put_process(out, job);
    put_earlier(out, job);
    put_command(out, job);
    put(out, BL_SAY_LABEL_DIRECTORY, bl_field_text(job->tree, "workdir", ""));
    put(out, BL_SAY_LABEL_LOG, bl_field_text(job->tree, "log", ""));
}

/* False of a daemon that does not know what is asked for: nothing is said of it then. */
static bool fetch_of(struct bl_cli *cli, struct bl_job_ref ref, const char *what,
                     struct bl_reply *out)
{
    BL_AUTO_BUF path = {0};

    bl_buf_append_text(&path, "/api/v1/jobs/");
    bl_ref_print(&path, ref);
    bl_buf_append_text(&path, what);
    return bl_client_get(cli->client, bl_buf_text(&path), out, NULL) == BL_OK;
}

static void add_curve(struct bl_cli *cli, struct bl_buf *out, struct bl_job_ref ref)
{
    BL_AUTO_REPLY reply = {0};
    BL_AUTO_BUF told = {0};
    struct bl_table_look look = bl_cli_look(cli);

    if (fetch_of(cli, ref, "/curve", &reply)) {
        bl_curve_print(&told, reply.tree, &look);
    }
    put_lines(out, BL_SAY_LABEL_CURVE, &told);
}

static void add_use(struct bl_cli *cli, struct bl_buf *out, struct bl_job_ref ref)
{
    BL_AUTO_REPLY reply = {0};
    BL_AUTO_BUF told = {0};

    if (fetch_of(cli, ref, "/use", &reply)) {
        bl_use_print(&told, reply.tree, below);
    }
    put_lines(out, BL_SAY_LABEL_USE, &told);
}

static int run_show(struct bl_cli *cli, void *self, int argc, char **argv, struct bl_error *err)
{
    BL_AUTO_REPLY reply = {0};
    BL_AUTO_BUF path = {0};
    BL_AUTO_BUF out = {0};
    struct bl_job_ref ref = {0, -1};
    int status;

    (void)self;
    if (argc != 1) {
        BL_FAIL_SAYING(err, BL_EINVAL, argc ? BL_SAY_E_ONE_JOB : BL_SAY_E_WHICH_JOB, BL_T("show"));
        return bl_say_hint(err, BL_SAY_H_USAGE_SHOW, NULL);
    }
    if (!bl_cli_client(cli, err)) {
        return err->status;
    }
    status = bl_cli_one_ref(cli, argv[0], &ref, err);
    if (status) {
        return status;
    }
    bl_buf_append_text(&path, "/api/v1/jobs/");
    bl_ref_print(&path, ref);
    status = bl_client_get(cli->client, bl_buf_text(&path), &reply, err);
    if (!status && cli->json) {
        bl_buf_printf(&out, "%s\n", bl_buf_text(&reply.body));
    } else if (!status) {
        struct bl_job_view job;

        bl_job_view_read(reply.tree, &job);
        print_job(&out, &job, bl_clock_wall());
    }
    if (!status && !cli->json) {
        add_use(cli, &out, ref);
        add_curve(cli, &out, ref);
    }
    bl_cli_flush(&out);
    return status;
}

const struct bl_verb bl_verb_show = {
    .name = "show",
    .other_name = "describe",
    .usage = "show ID",
    .summary = BL_SAY_HELP_SHOW,
    .about = BL_SAY_ABOUT_SHOW,
    .flag = flags,
    .run = run_show,
};
