#include "base/units.h"
#include "form/jobspec_parts.h"

#include <string.h>

static const char gpus_expected[] =
    "a number of GPUs like 4, a range like 2-8 or a list like [2, 4, 8]";

static int read_gpu_list(const struct bl_job_reader *reader, const struct bl_tree *list,
                         struct bl_gpu_counts *out)
{
    int status = BL_OK;

    for (size_t i = 0; i < list->child_count && status == BL_OK; i++) {
        int64_t count = 0;

        status = bl_tree_read_int(&reader->in, &list->child[i],
                                  (struct bl_int_range){1, BL_JOBSPEC_GPUS_MAX}, &count);
        if (status == BL_OK && !bl_gpus_add(out, count)) {
            return bl_tree_fail(reader->in.source, list, reader->in.err,
                                "expected at most %d numbers of GPUs in rising order",
                                BL_JOB_COUNTS_MAX);
        }
    }
    if (status == BL_OK && list->child_count == 0) {
        return bl_tree_fail(reader->in.source, list, reader->in.err,
                            "expected %s, found an empty list", gpus_expected);
    }
    return status;
}

static int read_gpus(const struct bl_job_reader *reader, const struct bl_tree *at)
{
    struct bl_job_spec *core = &reader->out->core;
    struct bl_gpu_counts gpus = {0};
    struct bl_error cause = {0};

    if (at->kind == BL_TREE_LIST) {
        int status = read_gpu_list(reader, at, &gpus);

        if (status != BL_OK) {
            return status;
        }
    } else if (at->kind != BL_TREE_SCALAR) {
        return bl_tree_fail_kind(&reader->in, at, gpus_expected);
    } else if (bl_gpus_parse(at->text, &gpus, &cause) != BL_OK) {
        return bl_tree_fail_cause(&reader->in, at, &cause);
    }
    bl_gpus_set(core, &gpus, reader->in.arena);
    if (core->gpus_max > 0) {
        core->kind = BL_KIND_TRAIN;
        core->cpu_milli.per_gpu = true;
        core->mem_bytes.per_gpu = true;
    }
    return BL_OK;
}

static int read_want(const struct bl_job_reader *reader, const struct bl_tree *at)
{
    struct bl_job_spec *core = &reader->out->core;
    struct bl_int_range range = {core->gpus_min, core->gpus_max};
    int64_t want = 0;
    int status = bl_tree_read_int(&reader->in, at, range, &want);

    if (status == BL_OK && !bl_job_is_legal_count(core, (int32_t)want)) {
        return bl_tree_fail(reader->in.source, at, reader->in.err,
                            "expected one of the numbers of GPUs that the job lists, found '%s'",
                            at->text);
    }
    if (status == BL_OK) {
        core->gpus_want = (int32_t)want;
    }
    return status;
}

static int read_gpu_types(const struct bl_job_reader *reader, const struct bl_tree *at)
{
    struct bl_job_spec *core = &reader->out->core;
    bool is_list = at->kind == BL_TREE_LIST;
    size_t count = is_list ? at->child_count : 1;

    if (count > BL_JOB_GPU_TYPES_MAX) {
        return bl_tree_fail(reader->in.source, at, reader->in.err,
                            "expected at most %d types, found %zu", BL_JOB_GPU_TYPES_MAX, count);
    }
    for (size_t i = 0; i < count; i++) {
        int status =
            bl_tree_read_name(&reader->in, is_list ? &at->child[i] : at, &core->gpu_type[i]);

        if (status != BL_OK) {
            return status;
        }
    }
    core->gpu_type_count = count;
    return BL_OK;
}

static int read_gpu_mem(const struct bl_job_reader *reader, const struct bl_tree *at)
{
    return bl_tree_read_size(&reader->in, at, BL_JOBSPEC_MEM_MAX, &reader->out->core.gpu_mem_bytes);
}

static int read_gpu(const struct bl_job_reader *reader, const struct bl_tree *at)
{
    static const struct bl_job_key keys[] = {
        {"type", read_gpu_types}, {"mem", read_gpu_mem}, {NULL, NULL}};

    if (reader->out->core.gpus_max == 0) {
        return bl_tree_fail(reader->in.source, at, reader->in.err,
                            "the job asks for no GPU: say how many with gpus");
    }
    return bl_job_read_keys(reader, at, keys);
}

/* Checks the amount against the job's GPUs, so that the core's products stay in range. */
static int check_amount(const struct bl_job_reader *reader, const struct bl_tree *at,
                        const struct bl_amount *amount)
{
    int64_t total = 0;

    if (!amount->per_gpu) {
        return BL_OK;
    }
    if (reader->out->core.gpus_max == 0) {
        return bl_tree_fail(reader->in.source, at, reader->in.err,
                            "expected an amount for the whole job, as it has no GPU, found '%s'",
                            at->text);
    }
    if (__builtin_mul_overflow(amount->value, reader->out->core.gpus_max, &total) ||
        total > BL_JOBSPEC_TOTAL_MAX) {
        return bl_tree_fail(reader->in.source, at, reader->in.err,
                            "%s for %d GPUs is more than any machine has", at->text,
                            (int)reader->out->core.gpus_max);
    }
    return BL_OK;
}

static int read_amount(const struct bl_job_reader *reader, const struct bl_tree *at,
                       int (*parse)(const char *, struct bl_amount *, struct bl_error *),
                       struct bl_amount *out)
{
    struct bl_error cause = {0};

    if (at->kind != BL_TREE_SCALAR) {
        return bl_tree_fail_kind(&reader->in, at, "an amount like 8 or 8/gpu");
    }
    if (parse(at->text, out, &cause) != BL_OK) {
        return bl_tree_fail_cause(&reader->in, at, &cause);
    }
    return check_amount(reader, at, out);
}

static int read_cpus(const struct bl_job_reader *reader, const struct bl_tree *at)
{
    return read_amount(reader, at, bl_cpus_parse, &reader->out->core.cpu_milli);
}

static int read_mem(const struct bl_job_reader *reader, const struct bl_tree *at)
{
    reader->out->launch.mem_unasked = false;
    return read_amount(reader, at, bl_mem_parse, &reader->out->core.mem_bytes);
}

static int read_nodes(const struct bl_job_reader *reader, const struct bl_tree *at)
{
    int64_t nodes = 0;
    int status = bl_tree_read_int(&reader->in, at, (struct bl_int_range){1, BL_NODES_MAX}, &nodes);

    if (status == BL_OK) {
        reader->out->core.nodes_max = (int32_t)nodes;
    }
    return status;
}

int bl_job_read_resources(const struct bl_job_reader *reader, const struct bl_tree *at)
{
    /* gpus stands first: what the others may be depends on it. */
    static const struct bl_job_key keys[] = {
        {"gpus", read_gpus}, {"want", read_want},   {"gpu", read_gpu}, {"cpus", read_cpus},
        {"mem", read_mem},   {"nodes", read_nodes}, {NULL, NULL}};

    return bl_job_read_keys(reader, at, keys);
}

static int read_efficiency(const struct bl_job_reader *reader, const struct bl_tree *at)
{
    struct bl_curve *curve = &reader->out->core.curve;
    double efficiency = 0;
    int status = bl_tree_read_double(&reader->in, at, &efficiency);

    if (status == BL_OK && (efficiency <= 0 || efficiency > 1)) {
        return bl_tree_fail_kind(&reader->in, at, "a number over 0 and up to 1");
    }
    *curve = (struct bl_curve){.kind = BL_CURVE_EFFICIENCY, .efficiency = efficiency};
    return status;
}

static int read_point(const struct bl_job_reader *reader, const struct bl_tree *at,
                      struct bl_curve_point *out)
{
    int64_t gpus = 0;
    double speed = 0;
    int status;

    if (bl_int_parse(at->key, 1, BL_JOBSPEC_GPUS_MAX, &gpus, NULL) != BL_OK) {
        return bl_tree_fail(reader->in.source, at, reader->in.err,
                            "expected a number of GPUs before the ':', found '%.100s'", at->key);
    }
    status = bl_tree_read_double(&reader->in, at, &speed);
    if (status == BL_OK && !(speed >= BL_JOBSPEC_SPEED_MIN && speed <= BL_JOBSPEC_SPEED_MAX)) {
        return bl_tree_fail_kind(&reader->in, at, "a speed over 0 and up to 1000000");
    }
    *out = (struct bl_curve_point){(int32_t)gpus, speed};
    return status;
}

/* Puts the point in its place among those in rising order; false when its count is there. */
static bool insert_point(struct bl_curve_point *points, size_t count, struct bl_curve_point point)
{
    size_t at = count;

    while (at > 0 && points[at - 1].gpus > point.gpus) {
        points[at] = points[at - 1];
        at--;
    }
    points[at] = point;
    return at == 0 || points[at - 1].gpus != point.gpus;
}

static int read_points(const struct bl_job_reader *reader, const struct bl_tree *at)
{
    struct bl_curve_point *points =
        bl_arena_alloc(reader->in.arena, (BL_CURVE_POINTS_MAX + 1) * sizeof *points);

    if (at->kind != BL_TREE_MAP || at->child_count == 0 || at->child_count > BL_CURVE_POINTS_MAX) {
        return bl_tree_fail(reader->in.source, at, reader->in.err,
                            "expected 1 to %d points like {2: 1.0, 4: 1.85}, found %zu",
                            BL_CURVE_POINTS_MAX, at->child_count);
    }
    for (size_t i = 0; i < at->child_count; i++) {
        struct bl_curve_point point = {0};
        int status = read_point(reader, &at->child[i], &point);

        if (status == BL_OK && !insert_point(points, i, point)) {
            status = bl_tree_fail(reader->in.source, &at->child[i], reader->in.err,
                                  "this number of GPUs is given twice");
        }
        if (status != BL_OK) {
            return status;
        }
    }
    reader->out->core.curve =
        (struct bl_curve){.kind = BL_CURVE_POINTS, .point_count = at->child_count, .point = points};
    return BL_OK;
}

int bl_job_read_scaling(const struct bl_job_reader *reader, const struct bl_tree *at)
{
    static const struct bl_job_key keys[] = {
        {"efficiency", read_efficiency}, {"points", read_points}, {NULL, NULL}};

    if (at->kind == BL_TREE_SCALAR && !strcmp(at->text, "auto")) {
        return BL_OK;
    }
    if (at->kind != BL_TREE_MAP || at->child_count != 1) {
        return bl_tree_fail_kind(&reader->in, at,
                                 "auto, {efficiency: 0.9} or {points: {2: 1.0, 4: 1.85}}");
    }
    return bl_job_read_keys(reader, at, keys);
}
