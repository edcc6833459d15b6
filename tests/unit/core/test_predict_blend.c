#include "base/own.h"
#include "bl_test.h"
#include "core/predict_blend.h"

#include <math.h>

static struct bl_blend *blend_of(const double guess[][2], size_t count)
{
    struct bl_blend *blend = bl_alloc_zero(sizeof *blend);

    bl_blend_begin(blend);
    for (size_t i = 0; i < count; i++) {
        bl_blend_add(blend, guess[i][0], guess[i][1]);
    }
    return blend;
}

static double quantile(const struct bl_blend *blend, double level)
{
    double at;

    bl_blend_quantiles(blend, &level, 1, &at);
    return at;
}

static void quantiles_are_the_guesses_by_their_weight(void **state)
{
    static const double guess[][2] = {{3, 1}, {-2, 1}, {10, 2}};
    BL_AUTO_FREE struct bl_blend *blend = blend_of(guess, 3);

    (void)state;
    assert_true(quantile(blend, 0) == -2 && quantile(blend, .2) == -2);
    assert_true(quantile(blend, .4) == 3);
    assert_true(quantile(blend, .6) == 10 && quantile(blend, 1) == 10);
    assert_true(bl_blend_chance(blend, -2) == .125);
    assert_true(bl_blend_chance(blend, 5) == .5);
    assert_true(bl_blend_chance(blend, 11) == 1 && bl_blend_chance(blend, -9) == 0);
}

static void guesses_close_together_are_even_between_them(void **state)
{
    static const double guess[][2] = {{5.001, 1}, {5.021, 1}};
    BL_AUTO_FREE struct bl_blend *blend = blend_of(guess, 2);

    (void)state;
    assert_true(fabs(quantile(blend, .5) - 5.011) < 1e-4);
    assert_true(fabs(bl_blend_chance(blend, 5.011) - .5) < 1e-3);
}

static void a_cap_and_a_discount_move_weight(void **state)
{
    static const double guess[][2] = {{1, 1}, {4, 1}, {8, 2}};
    BL_AUTO_FREE struct bl_blend *blend = blend_of(guess, 3);

    (void)state;
    bl_blend_cap(blend, 6);
    assert_true(quantile(blend, 1) == 6 && quantile(blend, .6) == 6);
    bl_blend_discount(blend, 5, .5);
    assert_true(fabs(blend->total - 3) < 1e-6);
    assert_true(bl_blend_chance(blend, 5) < .34);
}

static void widening_keeps_the_middle_and_reaches_out(void **state)
{
    static const double guess[][2] = {{5, 1}};
    BL_AUTO_FREE struct bl_blend *blend = blend_of(guess, 1);

    (void)state;
    bl_blend_widen(blend, .1);
    assert_true(quantile(blend, .5) == 5);
    assert_true(quantile(blend, .01) <= 3 && quantile(blend, .99) >= 7);
    assert_true(fabs(blend->total - 1 / .9) < 1e-6);
}

static void guesses_beyond_all_bounds_make_a_distribution_in_order(void **state)
{
    static const double guess[][2] = {{-1e9, 1}, {1e9, 1}, {0, 1}};
    BL_AUTO_FREE struct bl_blend *blend = blend_of(guess, 3);
    struct bl_dist dist;

    (void)state;
    bl_blend_read(blend, bl_dist_level, &dist);
    assert_int_equal(dist.point[0], 1);
    assert_int_equal(dist.point[BL_DIST_POINTS - 1], BL_DIST_MOST);
    for (int i = 1; i < BL_DIST_POINTS; i++) {
        assert_true(dist.point[i] >= dist.point[i - 1]);
    }
    bl_blend_begin(blend);
    assert_true(blend->total == 0 && bl_blend_chance(blend, 3) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_are_the_guesses_by_their_weight),
        cmocka_unit_test(guesses_close_together_are_even_between_them),
        cmocka_unit_test(a_cap_and_a_discount_move_weight),
        cmocka_unit_test(widening_keeps_the_middle_and_reaches_out),
        cmocka_unit_test(guesses_beyond_all_bounds_make_a_distribution_in_order),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
