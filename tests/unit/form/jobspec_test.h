/* For the tests of src/form/jobspec*.c: a job file in, one line of text out. */
#ifndef BL_JOBSPEC_TEST_H
#define BL_JOBSPEC_TEST_H

#include "form/jobspec.h"
#include "form_test.h"

struct job_text {
    struct form_text text;
    struct bl_jobspec job;
    int status;
};

static inline void job_read(struct job_text *job, enum bl_jobspec_use use, const char *yaml)
{
    form_read_yaml(&job->text, yaml);
    if (!job->text.tree) {
        fail_msg("'%s' is no YAML: %s", yaml, job->text.err.text);
    }
    memset(&job->job, 0xA5, sizeof job->job); /* written on success alone */
    job->status = bl_jobspec_read(&job->text.source, job->text.tree, use, &job->text.arena,
                                  &job->job, &job->text.err);
}

static inline void job_finish(struct job_text *job)
{
    form_finish(&job->text);
}

static inline void job_print_amount(struct bl_buf *out, const char *name,
                                    const struct bl_amount *amount)
{
    bl_buf_printf(out, " %s=%lld%s", name, (long long)amount->value, amount->per_gpu ? "/gpu" : "");
}

static inline void job_print_text(struct bl_buf *out, const char *name, const char *value)
{
    if (value) {
        bl_buf_printf(out, " %s=%s", name, value);
    }
}

/* What was asked, without what is not set: "batch train gpus=1..2..4 nodes=1 cpu=… mem=…". */
static inline void job_print(struct bl_buf *out, const struct bl_jobspec *job)
{
    const struct bl_job_spec *core = &job->core;

    bl_buf_printf(out, "%s %s gpus=%d..%d..%d nodes=%d", bl_job_class_name(core->job_class),
                  bl_job_kind_name(core->kind), core->gpus_min, core->gpus_want, core->gpus_max,
                  core->nodes_max);
    job_print_amount(out, "cpu", &core->cpu_milli);
    job_print_amount(out, "mem", &core->mem_bytes);
    job_print_text(out, "name", core->name);
    job_print_text(out, "user", core->user);
    job_print_text(out, "project", core->project);
    job_print_text(out, "pool", core->pool);
    for (size_t i = 0; i < core->gpu_type_count; i++) {
        job_print_text(out, "type", core->gpu_type[i]);
    }
    if (core->gpu_mem_bytes) {
        bl_buf_printf(out, " gpu_mem=%lld", (long long)core->gpu_mem_bytes);
    }
    if (core->limit) {
        bl_buf_append_text(out, " limit=");
        bl_span_print(out, core->limit);
    }
}

static inline void job_expect(enum bl_jobspec_use use, const char *yaml, const char *expected)
{
    BL_AUTO_BUF printed = {0};
    struct job_text job;

    job_read(&job, use, yaml);
    if (job.status != BL_OK) {
        fail_msg("'%s' was refused: %s", yaml, job.text.err.text);
    }
    job_print(&printed, &job.job);
    if (strcmp(bl_buf_text(&printed), expected) != 0) {
        fail_msg("'%s' became '%s', expected '%s'", yaml, bl_buf_text(&printed), expected);
    }
    job_finish(&job);
}

static inline void job_expect_refusal(enum bl_jobspec_use use, const char *yaml,
                                      const char *message)
{
    struct bl_jobspec untouched;
    struct job_text job;

    job_read(&job, use, yaml);
    if (job.status == BL_OK) {
        fail_msg("'%s' was taken, expected '%s'", yaml, message);
    }
    assert_int_equal(job.status, job.text.err.status);
    form_expect_message(&job.text.err, message, yaml);
    memset(&untouched, 0xA5, sizeof untouched);
    assert_memory_equal(&job.job, &untouched, sizeof untouched);
    job_finish(&job);
}

#endif
