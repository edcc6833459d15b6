#include "base/own.h"
#include "bl_test.h"
#include "bytes.h"

#include <stdio.h>

extern const struct bl_trace_format bl_trace_format_swf;

#define HEADER "; Version: 2.2\n; MaxProcs: 100\n;\n"

/* What a text gives: jobs as "id@submit procs run limit user", notes, and the failure. */
struct outcome {
    struct bl_buf jobs;
    struct bl_trace_notes notes;
    struct bl_error err;
    int status;
    int64_t slots;
};

static void print_job(struct bl_buf *out, const struct bl_trace_job *job)
{
    bl_buf_printf(out, "%s%lld@", out->length ? "; " : "", (long long)job->id);
    bl_seconds_print(out, job->submit);
    bl_buf_printf(out, " %d ", job->spec.gpus_want);
    bl_seconds_print(out, job->run);
    bl_buf_append_char(out, ' ');
    bl_seconds_print(out, job->spec.limit);
    bl_buf_printf(out, " %s", job->spec.user ? job->spec.user : "-");
}

static struct outcome read_bytes(struct kit_bytes bytes, const struct bl_trace_options *options)
{
    const struct bl_trace_format *swf = &bl_trace_format_swf;
    struct bl_byte_source source = kit_bytes_source("log", &bytes);
    struct outcome outcome = {0};
    struct bl_clusterspec cluster = {0};
    struct bl_trace *trace = NULL;
    struct bl_trace_job job;
    bool has_job = true;

    outcome.status = swf->open(&source, options, &trace, &outcome.err);
    if (outcome.status != BL_OK) {
        return outcome;
    }
    swf->cluster(trace, &cluster);
    outcome.slots = cluster.node_count ? cluster.node[0].gpus : 0;
    while (outcome.status == BL_OK && has_job) {
        outcome.status = swf->next(trace, &job, &has_job, &outcome.err);
        if (has_job) {
            print_job(&outcome.jobs, &job);
        }
    }
    outcome.notes = *swf->notes(trace);
    swf->close(trace);
    return outcome;
}

static struct outcome read_text(const char *text, bool lenient, int64_t slots)
{
    struct bl_trace_options options = {.lenient = lenient, .slots = slots};

    return read_bytes(kit_text(text), &options);
}

static void D4_jobs_are_read_with_the_rules_of_the_format(void **state)
{
    static const struct {
        const char *line;
        const char *job;
    } rows[] = {
        {"1 0 -1 97225 56 -1 -1 56 210000 -1 -1 1 -1 -1 -1 -1 -1 -1", "1@0 56 97225 210000 u1"},
        {"  7\t5  3 10 4 1.5 99 -1 60 -1 1 -1 2 3 4 5 6 7  ", "7@5 4 10 60 -"},
        {"2 0 0 10 9 -1 -1 8 -1 -1 1 12345 -1 -1 -1 -1 -1 -1", "2@0 8 10 0 u12345"},
        {"3 1.5 0 0.25 1 -1 -1 1 2 -1 2 0 -1 -1 -1 -1 -1 -1", "3@1.5 1 0.25 2 u0"},
        {"4 0 0 70 1 -1 -1 1 60 -1 3 0 -1 -1 -1 -1 -1 -1", "4@0 1 60 60 u0"},
        {"5 0 0 7 1 -1 -1 1 60 -1 1 0 -1 -1 -1 -1 -1 -1 q_1d 1:ppn=64:x#excl", "5@0 1 7 60 u0"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct outcome found = read_text(rows[i].line, false, 64);

        if (found.status != BL_OK || strcmp(bl_buf_text(&found.jobs), rows[i].job) != 0) {
            fail_msg("'%s' gave '%s' %s", rows[i].line, bl_buf_text(&found.jobs), found.err.text);
        }
        assert_int_equal(found.notes.clamped, rows[i].line[0] == '4');
        bl_buf_finish(&found.jobs);
    }
}

static const struct {
    const char *line;
    const char *message;
} wrong_lines[] = {
    {"2 5 -1 9 4", "log:5: expected 18 fields, found 5; field 6 (CPU time) is missing"},
    {"2 x5 -1 9 4 -1 -1 4 10 -1 1 1 -1 -1 -1 -1 -1 -1",
     "log:5: field 2 (submit): expected a number, found 'x5'"},
    {"2 5 -1 9z 4 -1 -1 4 10 -1 1 1 -1 -1 -1 -1 -1 -1",
     "log:5: field 4 (run time): expected a number, found '9z'"},
    {"2 5 -1 9 4 -1 -1 4 10 -1 1 1 -1 -1 -1 \xff\xfe -1 -1",
     "log:5: field 16 (partition): expected a number, found '\\xff\\xfe'"},
    {"2 99999999999999999999 -1 9 4 -1 -1 4 10 -1 1 1 -1 -1 -1 -1 -1 -1",
     "log:5: field 2 (submit): expected a number, found '99999999999999999999'"},
    {"2 -5 -1 9 4 -1 -1 4 10 -1 1 1 -1 -1 -1 -1 -1 -1",
     "log:5: field 2 (submit): expected seconds from 0 on, found '-5'"},
    {"2 4000000000 -1 9 4 -1 -1 4 10 -1 1 1 -1 -1 -1 -1 -1 -1",
     "log:5: field 2 (submit): expected seconds from 0 on, found '4000000000'"},
    {"2 2 -1 9 4 -1 -1 4 10 -1 1 1 -1 -1 -1 -1 -1 -1",
     "log:5: field 2 (submit): expected jobs in order of submission, so 3 or later, found '2'"},
    {"1 5 -1 9 4 -1 -1 4 10 -1 1 1 -1 -1 -1 -1 -1 -1",
     "log:5: field 1 (job): expected a job number above 1, found '1'"},
    {"2 5 -1 0 4 -1 -1 4 10 -1 1 1 -1 -1 -1 -1 -1 -1",
     "log:5: field 4 (run time): expected a run time above 0, found '0'"},
    {"2 5 -1 -1 4 -1 -1 4 10 -1 1 1 -1 -1 -1 -1 -1 -1",
     "log:5: field 4 (run time): expected a run time above 0, found '-1'"},
    {"2 5 -1 9 4 -1 -1 4 0 -1 1 1 -1 -1 -1 -1 -1 -1",
     "log:5: field 9 (requested time): expected a time above 0, or -1 for none, found '0'"},
    {"2 5 -1 9 4 -1 -1 4 10 -1 0 1 -1 -1 -1 -1 -1 -1",
     "log:5: field 11 (status): expected a job that ran to its end (1, or -1 for unknown), "
     "found '0'"},
    {"2 5 -1 9 4 -1 -1 4 10 -1 5 1 -1 -1 -1 -1 -1 -1",
     "log:5: field 11 (status): expected a job that ran to its end (1, or -1 for unknown), "
     "found '5'"},
    {"2 5 -1 9 4 -1 -1 101 10 -1 1 1 -1 -1 -1 -1 -1 -1",
     "log:5: field 8 (requested processors): expected at most the machine's 100 processors, "
     "found '101'"},
    {"2 5 -1 9 -1 -1 -1 -1 10 -1 1 1 -1 -1 -1 -1 -1 -1",
     "log:5: field 5 (processors): expected a number of processors above 0, found '-1'"},
};

static void a_wrong_line_is_an_error_with_its_place_and_lenient_skips_it(void **state)
{
    static const char before[] = HEADER "1 3 -1 9 4 -1 -1 4 10 -1 1 1 -1 -1 -1 -1 -1 -1\n";
    static const char after[] = "\n9 6 -1 9 4 -1 -1 4 10 -1 1 1 -1 -1 -1 -1 -1 -1\n";

    (void)state;
    for (size_t i = 0; i < sizeof wrong_lines / sizeof wrong_lines[0]; i++) {
        BL_AUTO_BUF text = {0};
        struct outcome strict;
        struct outcome lenient;

        bl_buf_printf(&text, "%s%s%s", before, wrong_lines[i].line, after);
        strict = read_text(bl_buf_text(&text), false, 0);
        lenient = read_text(bl_buf_text(&text), true, 0);
        if (strict.status != BL_EINVAL || strcmp(strict.err.text, wrong_lines[i].message) != 0) {
            fail_msg("'%s' gave: %s", wrong_lines[i].line, strict.err.text);
        }
        assert_string_equal(bl_buf_text(&strict.jobs), "1@3 4 9 10 u1");
        assert_int_equal(lenient.status, BL_OK);
        assert_string_equal(bl_buf_text(&lenient.jobs), "1@3 4 9 10 u1; 9@6 4 9 10 u1");
        assert_int_equal(lenient.notes.skipped, 1);
        assert_memory_equal(lenient.notes.first_skipped, wrong_lines[i].message,
                            strlen(lenient.notes.first_skipped));
        bl_buf_finish(&strict.jobs);
        bl_buf_finish(&lenient.jobs);
    }
}

static void the_machine_comes_from_the_header_or_the_caller(void **state)
{
    static const char line[] = "1 0 -1 9 4 -1 -1 4 10 -1 1 1 -1 -1 -1 -1 -1 -1\r\n";
    static const struct {
        const char *header;
        int64_t given, slots;
    } rows[] = {
        {"; MaxProcs: 64\n", 0, 64},
        {";MaxProcs:64 (of 80)\r\n; MaxNodes: 8\r\n", 0, 64},
        {"; MaxNodes: 32\n", 0, 32},
        {"; MaxProcs: 64\n", 7, 7},
        {"", 16, 16},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        BL_AUTO_BUF text = {0};
        struct outcome found;

        bl_buf_printf(&text, "%s%s", rows[i].header, line);
        found = read_text(bl_buf_text(&text), false, rows[i].given);
        assert_int_equal(found.status, BL_OK);
        assert_int_equal(found.slots, rows[i].slots);
        assert_string_equal(bl_buf_text(&found.jobs), "1@0 4 9 10 u1");
        bl_buf_finish(&found.jobs);
    }
}

static void a_machine_of_unknown_size_is_an_error_that_names_the_way_out(void **state)
{
    static const char *const rows[] = {
        "1 0 -1 9 4 -1 -1 4 10 -1 1 1 -1 -1 -1 -1 -1 -1\n",
        "; MaxProcs: -1\n",
        "; MaxProcs: 99999999999999999999\n",
        "",
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct outcome found = read_text(rows[i], true, 0);

        assert_int_equal(found.status, BL_EINVAL);
        assert_non_null(strstr(found.err.text, "log: the header has no MaxProcs"));
        assert_string_equal(found.err.hint, "give --slots N or --cluster FILE");
    }
}

static void a_cluster_of_the_caller_takes_the_place_of_the_header(void **state)
{
    struct bl_node_spec nodes[] = {{.name = "a", .gpus = 3}, {.name = "b", .gpus = 4}};
    struct bl_clusterspec cluster = {nodes, 2};
    struct bl_trace_options options = {.cluster = &cluster};
    struct outcome found =
        read_bytes(kit_text(HEADER "1 0 -1 9 7 -1 -1 7 10 -1 1 1 -1 -1 -1 -1 -1 -1\n"
                                   "2 0 -1 9 8 -1 -1 8 10 -1 1 1 -1 -1 -1 -1 -1 -1\n"),
                   &options);

    (void)state;
    assert_int_equal(found.slots, 0);
    assert_string_equal(bl_buf_text(&found.jobs), "1@0 7 9 10 u1");
    assert_non_null(strstr(found.err.text, "at most the machine's 7 processors"));
    bl_buf_finish(&found.jobs);
}

static void bytes_that_are_no_log_end_in_an_error(void **state)
{
    char noise[4096];
    uint32_t number = 1;

    (void)state;
    for (int round = 0; round < 50; round++) {
        struct bl_trace_options options = {.slots = 8};
        struct outcome found;

        for (size_t i = 0; i < sizeof noise; i++) {
            number = number * 1664525 + 1013904223;
            noise[i] = round % 2 ? (char)(number >> 24) : "0123456789-. \n\t;"[number >> 28];
        }
        found = read_bytes((struct kit_bytes){noise, sizeof noise, 100, 0}, &options);
        assert_int_not_equal(found.status, BL_OK);
        bl_buf_finish(&found.jobs);
    }
}

static void the_format_knows_its_own_first_bytes(void **state)
{
    static const struct {
        const char *bytes;
        bool is_own;
    } rows[] = {
        {"; Version: 2\n", true},
        {"\n\n; x", true},
        {"1 0 -1 9 4 -1 -1 4 10 -1 1 1 -1 -1 -1 -1 -1 -1\n", true},
        {"1 0 -1 9 4\n", false},
        {"jobs:\n", false},
        {"submit_s,run_s\n", false},
        {"", false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int sure = bl_trace_format_swf.sniff(rows[i].bytes, strlen(rows[i].bytes));

        if ((sure > 0) != rows[i].is_own) {
            fail_msg("'%s': %d", rows[i].bytes, sure);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(D4_jobs_are_read_with_the_rules_of_the_format),
        cmocka_unit_test(a_wrong_line_is_an_error_with_its_place_and_lenient_skips_it),
        cmocka_unit_test(the_machine_comes_from_the_header_or_the_caller),
        cmocka_unit_test(a_machine_of_unknown_size_is_an_error_that_names_the_way_out),
        cmocka_unit_test(a_cluster_of_the_caller_takes_the_place_of_the_header),
        cmocka_unit_test(bytes_that_are_no_log_end_in_an_error),
        cmocka_unit_test(the_format_knows_its_own_first_bytes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
