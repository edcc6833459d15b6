#include "sim/ceiling.h"

#include "near.h"
#include "net.h"

#include <math.h>

static const struct bl_sim_rules fixed = {.format = "t"};
static const struct bl_sim_rules tuned = {
    .format = "t", .tunes_batch = true, .keeps_to_placement = true};

/* What the world makes of the job on a shape, in its first epoch. */
static double rate_on(const struct bl_sim_trainee *job, const struct bl_sim_shape *shape)
{
    struct bl_sim_trainee t = *job;

    bl_sim_trainee_place(&t, &t.app->device.at[0], shape);
    bl_sim_trainee_advance(&t, t.delay_s + 1);
    bl_sim_trainee_finish(&t);
    return t.rate;
}

/* A node has eight GPUs; two of them may lie on one or on two nodes. */
static void no_place_and_no_batch_is_faster_than_the_ceiling(void **state)
{
    static const struct bl_sim_shape shapes[] = {{1, 1, 1},  {1, 2, 2}, {2, 2, 11}, {1, 3, 3},
                                                 {2, 3, 12}, {1, 4, 4}, {2, 4, 22}, {2, 4, 13}};
    static const struct bl_sim_rules *const rules[] = {&fixed, &tuned};
    static const double batches[] = {32, 48, 64, 100, 128};

    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0] * 10; i++) {
        struct bl_profiles profiles = {0};
        const struct bl_sim_shape *shape = &shapes[i / 10];
        struct bl_sim_trainee t = {
            .rules = rules[i % 2], .app = net_add(&profiles), .trace_batch = batches[i / 2 % 5]};
        const struct bl_sim_ground ground = {&t.app->device.at[0], shape->gpus, 8};
        double *ceiling = bl_alloc_zero((size_t)t.app->epochs * sizeof *ceiling);

        bl_sim_ceiling(&t, &ground, ceiling);
        if (!(rate_on(&t, shape) <= ceiling[0]) || ceiling[0] > 8 * rate_on(&t, shape)) {
            fail_msg("row %zu: rate %g, ceiling %g", i, rate_on(&t, shape), ceiling[0]);
        }
        free(ceiling);
        bl_profiles_finish(&profiles);
    }
}

static void noise_that_makes_no_sense_has_no_ceiling(void **state)
{
    struct bl_profiles profiles = {0};
    struct bl_sim_trainee t = {.rules = &tuned, .app = net_add(&profiles), .trace_batch = 32};
    const struct bl_sim_ground ground = {&t.app->device.at[0], 1, 8};
    double *ceiling = bl_alloc_zero((size_t)t.app->epochs * sizeof *ceiling);

    (void)state;
    t.app->validation.at[0].epoch.at[0].grad_sqr = -1;
    bl_sim_ceiling(&t, &ground, ceiling);
    assert_true(isinf(ceiling[0]) && isfinite(ceiling[1]));
    free(ceiling);
    bl_profiles_finish(&profiles);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_place_and_no_batch_is_faster_than_the_ceiling),
        cmocka_unit_test(noise_that_makes_no_sense_has_no_ceiling),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
