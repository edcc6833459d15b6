#include "form/config.h"

#include "base/units.h"
#include "form/policyspec.h"
#include "form/tree_read.h"

#include <string.h>

enum { OOM_SCORE_MAX = 1000 };

#define DEBOUNCE_MAX BL_MINUTE
#define PERIOD_MIN   (100 * BL_MILLISECOND)
#define MEMORY_MIN   0.1
#define MEMORY_MAX   100.0

struct config_reader {
    struct bl_tree_reader in;
    struct bl_config *out;
};

/* Row of a table of keys: `read` is NULL for what the contract has and this version does not. */
struct config_key {
    const char *name;
    int (*read)(const struct config_reader *reader, const struct bl_tree *at);
};

struct bl_config bl_config_default(void)
{
    return (struct bl_config){
        .listen = bl_config_listen_default(),
        .scheduler = {.debounce = 20 * BL_MILLISECOND, .period = BL_MINUTE},
        .local = {.grace = 10 * BL_SECOND,
                  .memory_soft = 0.9,
                  .memory_hard = 1.1,
                  .oom_score_adj = {[BL_CLASS_INTERACTIVE] = -500, [BL_CLASS_PREEMPTIBLE] = 500},
                  .cgroup = true},
        .retention = {.keep = 30 * BL_DAY, .jobs = 100000},
        .reservations = {.release_after = 30 * BL_MINUTE},
    };
}

static int read_keys(const struct config_reader *reader, const struct bl_tree *map,
                     const struct config_key *keys)
{
    int status = bl_tree_check_rows(&reader->in, map, &keys->name, sizeof *keys);

    for (; keys->name && status == BL_OK; keys++) {
        const struct bl_tree *at = bl_tree_given(map, keys->name);

        if (at) {
            status = keys->read ? keys->read(reader, at) : bl_tree_fail_later(&reader->in, at);
        }
    }
    return status;
}

static int read_path(const struct config_reader *reader, const struct bl_tree *at, const char **out)
{
    const char *path = NULL;
    int status = bl_tree_read_text(&reader->in, at, &path);

    if (status == BL_OK && !*path) {
        return bl_tree_fail_kind(&reader->in, at, "a path");
    }
    if (status == BL_OK && strlen(path) >= BL_CONFIG_PATH_MAX) {
        return bl_tree_fail_size(&reader->in, at, "the path", BL_CONFIG_PATH_MAX - 1);
    }
    *out = status == BL_OK ? path : *out;
    return status;
}

static int read_absolute_path(const struct config_reader *reader, const struct bl_tree *at,
                              const char **out)
{
    const char *path = "";
    int status = read_path(reader, at, &path);

    if (status == BL_OK && path[0] != '/') {
        return bl_tree_fail_kind(&reader->in, at, "an absolute path");
    }
    *out = status == BL_OK ? path : *out;
    return status;
}

static int read_engine(const struct config_reader *reader, const struct bl_tree *at)
{
    return bl_tree_read_name(&reader->in, at, &reader->out->engine);
}

static int read_cluster(const struct config_reader *reader, const struct bl_tree *at)
{
    return read_path(reader, at, &reader->out->cluster);
}

static int read_state(const struct config_reader *reader, const struct bl_tree *at)
{
    return read_absolute_path(reader, at, &reader->out->state);
}

static int read_zone(const struct config_reader *reader, const struct bl_tree *at)
{
    return bl_tree_read_name(&reader->in, at, &reader->out->zone);
}

static int read_one_declared(const struct config_reader *reader, const struct bl_tree *at,
                             int number, struct bl_node_spec *out)
{
    struct bl_error cause = {0};

    if (at->kind != BL_TREE_SCALAR) {
        return bl_tree_fail_kind(&reader->in, at, "a node like 8xA100:80GB");
    }
    if (bl_declared_parse(at->text, number, reader->in.arena, out, &cause) != BL_OK) {
        bl_tree_fail_cause(&reader->in, at, &cause);
        if (number > 1 && strchr(at->text, '=')) {
            bl_error_set_hint(reader->in.err, "a comma ends an entry of a list: quote it, as in "
                                              "[\"8xA100:80GB,cpus=96\"]");
        }
        return BL_EINVAL;
    }
    return BL_OK;
}

static int read_declared(const struct config_reader *reader, const struct bl_tree *at)
{
    bool is_list = at->kind == BL_TREE_LIST;
    size_t count = is_list ? at->child_count : 1;
    struct bl_node_spec *node;

    if (count > BL_CONFIG_DECLARED_MAX) {
        return bl_tree_fail(reader->in.source, at, reader->in.err,
                            "expected at most %d nodes, found %zu", BL_CONFIG_DECLARED_MAX, count);
    }
    node = bl_arena_alloc(reader->in.arena, (count + 1) * sizeof *node);
    for (size_t i = 0; i < count; i++) {
        int status = read_one_declared(reader, is_list ? &at->child[i] : at, (int)i + 1, &node[i]);

        if (status != BL_OK) {
            return status;
        }
    }
    reader->out->declared = (struct bl_clusterspec){.node = node, .node_count = count};
    return BL_OK;
}

static int read_listen(const struct config_reader *reader, const struct bl_tree *at)
{
    return bl_config_listen_read(&reader->in, at, &reader->out->listen);
}

/* {name: easy, durations: limit} as the text that a command line has. */
static int print_policy(const struct config_reader *reader, const struct bl_tree *map,
                        struct bl_buf *out)
{
    const struct bl_tree *name = bl_tree_given(map, "name");
    char separator = ':';

    if (!name || name->kind != BL_TREE_SCALAR) {
        return bl_tree_fail(reader->in.source, map, reader->in.err,
                            "expected a policy like easy, or {name: easy, KEY: VALUE}");
    }
    bl_buf_append_text(out, name->text);
    for (size_t i = 0; i < map->child_count; i++) {
        const struct bl_tree *option = &map->child[i];

        if (option == name) {
            continue;
        }
        if (option->kind != BL_TREE_SCALAR || strpbrk(option->text, ",:=") ||
            strpbrk(option->key, ",:=")) {
            return bl_tree_fail_kind(&reader->in, option, "a word or a number");
        }
        bl_buf_printf(out, "%c%s=%s", separator, option->key, option->text);
        separator = ',';
    }
    return BL_OK;
}

static int read_policy(const struct config_reader *reader, const struct bl_tree *at)
{
    BL_AUTO_BUF text = {0};
    struct bl_error cause = {0};
    int status = BL_OK;

    if (at->kind == BL_TREE_SCALAR) {
        bl_buf_append_text(&text, at->text);
    } else {
        status = print_policy(reader, at, &text);
    }
    if (status == BL_OK &&
        bl_policyspec_parse(bl_buf_text(&text), &reader->out->policy, &cause) != BL_OK) {
        return bl_tree_fail_cause(&reader->in, at, &cause);
    }
    reader->out->has_policy = status == BL_OK;
    return status;
}

static int read_debounce(const struct config_reader *reader, const struct bl_tree *at)
{
    struct bl_error cause = {0};
    bl_time debounce = 0;

    if (at->kind != BL_TREE_SCALAR) {
        return bl_tree_fail_kind(&reader->in, at, "a time like 20ms");
    }
    if (bl_span_parse(at->text, &debounce, &cause) != BL_OK) {
        return bl_tree_fail_cause(&reader->in, at, &cause);
    }
    if (debounce > DEBOUNCE_MAX) {
        return bl_tree_fail_kind(&reader->in, at, "a time of at most 1m");
    }
    reader->out->scheduler.debounce = debounce;
    return BL_OK;
}

static int read_period(const struct config_reader *reader, const struct bl_tree *at)
{
    bl_time period = 0;
    int status = bl_tree_read_span(&reader->in, at, &period);

    if (status == BL_OK && period < PERIOD_MIN) {
        return bl_tree_fail_kind(&reader->in, at, "a time of at least 100ms");
    }
    reader->out->scheduler.period = status == BL_OK ? period : reader->out->scheduler.period;
    return status;
}

static int read_scheduler(const struct config_reader *reader, const struct bl_tree *at)
{
    static const struct config_key keys[] = {
        {"debounce", read_debounce}, {"period", read_period}, {"budget", NULL}, {NULL, NULL}};

    return read_keys(reader, at, keys);
}

static int read_grace(const struct config_reader *reader, const struct bl_tree *at)
{
    return bl_tree_read_span(&reader->in, at, &reader->out->local.grace);
}

static int read_memory(const struct config_reader *reader, const struct bl_tree *at, double *out)
{
    double times = 0;
    int status = bl_tree_read_double(&reader->in, at, &times);

    if (status == BL_OK && (times < MEMORY_MIN || times > MEMORY_MAX)) {
        return bl_tree_fail_kind(&reader->in, at, "a number from 0.1 to 100, of the booked memory");
    }
    *out = status == BL_OK ? times : *out;
    return status;
}

static int read_memory_soft(const struct config_reader *reader, const struct bl_tree *at)
{
    return read_memory(reader, at, &reader->out->local.memory_soft);
}

static int read_memory_hard(const struct config_reader *reader, const struct bl_tree *at)
{
    return read_memory(reader, at, &reader->out->local.memory_hard);
}

static int read_oom_scores(const struct config_reader *reader, const struct bl_tree *at)
{
    static const struct bl_int_range range = {-OOM_SCORE_MAX, OOM_SCORE_MAX};
    const char *names[BL_CLASS_COUNT + 1] = {NULL};
    int status;

    for (int i = 0; i < BL_CLASS_COUNT; i++) {
        names[i] = bl_job_class_name((enum bl_job_class)i);
    }
    status = bl_tree_check_keys(reader->in.source, at, names, reader->in.err);
    for (int i = 0; i < BL_CLASS_COUNT && status == BL_OK; i++) {
        const struct bl_tree *score = bl_tree_given(at, names[i]);
        int64_t value = reader->out->local.oom_score_adj[i];

        status = score ? bl_tree_read_int(&reader->in, score, range, &value) : BL_OK;
        reader->out->local.oom_score_adj[i] = (int32_t)value;
    }
    return status;
}

static int read_cgroup(const struct config_reader *reader, const struct bl_tree *at)
{
    return bl_tree_read_bool(&reader->in, at, &reader->out->local.cgroup);
}

static int read_local(const struct config_reader *reader, const struct bl_tree *at)
{
    static const struct config_key keys[] = {
        {"grace", read_grace},
        {"memory_soft", read_memory_soft},
        {"memory_hard", read_memory_hard},
        {"oom_score_adj", read_oom_scores},
        {"cgroup", read_cgroup},
        {NULL, NULL},
    };
    int status = read_keys(reader, at, keys);

    if (status == BL_OK && reader->out->local.memory_soft > reader->out->local.memory_hard) {
        return bl_tree_fail(reader->in.source, at, reader->in.err,
                            "expected memory_soft of at most memory_hard, found %g and %g",
                            reader->out->local.memory_soft, reader->out->local.memory_hard);
    }
    return status;
}

static int read_keep(const struct config_reader *reader, const struct bl_tree *at)
{
    return bl_tree_read_span(&reader->in, at, &reader->out->retention.keep);
}

static int read_kept_jobs(const struct config_reader *reader, const struct bl_tree *at)
{
    return bl_tree_read_int(&reader->in, at, (struct bl_int_range){0, BL_CONFIG_JOBS_MAX},
                            &reader->out->retention.jobs);
}

static int read_retention(const struct config_reader *reader, const struct bl_tree *at)
{
    static const struct config_key keys[] = {
        {"keep", read_keep}, {"jobs", read_kept_jobs}, {NULL, NULL}};

    return read_keys(reader, at, keys);
}

/* "0" is never. */
static int read_release_after(const struct config_reader *reader, const struct bl_tree *at)
{
    bl_time *out = &reader->out->reservations.release_after;

    if (at->kind == BL_TREE_SCALAR && strcmp(at->text, "0") == 0) {
        *out = 0;
        return BL_OK;
    }
    return bl_tree_read_span(&reader->in, at, out);
}

static int read_reservations(const struct config_reader *reader, const struct bl_tree *at)
{
    static const struct config_key keys[] = {{"release_after", read_release_after}, {NULL, NULL}};

    return read_keys(reader, at, keys);
}

static int read_predict_rules(const struct config_reader *reader, const struct bl_tree *at)
{
    return bl_predict_rules_read(&reader->in, at, &reader->out->predict);
}

static int read_arrivals(const struct config_reader *reader, const struct bl_tree *at)
{
    bool is_drawn;
    int status = bl_tree_read_bool(&reader->in, at, &is_drawn);

    if (status == BL_OK) {
        reader->out->without_arrivals = !is_drawn;
    }
    return status;
}

static int read_predict(const struct config_reader *reader, const struct bl_tree *at)
{
    static const struct config_key keys[] = {
        {"rules", read_predict_rules}, {"arrivals", read_arrivals}, {NULL, NULL}};

    return read_keys(reader, at, keys);
}

static int read_public(const struct config_reader *reader, const struct bl_tree *at)
{
    return bl_tree_read_bool(&reader->in, at, &reader->out->web.is_public);
}

static int read_web(const struct config_reader *reader, const struct bl_tree *at)
{
    static const struct config_key keys[] = {{"public", read_public}, {NULL, NULL}};

    return read_keys(reader, at, keys);
}

/* Keys of a job file that may be demanded. */
static const char *const demandable[] = {"name", "project", "class",      "kind",
                                         "time", "params",  "labels",     "resources",
                                         "log",  "array",   "checkpoint", NULL};

static int read_require(const struct config_reader *reader, const struct bl_tree *at)
{
    const char **required;

    if (at->kind != BL_TREE_LIST) {
        return bl_tree_fail_kind(&reader->in, at, "a list of keys like [project, time]");
    }
    if (at->child_count > BL_CONFIG_REQUIRED_MAX) {
        return bl_tree_fail(reader->in.source, at, reader->in.err,
                            "expected at most %d keys, found %zu", BL_CONFIG_REQUIRED_MAX,
                            at->child_count);
    }
    required = bl_arena_alloc(reader->in.arena, (at->child_count + 1) * sizeof *required);
    for (size_t i = 0; i < at->child_count; i++) {
        int word = 0;
        int status = bl_tree_read_word(&reader->in, &at->child[i], demandable, &word);

        if (status != BL_OK) {
            return status;
        }
        required[i] = demandable[word];
    }
    reader->out->required = required;
    reader->out->required_count = at->child_count;
    return BL_OK;
}

static const struct config_key config_keys[] = {
    {"engine", read_engine},
    {"declared", read_declared},
    {"cluster", read_cluster},
    {"listen", read_listen},
    {"state", read_state},
    {"zone", read_zone},
    {"policy", read_policy},
    {"scheduler", read_scheduler},
    {"local", read_local},
    {"retention", read_retention},
    {"require", read_require},
    {"slurm", NULL},
    {"kubernetes", NULL},
    {"pools", NULL},
    {"reservations", read_reservations},
    {"predict", read_predict},
    {"web", read_web},
    {"notify", NULL},
    {NULL, NULL},
};

int bl_config_read(const struct bl_tree_source *source, const struct bl_tree *tree,
                   struct bl_arena *arena, struct bl_config *out, struct bl_error *err)
{
    struct bl_config config = bl_config_default();
    struct config_reader reader = {{source, arena, err}, &config};
    int status = read_keys(&reader, tree, config_keys);

    if (status == BL_OK && config.cluster && config.declared.node_count) {
        return bl_tree_fail(source, bl_tree_find(tree, "cluster"), err,
                            "expected cluster or declared, found both");
    }
    if (status == BL_OK) {
        *out = config;
    }
    return status;
}

int bl_config_check_required(const struct bl_config *config, const struct bl_tree_source *source,
                             const struct bl_tree *job, struct bl_error *err)
{
    for (size_t i = 0; i < config->required_count; i++) {
        if (!bl_tree_given(job, config->required[i])) {
            bl_tree_fail(source, job, err, "expected %s: jobs here must say it",
                         config->required[i]);
            return bl_error_set_field(err, config->required[i]);
        }
    }
    return BL_OK;
}
