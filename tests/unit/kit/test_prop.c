#include "prop.h"

#include "bl_test.h"

static bool every_sum_is_small(struct bl_prop *prop, void *context)
{
    int64_t count = bl_prop_between(prop, 0, 50);
    int64_t sum = 0;

    (void)context;
    for (int64_t i = 0; i < count; i++) {
        sum += bl_prop_between(prop, 0, 1000);
    }
    bl_prop_note(prop, "%lld numbers, sum %lld", (long long)count, (long long)sum);
    return sum < 1234;
}

static bool never_two_in_a_row(struct bl_prop *prop, void *context)
{
    int in_a_row = 0;

    (void)context;
    for (int i = 0; i < 60; i++) {
        in_a_row = bl_prop_chance(prop, 500) ? in_a_row + 1 : 0;
        if (in_a_row == 2) {
            return false;
        }
    }
    return true;
}

static bool draws_stay_inside(struct bl_prop *prop, void *context)
{
    int64_t low = bl_prop_between(prop, INT64_MIN, INT64_MAX);
    int64_t high = bl_prop_between(prop, low, INT64_MAX);
    int64_t drawn = bl_prop_between(prop, low, high);

    (void)context;
    return low <= drawn && drawn <= high;
}

static bool remembers_draws(struct bl_prop *prop, void *context)
{
    uint64_t *seen = context;

    *seen = *seen * 31 + (uint64_t)bl_prop_between(prop, 0, 1000000);
    return true;
}

static void a_failing_list_shrinks_to_the_least_numbers_that_fail(void **state)
{
    uint64_t choice[64] = {0};
    int count = bl_prop_smallest(100, every_sum_is_small, NULL, choice, 64);

    (void)state;
    assert_int_equal(count, 3);
    assert_int_equal(choice[0], 2);
    assert_int_equal(choice[1] + choice[2], 1234);
}

static void a_failing_sequence_shrinks_to_the_two_choices_that_matter(void **state)
{
    uint64_t choice[64] = {0};
    int count = bl_prop_smallest(100, never_two_in_a_row, NULL, choice, 64);

    (void)state;
    assert_int_equal(count, 2);
    assert_int_equal(choice[0], 500);
    assert_int_equal(choice[1], 500);
}

static void a_law_that_holds_has_no_smallest_failure(void **state)
{
    (void)state;
    assert_int_equal(bl_prop_smallest(500, draws_stay_inside, NULL, NULL, 0), -1);
    assert_true(bl_prop_holds("draws stay inside", 500, draws_stay_inside, NULL));
}

static void a_law_that_fails_is_told_with_its_notes(void **state)
{
    (void)state;
    assert_false(bl_prop_holds("every sum is small", 100, every_sum_is_small, NULL));
}

static void the_same_seed_draws_the_same_cases(void **state)
{
    uint64_t first = 0;
    uint64_t second = 0;

    (void)state;
    assert_true(bl_prop_holds("first", 50, remembers_draws, &first));
    assert_true(bl_prop_holds("second", 50, remembers_draws, &second));
    assert_int_equal(first, second);
    assert_int_not_equal(first, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_failing_list_shrinks_to_the_least_numbers_that_fail),
        cmocka_unit_test(a_failing_sequence_shrinks_to_the_two_choices_that_matter),
        cmocka_unit_test(a_law_that_holds_has_no_smallest_failure),
        cmocka_unit_test(a_law_that_fails_is_told_with_its_notes),
        cmocka_unit_test(the_same_seed_draws_the_same_cases),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
