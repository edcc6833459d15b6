#include "form_test.h"

#include "form/record_fields.h"

static void check_table(const struct bl_field *field)
{
    size_t count = 0;

    for (; field->key; field++) {
        count++;
        for (const struct bl_field *other = field + 1; other->key; other++) {
            assert_string_not_equal(field->key, other->key);
        }
        if (field->kind == BL_FIELD_WORD) {
            assert_true(field->is_required);
            for (int value = 0; value <= field->range.high; value++) {
                assert_non_null(field->name(value));
            }
        }
    }
    assert_in_range(count, 1, BL_RECORD_KEYS_MAX);
}

static void every_table_has_each_key_once_and_a_word_for_each_value(void **state)
{
    (void)state;
    for (int kind = 0; kind < BL_EVENT_COUNT; kind++) {
        check_table(bl_record_event_fields[kind]);
    }
    check_table(bl_record_node_fields);
    check_table(bl_record_spec_fields);
    check_table(bl_record_launch_fields);
    check_table(bl_record_booking_fields);
    check_table(bl_record_occurrence_fields);
    check_table(bl_record_attempt_fields);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_table_has_each_key_once_and_a_word_for_each_value),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
