#include "core/fit_field.h"
#include "near.h"

static struct bl_fit field_of(size_t count, const struct bl_shape *shape, const double *left)
{
    struct bl_fit fit = {.variance = 0.04, .point_count = count};

    for (size_t i = 0; i < count; i++) {
        fit.place[i] = bl_fit_field_place(&shape[i]);
        fit.weight[i] = 1e-6;
    }
    bl_fit_field_make(&fit, left);
    return fit;
}

static void a_point_keeps_what_it_shows_and_passes_it_on_to_its_neighbours(void **state)
{
    const struct bl_shape shape[] = {{1, 1, 32, 0}, {8, 1, 32, 0}};
    const double left[] = {0, 0.3};
    struct bl_fit fit = field_of(2, shape, left);
    double near = bl_fit_field_mean(&fit, &(struct bl_shape){6, 1, 32, 0});
    double far = bl_fit_field_mean(&fit, &(struct bl_shape){512, 64, 32, 0});

    (void)state;
    assert_near(bl_fit_field_mean(&fit, &shape[0]), 0, 1e-3);
    assert_near(bl_fit_field_mean(&fit, &shape[1]), 0.3, 1e-3);
    assert_true(near > 0.15 && near < 0.3);
    assert_true(far > 0 && far < 0.01);
}

static void its_variance_is_nothing_at_a_point_and_all_of_it_far_away(void **state)
{
    const struct bl_shape shape[] = {{4, 1, 32, 0}};
    const double left[] = {0.1};
    struct bl_fit fit = field_of(1, shape, left);

    (void)state;
    assert_near(bl_fit_field_look(&fit, &shape[0]).variance, 0, 1e-5);
    assert_near(bl_fit_field_look(&fit, &shape[0]).mean, 0.1, 1e-3);
    assert_near(bl_fit_field_look(&fit, &(struct bl_shape){4096, 512, 32, 0}).variance, 0.04, 1e-4);
}

static void without_points_there_is_nothing_to_add(void **state)
{
    struct bl_fit fit = field_of(0, NULL, NULL);

    (void)state;
    assert_near(bl_fit_field_mean(&fit, &(struct bl_shape){4, 1, 32, 0}), 0, 0);
    assert_near(bl_fit_field_look(&fit, &(struct bl_shape){4, 1, 32, 0}).variance, 0.04, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_point_keeps_what_it_shows_and_passes_it_on_to_its_neighbours),
        cmocka_unit_test(its_variance_is_nothing_at_a_point_and_all_of_it_far_away),
        cmocka_unit_test(without_points_there_is_nothing_to_add),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
