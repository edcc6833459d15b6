#include "form_test.h"

#include "form/trace_bookings.h"

static void a_series_is_written_out_in_instants(void **state)
{
    struct form_text text;
    const struct bl_booking_spec *spec = NULL;
    size_t count = 0;

    (void)state;
    form_read_yaml(&text, "- {gpus: 4, from: 2h, for: 1h, every: 1d, until: 3d, name: demo}\n"
                          "- {on: \"n1:0-1\", from: 5h, until_at: 6h30m, flex: 1h}\n");
    assert_int_equal(
        bl_trace_bookings_read(&text.source, text.tree, &text.arena, &spec, &count, &text.err),
        BL_OK);
    assert_int_equal(count, 2);
    assert_int_equal(spec[0].id, 1);
    assert_string_equal(spec[0].name, "demo");
    assert_int_equal(spec[0].slot_count, 3);
    assert_int_equal(spec[0].slot[2].start, 2 * BL_DAY + 2 * BL_HOUR);
    assert_int_equal(spec[0].slot[2].end, 2 * BL_DAY + 3 * BL_HOUR);
    assert_int_equal(spec[1].slot[0].end, 6 * BL_HOUR + 30 * BL_MINUTE);
    assert_int_equal(spec[1].on[0].gpu_mask, 3);
    assert_int_equal(spec[1].flex, BL_HOUR);
    form_finish(&text);
}

static void what_is_wrong_is_told_with_its_key(void **state)
{
    static const struct {
        const char *yaml;
        const char *message;
    } rows[] = {
        {"{gpus: 4}", "expected a list of at most 1000 reservations"},
        {"- {gpus: 4, from: noon, for: 1h}", "from: expected a time from the trace's beginning"},
        {"- {gpus: 4, from: 2h, for: 1h, every: 1d}", "expected every and until together"},
        {"- {gpus: 4, from: 2h, for: 1h, every: 1s, until: 3d}", "expected 1 to 1000 occurrences"},
        {"- {gpus: 4, from: 2h, for: 1h, every: 1d, until: 1h}", "expected 1 to 1000 occurrences"},
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        struct form_text text;
        const struct bl_booking_spec *spec = NULL;
        size_t count = 0;

        form_read_yaml(&text, rows[i].yaml);
        assert_int_not_equal(
            bl_trace_bookings_read(&text.source, text.tree, &text.arena, &spec, &count, &text.err),
            BL_OK);
        form_expect_message(&text.err, rows[i].message, rows[i].yaml);
        form_finish(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_series_is_written_out_in_instants),
        cmocka_unit_test(what_is_wrong_is_told_with_its_key),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
