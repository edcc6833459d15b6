#include "jobspec_test.h"

static void resources_are_read(void **state)
{
    static const struct {
        const char *yaml;
        const char *expected;
    } rows[] = {
        {"{work: 1, resources: {gpus: 2-8, want: 4, gpu: {type: [A100, H100], mem: 40GB}, "
         "cpus: 8/gpu, mem: 64GB, nodes: 2}}",
         "batch train gpus=2..4..8 nodes=2 cpu=8000/gpu mem=68719476736 type=A100 type=H100 "
         "gpu_mem=42949672960"},
        {"{work: 1, resources: {cpus: 0.5, mem: 512M}}",
         "batch cpu gpus=0..0..0 nodes=0 cpu=500 mem=536870912"},
        {"{work: 1, resources: {mem: 2G/gpu, gpu: {type: A100}, gpus: 1}}",
         "batch train gpus=1..1..1 nodes=0 cpu=1000/gpu mem=2147483648/gpu type=A100"},
        {"{work: 1, kind: cpu, resources: {gpus: 1}}",
         "batch cpu gpus=1..1..1 nodes=0 cpu=1000/gpu mem=1073741824/gpu"},
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        job_expect(BL_JOBSPEC_TRACE, rows[i].yaml, rows[i].expected);
    }
}

static void resources_out_of_range_are_refused(void **state)
{
    static const struct {
        const char *yaml;
        const char *message;
    } rows[] = {
        {"{gpus: [2, 4, 4]}", "gpus: expected at most 64 numbers of GPUs in rising order"},
        {"{gpus: [2, x]}", "expected a whole number, found 'x'"},
        {"{gpus: [0, 2]}", "expected a whole number from 1 to 16777216, found '0'"},
        {"{gpus: []}", "gpus: expected a number of GPUs like 4, a range like 2-8 or a list like "
                       "[2, 4, 8], found an empty list"},
        {"{gpus: [2, 4, 8], want: 3}", "want: expected one of the numbers of GPUs that the job "
                                       "lists, found '3'"},
        {"{gpus: {a: 1}}", "gpus: expected a number of GPUs like 4, a range like 2-8 or a list "
                           "like [2, 4, 8], found a map"},
        {"{gpus: many}", "gpus: expected a whole number, found 'many'"},
        {"{gpus: 16777217}", "gpus: expected a whole number from 0 to 16777216"},
        {"{gpus: 8-2}", "gpus: expected a number of GPUs like 4, a range like 2-8 or a rising "
                        "list like 2,4,8 within 1 to"},
        {"{gpus: \"8,2\"}", "gpus: expected a number of GPUs like 4, a range like 2-8 or a rising "
                            "list like 2,4,8 within 1 to"},
        {"{gpus: 2-8, want: 9}", "want: expected a whole number from 2 to 8, found '9'"},
        {"{want: 1}", "want: expected a whole number from 0 to 0, found '1'"},
        {"{gpu: {type: A100}}", "gpu: the job asks for no GPU: say how many with gpus"},
        {"{gpus: 1, gpu: {typ: A100}}", "typ: unknown key, did you mean 'type'?"},
        {"{gpus: 1, gpu: {mem: lots}}", "mem: expected a size like 512M"},
        {"{gpus: 1, gpu: {mem: 2P}}", "mem: expected at most 1PiB"},
        {"{gpus: 1, gpu: {type: [a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q]}}",
         "type: expected at most 16 types, found 17"},
        {"{gpus: 1, gpu: {type: [{a: b}]}}", "type: expected a name of 1 to 255 bytes, found a "
                                             "map"},
        {"{cpus: 8/gpu}", "cpus: expected an amount for the whole job, as it has no GPU"},
        {"{cpus: 1048577}", "cpus: expected at most 1048576 CPUs"},
        {"{cpus: [1]}", "cpus: expected an amount like 8 or 8/gpu, found a list"},
        {"{mem: 2P}", "mem: expected at most 1PiB of memory"},
        {"{gpus: 2000, mem: 1P/gpu}", "mem: 1P/gpu for 2000 GPUs is more than any machine has"},
        {"{nodes: 0}", "nodes: expected a whole number from 1 to 1048576, found '0'"},
        {"{nodes: 1-2}", "nodes: expected a whole number, found '1-2'"},
        {"{gpsu: 1}", "gpsu: unknown key, did you mean 'gpus'?"},
        {"4", "resources: expected a map of keys and values, found a text"},
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        BL_AUTO_BUF yaml = {0};

        bl_buf_printf(&yaml, "{work: 1, resources: %s}", rows[i].yaml);
        job_expect_refusal(BL_JOBSPEC_TRACE, bl_buf_text(&yaml), rows[i].message);
    }
}

static void scaling_becomes_a_curve(void **state)
{
    struct job_text job;

    (void)state;
    job_read(&job, BL_JOBSPEC_TRACE, "{work: 1, scaling: auto}");
    assert_int_equal(job.job.core.curve.kind, BL_CURVE_FLAT);
    job_finish(&job);
    job_read(&job, BL_JOBSPEC_TRACE, "{work: 1, scaling: {efficiency: 0.9}}");
    assert_int_equal(job.job.core.curve.kind, BL_CURVE_EFFICIENCY);
    assert_true(job.job.core.curve.efficiency == 0.9);
    job_finish(&job);
    job_read(&job, BL_JOBSPEC_TRACE, "{work: 1, scaling: {points: {8: 3.2, 2: 1, 4: 1.85}}}");
    assert_int_equal(job.job.core.curve.kind, BL_CURVE_POINTS);
    assert_int_equal(job.job.core.curve.point_count, 3);
    assert_int_equal(job.job.core.curve.point[0].gpus, 2);
    assert_int_equal(job.job.core.curve.point[1].gpus, 4);
    assert_true(job.job.core.curve.point[1].speed == 1.85);
    assert_int_equal(job.job.core.curve.point[2].gpus, 8);
    job_finish(&job);
}

static void scaling_that_is_no_curve_is_refused(void **state)
{
    static const struct {
        const char *yaml;
        const char *message;
    } rows[] = {
        {"linear", "scaling: expected auto, {efficiency: 0.9} or {points: {2: 1.0, 4: 1.85}}"},
        {"[1]", "scaling: expected auto, "},
        {"{efficiency: 0.9, points: {1: 1}}", "scaling: expected auto, "},
        {"{efficency: 0.9}", "unknown key, did you mean 'efficiency'?"},
        {"{efficiency: 0}", "efficiency: expected a number over 0 and up to 1, found '0'"},
        {"{efficiency: 1.1}", "efficiency: expected a number over 0 and up to 1"},
        {"{efficiency: nan}", "efficiency: expected a number, found 'nan'"},
        {"{efficiency: 1e999}", "efficiency: expected a number, found '1e999'"},
        {"{efficiency: 0x1p-1}", "efficiency: expected a number, found"},
        {"{efficiency: [1]}", "efficiency: expected a number, found a list"},
        {"{points: {}}", "points: expected 1 to 16 points like {2: 1.0, 4: 1.85}, found 0"},
        {"{points: [1]}", "points: expected 1 to 16 points"},
        {"{points: {1: 1,2: 1,3: 1,4: 1,5: 1,6: 1,7: 1,8: 1,9: 1,10: 1,11: 1,12: 1,13: 1,14: 1,"
         "15: 1,16: 1,17: 1}}",
         "points: expected 1 to 16 points like {2: 1.0, 4: 1.85}, found 17"},
        {"{points: {2: 1, 02: 2}}", "02: this number of GPUs is given twice"},
        {"{points: {0: 1}}", "0: expected a number of GPUs before the ':', found '0'"},
        {"{points: {2-4: 1}}", "2-4: expected a number of GPUs before the ':'"},
        {"{points: {2: 0}}", "2: expected a speed over 0 and up to 1000000, found '0'"},
        {"{points: {2: -1}}", "2: expected a speed over 0"},
        {"{points: {2: 1e7}}", "2: expected a speed over 0 and up to 1000000"},
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        BL_AUTO_BUF yaml = {0};

        bl_buf_printf(&yaml, "{work: 1, scaling: %s}", rows[i].yaml);
        job_expect_refusal(BL_JOBSPEC_TRACE, bl_buf_text(&yaml), rows[i].message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(resources_are_read),
        cmocka_unit_test(resources_out_of_range_are_refused),
        cmocka_unit_test(scaling_becomes_a_curve),
        cmocka_unit_test(scaling_that_is_no_curve_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
