#include "jobspec_test.h"

#define HEAD "{workdir: /w, command: [x], "

static void the_jobs_own_variables_go_over_the_submitters(void **state)
{
    static const struct {
        const char *yaml;
        const char *env;
    } rows[] = {
        {"environment: [A=1, B=x=y, C=]", "A=1 B=x=y C= "},
        {"env: {B: 2, A: 1}", "B=2 A=1 "},
        {"environment: [A=1, B=2, C=3], env: {B: new, D: 4}", "A=1 C=3 B=new D=4 "},
        {"environment: [AB=1, A=2, ABC=3], env: {AB: x}", "A=2 ABC=3 AB=x "},
        {"environment: [A=1], env: {A: ~}", "A= "},
        {"environment: [], env: {}", ""},
        {"environment: [A=1, HOME=/h], inherit_env: yes", "A=1 HOME=/h "},
        {"environment: [A=1, HOME=/h, SHELL=s, USER=u, LOGNAME=u, HOMER=x], inherit_env: no",
         "HOME=/h SHELL=s USER=u LOGNAME=u "},
        {"environment: [A=1, AB=2, PATH=/p], inherit_env: [A, PATH, Z], env: {PATH: /q}",
         "A=1 PATH=/q "},
        {"environment: [A=1], inherit_env: [], env: {B: 2}", "B=2 "},
        {"environment: [SLURM_JOB_ID=7, A=1], env: {SLURM_NTASKS: 4}",
         "SLURM_JOB_ID=7 A=1 SLURM_NTASKS=4 "},
        {"slurm_env: yes, environment: [SLURM_JOB_ID=7, SLURMD_NODENAME=n, SLURMX=1], "
         "env: {SLURM_NTASKS: 4}",
         "SLURMX=1 SLURM_NTASKS=4 "},
        {"environment: [A=1], env: {E: 1, D: 1, C: 1, B: 1, A: 1}", "E=1 D=1 C=1 B=1 A=1 "},
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        BL_AUTO_BUF yaml = {0};
        BL_AUTO_BUF printed = {0};
        struct job_text job;

        bl_buf_printf(&yaml, HEAD "%s}", rows[i].yaml);
        job_read(&job, BL_JOBSPEC_LIVE, bl_buf_text(&yaml));
        assert_int_equal(job.status, BL_OK);
        for (size_t j = 0; j < job.job.env_count; j++) {
            bl_buf_printf(&printed, "%s ", job.job.env[j]);
        }
        assert_null(job.job.env[job.job.env_count]);
        assert_string_equal(bl_buf_text(&printed), rows[i].env);
        job_finish(&job);
    }
}

static void an_environment_always_ends_with_null(void **state)
{
    struct job_text job;

    (void)state;
    job_read(&job, BL_JOBSPEC_LIVE, "{workdir: /w, command: [x]}");
    assert_int_equal(job.job.env_count, 0);
    assert_null(job.job.env[0]);
    job_finish(&job);
}

static void what_is_no_variable_is_refused_without_showing_it(void **state)
{
    static const struct {
        const char *yaml;
        const char *message;
    } rows[] = {
        {"environment: [A=1, secret]", "environment: expected NAME=VALUE at place 2"},
        {"environment: [=secret]", "environment: expected NAME=VALUE at place 1"},
        {"environment: [[A=1]]", "environment: expected NAME=VALUE at place 1"},
        {"environment: {A: 1}", "environment: expected a list of NAME=VALUE, found a map"},
        {"env: [A=1]", "env: expected a map like {NAME: value}, found a list"},
        {"environment: [A=1], env: x", "env: expected a map like {NAME: value}, found"},
        {"env: {A: [1]}", "A: expected a text, found a list"},
        {"inherit_env: some", "inherit_env: expected yes, no or a list of names like [PATH, LANG]"},
        {"inherit_env: {A: 1}", "inherit_env: expected yes, no or a list of names"},
        {"inherit_env: [A, '']", "inherit_env: expected a name of 1 to 255 bytes, found ''"},
        {"env: {'': 1}", "expected the name of a variable before the ':'"},
        {"env: {'A=B': 1}", "expected the name of a variable before the ':'"},
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        BL_AUTO_BUF yaml = {0};
        struct job_text job;

        bl_buf_printf(&yaml, HEAD "%s}", rows[i].yaml);
        job_expect_refusal(BL_JOBSPEC_LIVE, bl_buf_text(&yaml), rows[i].message);
        job_read(&job, BL_JOBSPEC_LIVE, bl_buf_text(&yaml));
        assert_null(strstr(job.text.err.text, "secret"));
        job_finish(&job);
    }
}

static void expect_ceiling(const char *head, size_t count, size_t value_bytes, const char *message)
{
    BL_AUTO_BUF yaml = {0};
    struct job_text job;

    bl_buf_append_text(&yaml, head);
    for (size_t i = 0; i < count; i++) {
        bl_buf_printf(&yaml, "V%05zu=", i);
        for (size_t j = 0; j < value_bytes; j++) {
            bl_buf_append_char(&yaml, 'v');
        }
        bl_buf_append_char(&yaml, ',');
    }
    bl_buf_append_text(&yaml, "]}");
    job_read(&job, BL_JOBSPEC_LIVE, bl_buf_text(&yaml));
    if (message) {
        assert_int_not_equal(job.status, BL_OK);
        form_expect_message(&job.text.err, message, "many variables");
    } else {
        assert_int_equal(job.status, BL_OK);
    }
    job_finish(&job);
}

static void the_environment_is_taken_up_to_its_ceilings(void **state)
{
    static const char head[] = HEAD "environment: [";

    (void)state;
    expect_ceiling(head, BL_JOBSPEC_ENV_MAX, 1, NULL);
    expect_ceiling(head, BL_JOBSPEC_ENV_MAX + 1, 1, "expected at most 8192 variables");
    expect_ceiling(head, 1, BL_LAUNCH_ARG_BYTES_MAX - 8, NULL);
    expect_ceiling(head, 1, BL_LAUNCH_ARG_BYTES_MAX - 7, "a variable is over 131072 bytes");
    expect_ceiling(head, 1024, 1024 - 8, NULL);
    expect_ceiling(head, 1025, 1024 - 8, "the environment is over 1048576 bytes");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_jobs_own_variables_go_over_the_submitters),
        cmocka_unit_test(an_environment_always_ends_with_null),
        cmocka_unit_test(what_is_no_variable_is_refused_without_showing_it),
        cmocka_unit_test(the_environment_is_taken_up_to_its_ceilings),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
