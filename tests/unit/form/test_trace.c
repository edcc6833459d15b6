#include "bl_test.h"
#include "form/trace.h"

#include <string.h>

static void every_format_is_found_by_its_name(void **state)
{
    (void)state;
    for (const struct bl_trace_format *const *at = bl_trace_formats; *at; at++) {
        assert_ptr_equal(bl_trace_format_find((*at)->name), *at);
        assert_true(strlen((*at)->summary) > 0);
    }
    assert_null(bl_trace_format_find("swiff"));
}

static void the_surest_format_reads_the_file(void **state)
{
    (void)state;
    assert_string_equal(bl_trace_format_sniff("; MaxProcs: 8\n", 14)->name, "swf");
    assert_null(bl_trace_format_sniff("\x7f"
                                      "ELF",
                                      4));
    assert_null(bl_trace_format_sniff("", 0));
}

static void slots_are_one_node_that_only_counts(void **state)
{
    struct bl_node_spec node = bl_slots_node(100);

    (void)state;
    assert_string_equal(node.name, "slots");
    assert_int_equal(node.gpus, 100);
    assert_true(node.counted);
}

static void skips_are_counted_and_the_first_is_told(void **state)
{
    struct bl_trace_notes notes = {0};
    struct bl_error longer = {.status = BL_EINVAL};
    struct bl_error second = {.status = BL_EINVAL, .text = "second"};
    struct bl_error stands = {0};

    (void)state;
    memset(longer.text, 'x', sizeof longer.text - 1);
    assert_int_equal(bl_trace_skip_or_fail(&notes, true, &longer, &stands), BL_OK);
    assert_int_equal(bl_trace_skip_or_fail(&notes, true, &second, &stands), BL_OK);
    assert_int_equal(stands.status, BL_OK);
    assert_int_equal(bl_trace_skip_or_fail(&notes, false, &second, &stands), BL_EINVAL);
    assert_string_equal(stands.text, "second");
    assert_int_equal(notes.skipped, 2);
    assert_int_equal(strlen(notes.first_skipped), sizeof notes.first_skipped - 1);
    assert_int_equal(notes.first_skipped[0], 'x');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_format_is_found_by_its_name),
        cmocka_unit_test(the_surest_format_reads_the_file),
        cmocka_unit_test(slots_are_one_node_that_only_counts),
        cmocka_unit_test(skips_are_counted_and_the_first_is_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
