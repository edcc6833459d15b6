#include "cli/cli.h"

#include "base/units.h"
#include "cli/jobs.h"
#include "cli/when.h"
#include "os/clock.h"

#include <inttypes.h>
#include <string.h>

static const struct bl_flag flags[] = {BL_FLAGS_COMMON};

static void add_columns(struct bl_table *table)
{
    bl_table_add_column(table, "NODE", BL_ALIGN_LEFT);
    bl_table_add_column(table, "STATE", BL_ALIGN_LEFT);
    bl_table_add_column(table, "POOL", BL_ALIGN_LEFT);
    bl_table_add_column(table, "TYPE", BL_ALIGN_LEFT);
    bl_table_add_column(table, "GPUS FREE", BL_ALIGN_RIGHT);
    bl_table_add_column(table, "CPUS FREE", BL_ALIGN_RIGHT);
    bl_table_add_column(table, "MEMORY FREE", BL_ALIGN_RIGHT);
    bl_table_add_column(table, "JOBS", BL_ALIGN_LEFT);
}

static void add_share(struct bl_table *table, const struct bl_tree *node, const char *free_key,
                      const char *key)
{
    BL_AUTO_BUF text = {0};

    bl_buf_printf(&text, "%g / %g", bl_field_double(node, free_key, 0),
                  bl_field_double(node, key, 0));
    bl_table_add(table, bl_buf_text(&text), BL_TINT_NONE);
}

static void add_memory(struct bl_table *table, const struct bl_tree *node)
{
    BL_AUTO_BUF text = {0};

    bl_size_print(&text, bl_field_int(node, "mem_free_bytes", 0));
    bl_buf_append_text(&text, " / ");
    bl_size_print(&text, bl_field_int(node, "mem_bytes", 0));
    bl_table_add(table, bl_buf_text(&text), BL_TINT_NONE);
}

static void add_jobs(struct bl_table *table, const struct bl_tree *node)
{
    const struct bl_tree *jobs = bl_field_list(node, "jobs");
    BL_AUTO_BUF text = {0};

    for (size_t i = 0; jobs && i < jobs->child_count; i++) {
        bl_buf_printf(&text, "%s%s", i ? "," : "", bl_item_text(jobs, i));
    }
    bl_table_add(table, text.length ? bl_buf_text(&text) : NULL, BL_TINT_NONE);
}

static void add_node(struct bl_table *table, const struct bl_tree *node)
{
    const char *state = bl_field_text(node, "state", "?");
    bool is_up = strcmp(state, "up") == 0;
    bl_time drain_at = bl_field_time(node, "drain_at");
    BL_AUTO_BUF said = {0};

    bl_buf_append_text(&said, state);
    if (is_up && drain_at > 0) {
        BL_AUTO_BUF when = {0};

        bl_when_print(&when, drain_at, bl_clock_wall());
        BL_SAY(&said, BL_SAY_NODE_DRAIN_AT, BL_T(bl_buf_text(&when)));
    }
    bl_table_add(table, bl_field_text(node, "name", "?"), BL_TINT_NONE);
    bl_table_add(table, bl_buf_text(&said),
                 !is_up         ? BL_TINT_BAD
                 : drain_at > 0 ? BL_TINT_WAIT
                                : BL_TINT_GOOD);
    bl_table_add(table, bl_field_text(node, "pool", NULL), BL_TINT_NONE);
    bl_table_add(table, bl_field_text(node, "gpu_type", NULL), BL_TINT_NONE);
    add_share(table, node, "gpus_free", "gpus");
    add_share(table, node, "cpus_free", "cpus");
    add_memory(table, node);
    add_jobs(table, node);
}

static int run_nodes(struct bl_cli *cli, void *self, int argc, char **argv, struct bl_error *err)
{
    BL_AUTO_REPLY reply = {0};
    BL_AUTO_BUF out = {0};
    struct bl_table table = {0};
    struct bl_table_look look = bl_cli_look(cli);
    int status = bl_cli_refuse_words(cli, argc, argv, err);

    (void)self;
    if (!status && !bl_cli_client(cli, err)) {
        status = (int)err->status;
    }
    status = status ? status : bl_client_get(cli->client, "/api/v1/nodes", &reply, err);
    if (!status && cli->json) {
        bl_buf_printf(&out, "%s\n", bl_buf_text(&reply.body));
    } else if (!status) {
        const struct bl_tree *nodes = bl_field_list(reply.tree, "nodes");

        add_columns(&table);
        for (size_t i = 0; nodes && i < nodes->child_count; i++) {
            add_node(&table, &nodes->child[i]);
        }
        bl_table_print(&out, &table, &look);
    }
    bl_table_finish(&table);
    bl_cli_flush(&out);
    return status;
}

const struct bl_verb bl_verb_nodes = {
    .name = "nodes",
    .usage = "nodes",
    .summary = BL_SAY_HELP_NODES,
    .about = BL_SAY_ABOUT_NODES,
    .flag = flags,
    .run = run_nodes,
};
