#include "cli/queued.h"

#include "cli/job_flags.h"
#include "cli/jobs.h"
#include "cli/wait.h"
#include "os/clock.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

/* Whether more looks would tell nothing new. Before the first round has come over a new job, its
 * reason is only a guess from its place in line. */
static bool is_settled(const struct bl_job_view *job, int looks)
{
    enum { ROUND_LOOKS = 5 };
    bool is_undecided = !strcmp(job->reason, "undecided") || !*job->reason;

    if (bl_job_has_process(job) || bl_job_is_ended(job)) {
        return true;
    }
    if (bl_job_is_placed(job) || is_undecided) {
        return false;
    }
    return strcmp(job->state, "queued") != 0 || looks >= ROUND_LOOKS;
}

/* The answer comes when the job is on disk, mostly a moment before it is decided and lives: a few
 * short looks see it settle. */
static void look_again(struct bl_client *client, struct bl_reply *reply)
{
    enum { LOOKS = 40 };
    static const struct timespec pause = {.tv_nsec = 25000000};

    for (int i = 0; i < LOOKS; i++) {
        struct bl_job_view job;
        struct bl_reply before = *reply;
        BL_AUTO_REPLY later = {0};
        BL_AUTO_BUF path = {0};

        bl_job_view_read(reply->tree, &job);
        if (is_settled(&job, i)) {
            return;
        }
        nanosleep(&pause, NULL);
        bl_buf_printf(&path, "/api/v1/jobs/%lld", (long long)job.id);
        if (bl_client_get(client, bl_buf_text(&path), &later, NULL)) {
            return;
        }
        *reply = later;
        later = before;
    }
}

static void print_answer(const struct bl_cli *cli, const struct bl_queued *how,
                         const struct bl_reply *reply)
{
    BL_AUTO_BUF out = {0};
    struct bl_job_view job;

    bl_job_view_read(reply->tree, &job);
    if (how->parsable) {
        bl_buf_printf(&out, "%lld\n", (long long)job.id);
    } else if (cli->json && !how->wait) {
        bl_buf_printf(&out, "%s\n", bl_buf_text(&reply->body));
    } else if (!cli->json) {
        bl_job_print_welcome(&out, &job, bl_clock_wall());
    }
    bl_cli_flush(&out);
}

void bl_queued_tell_interrupted(int64_t id)
{
    BL_AUTO_BUF text = {0};
    BL_AUTO_BUF hint = {0};

    BL_SAY(&text, BL_SAY_WAIT_BROKEN, BL_N(id));
    BL_SAY(&hint, BL_SAY_WAIT_BROKEN_HINT, BL_N(id));
    fputc('\n', stderr);
    bl_cli_warn(bl_buf_text(&text), bl_buf_text(&hint));
}

static void tell_end(struct bl_cli *cli, const struct bl_queued *how, const struct bl_reply *reply)
{
    struct bl_job_view job;
    BL_AUTO_BUF out = {0};

    bl_job_view_read(reply->tree, &job);
    cli->exit_code = job.has_exit_code                     ? (int)job.exit_code
                     : strcmp(job.state, "completed") == 0 ? BL_EXIT_OK
                                                           : BL_EXIT_FAILED;
    /* a job that was ended by somebody did not succeed, whatever its last breath said */
    if (cli->exit_code == 0 && strcmp(job.state, "completed") != 0) {
        cli->exit_code = BL_EXIT_FAILED;
    }
    if (cli->json) {
        bl_buf_printf(&out, "%s\n", bl_buf_text(&reply->body));
    } else if (!how->parsable) {
        bl_job_print_title(&out, &job);
        bl_say(&out, BL_SAY_COLON);
        bl_job_print_standing(&out, &job);
        if (job.started_at > 0) {
            BL_SAY(&out, BL_SAY_LOG_IS, BL_T(bl_field_text(job.tree, "log", "–")));
        }
        bl_buf_append_char(&out, '\n');
    }
    bl_cli_flush(&out);
}

static int wait_for_end(struct bl_cli *cli, const struct bl_queued *how, struct bl_reply *reply,
                        struct bl_error *err)
{
    struct bl_interrupt interrupt = {-1};
    struct bl_job_view job;
    bool interrupted = false;
    int64_t id;
    /* before the first line is printed: whoever has read it may break the waiting off */
    int status = bl_interrupt_init(&interrupt, err);

    bl_job_view_read(reply->tree, &job);
    id = job.id;
    if (!job.ended_at || how->parsable || cli->json) { /* else its end says the same */
        print_answer(cli, how, reply);
    }
    if (!status) {
        const struct bl_wait wait = {id, BL_WAIT_ENDED, &interrupt};

        status = bl_wait_job(cli, &wait, reply, &interrupted, err);
    }
    bl_interrupt_finish(&interrupt);
    if (interrupted) {
        bl_queued_tell_interrupted(id);
        cli->exit_code = 130; /* as a shell says it of ^C */
    } else if (!status) {
        tell_end(cli, how, reply);
    }
    return status;
}

/* A job of several, as it stands once a round has come over it. */
static void print_one_of_many(const struct bl_cli *cli, const struct bl_tree *tree,
                              struct bl_buf *out)
{
    struct bl_job_view job;
    BL_AUTO_REPLY later = {0};
    BL_AUTO_BUF path = {0};

    bl_job_view_read(tree, &job);
    bl_buf_printf(&path, "/api/v1/jobs/%lld", (long long)job.id);
    if (!bl_client_get(cli->client, bl_buf_text(&path), &later, NULL)) {
        look_again(cli->client, &later);
        bl_job_view_read(later.tree, &job);
    }
    bl_job_print_welcome(out, &job, bl_clock_wall());
}

/* Several jobs at once: a line for each. */
static void print_batch(const struct bl_cli *cli, const struct bl_queued *how,
                        const struct bl_reply *reply)
{
    enum { LOOKED_AT_MAX = 32 };
    const struct bl_tree *jobs = bl_field_list(reply->tree, "jobs");
    BL_AUTO_BUF out = {0};

    if (cli->json) {
        bl_buf_printf(&out, "%s\n", bl_buf_text(&reply->body));
    }
    for (size_t i = 0; !cli->json && jobs && i < jobs->child_count; i++) {
        struct bl_job_view job;

        bl_job_view_read(&jobs->child[i], &job);
        if (how->parsable) {
            bl_buf_printf(&out, "%lld\n", (long long)job.id);
        } else if (i < LOOKED_AT_MAX) {
            print_one_of_many(cli, &jobs->child[i], &out);
        } else {
            bl_job_print_welcome(&out, &job, bl_clock_wall());
        }
    }
    bl_cli_flush(&out);
}

/* Each in turn; the exit code is the first that is not 0. */
static int wait_for_batch(struct bl_cli *cli, const struct bl_queued *how,
                          const struct bl_reply *reply, struct bl_error *err)
{
    const struct bl_tree *jobs = bl_field_list(reply->tree, "jobs");
    int worst = BL_EXIT_OK;
    int status = BL_OK;

    for (size_t i = 0; !status && jobs && i < jobs->child_count; i++) {
        BL_AUTO_REPLY one = {0};
        BL_AUTO_BUF path = {0};

        bl_buf_printf(&path, "/api/v1/jobs/%lld",
                      (long long)bl_field_int(&jobs->child[i], "id", 0));
        status = bl_client_get(cli->client, bl_buf_text(&path), &one, err);
        status = status ? status : wait_for_end(cli, how, &one, err);
        worst = worst ? worst : cli->exit_code;
        if (cli->exit_code == 130) {
            break;
        }
    }
    cli->exit_code = worst;
    return status;
}

int bl_queued_post(struct bl_cli *cli, const struct bl_queued *how, const char *body,
                   struct bl_error *err)
{
    BL_AUTO_REPLY reply = {0};
    int status = bl_cli_client(cli, err) ? BL_OK : (int)err->status;

    status = status ? status : bl_client_post(cli->client, "/api/v1/jobs", body, &reply, err);
    if (status) {
        if (how->from_flags) {
            bl_job_flags_name(err);
        }
        return status;
    }
    if (bl_field_list(reply.tree, "jobs")) {
        if (how->wait) {
            return wait_for_batch(cli, how, &reply, err);
        }
        print_batch(cli, how, &reply);
        return BL_OK;
    }
    if (!how->parsable) {
        look_again(cli->client, &reply);
    }
    if (how->wait) {
        return wait_for_end(cli, how, &reply, err);
    }
    print_answer(cli, how, &reply);
    return BL_OK;
}

void bl_queued_tell_left_out(size_t variables)
{
    BL_AUTO_BUF text = {0};

    if (variables > 0) {
        BL_SAY(&text, BL_SAY_VARIABLES_LEFT_OUT, BL_N((int64_t)variables));
        bl_cli_warn(bl_buf_text(&text), NULL);
    }
}
