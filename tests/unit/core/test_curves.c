#include "curves_kit.h"

static void A2_jobs_of_one_application_share_what_they_show(void **state)
{
    struct bl_curves *curves = bl_curves_create();

    (void)state;
    kit_learn(curves, "resnet", kit_observation(0, 1, 64));
    kit_learn(curves, "resnet", kit_observation(0, 2, 64));
    kit_learn(curves, "bert", kit_observation(0, 8, 64));
    assert_int_equal(bl_curves_gpus_seen(bl_curves_find(curves, "resnet")), 2);
    assert_int_equal(bl_curves_gpus_seen(bl_curves_find(curves, "bert")), 8);
    assert_null(bl_curves_find(curves, "gpt"));
    assert_null(bl_curves_find(curves, NULL));
    bl_curves_destroy(curves);
}

static void the_application_longest_without_news_leaves_first(void **state)
{
    struct bl_curves *curves = bl_curves_create();
    char name[BL_CURVES_APPS_MAX + 2][16];

    (void)state;
    for (int i = 0; i < BL_CURVES_APPS_MAX + 2; i++) {
        snprintf(name[i], sizeof name[i], "app%d", i);
        kit_learn_rate(curves, name[i], 1, 1);
        kit_learn_rate(curves, name[0], 1, 1);
    }
    assert_non_null(bl_curves_find(curves, name[0]));
    assert_null(bl_curves_find(curves, name[1]));
    assert_null(bl_curves_find(curves, name[2]));
    assert_non_null(bl_curves_find(curves, name[3]));
    bl_curves_destroy(curves);
}

static void a_reported_rate_sets_the_unit_of_work(void **state)
{
    struct bl_curves *curves = bl_curves_create();
    struct bl_noise noise = {1, 20};

    (void)state;
    for (int32_t batch = 64; batch <= 512; batch *= 2) {
        struct bl_observation seen = kit_observation(0, 2, batch);

        seen.grad_sqr = noise.sqr;
        seen.grad_var = noise.var;
        seen.rate = 0.5 * bl_goodput_gain(&noise, 2 * batch / kit_limits.initial) / seen.iter_s;
        kit_learn(curves, "a", seen);
    }
    assert_near(kit_ask(curves, "a", 0, 2).rate / kit_best(0, 2), 0.5, 0.02);
    bl_curves_destroy(curves);
}

static void noise_and_whole_work_are_shared(void **state)
{
    struct bl_curves *curves = bl_curves_create();
    struct bl_observation seen = kit_observation(0, 2, 256);
    struct bl_curves_app *app;

    (void)state;
    seen.grad_sqr = 1;
    seen.grad_var = 7;
    bl_curves_learn(curves, &(struct bl_curves_news){"a", &kit_limits, 50, &seen});
    app = bl_curves_find(curves, "a");
    assert_near(bl_curves_noise(app, 50).var, 7, 1e-9);
    assert_near(bl_curves_total(app, 0).expected, 100, 0);
    bl_curves_learn(curves, &(struct bl_curves_news){"a", NULL, 80, NULL});
    assert_near(bl_curves_total(app, 0).expected, 160, 0);
    bl_curves_learn_finished(curves, "a", 90);
    assert_near(bl_curves_total(app, 0).expected, 90, 1e-9);
    assert_int_equal(bl_curves_total(app, 0).finished, 1);
    bl_curves_destroy(curves);
}

static void what_cannot_be_true_is_passed_over(void **state)
{
    const struct bl_observation rows[] = {
        {0},
        {.gpus = 1},
        {.gpus = 1, .nodes = 1},
        {.gpus = 1, .nodes = 1, .rate = NAN},
        {.gpus = 1, .nodes = 1, .rate = -1},
        {.gpus = 1, .nodes = 1, .rate = INFINITY},
        {.gpus = 1, .nodes = 1, .rate = 1e300},
        {.gpus = 0, .nodes = 1, .rate = 1},
        {.gpus = 1, .nodes = 2, .rate = 1},
        {.gpus = -4, .nodes = -4, .rate = 1},
        {.gpus = 1, .nodes = 1, .local_batch = 1e300, .iter_s = 1},
        {.gpus = 1, .nodes = 1, .local_batch = 8, .iter_s = 1, .accumulation = -1},
        {.gpus = 1, .nodes = 1, .local_batch = 8, .iter_s = 1, .accumulation = INT32_MAX},
    };
    struct bl_curves *curves = bl_curves_create();

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        kit_learn(curves, "a", rows[i]);
    }
    assert_int_equal(bl_curves_gpus_seen(bl_curves_find(curves, "a")), 0);
    assert_near(kit_ask(curves, "a", 0, 1).rate, 0, 0);
    bl_curves_learn_finished(curves, "b", NAN);
    assert_null(bl_curves_find(curves, "b"));
    bl_curves_destroy(curves);
    bl_curves_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(A2_jobs_of_one_application_share_what_they_show),
        cmocka_unit_test(the_application_longest_without_news_leaves_first),
        cmocka_unit_test(a_reported_rate_sets_the_unit_of_work),
        cmocka_unit_test(noise_and_whole_work_are_shared),
        cmocka_unit_test(what_cannot_be_true_is_passed_over),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
