#include "cli/document.h"

#include "bl_test.h"
#include "form/tree_out.h"

#include <string.h>

/* A document while a claim looks at it. */
struct sample {
    struct bl_arena arena;
    struct bl_document document;
    struct bl_error err;
    int status;
};

static void read_sample(struct sample *out, const char *name, const char *text)
{
    const struct bl_document_source source = {
        .name = name, .bytes = text, .length = strlen(text), .directory = "/w"};

    memset(out, 0, sizeof *out);
    out->status = bl_document_read(&source, &out->arena, &out->document, &out->err);
}

/* The jobs as a request has them. */
static void expect_jobs(const struct sample *sample, const char *expected)
{
    BL_AUTO_BUF out = {0};

    for (size_t i = 0; i < sample->document.job_count; i++) {
        struct bl_json json;

        bl_json_init(&json, &out);
        bl_tree_put_json(&json, sample->document.job[i]);
        bl_buf_append_char(&out, '\n');
    }
    assert_string_equal(bl_buf_text(&out), expected);
}

static void A21_a_job_file_is_called_after_its_file_and_runs_here(void **state)
{
    struct sample sample;

    (void)state;
    read_sample(&sample, "jobs/train.yaml", "run: 'true'\ntime: {limit: 1h}\n");
    assert_int_equal(sample.status, BL_OK);
    expect_jobs(&sample, "{\"run\":\"true\",\"time\":{\"limit\":\"1h\"},\"name\":\"train\","
                         "\"workdir\":\"/w\"}\n");
    bl_arena_finish(&sample.arena);
}

static void C1_a_file_that_books_is_no_job(void **state)
{
    struct sample sample;

    (void)state;
    read_sample(&sample, "r.yaml", "reservation: {gpus: 4, from: '14:00', for: 3h}\n");
    assert_int_equal(sample.status, BL_OK);
    assert_non_null(sample.document.reservation);
    assert_int_equal(sample.document.job_count, 0);
    bl_arena_finish(&sample.arena);
    read_sample(&sample, "r.yaml", "reservation:\n  gpus: 4\n  from: now\n");
    assert_int_equal(sample.status, BL_EINVAL);
    assert_non_null(strstr(sample.err.text, "r.yaml"));
    assert_string_equal(sample.err.field, "for");
    bl_arena_finish(&sample.arena);
}

static void A21_a_script_is_one_job_with_its_warnings(void **state)
{
    struct sample sample;

    (void)state;
    read_sample(&sample, "run.sh",
                "#!/bin/bash\n#SBATCH -J tiny --gres=gpu:2\n#SBATCH --mail-user=a@b\nexit 3\n");
    assert_int_equal(sample.status, BL_OK);
    assert_int_equal(sample.document.job_count, 1);
    assert_false(sample.document.is_pipeline);
    assert_int_equal(sample.document.warning_count, 1);
    assert_non_null(strstr(sample.document.warning[0], "--mail-user"));
    bl_arena_finish(&sample.arena);
}

static void A21_a_pipeline_is_its_jobs_in_an_order_that_can_be_submitted(void **state)
{
    struct sample sample;

    (void)state;
    read_sample(&sample, "p.yaml",
                "jobs:\n"
                "  train: {run: b, after: ['prep:ok'], name: big}\n"
                "  eval: {run: c, after: [train, '17:any']}\n"
                "  prep: {run: a, workdir: /else}\n");
    if (sample.status) {
        fail_msg("%s", sample.err.text);
    }
    assert_true(sample.document.is_pipeline);
    expect_jobs(&sample,
                "{\"run\":\"a\",\"workdir\":\"/else\",\"name\":\"prep\"}\n"
                "{\"run\":\"b\",\"after\":[\"prep:ok\"],\"name\":\"big\",\"workdir\":\"/w\"}\n"
                "{\"run\":\"c\",\"after\":[\"big\",\"17:any\"],\"name\":\"eval\","
                "\"workdir\":\"/w\"}\n");
    bl_arena_finish(&sample.arena);
}

static void what_cannot_be_submitted_is_refused_with_its_place(void **state)
{
    static const struct {
        const char *name, *text, *expected;
    } rows[] = {
        {"a.yaml", "- 1\n", "a.yaml: expected a job file or a script"},
        {"a.yaml", "run: 'true'\ncolour: red\n", "a.yaml:2: "},
        {"a.yaml", "name: x\n", "a.yaml:1"},
        {"a.sh", "echo hello\n", "a.sh:1: expected '#!'"},
        {"a.yaml", "jobs: {a: {run: x, after: [b]}, b: {run: y, after: [a]}}\n", "a.yaml:1"},
        {"a.yaml", "jobs: {a: {run: x, name: n}, b: {run: y, name: n}}\n", "called 'n'"},
        {"-", "run: [\n", "-:"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sample sample;

        read_sample(&sample, rows[i].name, rows[i].text);
        if (sample.status == BL_OK || !strstr(sample.err.text, rows[i].expected)) {
            fail_msg("'%s': '%s'", rows[i].text, sample.err.text);
        }
        bl_arena_finish(&sample.arena);
    }
}

static void a_file_that_is_not_there_is_said_so(void **state)
{
    BL_AUTO_BUF out = {0};
    struct bl_error err = {0};

    (void)state;
    assert_int_equal(bl_document_load("/nowhere/job.yaml", &out, &err), BL_ENOTFOUND);
    assert_non_null(strstr(err.text, "/nowhere/job.yaml"));
    assert_int_equal(bl_document_load("/", &out, &err), BL_ESYSTEM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(C1_a_file_that_books_is_no_job),
        cmocka_unit_test(A21_a_job_file_is_called_after_its_file_and_runs_here),
        cmocka_unit_test(A21_a_script_is_one_job_with_its_warnings),
        cmocka_unit_test(A21_a_pipeline_is_its_jobs_in_an_order_that_can_be_submitted),
        cmocka_unit_test(what_cannot_be_submitted_is_refused_with_its_place),
        cmocka_unit_test(a_file_that_is_not_there_is_said_so),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
