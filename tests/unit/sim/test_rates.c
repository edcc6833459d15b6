#include "sim/rates.h"

#include "net.h"

static void a_placement_is_the_same_up_to_rotation(void **state)
{
    struct bl_alloc_part parts[] = {{0, 4, 15, 0, 0}, {1, 2, 3, 0, 0}, {2, 4, 15, 0, 0}};
    struct bl_alloc alloc = {3, {0}, parts};
    struct bl_sim_shape shape = bl_sim_shape_of(&alloc);

    (void)state;
    assert_int_equal(shape.placement, 244);
    assert_int_equal(shape.nodes, 3);
    assert_int_equal(shape.gpus, 10);
    assert_int_equal(bl_sim_shape_packed(10, 4).placement, 244);
    assert_int_equal(bl_sim_shape_packed(16, 8).placement, 88);
    assert_int_equal(bl_sim_shape_packed(100, 4).placement, 0);
    assert_int_equal(bl_sim_shape_packed(100, 4).nodes, 25);
}

static void times_that_were_not_measured_have_a_stand_in(void **state)
{
    static const struct {
        struct bl_sim_shape shape;
        double batch, step_s;
    } rows[] = {
        {{1, 1, 1}, 16, .1},     {{2, 2, 11}, 24, .4},  {{1, 2, 2}, 999, .2}, {{1, 2, 2}, 1, .2},
        {{5, 5, 11111}, 32, .7}, {{3, 6, 222}, 32, .5}, {{1, 3, 3}, 32, .2},  {{9, 64, 0}, 32, .5},
    };
    struct bl_profiles profiles = {0};
    struct bl_profile_app *app = net_add(&profiles);

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_sim_step step = bl_sim_step_at(&app->device.at[0], &rows[i].shape, rows[i].batch);

        if (step.step_s < rows[i].step_s - 1e-12 || step.step_s > rows[i].step_s + 1e-12) {
            fail_msg("row %zu: %g s, expected %g", i, step.step_s, rows[i].step_s);
        }
    }
    bl_profiles_finish(&profiles);
}

static void between_measured_batches_times_and_noise_are_on_a_line(void **state)
{
    struct bl_profiles profiles = {0};
    struct bl_profile_app *app = net_add(&profiles);
    struct bl_sim_shape alone = {1, 1, 1};
    struct bl_sim_noise noise;

    (void)state;
    app->device.at[0].placements.at[1].step_s = .4;
    assert_true(bl_sim_step_at(&app->device.at[0], &alone, 32).step_s > .199999);
    assert_true(bl_sim_step_at(&app->device.at[0], &alone, 32).step_s < .200001);
    app->validation.at[1].epoch.at[0].grad_var = 8;
    noise = bl_sim_noise_at(app, 48, 0);
    assert_true(noise.var == 4 && noise.sqr == 1);
    assert_true(bl_sim_noise_at(app, 64, 0).var == 8);
    assert_true(bl_sim_noise_at(app, 128, 0).var == 0);
    assert_true(bl_sim_progress_at(app, 0) == 0 && bl_sim_progress_at(app, 2) == 200);
    assert_true(bl_sim_iteration_at(app, 48, 1) == 150);
    bl_profiles_finish(&profiles);
}

static void the_largest_measured_batch_is_known_for_each_place(void **state)
{
    struct bl_profiles profiles = {0};
    const struct bl_profile_device *device = &net_add(&profiles)->device.at[0];
    struct bl_sim_shape shapes[] = {{1, 1, 1}, {2, 2, 11}, {3, 5, 122}, {4, 9, 0}};
    const double most[] = {64, 32, 32, 64};

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        assert_true(bl_sim_batch_max(device, &shapes[i]) == most[i]);
    }
    assert_true(bl_sim_batch_max_of_gpus(device, 2) == 64);
    assert_true(bl_sim_batch_max_of_gpus(device, 3) == 0);
    bl_profiles_finish(&profiles);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_placement_is_the_same_up_to_rotation),
        cmocka_unit_test(times_that_were_not_measured_have_a_stand_in),
        cmocka_unit_test(between_measured_batches_times_and_noise_are_on_a_line),
        cmocka_unit_test(the_largest_measured_batch_is_known_for_each_place),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
