#include "form/adoptspec.h"

#include "form/bookingspec.h"

struct reader {
    struct bl_tree_reader in;
    struct bl_adoptspec *out;
};

struct row {
    const char *name;
    int (*read)(const struct reader *reader, const struct bl_tree *at);
};

static int read_pid(const struct reader *reader, const struct bl_tree *at)
{
    return bl_tree_read_int(&reader->in, at, (struct bl_int_range){1, INT32_MAX},
                            &reader->out->pid);
}

static int read_gpus(const struct reader *reader, const struct bl_tree *at)
{
    int64_t gpus = 0;
    int status =
        bl_tree_read_int(&reader->in, at, (struct bl_int_range){0, BL_JOBSPEC_GPUS_MAX}, &gpus);

    reader->out->has_gpus = true;
    reader->out->gpus = (int32_t)gpus;
    return status;
}

static int read_on(const struct reader *reader, const struct bl_tree *at)
{
    struct bl_error cause = {0};

    if (at->kind != BL_TREE_SCALAR) {
        return bl_tree_fail_kind(&reader->in, at, "GPUs like 'gpu0-3' or 'n1:0,2'");
    }
    if (bl_booking_places_read(at->text, reader->in.arena, &reader->out->on, &reader->out->on_count,
                               &cause) != BL_OK) {
        return bl_tree_fail_cause(&reader->in, at, &cause);
    }
    return BL_OK;
}

static int read_name(const struct reader *reader, const struct bl_tree *at)
{
    return bl_tree_read_name(&reader->in, at, &reader->out->name);
}

static int read_project(const struct reader *reader, const struct bl_tree *at)
{
    return bl_tree_read_name(&reader->in, at, &reader->out->project);
}

static int read_class(const struct reader *reader, const struct bl_tree *at)
{
    int status = bl_jobspec_read_class(&reader->in, at, &reader->out->job_class);

    if (status == BL_OK && reader->out->job_class == BL_CLASS_PREEMPTIBLE) {
        bl_tree_fail(reader->in.source, at, reader->in.err,
                     "a process that is adopted cannot be preemptible");
        return bl_error_set_hint(reader->in.err,
                                 "who gives way is started again later, and baleen does not know "
                                 "how this one was started");
    }
    return status;
}

static int read_limit(const struct reader *reader, const struct bl_tree *at)
{
    return bl_tree_read_span(&reader->in, at, &reader->out->limit);
}

static int read_amount(const struct reader *reader, const struct bl_tree *at,
                       int (*parse)(const char *, struct bl_amount *, struct bl_error *),
                       struct bl_amount *out)
{
    struct bl_error cause = {0};

    if (at->kind != BL_TREE_SCALAR || parse(at->text, out, &cause) != BL_OK) {
        return at->kind == BL_TREE_SCALAR
                   ? bl_tree_fail_cause(&reader->in, at, &cause)
                   : bl_tree_fail_kind(&reader->in, at, "an amount like 8 or 8/gpu");
    }
    return BL_OK;
}

static int read_cpus(const struct reader *reader, const struct bl_tree *at)
{
    reader->out->has_cpus = true;
    return read_amount(reader, at, bl_cpus_parse, &reader->out->cpu_milli);
}

static int read_mem(const struct reader *reader, const struct bl_tree *at)
{
    reader->out->has_mem = true;
    return read_amount(reader, at, bl_mem_parse, &reader->out->mem_bytes);
}

static const struct row rows[] = {
    {"pid", read_pid},         {"gpus", read_gpus},   {"on", read_on},       {"name", read_name},
    {"project", read_project}, {"class", read_class}, {"limit", read_limit}, {"cpus", read_cpus},
    {"mem", read_mem},         {NULL, NULL},
};

int bl_adoptspec_read(const struct bl_tree_source *source, const struct bl_tree *tree,
                      struct bl_arena *arena, struct bl_adoptspec *out, struct bl_error *err)
{
    struct bl_adoptspec spec = {.job_class = BL_CLASS_BATCH};
    struct reader reader = {{source, arena, err}, &spec};
    int status;

    if (tree->kind != BL_TREE_MAP) {
        return bl_tree_fail(source, tree, err, "expected a JSON object");
    }
    status = bl_tree_check_rows(&reader.in, tree, &rows[0].name, sizeof rows[0]);
    for (const struct row *row = rows; row->name && status == BL_OK; row++) {
        const struct bl_tree *at = bl_tree_given(tree, row->name);

        status = at ? row->read(&reader, at) : BL_OK;
    }
    if (status == BL_OK && spec.pid == 0) {
        bl_tree_fail(source, tree, err, "expected the key 'pid': the number of a process");
        return bl_error_set_field(err, "pid");
    }
    if (status == BL_OK) {
        *out = spec;
    }
    return status;
}
