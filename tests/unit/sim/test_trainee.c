#include "sim/trainee.h"

#include "net.h"

static const struct bl_sim_rules any_move_restarts = {.format = "t"};
static const struct bl_sim_rules shape_is_enough = {.format = "t", .is_shape_enough = true};

static struct bl_sim_trainee trainee_of(struct bl_profiles *profiles,
                                        const struct bl_sim_rules *rules)
{
    return (struct bl_sim_trainee){.rules = rules, .app = net_add(profiles), .trace_batch = 32};
}

static void a_job_trains_after_its_restart_and_ends_at_a_whole_second(void **state)
{
    struct bl_profiles profiles = {0};
    struct bl_sim_trainee t = trainee_of(&profiles, &any_move_restarts);
    const struct bl_sim_shape alone = {1, 1, 1};

    (void)state;
    assert_int_equal(bl_sim_trainee_advance(&t, 60), 60); /* nothing held, nothing done */
    assert_true(t.progress == 0);
    bl_sim_trainee_place(&t, &t.app->device.at[0], &alone);
    assert_int_equal(bl_sim_trainee_advance(&t, 3), 3);
    assert_true(t.progress == 0 && t.delay_s == 2);
    assert_int_equal(bl_sim_trainee_advance(&t, 7), 7);
    assert_true(t.progress == 50 && t.epoch == 0);
    assert_int_equal(bl_sim_trainee_advance(&t, 60), 15);
    assert_true(bl_sim_trainee_has_ended(&t) && t.progress == 200);
    bl_profiles_finish(&profiles);
}

static void another_place_costs_a_restart_unless_shape_is_enough(void **state)
{
    static const struct {
        const struct bl_sim_rules *rules;
        struct bl_sim_shape to;
        int64_t delay_s;
    } rows[] = {
        {&any_move_restarts, {1, 1, 1}, 5},
        {&shape_is_enough, {1, 1, 1}, 0},
        {&shape_is_enough, {1, 2, 2}, 5},
        {&shape_is_enough, {2, 2, 11}, 5},
    };
    const struct bl_sim_shape alone = {1, 1, 1};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_profiles profiles = {0};
        struct bl_sim_trainee t = trainee_of(&profiles, rows[i].rules);

        bl_sim_trainee_place(&t, &t.app->device.at[0], &alone);
        bl_sim_trainee_advance(&t, 10);
        bl_sim_trainee_place(&t, &t.app->device.at[0], &rows[i].to);
        assert_int_equal(t.delay_s, rows[i].delay_s);
        bl_sim_trainee_place(&t, NULL, NULL);
        bl_sim_trainee_place(&t, &t.app->device.at[0], &rows[i].to);
        assert_int_equal(t.delay_s, 5);
        bl_profiles_finish(&profiles);
    }
}

static void a_batch_becomes_micro_steps_that_fit(void **state)
{
    static const struct bl_sim_rules limited = {
        .format = "t", .limited_app = "net", .limited_batch = 8};
    static const struct bl_sim_rules placed = {.format = "t", .keeps_to_placement = true};
    static const struct {
        const struct bl_sim_rules *rules;
        struct bl_sim_shape shape;
        double batch, local;
        int32_t accumulation;
    } rows[] = {
        {&any_move_restarts, {1, 1, 1}, 32, 32, 0},   {&any_move_restarts, {1, 1, 1}, 64, 32, 1},
        {&any_move_restarts, {1, 1, 1}, 128, 64, 1},  {&any_move_restarts, {1, 2, 2}, 128, 64, 0},
        {&any_move_restarts, {1, 3, 3}, 128, 42, 0},  {&limited, {1, 2, 2}, 64, 8, 3},
        {&any_move_restarts, {2, 2, 11}, 128, 64, 0}, {&placed, {2, 2, 11}, 128, 32, 1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_profiles profiles = {0};
        struct bl_sim_trainee t = trainee_of(&profiles, rows[i].rules);
        struct bl_sim_batch batch =
            bl_sim_batch_of(&t, &t.app->device.at[0], &rows[i].shape, rows[i].batch);

        if (batch.local != rows[i].local || batch.accumulation != rows[i].accumulation) {
            fail_msg("row %zu: %g and %d micro-steps", i, batch.local, batch.accumulation);
        }
        bl_profiles_finish(&profiles);
    }
}

static void noise_that_makes_no_sense_counts_as_none(void **state)
{
    struct bl_profiles profiles = {0};
    struct bl_sim_trainee t = trainee_of(&profiles, &any_move_restarts);
    const struct bl_sim_shape alone = {1, 1, 1};

    (void)state;
    for (size_t i = 0; i < t.app->validation.count; i++) {
        t.app->validation.at[i].epoch.at[0].grad_sqr = i ? -3 : 0;
    }
    bl_sim_trainee_place(&t, &t.app->device.at[0], &alone);
    bl_sim_trainee_advance(&t, 10);
    assert_true(t.rate == 10);
    bl_profiles_finish(&profiles);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_job_trains_after_its_restart_and_ends_at_a_whole_second),
        cmocka_unit_test(another_place_costs_a_restart_unless_shape_is_enough),
        cmocka_unit_test(a_batch_becomes_micro_steps_that_fit),
        cmocka_unit_test(noise_that_makes_no_sense_counts_as_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
