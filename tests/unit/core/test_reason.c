#include "bl_test.h"
#include "core/reason.h"

static void every_word_leads_back_to_its_value(void **state)
{
    (void)state;
    for (int i = 0; i < BL_REASON_COUNT; i++) {
        assert_int_equal(bl_reason_find(bl_reason_name((enum bl_reason_code)i)), i);
    }
    for (int i = 0; i < BL_STAGE_COUNT; i++) {
        assert_int_equal(bl_start_stage_find(bl_start_stage_name((enum bl_start_stage)i)), i);
    }
    assert_int_equal(bl_reason_find("because"), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_word_leads_back_to_its_value)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
