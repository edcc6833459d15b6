#include "bl_test.h"
#include "trace_text.h"

#include <stdio.h>

static void D4_rows_are_jobs(void **state)
{
    static const struct {
        const char *text;
        const char *jobs;
    } rows[] = {
        {"submit_s,run_s,gpus\n0,10,1\n0.5,2.25,4\n", "1@0 1x10; 2@0.5 4x2.25"},
        {"gpus,run_s,submit_s,id\n1,10,0,7\n2,10,0,9\n", "7@0 1x10; 9@0 2x10"},
        {"submit_s,run_s,gpus,user,project,name\n0,10,1,\"M, A\",,x\n", "1@0 1x10"},
        {"submit_s,run_s,gpus,after\n0,9,1,\n0,9,1,1\n5,9,1,1:any;2:fail\n",
         "1@0 1x9; 2@0 1x9 after 1:ok; 3@5 1x9 after 1:any after 2:fail"},
        {"submit_s,run_s,gpus,cpus,mem_bytes\n0,10,0,4,1073741824\n", "1@0 0x10"},
        {"submit_s,run_s,gpus\n", ""},
        {"submit_s,work_s,gpus,scaling\n0,10,2-4,1\n", "1@0 4x5"},
        {"submit_s,work_s,gpus,scaling\n0,10,\"2,4,8\",2:1 8:2.5\n", "1@0 8x4"},
        {"submit_s,work_s,gpus,scaling,restart_s,class,application\n0,10,2,,,,\n", "1@0 2x10"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct kit_trace found = kit_trace_read_baleen(rows[i].text, false);

        if (found.status != BL_OK || strcmp(bl_buf_text(&found.jobs), rows[i].jobs) != 0) {
            fail_msg("row %zu: '%s' %s", i, bl_buf_text(&found.jobs), found.err.text);
        }
        bl_buf_finish(&found.jobs);
    }
}

static const struct {
    const char *row;
    const char *message;
} wrong_rows[] = {
    {"9,1,4", "t:3: expected 6 fields as in the header, found 3"},
    {"x,5,9,1,,", "t:3: field 1 (id): expected an id above 1, found 'x'"},
    {"1,5,9,1,,", "t:3: field 1 (id): expected an id above 1, found '1'"},
    {"2,-5,9,1,,", "t:3: field 2 (submit_s): expected seconds from 0 on, found '-5'"},
    {"2,2,9,1,,",
     "t:3: field 2 (submit_s): expected rows in order of submission, so 3 or later, found '2'"},
    {"2,5,0,1,,", "t:3: field 3 (run_s): expected seconds above 0, such as 90 or 0.5, found '0'"},
    {"2,5,,1,,", "t:3: field 3 (run_s): expected seconds above 0, such as 90 or 0.5, found ''"},
    {"2,5,9,1,1h,",
     "t:3: field 5 (limit_s): expected seconds above 0, such as 90 or 0.5, found '1h'"},
    {"2,5,9,1,,5", "t:3: field 6 (after): expected the id of a row above, found '5'"},
    {"2,5,9,1,,1:maybe", "t:3: field 6 (after): "},
    {"2,5,9,many,,", "t:3: field 4 (gpus): "},
    {"2,5,9,9,,", "t:3: job 2 needs 9 GPUs, the machine can give it at most 8"},
    {"2,5,9,1,,\"\x01\"", "t:3: field 6 (after): "},
};

static void a_wrong_row_is_an_error_with_its_place_and_lenient_skips_it(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wrong_rows / sizeof wrong_rows[0]; i++) {
        BL_AUTO_BUF text = {0};
        struct kit_trace strict;
        struct kit_trace lenient;

        bl_buf_printf(&text, "id,submit_s,run_s,gpus,limit_s,after\n1,3,9,1,,\n%s\n8,6,9,1,,\n",
                      wrong_rows[i].row);
        strict = kit_trace_read_baleen(bl_buf_text(&text), false);
        lenient = kit_trace_read_baleen(bl_buf_text(&text), true);
        if (strict.status == BL_OK ||
            strncmp(strict.err.text, wrong_rows[i].message, strlen(wrong_rows[i].message)) != 0) {
            fail_msg("'%s' gave: %s", wrong_rows[i].row, strict.err.text);
        }
        assert_int_equal(lenient.status, BL_OK);
        assert_string_equal(bl_buf_text(&lenient.jobs), "1@3 1x9; 8@6 1x9");
        assert_int_equal(lenient.notes.skipped, 1);
        bl_buf_finish(&strict.jobs);
        bl_buf_finish(&lenient.jobs);
    }
}

static void a_wrong_header_is_an_error_even_for_the_lenient(void **state)
{
    static const struct {
        const char *header;
        const char *message;
    } rows[] = {
        {"submit_s,run_s\n", "t:1: expected a header line with the column gpus"},
        {"submit_s,gpus\n",
         "t:1: expected a header line with the column run_s, or work_s in its place"},
        {"submit_s,run_s,work_s,gpus\n",
         "t:1: expected a header line with the column run_s, or work_s in its place"},
        {"submit_s,run_s,gpus,gpu\n", "t:1: unknown column 'gpu'"},
        {"submit_s,run_s,gpus,gpus\n", "t:1: the column gpus stands twice"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct kit_trace found = kit_trace_read_baleen(rows[i].header, true);

        assert_int_equal(found.status, BL_EINVAL);
        assert_string_equal(found.err.text, rows[i].message);
    }
}

static void expect_elastic(const char *text)
{
    struct kit_bytes bytes = {.bytes = text, .length = strlen(text), .step = SIZE_MAX};
    struct bl_byte_source source = kit_bytes_source("t", &bytes);
    struct bl_trace_options options = {0};
    struct bl_trace *trace = NULL;
    struct bl_trace_job job;
    bool has_job = false;

    assert_int_equal(bl_trace_format_baleen.open(&source, &options, &trace, NULL), BL_OK);
    assert_int_equal(bl_trace_format_baleen.next(trace, &job, &has_job, NULL), BL_OK);
    assert_true(has_job);
    assert_int_equal(job.spec.gpus_min * 10 + job.spec.gpus_max, 28);
    assert_int_equal(job.spec.gpu_count_count, 3);
    assert_int_equal(job.spec.restart, 30 * BL_SECOND);
    assert_int_equal(job.spec.work, 60 * BL_SECOND);
    assert_int_equal(job.spec.job_class, BL_CLASS_PREEMPTIBLE);
    assert_int_equal(job.spec.curve.kind, BL_CURVE_EFFICIENCY);
    assert_string_equal(job.spec.application, "bert");
    bl_trace_format_baleen.close(trace);
}

static void A2_an_elastic_row_says_how_it_scales_and_what_a_restart_costs(void **state)
{
    static const struct {
        const char *row;
        const char *message; /* NULL: right */
    } rows[] = {
        {"0,60,\"2,4,8\",0.9,30,preemptible,bert", NULL},
        {"0,60,4-2,,,,", "t:2: field 3 (gpus): expected a number of GPUs like 4"},
        {"0,60,2-4,0.9x,,,", "t:2: field 4 (scaling): expected auto, an efficiency"},
        {"0,60,2-4,2:nan,,,", "t:2: field 4 (scaling): expected at most 16 points"},
        {"0,60,2-4,,-1,,", "t:2: field 5 (restart_s): expected seconds from 0 on"},
        {"0,60,2-4,,,bulk,", "t:2: field 6 (class): expected interactive, batch or preemptible"},
        {"0,60,2-4,,,,\"a\x01\"", "t:2: field 7 (application): expected text without"},
        {"0,0,2-4,,,,", "t:2: field 2 (work_s): expected seconds above 0"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        BL_AUTO_BUF text = {0};
        struct kit_trace found;

        bl_buf_printf(&text, "submit_s,work_s,gpus,scaling,restart_s,class,application\n%s\n",
                      rows[i].row);
        found = kit_trace_read_baleen(bl_buf_text(&text), false);
        if (!rows[i].message) {
            assert_int_equal(found.status, BL_OK);
            expect_elastic(bl_buf_text(&text));
        } else if (found.status == BL_OK || !strstr(found.err.text, rows[i].message)) {
            fail_msg("'%s' gave: %s", rows[i].row, found.err.text);
        }
        bl_buf_finish(&found.jobs);
    }
}

static void only_rows_with_an_after_column_may_have_dependencies(void **state)
{
    struct kit_trace with = kit_trace_read_baleen("submit_s,run_s,gpus,after\n", false);
    struct kit_trace without = kit_trace_read_baleen("submit_s,run_s,gpus\n", false);

    (void)state;
    assert_true(with.has_dependencies);
    assert_false(without.has_dependencies);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(D4_rows_are_jobs),
        cmocka_unit_test(a_wrong_row_is_an_error_with_its_place_and_lenient_skips_it),
        cmocka_unit_test(a_wrong_header_is_an_error_even_for_the_lenient),
        cmocka_unit_test(A2_an_elastic_row_says_how_it_scales_and_what_a_restart_costs),
        cmocka_unit_test(only_rows_with_an_after_column_may_have_dependencies),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
