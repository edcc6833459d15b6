#include "core/curves_parts.h"
#include "curves_kit.h"

static void a_fit_stands_until_news_that_matter(void **state)
{
    struct bl_curves *curves = bl_curves_create();
    struct bl_observation seen = kit_observation(0, 4, 64);
    struct bl_curves_app *app;
    const struct bl_curves_known *known;

    (void)state;
    for (int i = 0; i < 100; i++) {
        kit_learn(curves, "a", seen);
    }
    app = bl_curves_find(curves, "a");
    known = bl_curves_known_find(app, 0);
    assert_non_null(bl_curves_fit(app, 0));
    seen.iter_s *= 1.0001;
    kit_learn(curves, "a", seen);
    assert_non_null(known->fit);
    seen.iter_s *= 3;
    kit_learn(curves, "a", seen);
    assert_null(known->fit);
    assert_null(bl_curves_fit(app, 7));
    bl_curves_destroy(curves);
}

static void news_of_one_type_reach_those_that_know_less(void **state)
{
    struct bl_curves *curves = bl_curves_create();
    struct bl_curves_app *app;

    (void)state;
    kit_learn(curves, "a", kit_observation(0, 2, 64));
    kit_learn(curves, "a", kit_observation(0, 4, 64));
    kit_learn(curves, "a", kit_observation(1, 1, 64));
    app = bl_curves_find(curves, "a");
    bl_curves_fit(app, 0);
    bl_curves_fit(app, 1);
    kit_learn(curves, "a", kit_observation(1, 1, 256));
    assert_non_null(bl_curves_known_find(app, 0)->fit);
    assert_null(bl_curves_known_find(app, 1)->fit);
    bl_curves_fit(app, 1);
    kit_learn(curves, "a", kit_observation(0, 8, 64));
    assert_null(bl_curves_known_find(app, 1)->fit);
    bl_curves_destroy(curves);
}

static void A6_one_gpu_of_a_new_type_tells_how_it_scales(void **state)
{
    struct bl_curves *curves = bl_curves_create();
    struct bl_throughput truth = kit_truth(2);

    (void)state;
    for (int32_t gpus = 1; gpus <= 16; gpus *= 2) {
        kit_learn(curves, "a", kit_observation(0, gpus, 64));
        kit_learn(curves, "a", kit_observation(0, gpus, 128));
    }
    kit_learn(curves, "a", kit_observation(2, 1, 64));
    for (int32_t gpus = 2; gpus <= 16; gpus *= 2) {
        struct bl_shape shape = {gpus, (gpus + 7) / 8, 64, 0};
        const struct bl_fit *fit = bl_curves_fit(bl_curves_find(curves, "a"), 2);

        assert_near(bl_fit_iteration(fit, &shape) / bl_throughput_step(&truth, &shape).step_s, 1,
                    0.05);
    }
    bl_curves_destroy(curves);
}

static void points_are_rounded_to_one_percent(void **state)
{
    struct bl_curves_sample sample = {.has_batch = true,
                                      .gpus = 2,
                                      .nodes = 1,
                                      .local_batch = 64,
                                      .iter_s = 0.1234567,
                                      .sync_s = 0.02,
                                      .count = 13};
    struct bl_fit_point point = bl_curves_point_of(&sample);

    (void)state;
    assert_near(point.iter_s / sample.iter_s, 1, 0.0101);
    assert_near(point.sync_s / point.iter_s, 0.16, 0.0101);
    assert_near(point.count, 4, 0);
    sample.iter_s = 0;
    assert_near(bl_curves_point_of(&sample).iter_s, 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fit_stands_until_news_that_matter),
        cmocka_unit_test(news_of_one_type_reach_those_that_know_less),
        cmocka_unit_test(A6_one_gpu_of_a_new_type_tells_how_it_scales),
        cmocka_unit_test(points_are_rounded_to_one_percent),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
