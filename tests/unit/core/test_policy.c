#include "bl_test.h"
#include "core/policy.h"

static void every_policy_is_found_by_its_name_and_is_whole(void **state)
{
    (void)state;
    for (size_t i = 0; bl_policies[i]; i++) {
        const struct bl_policy *policy = bl_policies[i];
        struct bl_policy_choice choice = bl_policy_default(policy);

        assert_ptr_equal(bl_policy_find(policy->name), policy);
        assert_non_null(policy->summary);
        assert_non_null(policy->decide);
        assert_non_null(policy->explain);
        assert_non_null(policy->plan_duration);
        assert_true(policy->option_count <= BL_POLICY_OPTIONS_MAX);
        for (size_t o = 0; o < policy->option_count; o++) {
            assert_non_null(policy->option[o].help);
            assert_int_equal(choice.value[o], policy->option[o].standard);
        }
    }
    assert_null(bl_policy_find("none"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_policy_is_found_by_its_name_and_is_whole)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
