#include "jobspec_test.h"

#define TAIL ", command: [x], workdir: /w}"

static void A18_parameters_and_labels_are_kept_as_they_were_written(void **state)
{
    struct job_text job;
    const struct bl_launch *launch = &job.job.launch;

    (void)state;
    job_read(&job, BL_JOBSPEC_LIVE,
             "{params: {layers: 32, lr: 1e-3, note: a=b, empty: ~}, labels: {team: 视觉}" TAIL);
    assert_int_equal(job.status, BL_OK);
    assert_int_equal(launch->params.count, 4);
    assert_string_equal(launch->params.at[0], "layers=32");
    assert_string_equal(launch->params.at[1], "lr=1e-3");
    assert_string_equal(launch->params.at[2], "note=a=b");
    assert_string_equal(launch->params.at[3], "empty=");
    assert_null(launch->params.at[4]);
    assert_int_equal(launch->labels.count, 1);
    assert_string_equal(launch->labels.at[0], "team=视觉");
    job_finish(&job);
}

static void what_is_no_name_with_a_value_is_refused(void **state)
{
    static const struct {
        const char *yaml;
        const char *message;
    } rows[] = {
        {"{params: [layers]" TAIL, "params: expected a map like {layers: 32}, found a list"},
        {"{params: {layers: [1]}" TAIL, "layers: expected a text or a number, found a list"},
        {"{labels: {'': 1}" TAIL, "expected a name without '=' and a value"},
        {"{labels: {a=b: 1}" TAIL, "a=b: expected a name without '=' and a value"},
        {"{labels: {a: \"x\\ny\"}" TAIL,
         "a: expected a name without '=' and a value, both without"},
        {"{labels: {a: \"\\x7F\"}" TAIL, "a: expected a name without '=' and a value"},
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        job_expect_refusal(BL_JOBSPEC_LIVE, rows[i].yaml, rows[i].message);
    }
}

static void expect_ceiling(int count, size_t bytes, const char *message)
{
    BL_AUTO_BUF yaml = {0};
    struct job_text job;

    bl_buf_append_text(&yaml, "{params: {");
    for (int i = 0; i < count; i++) {
        bl_buf_printf(&yaml, "k%03d: ", i);
        for (size_t j = 0; j < bytes; j++) {
            bl_buf_append_char(&yaml, 'v');
        }
        bl_buf_append_char(&yaml, ',');
    }
    bl_buf_append_text(&yaml, "}" TAIL);
    job_read(&job, BL_JOBSPEC_LIVE, bl_buf_text(&yaml));
    assert_int_equal(job.status == BL_OK, message == NULL);
    if (message) {
        form_expect_message(&job.text.err, message, "");
    }
    job_finish(&job);
}

static void notes_are_taken_up_to_their_ceilings_and_no_further(void **state)
{
    (void)state;
    expect_ceiling(BL_LAUNCH_NOTES_MAX, 1, NULL);
    expect_ceiling(BL_LAUNCH_NOTES_MAX + 1, 1, "params: expected at most 256 names, found 257");
    expect_ceiling(1, BL_LAUNCH_NOTE_BYTES_MAX - 5, NULL);
    expect_ceiling(1, BL_LAUNCH_NOTE_BYTES_MAX - 4,
                   "k000: the name with its value is over 4096 bytes");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(A18_parameters_and_labels_are_kept_as_they_were_written),
        cmocka_unit_test(what_is_no_name_with_a_value_is_refused),
        cmocka_unit_test(notes_are_taken_up_to_their_ceilings_and_no_further),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
