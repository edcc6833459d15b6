/* The configuration file: what the command line leaves open. */
#include "base/own.h"
#include "daemon/options.h"
#include "daemon/zone.h"
#include "os/fs.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char standard_path[] = "/etc/baleen/baleen.yaml";

static int read_tree(const char *path, struct bl_buf *bytes, struct bl_arena *arena,
                     struct bl_tree_source *source, struct bl_tree **out, struct bl_error *err)
{
    if (bl_fs_read(path, BL_TREE_BYTES_MAX, bytes, err) != BL_OK) {
        return (int)err->status;
    }
    *source =
        (struct bl_tree_source){.name = path, .bytes = bl_buf_text(bytes), .length = bytes->length};
    return bl_yaml_read(source, arena, out, err);
}

int bl_options_read_cluster(const char *path, struct bl_arena *arena, struct bl_clusterspec *out,
                            struct bl_error *err)
{
    BL_AUTO_BUF bytes = {0};
    struct bl_tree_source source;
    struct bl_tree *tree = NULL;

    if (read_tree(path, &bytes, arena, &source, &tree, err) != BL_OK) {
        return (int)err->status;
    }
    return bl_clusterspec_read(&source, tree, arena, out, err);
}

/* The file, and where what it says is put. */
struct given {
    const char *path;
    const struct bl_tree_source *source;
    const struct bl_tree *tree;
    struct bl_arena *arena;
    struct bl_options *out;
    struct bl_error *err;
};

/* Instants that are written without a zone are in that of this process. */
static int set_zone(const struct given *given, const char *zone)
{
    if (!bl_zone_is_known(zone)) {
        bl_tree_fail(given->source, bl_tree_find(given->tree, "zone"), given->err,
                     "this machine knows no time zone '%s'", zone);
        return bl_error_set_hint(given->err, "timedatectl list-timezones lists them");
    }
    setenv("TZ", zone, 1);
    tzset();
    return BL_OK;
}

/* Relative to the configuration's folder. */
static int read_named_cluster(const struct given *given)
{
    const char *slash = strrchr(given->path, '/');
    const char *cluster = given->out->config.cluster;
    BL_AUTO_BUF full = {0};

    if (cluster[0] != '/' && slash) {
        bl_buf_append(&full, given->path, (size_t)(slash - given->path) + 1);
    }
    bl_buf_append_text(&full, cluster);
    cluster = bl_arena_copy_text(given->arena, bl_buf_text(&full));
    return bl_options_read_cluster(cluster, given->arena, &given->out->declared, given->err);
}

static int take_engine(const struct given *given)
{
    struct bl_options *out = given->out;
    BL_AUTO_BUF names = {0};

    if (!out->config.engine || out->engine) {
        return BL_OK;
    }
    out->engine = bl_engine_find(out->config.engine);
    if (out->engine) {
        return BL_OK;
    }
    bl_engine_print_names(&names);
    return bl_tree_fail(given->source, bl_tree_find(given->tree, "engine"), given->err,
                        "there is no engine '%s'; there are: %s", out->config.engine,
                        bl_buf_text(&names));
}

static int take_nodes(const struct given *given)
{
    struct bl_options *out = given->out;

    if (out->declared.node_count > 0) {
        return BL_OK;
    }
    if (out->config.cluster) {
        return read_named_cluster(given);
    }
    out->declared = out->config.declared;
    return BL_OK;
}

static int take_over(const struct given *given)
{
    struct bl_options *out = given->out;
    const struct bl_config *config = &out->config;
    int status = take_engine(given);

    status = status == BL_OK ? take_nodes(given) : status;
    if (status == BL_OK && config->zone) {
        status = set_zone(given, config->zone);
    }
    if (status == BL_OK) {
        out->state_dir = out->state_dir ? out->state_dir : config->state;
        out->socket = out->socket ? out->socket : config->listen.socket;
        out->http = out->http ? out->http : config->listen.http;
        out->no_cgroup = out->no_cgroup || !config->local.cgroup;
        if (!out->policy.policy && config->has_policy) {
            out->policy = config->policy;
        }
    }
    return status;
}

/* The machine's own configuration is for the daemon of root: its places are not others' to use. */
static const char *find_path(const struct bl_options *options)
{
    if (options->config_path) {
        return options->config_path;
    }
    return geteuid() == 0 && access(standard_path, F_OK) == 0 ? standard_path : NULL;
}

int bl_options_read_config(struct bl_arena *arena, struct bl_options *out, struct bl_error *err)
{
    const char *path = find_path(out);
    BL_AUTO_BUF bytes = {0};
    struct bl_tree_source source;
    struct bl_tree *tree = NULL;

    out->config = bl_config_default();
    out->config_path = path;
    if (!path) {
        return BL_OK;
    }
    if (read_tree(path, &bytes, arena, &source, &tree, err) != BL_OK ||
        bl_config_read(&source, tree, arena, &out->config, err) != BL_OK) {
        return (int)err->status;
    }
    return take_over(&(struct given){path, &source, tree, arena, out, err});
}
