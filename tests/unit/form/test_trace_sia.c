#include "bl_test.h"
#include "trace_text.h"

extern const struct bl_trace_format bl_trace_format_sia;

static void the_format_must_be_named_and_brings_its_clock(void **state)
{
    const char *text = "name,time,application,num_replicas,batch_size\na,5,net,2,64\n";
    struct bl_trace_options options = {.slots = 4};
    struct kit_trace found = kit_trace_read(&bl_trace_format_sia, kit_text(text), &options);

    (void)state;
    assert_int_equal(found.status, BL_OK);
    assert_string_equal(bl_buf_text(&found.jobs), "1@5 2x0");
    assert_int_equal(bl_trace_format_sia.round, BL_MINUTE);
    assert_int_equal(bl_trace_format_sia.sniff(text, strlen(text)), 0);
    assert_ptr_equal(bl_trace_format_find("sia"), &bl_trace_format_sia);
    bl_buf_finish(&found.jobs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_format_must_be_named_and_brings_its_clock),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
