#include "jobspec_test.h"

static void expect_argv(const char *yaml, const char *expected)
{
    BL_AUTO_BUF printed = {0};
    struct job_text job;

    job_read(&job, BL_JOBSPEC_LIVE, yaml);
    if (job.status != BL_OK) {
        fail_msg("'%s' was refused: %s", yaml, job.text.err.text);
    }
    for (size_t i = 0; i < job.job.launch.argc; i++) {
        bl_buf_printf(&printed, "%s%s", i ? "|" : "", job.job.launch.argv[i]);
    }
    assert_null(job.job.launch.argv[job.job.launch.argc]);
    if (job.job.launch.script) {
        bl_buf_printf(&printed, " << %s", job.job.launch.script);
    }
    assert_string_equal(bl_buf_text(&printed), expected);
    job_finish(&job);
}

static void a_command_is_taken_as_it_is_and_a_script_runs_by_its_first_line(void **state)
{
    static const struct {
        const char *yaml;
        const char *argv;
    } rows[] = {
        {"{workdir: /w, command: [sleep, 5, '']}", "sleep|5|"},
        {"workdir: /w\nrun: |\n  a\n  b\n", "/bin/sh|-c|a\nb\n"},
        {"workdir: /w\nrun: |\n  #!/bin/bash\n  a\n", "script << #!/bin/bash\na\n"},
        {"workdir: /w\nrun: |\n  #! /usr/bin/env python3\n  a\n",
         "script << #! /usr/bin/env python3\na\n"},
        {"{workdir: /w, run: '#!/bin/sh', arguments: [a, 'b c', 3]}",
         "script|a|b c|3 << #!/bin/sh"},
        {"{workdir: /w, run: 'echo \"$1\"', arguments: [a]}", "/bin/sh|-c|echo \"$1\"|script|a"},
        {"{workdir: /w, run: x, arguments: []}", "/bin/sh|-c|x|script"},
        {"{workdir: /w, run: x, checkpoint: {resume: -r}}", "/bin/sh|-c|x|script"},
        {"{workdir: /w, run: '#!/bin/sh', checkpoint: {resume: -r}}", "script << #!/bin/sh"},
        {"{workdir: /w, command: [x], checkpoint: {resume: -r}}", "x"},
        {"{workdir: /w, run: 'echo x'}", "/bin/sh|-c|echo x"},
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        expect_argv(rows[i].yaml, rows[i].argv);
    }
}

static void what_cannot_be_run_is_refused(void **state)
{
    static const struct {
        const char *yaml;
        const char *message;
    } rows[] = {
        {"command: x", "command: expected a list like [python3, train.py]"},
        {"command: []", "command: expected a program to run"},
        {"command: ['', x]", "command: expected a program to run"},
        {"command: [x, [y]]", "command: expected a text, found a list"},
        {"command: [x, ~]", "command: expected a text, found nothing"},
        {"command: [x], run: y", "run: expected command or run, found both"},
        {"run: ' '", "run: expected the text of a script, found nothing but blanks"},
        {"run: [x]", "run: expected a text, found a list"},
        {"run: '#!bash'", "run: expected '#!' and the path of an interpreter in the first line"},
        {"run: '#!'", "run: expected '#!' and the path of an interpreter in the first line"},
        {"run: \"#!/bin/sh\\r\\nx\\r\\n\"", "run: the lines of the script end in CR LF"},
        {"run: x, arguments: y", "arguments: expected a list like [--epochs, 3], found 'y'"},
        {"run: x, arguments: [[y]]", "arguments: expected a text, found a list"},
        {"command: [sh, -c, x], arguments: [y]", "arguments: arguments are for run"},
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        BL_AUTO_BUF yaml = {0};

        bl_buf_printf(&yaml, "{workdir: /w, %s}", rows[i].yaml);
        job_expect_refusal(BL_JOBSPEC_LIVE, bl_buf_text(&yaml), rows[i].message);
    }
}

static void directory_log_and_grace_are_set(void **state)
{
    struct job_text job;

    (void)state;
    job_read(&job, BL_JOBSPEC_LIVE, "{workdir: /w, command: [x]}");
    assert_string_equal(job.job.launch.workdir, "/w");
    assert_string_equal(job.job.launch.log_pattern, BL_LAUNCH_LOG_DEFAULT);
    assert_int_equal(job.job.launch.grace, BL_JOBSPEC_GRACE);
    assert_int_equal(job.job.launch.uid, -1);
    assert_int_equal(job.job.launch.gid, -1);
    job_finish(&job);
    job_read(&job, BL_JOBSPEC_LIVE,
             "{workdir: /w, command: [x], log: '%x-%j-%r-%u-%N%%', "
             "error: '%A_%3a.err', slurm_env: yes}");
    assert_string_equal(job.job.launch.log_pattern, "%x-%j-%r-%u-%N%%");
    assert_string_equal(job.job.launch.error_pattern, "%A_%3a.err");
    assert_true(job.job.launch.slurm_env);
    job_finish(&job);
}

static void a_umask_is_octal(void **state)
{
    static const struct {
        const char *yaml;
        int expected; /* -1: refused */
    } rows[] = {
        {"umask: 0027", 027},  {"umask: '022'", 022}, {"umask: 0", 0},      {"umask: 0777", 0777},
        {"umask: 1777", -1},   {"umask: 028", -1},    {"umask: 00022", -1}, {"umask: u=rwx", -1},
        {"umask: [0022]", -1}, {"umask: -2", -1},     {"umask: ''", -1},
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        struct job_text job;
        BL_AUTO_BUF yaml = {0};

        bl_buf_printf(&yaml, "{command: [x], workdir: /w, %s}", rows[i].yaml);
        if (rows[i].expected < 0) {
            job_expect_refusal(BL_JOBSPEC_LIVE, bl_buf_text(&yaml),
                               "umask: expected an octal number from 000 to 777, like 0022");
            continue;
        }
        job_read(&job, BL_JOBSPEC_LIVE, bl_buf_text(&yaml));
        assert_true(job.job.launch.has_umask);
        assert_int_equal(job.job.launch.umask, rows[i].expected);
        job_finish(&job);
    }
}

static void memory_that_was_not_asked_for_is_noted(void **state)
{
    static const struct {
        const char *yaml;
        bool unasked;
    } rows[] = {{"resources: {gpus: 2}", true},
                {"name: a", true},
                {"resources: {mem: 1GB}", false},
                {"resources: {gpus: 2, mem: 1GB/gpu}", false}};

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        struct job_text job;
        BL_AUTO_BUF yaml = {0};

        bl_buf_printf(&yaml, "{command: [x], workdir: /w, %s}", rows[i].yaml);
        job_read(&job, BL_JOBSPEC_LIVE, bl_buf_text(&yaml));
        assert_int_equal(job.job.launch.mem_unasked, rows[i].unasked);
        job_finish(&job);
    }
}

static void paths_that_cannot_be_are_refused(void **state)
{
    static const struct {
        const char *yaml;
        const char *message;
    } rows[] = {
        {"workdir: w", "workdir: expected an absolute path, found 'w'"},
        {"workdir: ''", "workdir: expected a path, found ''"},
        {"workdir: [w]", "workdir: expected a text, found a list"},
        {"workdir: /w, log: '%b'",
         "log: expected a path with %x, %j, %A, %a, %r, %u, %N and %% alone, found '%b'"},
        {"workdir: /w, error: '%'", "error: expected a path with %x, %j,"},
        {"workdir: /w, log: 'x%'", "log: expected a path with %x, %j,"},
        {"workdir: /w, log: ''", "log: expected a path, found ''"},
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        BL_AUTO_BUF yaml = {0};

        bl_buf_printf(&yaml, "{command: [x], %s}", rows[i].yaml);
        job_expect_refusal(BL_JOBSPEC_LIVE, bl_buf_text(&yaml), rows[i].message);
    }
}

/* `count` times `piece` between `head` and `tail`. */
static void expect_status(const char *head, const char *piece, size_t count, const char *tail,
                          const char *message)
{
    BL_AUTO_BUF yaml = {0};
    struct job_text job;

    bl_buf_append_text(&yaml, head);
    for (size_t i = 0; i < count; i++) {
        bl_buf_append_text(&yaml, piece);
    }
    bl_buf_append_text(&yaml, tail);
    job_read(&job, BL_JOBSPEC_LIVE, bl_buf_text(&yaml));
    if (message) {
        assert_int_not_equal(job.status, BL_OK);
        form_expect_message(&job.text.err, message, head);
    } else {
        assert_int_equal(job.status, BL_OK);
    }
    job_finish(&job);
}

static void sizes_are_taken_up_to_their_ceilings_and_no_further(void **state)
{
    char kilobyte[1025];
    char listed[1028];

    (void)state;
    memset(kilobyte, 'k', 1024);
    kilobyte[1024] = '\0';
    memset(listed, 'k', 1024);
    strncpy(listed + 1023, ",", sizeof listed - 1023); /* an argument of 1023 bytes and its end */
    expect_status("{workdir: /w, command: [", "x,", BL_LAUNCH_ARGS_MAX, "]}", NULL);
    expect_status("{workdir: /w, command: [", "x,", BL_LAUNCH_ARGS_MAX + 1, "]}",
                  "command: expected at most 4096 arguments, found 4097");
    expect_status("{workdir: /w, command: [x, ", kilobyte, 127, "]}", NULL);
    expect_status("{workdir: /w, command: [x, ", kilobyte, 128, "]}",
                  "command: an argument is over 131072 bytes");
    expect_status("{workdir: /w, command: [", listed, 1024, "]}", NULL);
    expect_status("{workdir: /w, command: [", listed, 1025, "]}",
                  "command: the command is over 1048576 bytes");
    expect_status("{workdir: /w, run: ", kilobyte, 127, "}", NULL);
    expect_status("{workdir: /w, run: ", kilobyte, 128, "}", "run: the script is over 131072");
    expect_status("{workdir: /w, run: \"#!/b ", kilobyte, 1023, "\"}", NULL);
    expect_status("{workdir: /w, run: \"#!/b ", kilobyte, 1024, "\"}",
                  "run: the script is over 1048576");
    expect_status("{workdir: /w, run: x, arguments: [", "x,", BL_LAUNCH_ARGS_MAX - 4, "]}", NULL);
    expect_status("{workdir: /w, run: x, arguments: [", "x,", BL_LAUNCH_ARGS_MAX - 3, "]}",
                  "arguments: expected at most 4092 arguments, found 4093");
    expect_status("{command: [x], workdir: /", "w", BL_LAUNCH_PATH_MAX - 2, "}", NULL);
    expect_status("{command: [x], workdir: /", "w", BL_LAUNCH_PATH_MAX - 1, "}",
                  "workdir: the path is over 4095 bytes");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_command_is_taken_as_it_is_and_a_script_runs_by_its_first_line),
        cmocka_unit_test(what_cannot_be_run_is_refused),
        cmocka_unit_test(directory_log_and_grace_are_set),
        cmocka_unit_test(a_umask_is_octal),
        cmocka_unit_test(memory_that_was_not_asked_for_is_noted),
        cmocka_unit_test(paths_that_cannot_be_are_refused),
        cmocka_unit_test(sizes_are_taken_up_to_their_ceilings_and_no_further),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
