#include "form_test.h"

#include "form/pipeline.h"

#define JOB "command: [x]"

struct pipeline_text {
    struct form_text text;
    struct bl_pipeline pipeline;
    int status;
};

static void read_pipeline(struct pipeline_text *in, const char *yaml)
{
    form_read_yaml(&in->text, yaml);
    if (!in->text.tree) {
        fail_msg("'%s' is no YAML: %s", yaml, in->text.err.text);
    }
    memset(&in->pipeline, 0xA5, sizeof in->pipeline);
    in->status = bl_pipeline_read(&in->text.source, in->text.tree, &in->text.arena, &in->pipeline,
                                  &in->text.err);
}

/* "prep train<0:ok> eval<1:ok,17:any>": names in order, with what they wait for by index or id. */
static void print_order(struct bl_buf *out, const struct bl_pipeline *pipeline)
{
    for (size_t i = 0; i < pipeline->count; i++) {
        const struct bl_pipeline_job *job = &pipeline->job[i];

        bl_buf_printf(out, "%s%s", i ? " " : "", job->spec.core.name);
        for (size_t j = 0; j < job->spec.after_count; j++) {
            bl_buf_append_char(out, j ? ',' : '<');
            if (job->after[j] == BL_PIPELINE_OUTSIDE) {
                bl_buf_printf(out, "id %s", job->spec.after[j].target);
            } else {
                assert_true(job->after[j] < i);
                bl_buf_printf(out, "%zu", job->after[j]);
            }
            bl_buf_printf(out, ":%s", bl_dependency_kind_name(job->spec.after[j].kind));
        }
        bl_buf_append_text(out, job->spec.after_count ? ">" : "");
    }
}

static void A7_jobs_come_behind_those_that_they_wait_for(void **state)
{
    static const struct {
        const char *jobs;
        const char *order;
    } rows[] = {
        {"{a: {" JOB "}, b: {" JOB "}}", "a b"},
        {"{train: {after: [prep:ok], " JOB "}, prep: {" JOB "}}", "prep train<0:ok>"},
        {"{d: {after: [b, 'c:fail'], " JOB "}, c: {after: [a], " JOB "}, b: {after: [a], " JOB
         "}, a: {" JOB "}}",
         "a b<0:ok> c<0:ok> d<1:ok,2:fail>"},
        {"{a: {after: ['17:any', 'b:any'], " JOB "}, b: {" JOB "}}", "b a<id 17:any,0:any>"},
        {"{'17': {" JOB "}, a: {after: [17], " JOB "}}", "17 a<0:ok>"},
        {"{a: {after: [b, b], " JOB "}, b: {" JOB "}}", "b a<0:ok,0:ok>"},
        {"{a: {array: 0-3, after: ['b:each'], " JOB "}, b: {array: 1-4, " JOB "}}", "b a<0:each>"},
        {"{a: {name: long name, " JOB "}}", "long name"},
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        BL_AUTO_BUF yaml = {0};
        BL_AUTO_BUF order = {0};
        struct pipeline_text in;

        bl_buf_printf(&yaml, "{workdir: /w, environment: [A=1], jobs: %s}", rows[i].jobs);
        read_pipeline(&in, bl_buf_text(&yaml));
        if (in.status != BL_OK) {
            fail_msg("'%s' was refused: %s", rows[i].jobs, in.text.err.text);
        }
        print_order(&order, &in.pipeline);
        assert_string_equal(bl_buf_text(&order), rows[i].order);
        form_finish(&in.text);
    }
}

static void
jobs_take_directory_and_environment_of_the_request_unless_they_have_their_own(void **state)
{
    struct pipeline_text in;
    const struct bl_pipeline_job *job;

    (void)state;
    read_pipeline(&in, "{workdir: /w, environment: [A=1], jobs: {a: {" JOB "}, b: {workdir: /own, "
                       "environment: [B=2], " JOB "}}}");
    assert_int_equal(in.status, BL_OK);
    job = in.pipeline.job;
    assert_string_equal(job[0].spec.launch.workdir, "/w");
    assert_string_equal(job[0].spec.env[0], "A=1");
    assert_string_equal(job[1].spec.launch.workdir, "/own");
    assert_string_equal(job[1].spec.env[0], "B=2");
    assert_string_equal(job[1].key, "b");
    form_finish(&in.text);
}

static void A7_what_cannot_be_ordered_is_refused(void **state)
{
    static const struct {
        const char *yaml;
        const char *message;
    } rows[] = {
        {"jobs:\n a: {workdir: /, " JOB ", after: [b]}\n b: {workdir: /, " JOB
         ", after: [c]}\n c: {workdir: /, " JOB ", after: [a]}\n",
         "jobs wait for each other in a circle: a -> b -> c -> a"},
        {"jobs:\n a: {workdir: /, " JOB ", after: [a]}\n",
         "test:2: a: jobs wait for each other in a circle: a -> a"},
        {"jobs:\n train: {workdir: /, " JOB "}\n eval:\n  workdir: /\n  " JOB
         "\n  after: [trian:ok]\n",
         "test:6: after: there is no job 'trian' in the pipeline, did you mean 'train'?"},
        {"jobs:\n a: {workdir: /, " JOB ", after: [zzzzzzzz]}\n",
         "test:2: after: there is no job 'zzzzzzzz' in the pipeline"},
        {"jobs:\n a: {workdir: /, " JOB ", array: 0-3, after: ['b:each']}\n b: {workdir: /, " JOB
         ", array: 0-4}\n",
         "test:2: after: b:each needs arrays of one size: it has 5 elements, this job 4"},
        {"jobs:\n a: {workdir: /, " JOB ", gpus: 2}\n", "test:2: gpus: unknown key"},
        {"jobs:\n a: x\n", "test:2: a: expected a map of keys and values, found a text"},
        {"jobs: {}", "test:1: jobs: expected jobs: {NAME: {…}, …}"},
        {"jobs: [a]", "test:1: jobs: expected jobs: {NAME: {…}, …}"},
        {"jobs: {a: {}}\nname: x\n", "test:2: name: unknown key"},
        {"jobs: {'': {workdir: /, " JOB "}}", "expected a name of 1 to 255 bytes before the ':'"},
        {"jobs: {\"a\\nb\": {workdir: /, " JOB "}}", "a name cannot hold control characters"},
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        struct bl_pipeline untouched;
        struct pipeline_text in;

        read_pipeline(&in, rows[i].yaml);
        if (in.status == BL_OK) {
            fail_msg("'%s' was taken", rows[i].yaml);
        }
        form_expect_message(&in.text.err, rows[i].message, rows[i].yaml);
        memset(&untouched, 0xA5, sizeof untouched);
        assert_memory_equal(&in.pipeline, &untouched, sizeof untouched);
        form_finish(&in.text);
    }
}

static void a_job_of_a_request_without_lines_is_named(void **state)
{
    struct pipeline_text in;

    (void)state;
    form_read_json(&in.text, "{\"jobs\":{\"a\":{\"workdir\":\"/\",\"gpus\":\"2\"}}}");
    assert_int_not_equal(
        bl_pipeline_read(&in.text.source, in.text.tree, &in.text.arena, &in.pipeline, &in.text.err),
        BL_OK);
    form_expect_message(&in.text.err, "job a: test: gpus: unknown key", "");
    form_finish(&in.text);
}

static void only_documents_with_jobs_are_pipelines(void **state)
{
    static const struct {
        const char *yaml;
        bool is_one;
    } rows[] = {{"jobs: {}", true}, {"name: x", false}, {"[jobs]", false}};

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        struct form_text text;

        form_read_yaml(&text, rows[i].yaml);
        assert_int_equal(bl_pipeline_is_one(text.tree), rows[i].is_one);
        form_finish(&text);
    }
}

/* A chain of `count` jobs, written last first. */
static void write_chain(struct bl_buf *yaml, int count)
{
    bl_buf_append_text(yaml, "workdir: /\njobs:\n");
    for (int i = count - 1; i >= 0; i--) {
        bl_buf_printf(yaml, " j%d: {" JOB, i);
        if (i) {
            bl_buf_printf(yaml, ", after: [j%d]", i - 1);
        }
        bl_buf_append_text(yaml, "}\n");
    }
}

static void A7_the_longest_chain_is_ordered_and_a_longer_one_refused(void **state)
{
    (void)state;
    for (int more = 0; more < 2; more++) {
        BL_AUTO_BUF yaml = {0};
        struct pipeline_text in;

        write_chain(&yaml, BL_PIPELINE_JOBS_MAX + more);
        read_pipeline(&in, bl_buf_text(&yaml));
        if (more) {
            form_expect_message(&in.text.err, "jobs: expected at most 10000 jobs, found 10001", "");
        } else {
            assert_int_equal(in.status, BL_OK);
            assert_string_equal(in.pipeline.job[0].key, "j0");
            assert_string_equal(in.pipeline.job[9999].key, "j9999");
            assert_int_equal(in.pipeline.job[9999].after[0], 9998);
        }
        form_finish(&in.text);
    }
}

static void variables_are_taken_up_to_their_ceiling_and_no_further(void **state)
{
    (void)state;
    for (int more = 0; more < 2; more++) {
        BL_AUTO_BUF yaml = {0};
        struct pipeline_text in;

        write_chain(&yaml, 1000);
        bl_buf_append_text(&yaml, "environment: [");
        for (int i = 0; i < BL_PIPELINE_VARIABLES_MAX / 1000 + more; i++) {
            bl_buf_printf(&yaml, "A%d=1,", i);
        }
        bl_buf_append_text(&yaml, "]\n");
        read_pipeline(&in, bl_buf_text(&yaml));
        assert_int_equal(in.status, more ? BL_EINVAL : BL_OK);
        if (more) {
            form_expect_message(&in.text.err,
                                "environment: expected at most 2000 variables for 1000 jobs", "");
        }
        form_finish(&in.text);
    }
}

static void arrays_are_taken_up_to_their_ceiling_and_no_further(void **state)
{
    (void)state;
    for (int more = 0; more < 2; more++) {
        BL_AUTO_BUF yaml = {0};
        struct pipeline_text in;

        bl_buf_append_text(&yaml, "workdir: /\njobs:\n");
        for (int i = 0; i < BL_PIPELINE_ELEMENTS_MAX / BL_ARRAY_ELEMENTS_MAX; i++) {
            bl_buf_printf(&yaml, " j%d: {array: 0-%d, " JOB "}\n", i, BL_ARRAY_ELEMENTS_MAX - 1);
        }
        bl_buf_append_text(&yaml, more ? " last: {array: 1, " JOB "}\n" : "");
        read_pipeline(&in, bl_buf_text(&yaml));
        assert_int_equal(in.status, more ? BL_EINVAL : BL_OK);
        if (more) {
            form_expect_message(&in.text.err,
                                "last: expected at most 10000000 elements and 16384 "
                                "ranges in all arrays together",
                                "");
        }
        form_finish(&in.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(A7_jobs_come_behind_those_that_they_wait_for),
        cmocka_unit_test(
            jobs_take_directory_and_environment_of_the_request_unless_they_have_their_own),
        cmocka_unit_test(A7_what_cannot_be_ordered_is_refused),
        cmocka_unit_test(a_job_of_a_request_without_lines_is_named),
        cmocka_unit_test(only_documents_with_jobs_are_pipelines),
        cmocka_unit_test(A7_the_longest_chain_is_ordered_and_a_longer_one_refused),
        cmocka_unit_test(arrays_are_taken_up_to_their_ceiling_and_no_further),
        cmocka_unit_test(variables_are_taken_up_to_their_ceiling_and_no_further),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
