#include "form/trace_training.h"

#include "base/own.h"
#include "form/table.h"
#include "form/trace_machine.h"

#include <stdio.h>

enum { COLUMN_NAME, COLUMN_TIME, COLUMN_APPLICATION, COLUMN_REPLICAS, COLUMN_BATCH };

static const char *const columns[] = {"name",         "time",       "application",
                                      "num_replicas", "batch_size", NULL};

struct bl_trace {
    struct bl_table table;
    bool lenient;
    struct bl_trace_machine machine;
    struct bl_trace_notes notes;
    bl_job_id last_id;
    double last_submit_s;
};

void bl_trace_training_close(struct bl_trace *trace)
{
    if (trace) {
        bl_table_finish(&trace->table);
        bl_trace_machine_finish(&trace->machine);
        free(trace);
    }
}

int bl_trace_training_open(const struct bl_byte_source *source,
                           const struct bl_trace_options *options, struct bl_trace **out,
                           struct bl_error *err)
{
    struct bl_trace *trace = bl_alloc_zero(sizeof *trace);
    int status;

    trace->lenient = options->lenient;
    bl_trace_machine_init(&trace->machine, options);
    status = bl_table_open(&trace->table, source, columns, err);
    if (status != BL_OK) {
        bl_trace_training_close(trace);
        return status;
    }
    *out = trace;
    return BL_OK;
}

static int read_submit(const struct bl_trace *trace, double *out, struct bl_error *err)
{
    const int64_t longest_s = BL_SPAN_MAX / BL_SECOND;
    const struct bl_table_range range = {0, (double)longest_s};
    char expected[80];
    int status = bl_table_number(&trace->table, COLUMN_TIME, range, out, err);

    if (status == BL_OK && *out < trace->last_submit_s) {
        snprintf(expected, sizeof expected, "rows in order of submission, so %g or later",
                 trace->last_submit_s);
        return bl_table_fail(&trace->table, COLUMN_TIME, expected, err);
    }
    return status;
}

static int read_fields(const struct bl_trace *trace, struct bl_trace_job *job, double *submit_s,
                       struct bl_error *err)
{
    const struct bl_table *table = &trace->table;
    int status = bl_table_text(table, COLUMN_NAME, &job->spec.name, err);

    if (status == BL_OK) {
        status = read_submit(trace, submit_s, err);
    }
    if (status == BL_OK) {
        status = bl_table_text(table, COLUMN_APPLICATION, &job->application, err);
    }
    if (status == BL_OK) {
        status = bl_table_count(table, COLUMN_REPLICAS, (struct bl_table_range){1, 1 << 20},
                                &job->spec.gpus_want, err);
    }
    return status == BL_OK ? bl_table_number(table, COLUMN_BATCH, (struct bl_table_range){1, 1e9},
                                             &job->batch, err)
                           : status;
}

static int check_machine(struct bl_trace *trace, const struct bl_trace_job *job,
                         struct bl_error *err)
{
    BL_AUTO_BUF why = {0};

    if (bl_trace_machine_check(&trace->machine, &job->spec, &why)) {
        return BL_OK;
    }
    return bl_fail(err, BL_EREFUSED, "%s:%u: %s %s", trace->table.csv.lines.source.name,
                   trace->table.csv.number, job->spec.name, bl_buf_text(&why));
}

static int read_row(struct bl_trace *trace, struct bl_trace_job *out, struct bl_error *err)
{
    struct bl_trace_job job = {
        .id = trace->last_id + 1,
        .spec = {.job_class = BL_CLASS_BATCH, .kind = BL_KIND_TRAIN, .may_restart = true},
    };
    double submit_s;
    int status = read_fields(trace, &job, &submit_s, err);

    if (status == BL_OK) {
        job.spec.gpus_min = job.spec.gpus_want;
        job.spec.gpus_max = job.spec.gpus_want;
        job.submit = (bl_time)(submit_s * (double)BL_SECOND + 0.5);
        status = check_machine(trace, &job, err);
    }
    if (status == BL_OK) {
        trace->last_id = job.id;
        trace->last_submit_s = submit_s;
        *out = job;
    }
    return status;
}

int bl_trace_training_next(struct bl_trace *trace, struct bl_trace_job *out, bool *has_job,
                           struct bl_error *err)
{
    bool has_row, may_skip;

    *has_job = false;
    for (;;) {
        struct bl_error found;
        int status = bl_table_next(&trace->table, &has_row, &found);

        if (status == BL_OK && !has_row) {
            return BL_OK;
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

void bl_trace_training_cluster(struct bl_trace *trace, struct bl_clusterspec *out)
{
    (void)trace;
    *out = (struct bl_clusterspec){0};
}

bool bl_trace_training_has_dependencies(const struct bl_trace *trace)
{
    (void)trace;
    return false;
}

const struct bl_trace_notes *bl_trace_training_notes(const struct bl_trace *trace)
{
    return &trace->notes;
}

int bl_trace_training_sniff(const char *bytes, size_t length)
{
    (void)bytes;
    (void)length;
    return 0;
}
