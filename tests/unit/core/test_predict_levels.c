#include "bl_test.h"
#include "core/predict_levels.h"
#include "near.h"

enum { LEVELS = 3 };

static const double wanted[LEVELS] = {.1, .5, .9};
static const struct bl_levels_prior prior = {30, 100};

static void without_truths_levels_stay_as_they_are(void **state)
{
    struct bl_levels none = {{0}};
    double out[LEVELS];

    (void)state;
    bl_levels_correct(&none, &none, prior, wanted, LEVELS, out);
    for (int i = 0; i < LEVELS; i++) {
        assert_near(out[i], wanted[i], 1e-9);
    }
}

static void answers_that_were_too_narrow_are_read_further_out(void **state)
{
    struct bl_levels own = {{0}};
    double out[LEVELS];

    (void)state;
    for (int i = 0; i < 2000; i++) {
        bl_levels_note(&own, i % 2 ? .02 : .98);
    }
    bl_levels_correct(&own, &own, prior, wanted, LEVELS, out);
    assert_true(out[0] < .05 && out[2] > .95);
    assert_true(out[0] < out[1] && out[1] < out[2]);
}

static void few_truths_of_its_own_count_little_and_late_ones_more(void **state)
{
    struct bl_levels own = {{0}};
    struct bl_levels all = {{0}};
    double out[LEVELS];

    (void)state;
    for (int i = 0; i < 3000; i++) {
        bl_levels_note(&all, (i % 100) / 100.0);
    }
    bl_levels_note(&own, .99);
    bl_levels_correct(&own, &all, prior, wanted, LEVELS, out);
    assert_near(out[1], .5, .05);
    for (int i = 0; i < 3000; i++) {
        bl_levels_note(&own, i < 1000 ? .01 : .99);
    }
    bl_levels_correct(&own, &all, prior, wanted, LEVELS, out);
    assert_true(out[1] > .9);
}

static void chances_out_of_bounds_are_those_at_the_ends(void **state)
{
    struct bl_levels own = {{0}};

    (void)state;
    bl_levels_note(&own, -3);
    bl_levels_note(&own, 7);
    assert_true(own.cell[0] > 0);
    assert_int_equal(own.cell[BL_LEVELS_CELLS - 1], BL_LEVELS_MASS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_truths_levels_stay_as_they_are),
        cmocka_unit_test(answers_that_were_too_narrow_are_read_further_out),
        cmocka_unit_test(few_truths_of_its_own_count_little_and_late_ones_more),
        cmocka_unit_test(chances_out_of_bounds_are_those_at_the_ends),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
