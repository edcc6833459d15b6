/* The body of a change of a job: the words of job files. */
#include "daemon/api.h"
#include "daemon/zone.h"
#include "form/jobspec.h"
#include "form/tree_read.h"

static const char body_name[] = "request body";

struct change_reader {
    struct bl_tree_reader in;
    const struct bl_api_standing *standing;
    struct bl_job_change *out;
};

static int read_limit(const struct change_reader *reader, const struct bl_tree *at)
{
    reader->out->set_limit = true;
    return at->kind == BL_TREE_NULL ? BL_OK
                                    : bl_tree_read_span(&reader->in, at, &reader->out->limit);
}

static int read_priority(const struct change_reader *reader, const struct bl_tree *at)
{
    static const struct bl_int_range range = {-BL_JOB_PRIORITY_MAX, BL_JOB_PRIORITY_MAX};
    int64_t priority = 0;
    int status = bl_tree_read_int(&reader->in, at, range, &priority);

    reader->out->set_priority = true;
    reader->out->priority = (int32_t)priority;
    return status;
}

static int check_amount(const struct change_reader *reader, const struct bl_tree *at,
                        const struct bl_amount *amount)
{
    int64_t total = 0;

    if (!amount->per_gpu) {
        return BL_OK;
    }
    if (reader->out->gpus_max == 0) {
        return bl_tree_fail(reader->in.source, at, reader->in.err,
                            "the job's CPUs and memory are counted by its GPUs: it needs one");
    }
    if (__builtin_mul_overflow(amount->value, reader->out->gpus_max, &total) ||
        total > BL_JOBSPEC_TOTAL_MAX) {
        return bl_tree_fail(reader->in.source, at, reader->in.err,
                            "%d GPUs with their CPUs and memory are more than any machine has",
                            (int)reader->out->gpus_max);
    }
    return BL_OK;
}

static int read_gpus(const struct change_reader *reader, const struct bl_tree *at)
{
    struct bl_job_change *out = reader->out;
    struct bl_gpu_counts gpus;
    struct bl_error cause = {0};
    int status;

    if (at->kind != BL_TREE_SCALAR) {
        return bl_tree_fail_kind(&reader->in, at, "a number of GPUs like 4, or a range like 2-8");
    }
    if (bl_gpus_parse(at->text, &gpus, &cause) != BL_OK) {
        return bl_tree_fail_cause(&reader->in, at, &cause);
    }
    if (gpus.count > 1) {
        return bl_tree_fail(reader->in.source, at, reader->in.err,
                            "a list of numbers of GPUs can only be given when a job is submitted; "
                            "write a number or a range like 2-8");
    }
    out->set_gpus = true;
    out->gpus_min = gpus.min;
    out->gpus_want = out->gpus_max = gpus.max;
    status = check_amount(reader, at, &reader->standing->spec->cpu_milli);
    return status == BL_OK ? check_amount(reader, at, &reader->standing->spec->mem_bytes) : status;
}

static int read_not_before(const struct change_reader *reader, const struct bl_tree *at)
{
    struct bl_instant instant = {0};
    struct bl_error cause = {0};

    reader->out->set_not_before = true;
    if (at->kind == BL_TREE_NULL) {
        return BL_OK;
    }
    if (at->kind != BL_TREE_SCALAR) {
        return bl_tree_fail_kind(&reader->in, at, "an instant like 16:00 or 2026-12-01T08:30");
    }
    if (bl_instant_parse(at->text, &instant, &cause) != BL_OK ||
        bl_instant_resolve(&instant, reader->standing->now, &bl_zone_local,
                           &reader->out->not_before, &cause) != BL_OK) {
        return bl_tree_fail_cause(&reader->in, at, &cause);
    }
    return BL_OK;
}

static int read_requeue(const struct change_reader *reader, const struct bl_tree *at)
{
    reader->out->set_restart = true;
    return bl_tree_read_bool(&reader->in, at, &reader->out->may_restart);
}

/* The types of the machine's GPUs; one that no node has is refused as at submission. */
static int add_type(const struct change_reader *reader, const struct bl_tree *at)
{
    const struct bl_cluster *cluster = reader->standing->cluster;
    struct bl_job_change *out = reader->out;
    const char *name = NULL;
    int32_t type;
    int status = bl_tree_read_name(&reader->in, at, &name);

    if (status != BL_OK) {
        return status;
    }
    type = bl_cluster_find_type(cluster, name);
    if (type < 0) {
        return bl_tree_fail(reader->in.source, at, reader->in.err,
                            "no node has GPUs of the type '%.100s'", name);
    }
    out->gpu_type[out->gpu_type_count++] = cluster->type_name[type];
    return BL_OK;
}

static int read_gpu_type(const struct change_reader *reader, const struct bl_tree *at)
{
    bool is_list = at->kind == BL_TREE_LIST;
    size_t count = is_list ? at->child_count : at->kind == BL_TREE_NULL ? 0 : 1;
    int status = BL_OK;

    reader->out->set_gpu_types = true;
    if (reader->standing->spec->gpus_max == 0 && !reader->out->set_gpus) {
        return bl_tree_fail(reader->in.source, at, reader->in.err,
                            "the job asks for no GPU: say how many with gpus");
    }
    if (count > BL_JOB_GPU_TYPES_MAX || (is_list && count == 0)) {
        return bl_tree_fail(reader->in.source, at, reader->in.err,
                            "expected 1 to %d types, or null for any, found %zu",
                            BL_JOB_GPU_TYPES_MAX, count);
    }
    for (size_t i = 0; i < count && status == BL_OK; i++) {
        status = add_type(reader, is_list ? &at->child[i] : at);
    }
    return status;
}

static int read_nodes(const struct change_reader *reader, const struct bl_tree *at)
{
    static const struct bl_int_range range = {1, BL_NODES_MAX};
    int64_t nodes = 0;
    int status =
        at->kind == BL_TREE_NULL ? BL_OK : bl_tree_read_int(&reader->in, at, range, &nodes);

    reader->out->set_nodes = true;
    reader->out->nodes_max = (int32_t)nodes;
    return status;
}

static int read_class(const struct change_reader *reader, const struct bl_tree *at)
{
    reader->out->set_class = true;
    return bl_jobspec_read_class(&reader->in, at, &reader->out->job_class);
}

static int read_keys(const struct change_reader *reader, const struct bl_tree *tree)
{
    static const struct {
        const char *name;
        int (*read)(const struct change_reader *reader, const struct bl_tree *at);
    } keys[] = {
        {"limit", read_limit},           {"priority", read_priority}, {"gpus", read_gpus},
        {"gpu_type", read_gpu_type},     {"nodes", read_nodes},       {"class", read_class},
        {"not_before", read_not_before}, {"requeue", read_requeue},
    };
    enum { KEYS = sizeof keys / sizeof keys[0] };
    const char *names[KEYS + 1] = {NULL};
    int status;

    for (size_t i = 0; i < KEYS; i++) {
        names[i] = keys[i].name;
    }
    status = bl_tree_check_keys(reader->in.source, tree, names, reader->in.err);
    for (size_t i = 0; i < KEYS && status == BL_OK; i++) {
        const struct bl_tree *at = bl_tree_find(tree, keys[i].name);

        status = at ? keys[i].read(reader, at) : BL_OK;
    }
    return status;
}

int bl_api_read_change(struct bl_request *request, const struct bl_api_standing *standing,
                       struct bl_job_change *out, struct bl_error *err)
{
    const struct bl_buf *body = bl_request_body(request);
    struct bl_tree_source source = {
        .name = body_name, .bytes = bl_buf_text(body), .length = body->length};
    struct bl_arena arena = {0};
    struct change_reader reader = {{&source, &arena, err}, standing, out};
    struct bl_tree *tree = NULL;
    int status = bl_json_read(&source, &arena, &tree, err);

    *out = (struct bl_job_change){0};
    if (status == BL_OK && (tree->kind != BL_TREE_MAP || tree->child_count == 0)) {
        status = bl_tree_fail(&source, tree, err,
                              "expected an object with what is to change: limit, priority, gpus, "
                              "gpu_type, nodes, class, not_before or requeue");
    }
    status = status == BL_OK ? read_keys(&reader, tree) : status;
    bl_arena_finish(&arena);
    return status;
}
