#include "bl_test.h"
#include "core/event.h"

static void every_word_leads_back_to_its_value(void **state)
{
    (void)state;
    for (int i = 0; i < BL_EVENT_COUNT; i++) {
        assert_int_equal(bl_event_find(bl_event_name((enum bl_event_kind)i)), i);
    }
    for (int i = 0; i < BL_END_COUNT; i++) {
        assert_int_equal(bl_end_cause_find(bl_end_cause_name((enum bl_end_cause)i)), i);
    }
    for (int i = BL_NODE_UP; i <= BL_NODE_DOWN; i++) {
        assert_int_equal(bl_node_state_find(bl_node_state_name((enum bl_node_state)i)), i);
    }
    assert_int_equal(bl_event_find(""), -1);
    assert_int_equal(bl_node_state_find("sideways"), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_word_leads_back_to_its_value)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
