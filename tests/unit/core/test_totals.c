#include "core/totals.h"
#include "near.h"

static void without_finished_jobs_it_is_twice_the_furthest(void **state)
{
    struct bl_totals totals = {0};

    (void)state;
    assert_near(bl_totals_expect(&totals, 0).expected, 0, 0);
    assert_near(bl_totals_expect(&totals, 3).expected, 6, 0);
    bl_totals_note_done(&totals, 10);
    bl_totals_note_done(&totals, 5);
    assert_near(bl_totals_expect(&totals, 3).expected, 20, 0);
    assert_near(bl_totals_expect(&totals, NAN).expected, 20, 0);
    assert_int_equal(bl_totals_expect(&totals, 3).finished, 0);
}

static void finished_jobs_tell_what_another_will_do(void **state)
{
    struct bl_totals totals = {0};

    (void)state;
    bl_totals_note_finished(&totals, 100);
    bl_totals_note_finished(&totals, 100);
    assert_near(bl_totals_expect(&totals, 0).expected, 100, 0);
    assert_true(bl_totals_expect(&totals, 0).deviation < 0.3);
    bl_totals_note_finished(&totals, 400);
    assert_near(bl_totals_expect(&totals, 0).expected, 200, 1e-9);
    assert_near(bl_totals_expect(&totals, 150).expected, 400, 1e-9);
    assert_true(bl_totals_expect(&totals, 0).deviation > 0.5);
}

static void who_has_outdone_them_all_is_near_the_end(void **state)
{
    struct bl_totals totals = {0};

    (void)state;
    bl_totals_note_finished(&totals, 100);
    assert_near(bl_totals_expect(&totals, 200).expected, 250, 0);
}

static void only_the_last_ones_count(void **state)
{
    struct bl_totals totals = {0};

    (void)state;
    for (int i = 0; i < 100; i++) {
        bl_totals_note_finished(&totals, 1 + i);
    }
    assert_int_equal(totals.count, BL_TOTALS_MAX);
    assert_near(bl_totals_expect(&totals, 0).expected, 92.5, 1e-9);
    assert_near(totals.furthest, 100, 0);
}

static void what_is_no_amount_changes_nothing(void **state)
{
    const double rows[] = {0, -1, NAN, INFINITY};
    struct bl_totals totals = {0};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bl_totals_note_finished(&totals, rows[i]);
        bl_totals_note_done(&totals, rows[i]);
    }
    assert_int_equal(totals.count, 0);
    assert_near(totals.furthest, 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_finished_jobs_it_is_twice_the_furthest),
        cmocka_unit_test(finished_jobs_tell_what_another_will_do),
        cmocka_unit_test(who_has_outdone_them_all_is_near_the_end),
        cmocka_unit_test(only_the_last_ones_count),
        cmocka_unit_test(what_is_no_amount_changes_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
