#include "sim/trained.h"

#include "net.h"

#include <math.h>

static const struct bl_sim_rules fixed = {.format = "t"};
static const struct bl_sim_rules tuned = {
    .format = "t", .tunes_batch = true, .keeps_to_placement = true};

struct scene {
    struct bl_profiles profiles;
    struct bl_profile_app *app;
    struct bl_cluster cluster;
    struct bl_bound_machine machine;
    struct bl_sim_trained_list list;
};

/* Two nodes of two GPUs, of the type that the application was measured on. */
static void begin(struct scene *scene)
{
    struct bl_node_spec node = {.name = "a", .gpus = 2};

    *scene = (struct scene){0};
    scene->app = net_add(&scene->profiles);
    node.gpu_type = scene->app->device.at[0].gpu;
    assert_int_equal(bl_cluster_add_node(&scene->cluster, &node), 0);
    node.name = "b";
    assert_int_equal(bl_cluster_add_node(&scene->cluster, &node), 1);
    bl_bound_machine_init(&scene->machine, &scene->cluster);
}

static void finish(struct scene *scene)
{
    bl_sim_trained_finish(&scene->list);
    bl_bound_machine_finish(&scene->machine);
    bl_cluster_finish(&scene->cluster);
    bl_profiles_finish(&scene->profiles);
}

static const struct bl_sim_trained *find(struct scene *scene, const struct bl_sim_rules *rules,
                                         double batch)
{
    const struct bl_sim_trainee t = {.rules = rules, .app = scene->app, .trace_batch = batch};

    return bl_sim_trained_find(&scene->list, &scene->machine, &scene->cluster, &t);
}

static double fastest(const struct bl_sim_trained *trained)
{
    double top = 0;

    for (size_t i = 0; i < trained->option_count; i++) {
        top = fmax(top, trained->option[i].speed);
    }
    return trained->work / top;
}

/* Seconds that the world takes on one shape throughout, the restart left out. */
static double seconds_on(const struct scene *scene, const struct bl_sim_rules *rules,
                         const struct bl_sim_shape *shape)
{
    struct bl_sim_trainee t = {.rules = rules, .app = scene->app, .trace_batch = 32};
    int64_t used = 0;

    bl_sim_trainee_place(&t, &t.app->device.at[0], shape);
    while (!bl_sim_trainee_has_ended(&t)) {
        used += bl_sim_trainee_advance(&t, 60);
    }
    bl_sim_trainee_finish(&t);
    return (double)(used - bl_sim_trainee_restart_s(&t));
}

static void no_job_is_done_sooner_than_its_options_say(void **state)
{
    static const struct bl_sim_shape shapes[] = {{1, 1, 1}, {1, 2, 2}, {2, 2, 11}, {2, 4, 22}};
    static const struct bl_sim_rules *const rules[] = {&fixed, &tuned};
    struct scene scene;

    (void)state;
    begin(&scene);
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0] * 2; i++) {
        const struct bl_sim_trained *trained = find(&scene, rules[i % 2], 32);

        assert_true(trained->option_count > 0 && trained->work > 0);
        assert_true(fastest(trained) <= seconds_on(&scene, rules[i % 2], &shapes[i / 2]));
    }
    finish(&scene);
}

static void jobs_that_are_alike_are_worked_out_once(void **state)
{
    struct scene scene;

    (void)state;
    begin(&scene);
    assert_ptr_equal(find(&scene, &fixed, 32), find(&scene, &fixed, 32));
    assert_ptr_not_equal(find(&scene, &fixed, 32), find(&scene, &fixed, 64));
    assert_ptr_equal(find(&scene, &tuned, 32), find(&scene, &tuned, 64));
    finish(&scene);
}

static void profiles_that_make_no_sense_bound_nothing(void **state)
{
    struct scene scene;

    (void)state;
    begin(&scene);
    scene.app->validation.at[0].epoch.at[0].grad_var = -1;
    assert_int_equal(find(&scene, &tuned, 32)->option_count, 0);
    finish(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_job_is_done_sooner_than_its_options_say),
        cmocka_unit_test(jobs_that_are_alike_are_worked_out_once),
        cmocka_unit_test(profiles_that_make_no_sense_bound_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
