#include "bl_test.h"
#include "trace_text.h"

#include <stdio.h>

extern const struct bl_trace_format bl_trace_format_baleen;

static const char yaml[] = "# a comment, with commas, too\n"
                           "jobs:\n"
                           "  a: {submit: 0, work: 90s, resources: {gpus: 2}}\n";
static const char csv[] = "submit_s,run_s,gpus\n0,90,2\n";

static void both_forms_are_told_apart_by_their_first_line(void **state)
{
    static const char *const texts[] = {
        yaml, csv, "{\"jobs\": [{\"work\": \"90s\", \"resources\": {\"gpus\": 2}}]}"};

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct bl_trace_options options = {0};
        struct kit_trace found =
            kit_trace_read(&bl_trace_format_baleen, kit_text(texts[i]), &options);

        if (found.status != BL_OK) {
            fail_msg("%s", found.err.text);
        }
        assert_string_equal(bl_buf_text(&found.jobs), "1@0 2x90");
        bl_buf_finish(&found.jobs);
    }
}

static void the_same_bytes_in_small_steps_are_the_same_trace(void **state)
{
    struct bl_trace_options options = {0};

    (void)state;
    for (size_t step = 1; step < 20; step++) {
        struct kit_bytes bytes = {csv, sizeof csv - 1, step, 0};
        struct kit_trace found = kit_trace_read(&bl_trace_format_baleen, bytes, &options);

        assert_int_equal(found.status, BL_OK);
        assert_string_equal(bl_buf_text(&found.jobs), "1@0 2x90");
        bl_buf_finish(&found.jobs);
    }
}

static void the_format_knows_its_own_first_bytes(void **state)
{
    static const struct {
        const char *bytes;
        bool is_own;
    } rows[] = {
        {yaml, true},
        {csv, true},
        {"jobs: []", true},
        {"\n\njobs:\n", true},
        {"{\"jobs\": {}}", true},
        {"id,submit_s\n", true},
        {"a,b\n1,2\n", false},
        {"nodes: []\n", false},
        {"; jobs\n", false},
        {"", false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int sure = bl_trace_format_baleen.sniff(rows[i].bytes, strlen(rows[i].bytes));

        if ((sure > 0) != rows[i].is_own) {
            fail_msg("'%s': %d", rows[i].bytes, sure);
        }
    }
}

static void a_run_over_its_limit_ends_at_it_and_is_counted(void **state)
{
    struct bl_trace_options options = {0};
    struct kit_trace found = kit_trace_read(
        &bl_trace_format_baleen,
        kit_text("submit_s,run_s,gpus,limit_s\n0,90,1,60\n1,60,1,60\n2,90,1,\n"), &options);

    (void)state;
    assert_string_equal(bl_buf_text(&found.jobs), "1@0 1x60; 2@1 1x60; 3@2 1x90");
    assert_int_equal(found.notes.clamped, 1);
    bl_buf_finish(&found.jobs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_forms_are_told_apart_by_their_first_line),
        cmocka_unit_test(the_same_bytes_in_small_steps_are_the_same_trace),
        cmocka_unit_test(the_format_knows_its_own_first_bytes),
        cmocka_unit_test(a_run_over_its_limit_ends_at_it_and_is_counted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
