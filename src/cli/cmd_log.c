#include "cli/cli.h"

#include "base/units.h"
#include "cli/jobs.h"
#include "cli/wait.h"
#include "form/json_out.h"

#include <inttypes.h>

enum { KEY_FOLLOW = BL_KEY_OWN, KEY_ATTEMPT };

struct log {
    bool follow;
    int64_t attempt; /* 0: the current one */
    int64_t id;
    int64_t offset;
    bool complete;
};

static const struct bl_flag flags[] = {
    {"follow", 'f', BL_TAKES_NOTHING, KEY_FOLLOW, NULL, BL_SAY_FLAG_LOG_FOLLOW},
    {"attempt", 'a', BL_TAKES_VALUE, KEY_ATTEMPT, "N", BL_SAY_FLAG_LOG_ATTEMPT},
    BL_FLAGS_COMMON,
};

static int set_flag(void *self, int key, const char *value, struct bl_error *err)
{
    struct log *log = self;

    if (key == KEY_FOLLOW) {
        log->follow = true;
        return BL_OK;
    }
    return bl_int_parse(value, 1, INT32_MAX, &log->attempt, err);
}

/* One piece from where we are; *got tells whether there was anything. */
static int read_piece(struct bl_cli *cli, struct log *log, struct bl_buf *out, bool *got,
                      struct bl_error *err)
{
    BL_AUTO_BUF path = {0};
    BL_AUTO_REPLY reply = {0};
    int status;

    bl_buf_printf(&path, "/api/v1/jobs/%" PRId64 "/log?offset=%" PRId64, log->id, log->offset);
    if (log->attempt > 0) {
        bl_buf_printf(&path, "&attempt=%" PRId64, log->attempt);
    }
    status = bl_client_get_bytes(cli->client, bl_buf_text(&path), &reply, err);
    if (status) {
        return status;
    }
    *got = reply.body.length > 0;
    bl_buf_append(out, bl_buf_text(&reply.body), reply.body.length);
    log->offset = reply.log_next >= 0 ? reply.log_next : log->offset + (int64_t)reply.body.length;
    log->complete = reply.log_complete;
    return BL_OK;
}

/* All that is there now. */
static int copy_now(struct bl_cli *cli, struct log *log, struct bl_error *err)
{
    BL_AUTO_BUF out = {0};
    bool got = true;
    int status = BL_OK;

    while (!status && got && !log->complete) {
        status = read_piece(cli, log, &out, &got, err);
        bl_cli_flush(&out);
    }
    return status;
}

static int get_job(struct bl_cli *cli, int64_t id, const char *query, struct bl_reply *reply,
                   struct bl_error *err)
{
    BL_AUTO_BUF path = {0};

    bl_buf_printf(&path, "/api/v1/jobs/%" PRId64 "%s", id, query);
    return bl_client_get(cli->client, bl_buf_text(&path), reply, err);
}

static int wait_for_start(struct bl_cli *cli, struct log *log, struct bl_reply *reply,
                          bool *interrupted, struct bl_error *err)
{
    struct bl_interrupt interrupt = {-1};
    int status = bl_interrupt_init(&interrupt, err);

    if (!status) {
        const struct bl_wait wait = {log->id, BL_WAIT_STARTED, &interrupt};

        status = bl_wait_job(cli, &wait, reply, interrupted, err);
    }
    bl_interrupt_finish(&interrupt);
    return status;
}

/* The pause between two looks is the daemon's own wait, which ends early with the job. */
static int look_again(struct bl_cli *cli, struct log *log, struct bl_error *err)
{
    BL_AUTO_REPLY reply = {0};
    int status = get_job(cli, log->id, "?wait=ended&timeout=1", &reply, err);

    return status ? status : copy_now(cli, log, err);
}

/* The job runs on when its daemon goes. */
static int follow(struct bl_cli *cli, struct log *log, struct bl_error *err)
{
    const struct bl_interrupt none = {-1};
    struct bl_absence absence = {0};
    int status = copy_now(cli, log, err);

    while (!log->complete) {
        if (!status) {
            absence = (struct bl_absence){0};
        } else if (status == BL_EUNREACHABLE && bl_absence_is_short(&absence)) {
            bl_interrupt_sleep(&none, BL_ABSENCE_PAUSE);
        } else {
            return status;
        }
        status = look_again(cli, log, err);
    }
    return status;
}

/* A message about a job's title and how it stands. */
static void say_standing(struct bl_buf *out, enum bl_message message, const struct bl_job_view *job)
{
    BL_AUTO_BUF title = {0};
    BL_AUTO_BUF standing = {0};

    bl_job_print_title(&title, job);
    bl_job_print_standing(&standing, job);
    BL_SAY(out, message, BL_T(bl_buf_text(&title)), BL_T(bl_buf_text(&standing)));
}

static int tell_not_started(const struct bl_job_view *job, struct bl_error *err)
{
    BL_AUTO_BUF text = {0};
    BL_AUTO_BUF hint = {0};

    say_standing(&text, BL_SAY_NO_LOG_YET, job);
    bl_fail(err, BL_ESYSTEM, "%s", bl_buf_text(&text));
    if (bl_job_gave_up(job)) {
        return BL_ESYSTEM;
    }
    BL_SAY(&hint, BL_SAY_LOG_WAITS, BL_N(job->id));
    return bl_error_set_hint(err, "%s", bl_buf_text(&hint));
}

/* An ended job that never ran has nothing to read either. */
static int tell_never_ran(const struct bl_job_view *job, struct bl_error *err)
{
    BL_AUTO_BUF text = {0};

    say_standing(&text, BL_SAY_NEVER_RAN, job);
    return bl_fail(err, BL_ESYSTEM, "%s", bl_buf_text(&text));
}

static int print_json(struct bl_cli *cli, struct log *log, const struct bl_job_view *job,
                      struct bl_error *err)
{
    BL_AUTO_BUF text = {0};
    BL_AUTO_BUF out = {0};
    struct bl_json json;
    bool got = true;
    int status = BL_OK;

    while (!status && got && !log->complete) {
        status = read_piece(cli, log, &text, &got, err);
    }
    if (status) {
        return status;
    }
    bl_json_init(&json, &out);
    bl_json_open_object(&json);
    bl_json_put_int(&json, "id", log->id);
    bl_json_put_int(&json, "attempt", log->attempt ? log->attempt : job->attempt);
    bl_json_put_text(&json, "path", bl_field_text(job->tree, "log", NULL));
    bl_json_put_bool(&json, "complete", log->complete);
    bl_json_put_text(&json, "text", bl_buf_text(&text));
    bl_json_close_object(&json);
    bl_buf_append_char(&out, '\n');
    bl_cli_flush(&out);
    return BL_OK;
}

static int print_log(struct bl_cli *cli, struct log *log, struct bl_error *err)
{
    BL_AUTO_REPLY reply = {0};
    struct bl_job_view job;
    bool interrupted = false;
    int status = get_job(cli, log->id, "", &reply, err);

    if (status) {
        return status;
    }
    bl_job_view_read(reply.tree, &job);
    if (job.started_at == 0 && !bl_job_is_ended(&job) && log->follow) {
        BL_AUTO_BUF note = {0};

        say_standing(&note, BL_SAY_NOT_STARTED, &job);
        bl_cli_warn(bl_buf_text(&note), NULL);
        status = wait_for_start(cli, log, &reply, &interrupted, err);
        if (status || interrupted) {
            cli->exit_code = interrupted ? 130 : 0;
            return status;
        }
        bl_job_view_read(reply.tree, &job);
    }
    if (job.started_at == 0) {
        return bl_job_is_ended(&job) ? tell_never_ran(&job, err) : tell_not_started(&job, err);
    }
    if (cli->json) {
        return print_json(cli, log, &job, err);
    }
    return log->follow ? follow(cli, log, err) : copy_now(cli, log, err);
}

static int run_log(struct bl_cli *cli, void *self, int argc, char **argv, struct bl_error *err)
{
    struct log *log = self;
    int status;

    if (argc != 1) {
        BL_FAIL_SAYING(err, BL_EINVAL, argc ? BL_SAY_E_ONE_JOB : BL_SAY_E_WHICH_JOB, BL_T("log"));
        return bl_say_hint(err, BL_SAY_H_USAGE_LOG, NULL);
    }
    if (cli->json && log->follow) {
        return bl_say_fail(err, BL_EINVAL, BL_SAY_E_FOLLOW_AND_JSON, NULL);
    }
    if (!bl_cli_client(cli, err)) {
        return err->status;
    }
    status = bl_cli_one_job(cli, argv[0], &log->id, err);
    return status ? status : print_log(cli, log, err);
}

const struct bl_verb bl_verb_log = {
    .name = "log",
    .other_name = "logs",
    .usage = "log [-f] [-a N] ID",
    .summary = BL_SAY_HELP_LOG,
    .about = BL_SAY_ABOUT_LOG,
    .flag = flags,
    .set = set_flag,
    .self_size = sizeof(struct log),
    .run = run_log,
};
