#include "cli/cli.h"

#include "base/units.h"
#include "cli/jobs.h"
#include "cli/pages.h"
#include "cli/text.h"

#include <inttypes.h>
#include <string.h>

static const struct bl_flag flags[] = {BL_FLAGS_COMMON};

static void add_columns(struct bl_table *table)
{
    bl_table_add_column(table, "NODE", BL_ALIGN_LEFT);
    bl_table_add_column(table, "GPU", BL_ALIGN_RIGHT);
    bl_table_add_column(table, "TYPE", BL_ALIGN_LEFT);
    bl_table_add_column(table, "TEMP", BL_ALIGN_RIGHT);
    bl_table_add_column(table, "UTIL", BL_ALIGN_RIGHT);
    bl_table_add_column(table, "MEMORY", BL_ALIGN_RIGHT);
    bl_table_add_column(table, "STATE", BL_ALIGN_LEFT);
    bl_table_add_column(table, "JOB", BL_ALIGN_LEFT);
}

static void add_number(struct bl_table *table, const struct bl_tree *gpu, const char *key,
                       const char *unit)
{
    BL_AUTO_BUF text = {0};
    bool is_null = bl_field_is_null(gpu, key);

    bl_buf_printf(&text, "%.0f%s", bl_field_double(gpu, key, 0), unit);
    bl_table_add(table, is_null ? NULL : bl_buf_text(&text), BL_TINT_NONE);
}

static void add_memory(struct bl_table *table, const struct bl_tree *gpu)
{
    BL_AUTO_BUF text = {0};

    if (!bl_field_is_null(gpu, "mem_used_bytes")) {
        bl_size_print(&text, bl_field_int(gpu, "mem_used_bytes", 0));
        bl_buf_append_text(&text, " / ");
    }
    bl_size_print(&text, bl_field_int(gpu, "mem_bytes", 0));
    bl_table_add(table, bl_field_int(gpu, "mem_bytes", 0) > 0 ? bl_buf_text(&text) : NULL,
                 BL_TINT_NONE);
}

static void add_job(struct bl_table *table, const struct bl_tree *gpu,
                    const struct bl_job_list *jobs)
{
    int64_t id = bl_field_int(gpu, "job", 0);
    BL_AUTO_BUF text = {0};

    bl_buf_printf(&text, "%" PRId64, id);
    for (size_t i = 0; i < jobs->count; i++) {
        if (jobs->at[i].id == id) {
            bl_buf_printf(&text, " %s", jobs->at[i].name);
        }
    }
    bl_buf_printf(&text, " (%s)", bl_field_text(gpu, "user", "?"));
    bl_table_add(table, id > 0 ? bl_buf_text(&text) : NULL, BL_TINT_NONE);
}

/* The utilization of the API is a ratio. */
static void add_utilization(struct bl_table *table, const struct bl_tree *gpu)
{
    BL_AUTO_BUF text = {0};
    bool is_null = bl_field_is_null(gpu, "utilization");

    bl_buf_printf(&text, "%.0f %%", 100 * bl_field_double(gpu, "utilization", 0));
    bl_table_add(table, is_null ? NULL : bl_buf_text(&text), BL_TINT_NONE);
}

static void add_gpu(struct bl_table *table, const struct bl_tree *gpu,
                    const struct bl_job_list *jobs)
{
    const char *state = bl_field_text(gpu, "state", "?");
    enum bl_tint tint = strcmp(state, "free") == 0   ? BL_TINT_GOOD
                        : strcmp(state, "down") == 0 ? BL_TINT_BAD
                                                     : BL_TINT_WAIT;

    bl_table_add(table, bl_field_text(gpu, "node", "?"), BL_TINT_NONE);
    bl_table_add(table, bl_field_text(gpu, "gpu", "?"), BL_TINT_NONE);
    bl_table_add(table, bl_field_text(gpu, "type", NULL), BL_TINT_NONE);
    add_number(table, gpu, "temperature_c", " °C");
    add_utilization(table, gpu);
    add_memory(table, gpu);
    bl_table_add(table, state, tint);
    add_job(table, gpu, jobs);
}

static void print_table(struct bl_cli *cli, const struct bl_tree *gpus,
                        const struct bl_job_list *jobs, struct bl_buf *out)
{
    struct bl_table table = {0};
    struct bl_table_look look = bl_cli_look(cli);

    add_columns(&table);
    for (size_t i = 0; gpus && i < gpus->child_count; i++) {
        add_gpu(&table, &gpus->child[i], jobs);
    }
    if (bl_table_rows(&table)) {
        bl_table_print(out, &table, &look);
    } else {
        bl_buf_append_text(out, "no GPUs here; 'baleen daemon --declared 8xA100:80GB' starts it "
                                "with declared ones\n");
    }
    bl_table_finish(&table);
}

int bl_gpus_print(struct bl_cli *cli, struct bl_buf *out, struct bl_error *err)
{
    BL_AUTO_REPLY reply = {0};
    struct bl_job_list jobs = {0};
    int status = bl_client_get(cli->client, "/api/v1/gpus", &reply, err);

    if (!status && cli->json) {
        bl_buf_printf(out, "%s\n", bl_buf_text(&reply.body));
    } else if (!status) {
        status =
            bl_job_list_fetch(cli->client, "state=starting,running,resizing,stopping", &jobs, err);
        if (!status) {
            print_table(cli, bl_field_list(reply.tree, "gpus"), &jobs, out);
        }
    }
    bl_job_list_finish(&jobs);
    return status;
}

static int run_gpus(struct bl_cli *cli, void *self, int argc, char **argv, struct bl_error *err)
{
    BL_AUTO_BUF out = {0};
    int status = bl_cli_refuse_words(cli, argc, argv, err);

    (void)self;
    if (!status && !bl_cli_client(cli, err)) {
        status = (int)err->status;
    }
    status = status ? status : bl_gpus_print(cli, &out, err);
    bl_cli_flush(&out);
    return status;
}

const struct bl_verb bl_verb_gpus = {
    .name = "gpus",
    .usage = "gpus",
    .summary = BL_SAY_HELP_GPUS,
    .about = BL_SAY_ABOUT_GPUS,
    .flag = flags,
    .run = run_gpus,
};
