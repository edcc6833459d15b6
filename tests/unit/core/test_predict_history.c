#include "bl_test.h"
#include "core/predict_history.h"

#include <math.h>

static struct bl_traits of_user(int64_t user)
{
    return (struct bl_traits){.user = user, .gpus = 1, .limit = BL_HOUR};
}

static void the_newest_runs_of_a_kind_come_first(void **state)
{
    struct bl_history *history = bl_history_create();
    int64_t found[4];

    (void)state;
    for (int64_t i = 0; i < 10; i++) {
        struct bl_traits traits = of_user(i % 2 + 1);

        bl_history_add(history, &traits, (i + 1) * BL_MINUTE);
    }
    assert_int_equal(
        bl_history_find(history, &(struct bl_traits){.user = 1}, BL_KIN_USER, INT64_MAX, 3, found),
        3);
    assert_int_equal(found[0], 9);
    assert_int_equal(found[2], 5);
    assert_int_equal(bl_history_run(history, 9), 9 * BL_MINUTE);
    assert_true(fabs(bl_history_log_run(history, 8) - log2(480)) < 1e-5);
    assert_true(fabs(bl_history_log_share(history, 8) - log2(480.0 / 3600)) < 1e-5);
    assert_int_equal(bl_history_traits(history, 8)->user, 2);
    bl_history_destroy(history);
}

static void only_what_was_known_then_counts(void **state)
{
    struct bl_history *history = bl_history_create();
    struct bl_traits traits = of_user(7);
    int64_t found[4];

    (void)state;
    for (int i = 0; i < 300; i++) {
        bl_history_add(history, &traits, BL_MINUTE);
    }
    assert_int_equal(bl_history_find(history, &traits, BL_KIN_USER, 200, 1, found), 1);
    assert_int_equal(found[0], 199);
    /* Too much has come since. */
    assert_int_equal(bl_history_find(history, &traits, BL_KIN_USER, 10, 1, found), 0);
    bl_history_destroy(history);
}

static void a_full_history_forgets_its_oldest_runs_and_their_kinds(void **state)
{
    struct bl_history *history = bl_history_create();
    struct bl_traits first = of_user(1000000);
    struct bl_traits last = of_user(0);
    int64_t found[1];

    (void)state;
    bl_history_add(history, &first, BL_MINUTE);
    for (int64_t i = 0; i < 2 * BL_HISTORY_RUNS; i++) {
        last = of_user(i);
        bl_history_add(history, &last, BL_MINUTE);
    }
    assert_int_equal(bl_history_next(history) - bl_history_first(history), BL_HISTORY_RUNS);
    assert_int_equal(bl_history_find(history, &first, BL_KIN_USER, INT64_MAX, 1, found), 0);
    assert_int_equal(bl_history_newest(history, bl_traits_key(&first, BL_KIN_USER)), 0);
    assert_int_equal(bl_history_find(history, &last, BL_KIN_USER, INT64_MAX, 1, found), 1);
    for (int64_t i = BL_HISTORY_RUNS; i < 2 * BL_HISTORY_RUNS; i++) {
        struct bl_traits traits = of_user(i);

        assert_int_equal(bl_history_newest(history, bl_traits_key(&traits, BL_KIN_USER)), i + 2);
    }
    bl_history_destroy(history);
}

static void numbers_go_on_where_a_snapshot_left_off(void **state)
{
    struct bl_history *history = bl_history_create();
    struct bl_traits traits = of_user(1);
    int64_t found[1];

    (void)state;
    bl_history_begin_at(history, 5000);
    bl_history_add(history, &traits, 0);
    assert_int_equal(bl_history_find(history, &traits, BL_KIN_ALL, INT64_MAX, 1, found), 1);
    assert_int_equal(found[0], 5000);
    assert_int_equal(bl_history_next(history), 5001);
    bl_history_destroy(history);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_newest_runs_of_a_kind_come_first),
        cmocka_unit_test(only_what_was_known_then_counts),
        cmocka_unit_test(a_full_history_forgets_its_oldest_runs_and_their_kinds),
        cmocka_unit_test(numbers_go_on_where_a_snapshot_left_off),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
