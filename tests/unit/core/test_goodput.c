#include "core/goodput.h"
#include "near.h"

/* A step of 0.1 s and 1 ms a sample, of which 0.05 s synchronise. */
static struct bl_step linear_step(const void *self, double local_batch)
{
    (void)self;
    return (struct bl_step){0.1 + 0.001 * local_batch, 0.05 + 0.001 * local_batch};
}

static const struct bl_steps linear = {linear_step, NULL};
static const struct bl_batch limits = {
    .initial = 64, .max = 4096, .local_min = 16, .local_max = 256};

static void noise_says_what_a_larger_batch_is_worth(void **state)
{
    const struct {
        struct bl_noise noise;
        double scale, gain;
    } rows[] = {
        {{1, 0.0000001}, 8, 1.0000001}, /* no noise: more samples tell nothing new */
        {{1, 1}, 1, 1},
        {{1, 1}, 2, 2 / 1.5},
        {{0, 5}, 8, 8}, /* nothing but noise: each sample counts */
        {{0, 0}, 8, 8}, /* not known */
        {{-1, 2}, 8, 8},
        {{NAN, 1}, 8, 8},
        {{1, INFINITY}, 8, 8},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_near(bl_goodput_gain(&rows[i].noise, rows[i].scale), rows[i].gain, 1e-6);
    }
}

static void batches_go_in_geometric_steps_from_least_to_most(void **state)
{
    struct bl_batch_grid grid;

    (void)state;
    bl_batch_grid_make(&grid, &limits, 8, &linear);
    assert_int_equal(grid.count, BL_BATCH_CHOICES);
    assert_near(grid.at[0].global, 128, 0); /* 8 GPUs of 16 */
    assert_near(grid.at[49].global, 4096, 0);
    assert_near(grid.at[49].local, 256, 0);
    assert_int_equal(grid.at[49].accumulation, 1);
    for (size_t i = 0; i < grid.count; i++) {
        const struct bl_batch_choice *at = &grid.at[i];

        assert_near(at->global, at->local * 8 * (at->accumulation + 1), 0);
        assert_true(at->local <= limits.local_max);
        assert_near(at->iter_s,
                    0.1 + 0.001 * at->local + at->accumulation * (0.05 + 0.001 * at->local), 1e-12);
    }
}

static void a_batch_of_whole_samples_is_looked_at_once(void **state)
{
    const struct bl_batch small = {4, 32, 1, 16};
    struct bl_batch_grid grid;

    (void)state;
    bl_batch_grid_make(&grid, &small, 2, &linear);
    assert_int_equal(grid.count, 15); /* 2 to 16 samples a GPU */
    for (size_t i = 0; i < grid.count; i++) {
        assert_near(grid.at[i].local, (double)i + 2, 0);
    }
}

static void one_gpu_splits_a_batch_over_the_initial_one(void **state)
{
    struct bl_batch_grid grid;

    (void)state;
    bl_batch_grid_make(&grid, &limits, 1, &linear);
    assert_int_equal(grid.at[0].accumulation, 0);
    assert_near(grid.at[0].local, 64, 0);
    assert_int_equal(grid.at[1].accumulation, 1);
    assert_near(grid.at[1].local, 35, 0);
}

static void the_best_batch_grows_with_the_noise(void **state)
{
    const struct bl_noise low = {1, 0.01};
    const struct bl_noise high = {0.001, 1};
    struct bl_tuned few = {0};
    struct bl_tuned many = {0};

    (void)state;
    assert_true(bl_goodput_best(&limits, &low, 4, &linear, &few));
    assert_true(bl_goodput_best(&limits, &high, 4, &linear, &many));
    assert_near(few.choice.global, 64, 0);
    assert_true(many.choice.global > 500);
    assert_near(few.goodput, bl_goodput_gain(&low, 1) / few.choice.iter_s, 1e-12);
    assert_near(many.goodput, bl_goodput_gain(&high, many.choice.global / 64) / many.choice.iter_s,
                1e-12);
}

static struct bl_step no_step(const void *self, double local_batch)
{
    const double *limit = self;

    return (struct bl_step){local_batch > *limit ? NAN : 1, 1};
}

static void what_cannot_be_run_is_left_out(void **state)
{
    const double limit = 100;
    const struct bl_steps cut = {no_step, &limit};
    const struct bl_noise noise = {0, 1};
    struct bl_tuned best = {0};

    (void)state;
    assert_true(bl_goodput_best(&limits, &noise, 8, &cut, &best));
    assert_true(best.choice.local <= limit);
    assert_false(bl_goodput_best(&limits, &noise, 512, &linear, &best)); /* over the most */
    assert_false(bl_goodput_best(&limits, &noise, 0, &linear, &best));
}

static void limits_without_sense_are_no_limits(void **state)
{
    const struct bl_batch rows[] = {
        {0},
        {64, 32, 1, 8},
        {64, 128, 0, 8},
        {64, 128, 16, 8},
        {NAN, 128, 1, 8},
        {64, INFINITY, 1, 8},
    };
    struct bl_batch_grid grid;

    (void)state;
    assert_true(bl_batch_is_given(&limits));
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_false(bl_batch_is_given(&rows[i]));
        bl_batch_grid_make(&grid, &rows[i], 2, &linear);
        assert_int_equal(grid.count, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(noise_says_what_a_larger_batch_is_worth),
        cmocka_unit_test(batches_go_in_geometric_steps_from_least_to_most),
        cmocka_unit_test(a_batch_of_whole_samples_is_looked_at_once),
        cmocka_unit_test(one_gpu_splits_a_batch_over_the_initial_one),
        cmocka_unit_test(the_best_batch_grows_with_the_noise),
        cmocka_unit_test(what_cannot_be_run_is_left_out),
        cmocka_unit_test(limits_without_sense_are_no_limits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
