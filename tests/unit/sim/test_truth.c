#include "sim/truth.h"

#include "net.h"

static const struct bl_sim_rules tuned = {.format = "t", .tunes_batch = true};

static void the_best_batch_of_a_placement_is_found(void **state)
{
    static const struct {
        struct bl_sim_shape shape;
        int32_t epoch;
        double rate;
    } rows[] = {
        {{1, 1, 1}, 0, 10}, /* an iteration is an iteration: the fewest micro-steps are best */
        {{1, 2, 2}, 0, 5},    {{1, 2, 2}, 2, 5}, /* one that has ended is as in its last epoch */
        {{2, 2, 11}, 0, 2.5}, {{5, 5, 0}, 0, 1 / .7},
        {{9, 9, 0}, 0, 0}, /* more GPUs than the largest batch has micro-batches */
    };
    struct bl_profiles profiles = {0};
    struct bl_sim_truths truths = {0};
    struct bl_sim_trainee t = {.rules = &tuned, .app = net_add(&profiles)};
    const struct bl_profile_device *device = &t.app->device.at[0];

    (void)state;
    for (int again = 0; again < 2; again++) {
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            t.epoch = rows[i].epoch;
            assert_float_equal(bl_sim_truths_find(&truths, &t, device, &rows[i].shape).rate,
                               rows[i].rate, 1e-9);
        }
    }
    bl_sim_truths_finish(&truths);
    bl_profiles_finish(&profiles);
}

static void a_job_that_knows_takes_the_best_batch_at_once(void **state)
{
    struct bl_profiles profiles = {0};
    struct bl_sim_truths truths = {0};
    struct bl_sim_trainee t = {.rules = &tuned, .app = net_add(&profiles), .truths = &truths};
    struct bl_profile_app *app = bl_profiles_find(&profiles, "net");
    const struct bl_sim_shape pair = {1, 2, 2};

    (void)state;
    for (size_t i = 0; i < app->validation.count; i++) { /* every sample is worth the same */
        app->validation.at[i].epoch.at[0].grad_sqr = 0;
        app->validation.at[i].epoch.at[0].grad_var = 1;
    }
    bl_sim_trainee_place(&t, &t.app->device.at[0], &pair);
    assert_true(t.batch.local == 64 && t.batch.accumulation == 0);
    bl_sim_trainee_advance(&t, 6);
    assert_float_equal(t.rate, 4 / .2, 1e-9);
    assert_null(bl_sim_agent_next(&t.agent)); /* it learns nothing by the way */
    bl_sim_trainee_finish(&t);
    bl_sim_truths_finish(&truths);
    bl_profiles_finish(&profiles);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_best_batch_of_a_placement_is_found),
        cmocka_unit_test(a_job_that_knows_takes_the_best_batch_at_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
