#include "bl_test.h"
#include "core/action.h"

static void every_action_has_its_word_and_a_list_can_be_used_again(void **state)
{
    static const char *const words[] = {"start", "stop", "signal", "resize", "preempt"};
    struct bl_actions actions = {0};

    (void)state;
    for (int i = 0; i < BL_ACTION_COUNT; i++) {
        assert_string_equal(bl_action_name((enum bl_action_kind)i), words[i]);
        BL_VEC_PUSH(&actions.list, (struct bl_action){.job = i});
    }
    bl_actions_clear(&actions);
    assert_int_equal(actions.list.count, 0);
    BL_VEC_PUSH(&actions.list, (struct bl_action){.job = 7});
    assert_int_equal(actions.list.at[0].job, 7);
    bl_actions_finish(&actions);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_action_has_its_word_and_a_list_can_be_used_again),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
