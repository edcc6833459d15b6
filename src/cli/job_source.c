#include "cli/job_source.h"

#include "base/own.h"
#include "cli/jobs.h"
#include "cli/queued.h"
#include "cli/when.h"
#include "form/jobspec.h"
#include "form/tree_make.h"
#include "form/tree_read.h"
#include "os/clock.h"

#include <string.h>

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
            out[count++] = bl_arena_copy_text(arena, text);
        }
    }
    out[count] = NULL;
    return out;
}

/* A job file can be exported without a daemon; its types and pools are not known then. */
static int ask_nodes(struct bl_cli *cli, const struct bl_job_source *from, struct bl_reply *reply,
                     struct bl_document_source *source, struct bl_error *err)
{
    const struct bl_tree *nodes;
    struct bl_error *cause = from->without_daemon ? &(struct bl_error){0} : err;
    int status = bl_cli_client(cli, cause) ? BL_OK : (int)cause->status;

    status = status ? status : bl_client_get(cli->client, "/api/v1/nodes", reply, cause);
    nodes = status ? NULL : bl_field_list(reply->tree, "nodes");
    if (nodes) {
        source->gpu_types = collect(from->arena, nodes, "gpu_type");
        source->pools = collect(from->arena, nodes, "pool");
    }
    return from->without_daemon ? BL_OK : status;
}

/* The variables once for each job: the request is their list. */
size_t bl_job_source_write(struct bl_buf *out, const struct bl_document *document)
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

/* Flags win over the file; what comes of it must still be a job. */
static int apply_flags(struct bl_cli *cli, const struct bl_job_source *from,
                       struct bl_document *document, struct bl_error *err)
{
    const struct bl_tree_source source = {"with the flags", "", 0};
    struct bl_jobspec spec;
    int status;

    if (!bl_job_flags_any(from->flags)) {
        return BL_OK;
    }
    if (document->is_pipeline) {
        bl_say_fail(err, BL_EINVAL, BL_SAY_E_FLAGS_AND_PIPELINE, NULL);
        return bl_say_hint(err, BL_SAY_H_WRITE_INTO_FILE, NULL);
    }
    status = bl_job_flags_resolve(cli, from->flags, err);
    status = status ? status : bl_submit_check(&from->flags->submit, err);
    if (status) {
        return status;
    }
    bl_submit_apply(from->arena, document->job[0], &from->flags->submit);
    return bl_jobspec_read(&source, document->job[0], BL_JOBSPEC_LIVE, from->arena, &spec, err);
}

/* Times of day are those of whoever submits, and the daemon may live in another zone. */
void bl_job_source_fix_times(const struct bl_document *document, struct bl_arena *arena)
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

/* With the zero behind them; there may be others within. */
static const char *copy_bytes(struct bl_arena *arena, const struct bl_buf *bytes)
{
    char *copy = bl_arena_alloc(arena, bytes->length + 1);

    memcpy(copy, bl_buf_text(bytes), bytes->length + 1);
    return copy;
}

int bl_job_source_read(struct bl_cli *cli, const struct bl_job_source *from,
                       struct bl_document *out, struct bl_error *err)
{
    struct bl_document_source source = {.name = from->name, .argument = from->argument};
    BL_AUTO_FREE char *directory = NULL;
    BL_AUTO_REPLY nodes = {0};
    struct bl_buf bytes = {0};
    int status = bl_job_flags_workdir(from->flags, &directory, err);

    status = status ? status : bl_document_load(from->name, &bytes, err);
    if (!status) {
        source.bytes = copy_bytes(from->arena, &bytes);
        source.length = bytes.length;
        source.directory = bl_arena_copy_text(from->arena, directory);
        from->flags->submit.workdir = from->flags->chdir ? source.directory : NULL;
        status = ask_nodes(cli, from, &nodes, &source, err);
    }
    status = status ? status : bl_document_read(&source, from->arena, out, err);
    bl_buf_finish(&bytes);
    return status || out->reservation ? status : apply_flags(cli, from, out, err);
}

/* A name is asked for only where there is a command to take it from. */
int bl_job_source_write_command(struct bl_cli *cli, struct bl_job_flags *flags,
                                const char *const *command, struct bl_buf *out,
                                struct bl_error *err)
{
    static const char *const nothing[] = {"true", NULL};
    const struct bl_submit_surroundings here = bl_submit_surroundings_now();
    struct bl_submit *submit = &flags->submit;
    BL_AUTO_FREE char *workdir = NULL;
    BL_AUTO_BUF name = {0};
    int status = bl_job_flags_workdir(flags, &workdir, err);

    if (status) {
        return status;
    }
    submit->workdir = workdir;
    submit->command = command[0] ? command : nothing;
    if (!submit->name && command[0]) {
        bl_submit_default_name(&name, command);
        submit->name = bl_buf_text(&name);
    }
    status = bl_submit_check(submit, err);
    status = status ? status : bl_job_flags_resolve(cli, flags, err);
    if (!status) {
        struct bl_arena arena = {0};
        struct bl_tree *tree = bl_tree_create(&arena, BL_TREE_MAP);

        bl_submit_apply(&arena, tree, submit);
        bl_queued_tell_left_out(bl_submit_write(out, tree, &here));
        bl_arena_finish(&arena);
    }
    return status;
}
