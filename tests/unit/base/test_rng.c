#include "base/rng.h"
#include "bl_test.h"

#include <stdbool.h>

/* From the authors' reference implementation, started at the state {1, 2, 3, 4}. */
static void numbers_are_those_of_the_reference(void **state)
{
    static const uint64_t expected[] = {
        UINT64_C(11520),
        UINT64_C(0),
        UINT64_C(1509978240),
        UINT64_C(1215971899390074240),
        UINT64_C(1216172134540287360),
        UINT64_C(607988272756665600),
        UINT64_C(16172922978634559625),
        UINT64_C(8476171486693032832),
        UINT64_C(10595114339597558777),
        UINT64_C(2904607092377533576),
    };
    struct bl_rng rng = {{1, 2, 3, 4}};

    (void)state;
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        assert_true(bl_rng_next(&rng) == expected[i]);
    }
}

/* The first four outputs of splitmix64 from 0. */
static void seed_zero_gives_the_state_of_the_reference(void **state)
{
    static const uint64_t expected[] = {UINT64_C(0xe220a8397b1dcdaf), UINT64_C(0x6e789e6aa1b965f4),
                                        UINT64_C(0x06c45d188009454f), UINT64_C(0xf88bb8a8724c81ec)};
    struct bl_rng rng;

    (void)state;
    bl_rng_seed(&rng, 0);
    assert_memory_equal(rng.state, expected, sizeof expected);
}

static void numbers_between_two_ends_reach_both_and_never_leave(void **state)
{
    static const struct {
        int64_t low, high;
    } rows[] = {{0, 0}, {-2, 2}, {5, 6}, {INT64_MAX - 1, INT64_MAX}, {INT64_MIN, INT64_MIN + 3}};
    struct bl_rng rng;

    (void)state;
    bl_rng_seed(&rng, 7);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bool low = false;
        bool high = false;

        for (int draw = 0; draw < 500; draw++) {
            int64_t value = bl_rng_between(&rng, rows[i].low, rows[i].high);

            assert_true(value >= rows[i].low && value <= rows[i].high);
            low = low || value == rows[i].low;
            high = high || value == rows[i].high;
        }
        assert_true(low && high);
    }
}

static void the_whole_range_may_be_asked_for(void **state)
{
    struct bl_rng rng;
    bool negative = false;
    bool positive = false;

    (void)state;
    bl_rng_seed(&rng, 1);
    for (int i = 0; i < 100; i++) {
        int64_t value = bl_rng_between(&rng, INT64_MIN, INT64_MAX);

        negative = negative || value < 0;
        positive = positive || value > 0;
    }
    assert_true(negative && positive);
}

static void each_of_six_sides_comes_up_about_as_often(void **state)
{
    int seen[6] = {0};
    struct bl_rng rng;

    (void)state;
    bl_rng_seed(&rng, 42);
    for (int i = 0; i < 60000; i++) {
        seen[bl_rng_between(&rng, 0, 5)]++;
    }
    for (int side = 0; side < 6; side++) {
        assert_in_range(seen[side], 9600, 10400);
    }
}

static void unit_numbers_fill_zero_to_one_without_one(void **state)
{
    struct bl_rng rng;
    double sum = 0;

    (void)state;
    bl_rng_seed(&rng, 3);
    for (int i = 0; i < 10000; i++) {
        double value = bl_rng_unit(&rng);

        assert_true(value >= 0 && value < 1);
        sum += value;
    }
    assert_true(sum > 4800 && sum < 5200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_those_of_the_reference),
        cmocka_unit_test(seed_zero_gives_the_state_of_the_reference),
        cmocka_unit_test(numbers_between_two_ends_reach_both_and_never_leave),
        cmocka_unit_test(the_whole_range_may_be_asked_for),
        cmocka_unit_test(each_of_six_sides_comes_up_about_as_often),
        cmocka_unit_test(unit_numbers_fill_zero_to_one_without_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
