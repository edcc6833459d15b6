/* submit: job files, pipelines and scripts. */
#include "cli/cli.h"

#include "base/own.h"
#include "cli/booking.h"
#include "cli/document.h"
#include "cli/job_flags.h"
#include "cli/jobs.h"
#include "cli/queued.h"
#include "cli/when.h"
#include "form/jobspec.h"
#include "form/tree_make.h"
#include "form/tree_out.h"
#include "form/tree_read.h"
#include "os/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KEY_WAIT = BL_KEY_OWN, KEY_PARSABLE, KEY_EXPORT };

struct submit {
    struct bl_queued how;
    bool export;
    struct bl_job_flags job;
};

static const struct bl_flag flags[] = {
    BL_FLAGS_JOB,
    {"export", 0, BL_TAKES_VALUE, KEY_EXPORT, "yaml", BL_SAY_FLAG_SUBMIT_EXPORT},
    {"wait", 'w', BL_TAKES_NOTHING, KEY_WAIT, NULL, BL_SAY_FLAG_WAIT},
    {"parsable", 0, BL_TAKES_NOTHING, KEY_PARSABLE, NULL, BL_SAY_FLAG_PARSABLE},
    BL_FLAGS_COMMON,
};

static int set_flag(void *self, int key, const char *value, struct bl_error *err)
{
    struct submit *submit = self;

    switch (key) {
    case KEY_WAIT:
        submit->how.wait = true;
        return BL_OK;
    case KEY_PARSABLE:
        submit->how.parsable = true;
        return BL_OK;
    case KEY_EXPORT:
        submit->export = true;
        return strcmp(value, "yaml") == 0
                   ? BL_OK
                   : BL_FAIL_SAYING(err, BL_EINVAL, BL_SAY_E_YAML, BL_T(value));
    default:
        return bl_job_flags_set(&submit->job, key, value, err);
    }
}

static void finish(void *self)
{
    bl_job_flags_finish(&((struct submit *)self)->job);
}

/* --- what the daemon has --------------------------------------------------------------------- */

/* Distinct texts of `key` over the nodes, NULL-terminated, in the arena. */
static const char *const *collect(struct bl_arena *arena, const struct bl_tree *nodes,
                                  const char *key)
{
    const char **out = bl_arena_alloc(arena, (nodes->child_count + 1) * sizeof(char *));
    size_t count = 0;

    for (size_t i = 0; i < nodes->child_count; i++) {
        const char *text = bl_field_text(&nodes->child[i], key, NULL);
        bool is_new = text;

        for (size_t j = 0; j < count && is_new; j++) {
            is_new = strcmp(out[j], text) != 0;
        }
        if (is_new) {
            out[count++] = text;
        }
    }
    out[count] = NULL;
    return out;
}

/* A job file can be exported without a daemon; its types and pools are not known then. */
static int ask_nodes(struct bl_cli *cli, const struct submit *submit, struct bl_arena *arena,
                     struct bl_reply *reply, struct bl_document_source *source,
                     struct bl_error *err)
{
    const struct bl_tree *nodes;
    struct bl_error *cause = submit->export ? &(struct bl_error){0} : err;
    int status = bl_cli_client(cli, cause) ? BL_OK : (int)cause->status;

    status = status ? status : bl_client_get(cli->client, "/api/v1/nodes", reply, cause);
    nodes = status ? NULL : bl_field_list(reply->tree, "nodes");
    if (nodes) {
        source->gpu_types = collect(arena, nodes, "gpu_type");
        source->pools = collect(arena, nodes, "pool");
    }
    return submit->export ? BL_OK : status;
}

/* --- requests -------------------------------------------------------------------------------- */

/* The variables once for each job: the request is their list. */
static size_t write_body(struct bl_buf *out, const struct bl_document *document)
{
    const struct bl_submit_surroundings here = bl_submit_surroundings_now();
    struct bl_json json;
    size_t left_out = 0;

    if (!document->is_pipeline) {
        return bl_submit_write(out, document->job[0], &here);
    }
    bl_json_init(&json, out);
    bl_json_open_object(&json);
    bl_json_key(&json, "jobs");
    bl_json_open_array(&json);
    for (size_t i = 0; i < document->job_count; i++) {
        bl_json_open_object(&json);
        left_out = bl_submit_put_members(&json, document->job[i], &here);
        bl_json_close_object(&json);
    }
    bl_json_close_array(&json);
    bl_json_close_object(&json);
    return left_out;
}

static void tell_warnings(const struct bl_document *document)
{
    for (size_t i = 0; i < document->warning_count; i++) {
        bl_cli_warn(document->warning[i], NULL);
    }
}

static void print_yaml(const struct bl_document *document)
{
    BL_AUTO_BUF out = {0};

    bl_tree_print_yaml(&out, document->tree);
    bl_cli_flush(&out);
}

/* Flags win over the file; what comes of it must still be a job. */
static int apply_flags(struct bl_cli *cli, struct submit *submit, struct bl_document *document,
                       struct bl_arena *arena, struct bl_error *err)
{
    const struct bl_tree_source source = {"with the flags", "", 0};
    struct bl_jobspec spec;
    int status;

    if (!bl_job_flags_any(&submit->job)) {
        return BL_OK;
    }
    if (document->is_pipeline) {
        bl_say_fail(err, BL_EINVAL, BL_SAY_E_FLAGS_AND_PIPELINE, NULL);
        return bl_say_hint(err, BL_SAY_H_WRITE_INTO_FILE, NULL);
    }
    status = bl_job_flags_resolve(cli, &submit->job, err);
    status = status ? status : bl_submit_check(&submit->job.submit, err);
    if (status) {
        return status;
    }
    bl_submit_apply(arena, document->job[0], &submit->job.submit);
    return bl_jobspec_read(&source, document->job[0], BL_JOBSPEC_LIVE, arena, &spec, err);
}

/* Times of day are those of whoever submits, and the daemon may live in another zone. */
static void fix_times(const struct bl_document *document, struct bl_arena *arena)
{
    bl_time now = bl_clock_wall();

    for (size_t i = 0; i < document->job_count; i++) {
        const struct bl_tree *at = bl_tree_given(document->job[i], "not_before");
        BL_AUTO_BUF text = {0};

        if (at && at->kind == BL_TREE_SCALAR && bl_when_fix(at->text, now, &text)) {
            bl_tree_put_text(arena, document->job[i], "not_before",
                             bl_arena_copy_text(arena, bl_buf_text(&text)), at->line);
        }
    }
}

/* A file that books: days are named in its zone, or the local one. */
static int send_reservation(struct bl_cli *cli, const struct submit *submit,
                            const struct bl_document *document, struct bl_arena *arena,
                            struct bl_error *err)
{
    static const char *const instants[] = {"from", "until_at", "until"};
    const struct bl_booking_request request = {"/api/v1/reservations", BL_BOOKING_POST,
                                               document->reservation, arena, 0};
    const char *zone = bl_field_text(document->reservation, "zone", NULL);
    int status = BL_OK;

    if (bl_job_flags_any(&submit->job)) {
        bl_say_fail(err, BL_EINVAL, BL_SAY_E_FLAGS_AND_RESERVATION, NULL);
        return bl_say_hint(err, BL_SAY_H_WRITE_INTO_FILE, NULL);
    }
    if (submit->export) {
        print_yaml(document);
        return BL_OK;
    }
    status = zone ? bl_when_choose_zone(zone, err) : BL_OK;
    for (size_t i = 0; !status && i < sizeof instants / sizeof instants[0]; i++) {
        const char *text = bl_field_text(document->reservation, instants[i], NULL);

        if (text) {
            bl_booking_put(&request, instants[i], text);
        }
    }
    bl_booking_put_zone(&request);
    return status ? status : bl_booking_ask(cli, &request, err);
}

static int send_document(struct bl_cli *cli, struct submit *submit,
                         const struct bl_document *document, struct bl_arena *arena,
                         struct bl_error *err)
{
    BL_AUTO_BUF body = {0};

    if (document->reservation) {
        return send_reservation(cli, submit, document, arena, err);
    }
    tell_warnings(document);
    if (submit->export) {
        print_yaml(document);
        return BL_OK;
    }
    if (document->test_only) {
        BL_AUTO_BUF text = {0};

        bl_say(&text, BL_SAY_TEST_ONLY);
        bl_cli_warn(bl_buf_text(&text), NULL);
        return BL_OK;
    }
    fix_times(document, arena);
    submit->how.wait = submit->how.wait || document->wait;
    submit->how.parsable = submit->how.parsable || document->parsable;
    bl_queued_tell_left_out(write_body(&body, document));
    return bl_queued_post(cli, &submit->how, bl_buf_text(&body), err);
}

static int run_submit(struct bl_cli *cli, void *self, int argc, char **argv, struct bl_error *err)
{
    struct submit *submit = self;
    struct bl_document_source source = {0};
    struct bl_document document = {0};
    struct bl_arena arena = {0};
    BL_AUTO_FREE char *directory = NULL;
    BL_AUTO_REPLY nodes = {0};
    BL_AUTO_BUF bytes = {0};
    int status;

    if (argc == 0) {
        bl_say_fail(err, BL_EINVAL, BL_SAY_E_WHICH_FILE, NULL);
        return bl_say_hint(err, BL_SAY_H_USAGE_SUBMIT, NULL);
    }
    status = bl_job_flags_workdir(&submit->job, &directory, err);
    status = status ? status : bl_document_load(argv[0], &bytes, err);
    if (status) {
        return status;
    }
    submit->job.submit.workdir = submit->job.chdir ? directory : NULL;
    source.name = argv[0];
    source.bytes = bl_buf_text(&bytes);
    source.length = bytes.length;
    source.directory = directory;
    source.argument = (const char *const *)argv + 1;
    status = ask_nodes(cli, submit, &arena, &nodes, &source, err);
    status = status ? status : bl_document_read(&source, &arena, &document, err);
    if (!status && !document.reservation) {
        status = apply_flags(cli, submit, &document, &arena, err);
    }
    status = status ? status : send_document(cli, submit, &document, &arena, err);
    bl_arena_finish(&arena);
    return status;
}

const struct bl_verb bl_verb_submit = {
    .name = "submit",
    .usage = "submit [flags] FILE [ARGUMENT…]",
    .summary = BL_SAY_HELP_SUBMIT,
    .about = BL_SAY_ABOUT_SUBMIT,
    .flag = flags,
    .order = BL_FLAGS_IN_FRONT,
    .set = set_flag,
    .self_size = sizeof(struct submit),
    .finish = finish,
    .run = run_submit,
};
