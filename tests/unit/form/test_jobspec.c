#include "jobspec_test.h"

#define LIVE_TAIL ", command: [x], workdir: /w}"

static void live_jobs_are_read_with_their_defaults(void **state)
{
    static const struct {
        const char *yaml;
        const char *expected;
    } rows[] = {
        {"{command: [x], workdir: /w}", "batch cpu gpus=0..0..0 nodes=1 cpu=1000 mem=1073741824"},
        {"{resources: {gpus: 4}" LIVE_TAIL,
         "batch train gpus=4..4..4 nodes=1 cpu=1000/gpu mem=1073741824/gpu"},
        {"{name: a b, project: nlp, class: interactive, kind: notebook, pool: big, "
         "time: {limit: 12h, expect: auto}, scaling: auto, launch: none" LIVE_TAIL,
         "interactive notebook gpus=0..0..0 nodes=1 cpu=1000 mem=1073741824 name=a b project=nlp "
         "pool=big limit=12h"},
        {"{kind: infer, resources: {gpus: 1}, time: {limit: 30}" LIVE_TAIL,
         "batch infer gpus=1..1..1 nodes=1 cpu=1000/gpu mem=1073741824/gpu limit=30m"},
        {"{name: ~, time: ~, resources: ~, after: ~" LIVE_TAIL,
         "batch cpu gpus=0..0..0 nodes=1 cpu=1000 mem=1073741824"},
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        job_expect(BL_JOBSPEC_LIVE, rows[i].yaml, rows[i].expected);
    }
}

static void trace_jobs_need_work_and_no_command(void **state)
{
    struct job_text job;

    (void)state;
    job_expect(BL_JOBSPEC_TRACE, "{work: 1h, user: ann, resources: {gpus: 2-8}}",
               "batch train gpus=2..8..8 nodes=0 cpu=1000/gpu mem=1073741824/gpu user=ann");
    job_read(&job, BL_JOBSPEC_TRACE, "\n{work: 90s, submit: 0, restart: 2m, run: y, env: {A: 1}}");
    assert_int_equal(job.status, BL_OK);
    assert_int_equal(job.job.core.work, 90 * BL_SECOND);
    assert_true(job.job.has_work && job.job.has_submit);
    assert_int_equal(job.job.submit, 0);
    assert_int_equal(job.job.core.restart, 2 * BL_MINUTE);
    assert_int_equal(job.job.line, 2);
    assert_null(job.job.launch.argv);
    job_finish(&job);
}

static void what_policies_are_told_of_the_work_may_be_wrong(void **state)
{
    static const struct {
        const char *yaml;
        bl_time told, known;
    } rows[] = {{"{work: 1h}", 0, BL_HOUR},
                {"{work: 1h, told: 2h}", 2 * BL_HOUR, 2 * BL_HOUR},
                {"{work: 1h, told: nothing}", -1, 0}};

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        struct job_text job;

        job_read(&job, BL_JOBSPEC_TRACE, rows[i].yaml);
        assert_int_equal(job.status, BL_OK);
        assert_int_equal(job.job.core.told, rows[i].told);
        assert_int_equal(bl_job_told_work(&job.job.core), rows[i].known);
        job_finish(&job);
    }
    job_expect_refusal(BL_JOBSPEC_TRACE, "{work: 1h, told: 0}", "told: expected a time over zero");
    job_expect_refusal(BL_JOBSPEC_TRACE, "{work: 1h, told: [1h]}", "told: expected a time");
}

static void a_key_on_the_wrong_level_is_told_its_place(void **state)
{
    static const struct {
        const char *yaml;
        const char *hint;
    } rows[] = {{"{gpu: 2" LIVE_TAIL, "it stands below resources: resources: {gpu: …}"},
                {"{limit: 2h" LIVE_TAIL, "it stands below time: time: {limit: …}"},
                {"{signal: USR1" LIVE_TAIL, "it stands below checkpoint: checkpoint: {signal: …}"}};

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        struct form_text text;
        struct bl_jobspec job;
        struct bl_error err = {0};

        form_read_yaml(&text, rows[i].yaml);
        assert_int_equal(
            bl_jobspec_read(&text.source, text.tree, BL_JOBSPEC_LIVE, &text.arena, &job, &err),
            BL_EINVAL);
        form_expect_message(&err, "unknown key", rows[i].yaml);
        assert_string_equal(err.hint, rows[i].hint);
        form_finish(&text);
    }
}

static void refused_jobs_are_told_where_and_why(void **state)
{
    static const struct {
        const char *yaml;
        const char *message;
    } rows[] = {
        {"[1]", "test:1: expected a map of keys and values, found a list"},
        {"{nmae: x" LIVE_TAIL, "test:1: nmae: unknown key, did you mean 'name'?"},
        {"{time: {limti: 1h}" LIVE_TAIL, "limti: unknown key, did you mean 'limit'?"},
        {"name: x\nname: y\n", "the key is given twice"},
        {"{name: [x]" LIVE_TAIL, "name: expected a name of 1 to 255 bytes, found a list"},
        {"{name: ''" LIVE_TAIL, "name: expected a name of 1 to 255 bytes, found ''"},
        {"{name: \"a\\nb\"" LIVE_TAIL, "name: a name cannot hold control characters"},
        {"{user: bob" LIVE_TAIL, "user: a job belongs to whoever submits it"},
        {"{class: fast" LIVE_TAIL, "class: expected one of interactive, batch, preemptible, found "
                                   "'fast'"},
        {"{kind: trian" LIVE_TAIL, "kind: expected one of train, infer, notebook, cpu, found "},
        {"{time: 2h" LIVE_TAIL, "time: expected a map of keys and values, found a text"},
        {"{time: {limit: abc}" LIVE_TAIL, "test:1: limit: expected a time like 30 (minutes)"},
        {"{time: {limit: 0}" LIVE_TAIL, "limit: expected a time over zero, found '0'"},
        {"{time: {limit: 40000d}" LIVE_TAIL, "limit: expected a time like"},
        {"{time: {limit: [1]}" LIVE_TAIL, "limit: expected a time like 2h30m, found a list"},
        {"{time: {expect: 2h}" LIVE_TAIL, "expect: an expected time is not supported by this"},
        {"{launch: torchrun" LIVE_TAIL, "launch: launch other than none is not supported by this"},
        {"{after: [1, [2]]" LIVE_TAIL, "after: expected a job like 17 or prep:ok, found a list"},
        {"{after: 'a:later'" LIVE_TAIL, "after: expected ok, any, fail or each behind the ':'"},
        {"{after: ['17:each']" LIVE_TAIL, "after: 17:each is for arrays: the job has no array"},
        {"{work: 1h" LIVE_TAIL, "work: only the jobs of a trace have this key"},
        {"{submit: 1h" LIVE_TAIL, "submit: only the jobs of a trace have this key"},
        {"{told: 1h" LIVE_TAIL, "told: only the jobs of a trace have this key"},
        {"{restart: 1h" LIVE_TAIL, "restart: only the jobs of a trace have this key"},
        {"{workdir: /w}", "test:1: expected a command: [PROGRAM, ARGUMENT, …], or run:"},
        {"{command: [x]}", "test:1: expected workdir, the absolute path"},
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        struct form_text text;

        form_read_yaml(&text, rows[i].yaml);
        if (!text.tree) {
            form_expect_message(&text.err, rows[i].message, rows[i].yaml);
        } else {
            job_expect_refusal(BL_JOBSPEC_LIVE, rows[i].yaml, rows[i].message);
        }
        form_finish(&text);
    }
    job_expect_refusal(BL_JOBSPEC_TRACE, "{name: x}", "expected work, the run time");
    job_expect_refusal(BL_JOBSPEC_TRACE, "{work: 0}", "work: expected a time over zero");
    job_expect_refusal(BL_JOBSPEC_TRACE, "{work: 1h, submit: x}", "submit: expected a time like");
    job_expect_refusal(BL_JOBSPEC_TRACE, "{work: 1h, environment: [A=1]}",
                       "environment: a job of a trace has no environment");
}

static void keys_of_later_versions_are_refused_by_name(void **state)
{
    static const char *const keys[] = {"data",  "matrix",    "deadline", "notify",  "share",
                                       "curve", "container", "affinity", "require", "jobs"};

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(keys); i++) {
        BL_AUTO_BUF yaml = {0};
        BL_AUTO_BUF message = {0};

        bl_buf_printf(&yaml, "{%s: {a: 1}" LIVE_TAIL, keys[i]);
        bl_buf_printf(&message, "test:1: %s: %s is not supported by this version yet", keys[i],
                      keys[i]);
        job_expect_refusal(BL_JOBSPEC_LIVE, bl_buf_text(&yaml), bl_buf_text(&message));
    }
}

static void A7_dependencies_are_read_with_their_kinds(void **state)
{
    struct job_text job;

    (void)state;
    job_read(&job, BL_JOBSPEC_LIVE,
             "{array: 0-3, after: [prep:ok, 17, '18:any', a:b:fail, '19:each']" LIVE_TAIL);
    assert_int_equal(job.status, BL_OK);
    assert_int_equal(job.job.after_count, 5);
    assert_int_equal(job.job.after[4].kind, BL_AFTER_EACH);
    assert_string_equal(job.job.after[0].target, "prep");
    assert_int_equal(job.job.after[0].kind, BL_AFTER_OK);
    assert_string_equal(job.job.after[1].target, "17");
    assert_int_equal(job.job.after[1].kind, BL_AFTER_OK);
    assert_int_equal(job.job.after[2].kind, BL_AFTER_ANY);
    assert_string_equal(job.job.after[3].target, "a:b");
    assert_int_equal(job.job.after[3].kind, BL_AFTER_FAIL);
    assert_int_equal(job.job.after[3].line, 1);
    job_finish(&job);
    job_read(&job, BL_JOBSPEC_LIVE, "{after: '17:any'" LIVE_TAIL);
    assert_int_equal(job.job.after_count, 1);
    job_finish(&job);
}

static void more_dependencies_than_the_ceiling_are_refused(void **state)
{
    (void)state;
    for (int more = 0; more < 2; more++) {
        BL_AUTO_BUF yaml = {0};

        bl_buf_append_text(&yaml, "{after: [");
        for (int i = 0; i < BL_JOB_AFTER_MAX + more; i++) {
            bl_buf_printf(&yaml, "%d,", i + 1);
        }
        bl_buf_append_text(&yaml, "]" LIVE_TAIL);
        if (more) {
            job_expect_refusal(BL_JOBSPEC_LIVE, bl_buf_text(&yaml),
                               "after: expected at most 1024 jobs, found 1025");
        } else {
            job_expect(BL_JOBSPEC_LIVE, bl_buf_text(&yaml),
                       "batch cpu gpus=0..0..0 nodes=1 cpu=1000 mem=1073741824");
        }
    }
}

static void a_name_over_the_ceiling_is_refused(void **state)
{
    char name[BL_JOB_NAME_MAX + 2];
    BL_AUTO_BUF yaml = {0};

    (void)state;
    memset(name, 'n', sizeof name);
    name[BL_JOB_NAME_MAX + 1] = '\0';
    bl_buf_printf(&yaml, "{name: %s" LIVE_TAIL, name);
    job_expect_refusal(BL_JOBSPEC_LIVE, bl_buf_text(&yaml), "name: expected a name of 1 to 255");
}

static void the_example_of_the_api_is_read_from_json(void **state)
{
    struct form_text text;
    struct bl_jobspec job;
    BL_AUTO_BUF printed = {0};

    (void)state;
    form_read_json(&text,
                   "{\"name\": \"tiny\", \"resources\": {\"gpus\": 1, \"cpus\": 2, \"mem\": "
                   "\"4GiB\"}, \"time\": {\"limit\": \"2h\"}, \"after\": [\"12:ok\"], \"workdir\": "
                   "\"/home/me/run\", \"log\": \"%x-%j.%r.log\", \"command\": [\"python3\", "
                   "\"train.py\"], \"environment\": [\"PATH=/usr/bin:/bin\"]}");
    assert_int_equal(
        bl_jobspec_read(&text.source, text.tree, BL_JOBSPEC_LIVE, &text.arena, &job, &text.err),
        BL_OK);
    job_print(&printed, &job);
    assert_string_equal(bl_buf_text(&printed), "batch train gpus=1..1..1 nodes=1 cpu=2000 "
                                               "mem=4294967296 name=tiny limit=2h");
    assert_string_equal(job.launch.argv[1], "train.py");
    assert_string_equal(job.env[0], "PATH=/usr/bin:/bin");
    assert_string_equal(job.after[0].target, "12");
    form_finish(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(live_jobs_are_read_with_their_defaults),
        cmocka_unit_test(trace_jobs_need_work_and_no_command),
        cmocka_unit_test(what_policies_are_told_of_the_work_may_be_wrong),
        cmocka_unit_test(a_key_on_the_wrong_level_is_told_its_place),
        cmocka_unit_test(refused_jobs_are_told_where_and_why),
        cmocka_unit_test(keys_of_later_versions_are_refused_by_name),
        cmocka_unit_test(A7_dependencies_are_read_with_their_kinds),
        cmocka_unit_test(more_dependencies_than_the_ceiling_are_refused),
        cmocka_unit_test(a_name_over_the_ceiling_is_refused),
        cmocka_unit_test(the_example_of_the_api_is_read_from_json),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
