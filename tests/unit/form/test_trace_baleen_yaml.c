#include "bl_test.h"
#include "trace_text.h"

#include <stdio.h>

#define JOB "work: 9s, resources: {gpus: 1}"

static void A7_jobs_are_numbered_as_they_stand_and_names_become_numbers(void **state)
{
    static const struct {
        const char *text;
        const char *jobs;
    } rows[] = {
        {"jobs:\n  a: {" JOB "}\n  b: {submit: 90s, " JOB ", after: [a]}\n",
         "1@0 1x9; 2@90 1x9 after 1:ok"},
        {"jobs:\n  - {name: a, " JOB "}\n  - {" JOB ", after: [a:any, \"1:fail\"]}\n",
         "1@0 1x9; 2@0 1x9 after 1:any after 1:fail"},
        /* A name further down: the job that is waited for goes first. */
        {"jobs:\n  a: {" JOB ", after: [c]}\n  b: {" JOB "}\n  c: {" JOB "}\n",
         "2@0 1x9; 3@0 1x9; 1@0 1x9 after 3:ok"},
        {"jobs:\n  a: {work: 10s, resources: {gpus: 2-4}, scaling: {efficiency: 0.5}}\n",
         "1@0 4x6.666667"},
        {"jobs: {}\n", ""},
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

static void a_wrong_document_is_an_error_with_its_place(void **state)
{
    static const struct {
        const char *text;
        const char *message;
    } rows[] = {
        {"jobs:\n  a: {resources: {gpus: 1}}\n",
         "t:2: a: expected work, the run time on the job's least GPUs"},
        {"jobs:\n  a: {" JOB ", colour: red}\n", "t:2: colour: "},
        {"jobs:\n  a: {submit: 9s, " JOB "}\n  b: {submit: 8s, " JOB "}\n",
         "t:3: b: submit: expected jobs in order of submission, so 9s or later, found 8s"},
        {"jobs:\n  a: {work: 9s, resources: {gpus: 9}}\n",
         "t:2: a: needs 9 GPUs, the machine can give it at most 8"},
        {"jobs:\n  a: {" JOB ", after: [z]}\n", "t:2: after: 'z' is the name of no job here"},
        {"jobs:\n  a: {" JOB ", after: [b]}\n  b: {submit: 5s, " JOB "}\n",
         "t:2: after: 'b' is submitted later than the job that waits for it"},
        {"jobs:\n  - {name: a, " JOB "}\n  - {name: a, " JOB "}\n",
         "t:3: the name 'a' is also that of the job in line 2"},
        {"jobs: 7\n", "t:1: jobs: expected jobs: a map from names to jobs, or a list of jobs"},
        {"nodes: []\n", "t:1: nodes: "},
        {"jobs:\n  a: &x {" JOB "}\n", "t:2: "},
        {"jobs:\n  a: {" JOB "}\n  a: {" JOB "}\n", "t:3: "},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct kit_trace found = kit_trace_read_baleen(rows[i].text, false);

        if (found.status == BL_OK ||
            strncmp(found.err.text, rows[i].message, strlen(rows[i].message)) != 0) {
            fail_msg("row %zu gave: %s", i, found.err.text);
        }
        bl_buf_finish(&found.jobs);
    }
}

static void A7_circles_are_refused_by_name(void **state)
{
    static const struct {
        const char *text;
        const char *circle;
    } rows[] = {
        {"jobs:\n  a: {" JOB ", after: [a]}\n", "a -> a"},
        {"jobs:\n  x: {" JOB "}\n  a: {" JOB ", after: [b, x]}\n  b: {" JOB ", after: [c]}\n"
         "  c: {" JOB ", after: [a]}\n",
         "a -> b -> c -> a"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct kit_trace found = kit_trace_read_baleen(rows[i].text, false);

        assert_int_equal(found.status, BL_EINVAL);
        if (!strstr(found.err.text, "wait for each other in a circle never start: ") ||
            !strstr(found.err.text, rows[i].circle)) {
            fail_msg("row %zu gave: %s", i, found.err.text);
        }
    }
}

static void the_lenient_skip_wrong_jobs_and_those_who_wait_for_one_are_told(void **state)
{
    struct kit_trace found = kit_trace_read_baleen(
        "jobs:\n  a: {" JOB "}\n  b: {resources: {gpus: 1}}\n  c: {" JOB "}\n", true);

    (void)state;
    assert_int_equal(found.status, BL_OK);
    assert_string_equal(bl_buf_text(&found.jobs), "1@0 1x9; 2@0 1x9");
    assert_int_equal(found.notes.skipped, 1);
    assert_non_null(strstr(found.notes.first_skipped, "t:3: b: expected work"));
    bl_buf_finish(&found.jobs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(A7_jobs_are_numbered_as_they_stand_and_names_become_numbers),
        cmocka_unit_test(a_wrong_document_is_an_error_with_its_place),
        cmocka_unit_test(A7_circles_are_refused_by_name),
        cmocka_unit_test(the_lenient_skip_wrong_jobs_and_those_who_wait_for_one_are_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
