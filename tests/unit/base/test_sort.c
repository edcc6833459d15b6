#include "base/sort.h"
#include "bl_test.h"

static int compare(const void *left, const void *right)
{
    int a = *(const int *)left;
    int b = *(const int *)right;

    return (a > b) - (a < b);
}

static void numbers_come_to_stand_in_order(void **state)
{
    static const int sorted[] = {-3, 0, 0, 7, 9};
    int at[] = {9, 0, -3, 7, 0};

    (void)state;
    bl_sort(at, 5, sizeof at[0], compare);
    assert_memory_equal(at, sorted, sizeof sorted);
}

static void nothing_and_one_are_sorted_already(void **state)
{
    int one = 5;

    (void)state;
    bl_sort(NULL, 0, sizeof one, compare);
    bl_sort(&one, 1, sizeof one, compare);
    assert_int_equal(one, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_come_to_stand_in_order),
        cmocka_unit_test(nothing_and_one_are_sorted_already),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
