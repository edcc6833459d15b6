#include "base/own.h"
#include "base/units.h"
#include "base/vec.h"
#include "form/csv.h"
#include "form/jobspec.h"
#include "form/trace_baleen_parts.h"
#include "form/trace_machine.h"

#include <stdio.h>
#include <string.h>

enum column {
    COLUMN_ID,
    COLUMN_SUBMIT,
    COLUMN_RUN,
    COLUMN_GPUS,
    COLUMN_LIMIT,
    COLUMN_USER,
    COLUMN_PROJECT,
    COLUMN_NAME,
    COLUMN_CPUS,
    COLUMN_MEM,
    COLUMN_AFTER,
    COLUMN_WORK,
    COLUMN_RESTART,
    COLUMN_SCALING,
    COLUMN_CLASS,
    COLUMN_APPLICATION,
    COLUMN_COUNT
};

static const char *const column_names[COLUMN_COUNT + 1] = {
    "id",        "submit_s", "run_s", "gpus",        "limit_s", "user",
    "project",   "name",     "cpus",  "mem_bytes",   "after",   "work_s",
    "restart_s", "scaling",  "class", "application", NULL};

struct csv_trace {
    struct bl_csv csv;
    int place[COLUMN_COUNT]; /* field of each column, -1 = absent */
    bool lenient;
    struct bl_trace_machine machine;
    struct bl_trace_notes notes;
    bl_job_id last_id;
    bl_time last_submit;
    struct bl_arena arena; /* of one row */
    BL_VEC(struct bl_dependency) after;
};

static const char *cell(const struct csv_trace *trace, enum column column)
{
    int place = trace->place[column];

    return place < 0 ? "" : trace->csv.field[place];
}

/* "file:line: field N (name): …" */
static int fail_at(const struct csv_trace *trace, enum column column, struct bl_error *err)
{
    bl_wrap(err, "%s:%u: field %d (%s)", trace->csv.lines.source.name, trace->csv.number,
            trace->place[column] + 1, column_names[column]);
    return bl_error_set_field(err, column_names[column]);
}

static int fail_cell(const struct csv_trace *trace, enum column column, const char *expected,
                     struct bl_error *err)
{
    BL_AUTO_BUF found = {0};

    bl_print_found(&found, cell(trace, column), strlen(cell(trace, column)));
    bl_fail(err, BL_EINVAL, "expected %s, found '%s'", expected, bl_buf_text(&found));
    return fail_at(trace, column, err);
}

static int read_seconds(const struct csv_trace *trace, enum column column, bl_time least,
                        bl_time *out, struct bl_error *err)
{
    if (bl_scaled_parse(cell(trace, column), BL_SECOND, out, NULL) != BL_OK || *out < least ||
        *out > BL_SPAN_MAX) {
        return fail_cell(trace, column,
                         least ? "seconds above 0, such as 90 or 0.5" : "seconds from 0 on", err);
    }
    return BL_OK;
}

static int read_submit(struct csv_trace *trace, bl_time *out, struct bl_error *err)
{
    char expected[80];
    int status = read_seconds(trace, COLUMN_SUBMIT, 0, out, err);

    if (status == BL_OK && *out < trace->last_submit) {
        snprintf(expected, sizeof expected, "rows in order of submission, so %lld or later",
                 (long long)(trace->last_submit / BL_SECOND));
        return fail_cell(trace, COLUMN_SUBMIT, expected, err);
    }
    return status;
}

static int read_id(struct csv_trace *trace, bl_job_id *out, struct bl_error *err)
{
    char expected[64];

    if (trace->place[COLUMN_ID] < 0) {
        *out = trace->last_id + 1;
        return BL_OK;
    }
    if (bl_int_parse(cell(trace, COLUMN_ID), trace->last_id + 1, INT64_MAX / 2, out, NULL) !=
        BL_OK) {
        snprintf(expected, sizeof expected, "an id above %lld", (long long)trace->last_id);
        return fail_cell(trace, COLUMN_ID, expected, err);
    }
    return BL_OK;
}

static int read_word(const struct csv_trace *trace, enum column column, const char **out,
                     struct bl_error *err)
{
    const char *text = cell(trace, column);

    for (const char *at = text; *at; at++) {
        if ((unsigned char)*at < 0x20 || *at == 0x7f) {
            return fail_cell(trace, column, "text without control characters", err);
        }
    }
    if (strlen(text) > BL_JOB_NAME_MAX) {
        return fail_cell(trace, column, "at most 255 bytes", err);
    }
    *out = *text ? text : NULL;
    return BL_OK;
}

static int read_words(struct csv_trace *trace, struct bl_job_spec *spec, struct bl_error *err)
{
    int status = read_word(trace, COLUMN_USER, &spec->user, err);

    if (status == BL_OK) {
        status = read_word(trace, COLUMN_PROJECT, &spec->project, err);
    }
    return status == BL_OK ? read_word(trace, COLUMN_NAME, &spec->name, err) : status;
}

/* What a job books without saying so: a CPU and a GiB, each GPU's or the job's. */
static int read_amounts(const struct csv_trace *trace, struct bl_job_spec *spec,
                        struct bl_error *err)
{
    const char *cpus = cell(trace, COLUMN_CPUS);
    const char *mem = cell(trace, COLUMN_MEM);

    spec->cpu_milli = (struct bl_amount){1000, spec->gpus_min > 0};
    spec->mem_bytes = (struct bl_amount){INT64_C(1) << 30, spec->gpus_min > 0};
    if (*cpus && bl_cpus_parse(cpus, &spec->cpu_milli, err) != BL_OK) {
        return fail_at(trace, COLUMN_CPUS, err);
    }
    if (*mem && bl_mem_parse(mem, &spec->mem_bytes, err) != BL_OK) {
        return fail_at(trace, COLUMN_MEM, err);
    }
    return BL_OK;
}

static int read_size(struct csv_trace *trace, struct bl_job_spec *spec, struct bl_error *err)
{
    struct bl_gpu_counts gpus;

    if (bl_gpus_parse(cell(trace, COLUMN_GPUS), &gpus, err) != BL_OK) {
        return fail_at(trace, COLUMN_GPUS, err);
    }
    bl_gpus_set(spec, &gpus, &trace->arena);
    spec->kind = spec->gpus_max > 0 ? BL_KIND_TRAIN : BL_KIND_CPU;
    return read_amounts(trace, spec, err);
}

/* What an elastic job has besides. Empty fields are as if the column were not there. */
static int read_elasticity(struct csv_trace *trace, struct bl_job_spec *spec, struct bl_error *err)
{
    const char *scaling = cell(trace, COLUMN_SCALING);
    const char *word = cell(trace, COLUMN_CLASS);
    int job_class = *word ? bl_job_class_find(word) : BL_CLASS_BATCH;

    if (job_class < 0) {
        return fail_cell(trace, COLUMN_CLASS, "interactive, batch or preemptible", err);
    }
    spec->job_class = (enum bl_job_class)job_class;
    if (*scaling && bl_scaling_parse(scaling, &trace->arena, &spec->curve, err) != BL_OK) {
        return fail_at(trace, COLUMN_SCALING, err);
    }
    if (*cell(trace, COLUMN_RESTART) &&
        read_seconds(trace, COLUMN_RESTART, 0, &spec->restart, err) != BL_OK) {
        return BL_EINVAL;
    }
    return read_word(trace, COLUMN_APPLICATION, &spec->application, err);
}

static int read_dependency(struct csv_trace *trace, const char *word, struct bl_error *err)
{
    struct bl_jobspec_after after;
    struct bl_dependency edge;

    if (bl_after_parse(word, &trace->arena, &after, err) != BL_OK) {
        return fail_at(trace, COLUMN_AFTER, err);
    }
    if (bl_int_parse(after.target, 1, trace->last_id, &edge.job, NULL) != BL_OK) {
        bl_fail(err, BL_EINVAL, "expected the id of a row above, found '%.100s'", after.target);
        return fail_at(trace, COLUMN_AFTER, err);
    }
    if (trace->after.count == BL_JOB_AFTER_MAX) {
        return fail_cell(trace, COLUMN_AFTER, "at most 1024 jobs", err);
    }
    edge.kind = after.kind;
    BL_VEC_PUSH(&trace->after, edge);
    return BL_OK;
}

/* "12;13:any" */
static int read_after(struct csv_trace *trace, struct bl_job_spec *spec, struct bl_error *err)
{
    const char *at = cell(trace, COLUMN_AFTER);

    trace->after.count = 0;
    while (*at) {
        size_t length = strcspn(at, "; ");

        if (length > 0) {
            char *word = bl_arena_alloc(&trace->arena, length + 1);
            int status;

            memcpy(word, at, length);
            status = read_dependency(trace, word, err);
            if (status != BL_OK) {
                return status;
            }
        }
        at += length;
        at += strspn(at, "; ");
    }
    spec->after = trace->after.at;
    spec->after_count = trace->after.count;
    return BL_OK;
}

static int read_times(struct csv_trace *trace, struct bl_trace_job *job, struct bl_error *err)
{
    int status = read_id(trace, &job->id, err);

    if (status == BL_OK) {
        status = read_submit(trace, &job->submit, err);
    }
    if (status == BL_OK) {
        status = read_seconds(trace, trace->place[COLUMN_RUN] < 0 ? COLUMN_WORK : COLUMN_RUN, 1,
                              &job->spec.work, err);
    }
    if (status == BL_OK && *cell(trace, COLUMN_LIMIT)) {
        status = read_seconds(trace, COLUMN_LIMIT, 1, &job->spec.limit, err);
    }
    return status;
}

static int check_machine(struct csv_trace *trace, const struct bl_trace_job *job,
                         struct bl_error *err)
{
    BL_AUTO_BUF why = {0};

    if (bl_trace_machine_check(&trace->machine, &job->spec, &why)) {
        return BL_OK;
    }
    return bl_fail(err, BL_EREFUSED, "%s:%u: job %lld %s", trace->csv.lines.source.name,
                   trace->csv.number, (long long)job->id, bl_buf_text(&why));
}

static int read_row(struct csv_trace *trace, struct bl_trace_job *out, struct bl_error *err)
{
    struct bl_trace_job job = {.spec = {.job_class = BL_CLASS_BATCH}};
    int status = read_times(trace, &job, err);

    bl_arena_reset(&trace->arena);
    if (status == BL_OK) {
        status = read_words(trace, &job.spec, err);
    }
    if (status == BL_OK) {
        status = read_size(trace, &job.spec, err);
    }
    if (status == BL_OK) {
        status = read_elasticity(trace, &job.spec, err);
    }
    if (status == BL_OK) {
        status = read_after(trace, &job.spec, err);
    }
    if (status == BL_OK) {
        status = check_machine(trace, &job, err);
    }
    if (status == BL_OK) {
        bl_trace_clamp(&job, &trace->notes);
        trace->last_id = job.id;
        trace->last_submit = job.submit;
        *out = job;
    }
    return status;
}

/* Whether every row has as many fields as the header. */
static int check_width(const struct csv_trace *trace, size_t width, struct bl_error *err)
{
    if (trace->csv.field_count == width) {
        return BL_OK;
    }
    return bl_fail(err, BL_EINVAL, "%s:%u: expected %zu fields as in the header, found %zu",
                   trace->csv.lines.source.name, trace->csv.number, width, trace->csv.field_count);
}

struct csv_reader {
    struct csv_trace trace;
    size_t width;
};

static int csv_next(void *self, struct bl_trace_job *out, bool *has_job, struct bl_error *err)
{
    struct csv_reader *reader = self;
    struct csv_trace *trace = &reader->trace;
    bool has_row, may_skip;

    *has_job = false;
    for (;;) {
        struct bl_error found;
        int status = bl_csv_next(&trace->csv, &has_row, &found);

        if (status == BL_OK && !has_row) {
            return BL_OK;
        }
        if (status == BL_OK) {
            status = check_width(trace, reader->width, &found);
        }
        if (status == BL_OK) {
            status = read_row(trace, out, &found);
        }
        if (status == BL_OK) {
            *has_job = true;
            return BL_OK;
        }
        may_skip = trace->lenient && (status == BL_EINVAL || status == BL_EREFUSED);
        if (bl_trace_skip_or_fail(&trace->notes, may_skip, &found, err) != BL_OK) {
            return status;
        }
    }
}

static int place_column(struct csv_trace *trace, int field, struct bl_error *err)
{
    const char *name = trace->csv.field[field];
    const char *nearest = bl_nearest_word(name, column_names);
    BL_AUTO_BUF found = {0};

    for (int column = 0; column < COLUMN_COUNT; column++) {
        if (strcmp(name, column_names[column]) != 0) {
            continue;
        }
        if (trace->place[column] >= 0) {
            return bl_fail(err, BL_EINVAL, "%s:%u: the column %s stands twice",
                           trace->csv.lines.source.name, trace->csv.number, name);
        }
        trace->place[column] = field;
        return BL_OK;
    }
    bl_print_found(&found, name, strlen(name));
    bl_fail(err, BL_EINVAL, "%s:%u: unknown column '%s'", trace->csv.lines.source.name,
            trace->csv.number, bl_buf_text(&found));
    return nearest ? bl_error_set_hint(err, "did you mean %s?", nearest)
                   : bl_error_set_hint(err, "there are: id, submit_s, run_s, gpus, limit_s, user, "
                                            "project, name, cpus, mem_bytes, after, work_s, "
                                            "restart_s, scaling, class, application");
}

static int read_header(struct csv_reader *reader, struct bl_error *err)
{
    static const enum column needed[] = {COLUMN_SUBMIT, COLUMN_GPUS};
    struct csv_trace *trace = &reader->trace;
    bool has_row = false;
    int status = bl_csv_next(&trace->csv, &has_row, err);

    for (int column = 0; column < COLUMN_COUNT; column++) {
        trace->place[column] = -1;
    }
    for (size_t i = 0; status == BL_OK && i < trace->csv.field_count; i++) {
        status = place_column(trace, (int)i, err);
    }
    for (size_t i = 0; status == BL_OK && i < sizeof needed / sizeof needed[0]; i++) {
        if (trace->place[needed[i]] < 0) {
            status =
                bl_fail(err, BL_EINVAL, "%s:%u: expected a header line with the column %s",
                        trace->csv.lines.source.name, trace->csv.number, column_names[needed[i]]);
        }
    }
    if (status == BL_OK && (trace->place[COLUMN_RUN] >= 0) == (trace->place[COLUMN_WORK] >= 0)) {
        return bl_fail(
            err, BL_EINVAL,
            "%s:%u: expected a header line with the column run_s, or work_s in its place",
            trace->csv.lines.source.name, trace->csv.number);
    }
    reader->width = trace->csv.field_count;
    return status;
}

static void csv_close(void *self)
{
    struct csv_reader *reader = self;

    bl_csv_finish(&reader->trace.csv);
    bl_trace_machine_finish(&reader->trace.machine);
    bl_arena_finish(&reader->trace.arena);
    BL_VEC_FINISH(&reader->trace.after);
    free(reader);
}

static int csv_open(const struct bl_byte_source *source, const struct bl_trace_options *options,
                    void **self, struct bl_error *err)
{
    struct csv_reader *reader = bl_alloc_zero(sizeof *reader);
    int status;

    reader->trace.csv.lines.source = *source;
    reader->trace.lenient = options->lenient;
    bl_trace_machine_init(&reader->trace.machine, options);
    status = read_header(reader, err);
    if (status != BL_OK) {
        csv_close(reader);
        return status;
    }
    *self = reader;
    return BL_OK;
}

static bool csv_has_dependencies(const void *self)
{
    return ((const struct csv_reader *)self)->trace.place[COLUMN_AFTER] >= 0;
}

static const struct bl_trace_notes *csv_notes(const void *self)
{
    return &((const struct csv_reader *)self)->trace.notes;
}

const struct bl_trace_form bl_trace_form_csv = {csv_open,  csv_next, csv_has_dependencies,
                                                csv_notes, NULL,     csv_close};
