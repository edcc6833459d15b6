#include "form/trace_training.h"

#include "bl_test.h"
#include "trace_text.h"

extern const struct bl_trace_format bl_trace_format_sia;

#define HEADER "name,time,application,num_replicas,batch_size\n"

static void rows_become_jobs_that_may_be_restarted(void **state)
{
    struct bl_trace_options options = {.slots = 16};
    struct kit_bytes bytes = kit_text(HEADER "a-0,53,net,6,2048\nb-1,154.5,net2,1,8\n");
    struct bl_byte_source source = kit_bytes_source("t", &bytes);
    struct bl_trace *trace;
    struct bl_trace_job job;
    bool has_job;

    (void)state;
    assert_int_equal(bl_trace_training_open(&source, &options, &trace, NULL), BL_OK);
    assert_int_equal(bl_trace_training_next(trace, &job, &has_job, NULL), BL_OK);
    assert_true(has_job);
    assert_int_equal(job.id, 1);
    assert_int_equal(job.submit, 53 * BL_SECOND);
    assert_string_equal(job.application, "net");
    assert_string_equal(job.spec.name, "a-0");
    assert_int_equal(job.spec.gpus_want, 6);
    assert_true(job.batch == 2048);
    assert_true(job.spec.may_restart);
    assert_int_equal(bl_trace_training_next(trace, &job, &has_job, NULL), BL_OK);
    assert_int_equal(job.submit, 154500 * BL_MILLISECOND);
    assert_int_equal(bl_trace_training_next(trace, &job, &has_job, NULL), BL_OK);
    assert_false(has_job);
    assert_false(bl_trace_training_has_dependencies(trace));
    bl_trace_training_close(trace);
}

static void what_is_wrong_is_told_with_its_place(void **state)
{
    static const struct {
        const char *text;
        const char *message;
    } rows[] = {
        {"name,time\n", "t:1: the header line has no column 'application'"},
        {HEADER "a,9,net,1,8\nb,8,net,1,8\n",
         "t:3: field 2 (time): expected rows in order of submission, so 9 or later, found '8'"},
        {HEADER "a,-1,net,1,8\n",
         "t:2: field 2 (time): expected a number from 0 to 3.1536e+09, found '-1'"},
        {HEADER "a,1,net,0,8\n",
         "t:2: field 4 (num_replicas): expected a whole number from 1 to 1.04858e+06, found '0'"},
        {HEADER "a,1,net,1,0\n",
         "t:2: field 5 (batch_size): expected a number from 1 to 1e+09, found '0'"},
        {HEADER "a,1,net,17,64\n", "t:2: a needs 17 GPUs, the machine can give it at most 16"},
    };
    struct bl_trace_options options = {.slots = 16};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct kit_trace found =
            kit_trace_read(&bl_trace_format_sia, kit_text(rows[i].text), &options);

        assert_int_not_equal(found.status, BL_OK);
        assert_string_equal(found.err.text, rows[i].message);
        bl_buf_finish(&found.jobs);
    }
}

static void the_lenient_skip_bad_rows(void **state)
{
    struct bl_trace_options options = {.slots = 16, .lenient = true};
    struct kit_trace found = kit_trace_read(
        &bl_trace_format_sia, kit_text(HEADER "a,9,net,x,8\nb,10,net,2,8\n"), &options);

    (void)state;
    assert_int_equal(found.status, BL_OK);
    assert_string_equal(bl_buf_text(&found.jobs), "1@10 2x0");
    assert_int_equal(found.notes.skipped, 1);
    bl_buf_finish(&found.jobs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_become_jobs_that_may_be_restarted),
        cmocka_unit_test(what_is_wrong_is_told_with_its_place),
        cmocka_unit_test(the_lenient_skip_bad_rows),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
