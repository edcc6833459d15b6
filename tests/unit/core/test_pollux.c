#include "core/pollux.h"

#include "bl_test.h"

#include <math.h>

static const struct bl_pollux_model truth = {.1, .002, .2, .01, .05, .004, 2};

static struct bl_pollux_point point_of(const struct bl_pollux_model *model, int32_t nodes,
                                       int32_t gpus, double batch)
{
    struct bl_step step = bl_pollux_step(model, nodes, gpus, batch);

    return (struct bl_pollux_point){nodes, gpus, batch, step.compute_s, step.step_s};
}

static double ratio_at(const struct bl_pollux_model *model, int32_t nodes, int32_t gpus)
{
    return bl_pollux_step(model, nodes, gpus, 64).step_s /
           bl_pollux_step(&truth, nodes, gpus, 64).step_s;
}

static void the_model_is_that_of_the_paper(void **state)
{
    static const struct {
        int32_t nodes, gpus;
        double network;
    } rows[] = {{1, 1, 1e-8}, {1, 2, .05}, {1, 4, .058}, {2, 2, .2}, {2, 8, .26}};
    double compute = .1 + .002 * 64;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_step step = bl_pollux_step(&truth, rows[i].nodes, rows[i].gpus, 64);

        assert_true(fabs(step.compute_s - compute) < 1e-12);
        assert_true(
            fabs(step.step_s - sqrt(compute * compute + rows[i].network * rows[i].network)) < 1e-7);
    }
}

static void what_was_seen_everywhere_is_foretold_well(void **state)
{
    static const int32_t places[][2] = {{1, 1}, {1, 2}, {1, 4}, {2, 8}, {4, 16}};
    struct bl_pollux_point points[10];
    struct bl_pollux_model model;

    (void)state;
    for (size_t i = 0; i < 10; i++) {
        points[i] = point_of(&truth, places[i / 2][0], places[i / 2][1], i % 2 ? 32 : 128);
    }
    model = bl_pollux_fit(points, 10, NULL);
    for (size_t i = 0; i < 5; i++) {
        assert_true(fabs(ratio_at(&model, places[i][0], places[i][1]) - 1) < .02);
    }
    model = bl_pollux_fit(points, 10, &model);
    assert_true(fabs(ratio_at(&model, 2, 8) - 1) < .02);
    assert_true(model.gamma >= 1 && model.gamma <= 10);
}

/* Of one GPU alone: no network at all, and half of the time fixed. */
static void what_was_not_seen_costs_nothing(void **state)
{
    struct bl_pollux_point point = point_of(&truth, 1, 1, 64);
    struct bl_pollux_model model = bl_pollux_fit(&point, 1, NULL);

    (void)state;
    assert_true(fabs(model.alpha_c - point.compute_s / 2) < 1e-6);
    assert_true(fabs(bl_pollux_step(&model, 1, 1, 64).step_s / point.step_s - 1) < .03);
    assert_true(
        fabs(bl_pollux_step(&model, 4, 16, 64).step_s / bl_pollux_step(&model, 1, 1, 64).step_s -
             1) < 1e-3);
}

static void across_nodes_is_never_taken_to_be_faster_than_within(void **state)
{
    struct bl_pollux_point points[] = {point_of(&truth, 1, 1, 64), point_of(&truth, 1, 4, 64),
                                       point_of(&truth, 1, 2, 32)};
    struct bl_pollux_model model = bl_pollux_fit(points, 3, NULL);

    (void)state;
    assert_true(model.alpha_n >= 1.1 * model.alpha_r * (1 - 1e-12));
    assert_true(bl_pollux_step(&model, 2, 4, 64).step_s >= bl_pollux_step(&model, 1, 4, 64).step_s);
}

static void only_news_change_the_model(void **state)
{
    struct bl_pollux_known known = {0};
    struct bl_pollux_point first = point_of(&truth, 1, 1, 64);
    struct bl_pollux_point slower = point_of(&truth, 1, 2, 64);

    (void)state;
    slower.step_s *= 2;
    assert_true(bl_pollux_see(&known, &first));
    assert_false(bl_pollux_see(&known, &first));
    assert_true(bl_pollux_knows(&known, &first));
    assert_false(bl_pollux_knows(&known, &slower));
    assert_true(bl_pollux_see(&known, &slower));
    assert_int_equal(known.count, 2);
}

/* Many batches of one place must not keep the job from learning another. */
static void when_there_are_too_many_points_the_commonest_place_loses_one(void **state)
{
    struct bl_pollux_known known = {0};
    struct bl_pollux_point first = point_of(&truth, 1, 1, 64);

    (void)state;
    bl_pollux_see(&known, &first);
    for (int i = 0; i < 2 * BL_POLLUX_POINTS_MAX; i++) {
        struct bl_pollux_point point = point_of(&truth, 1, 8, 100 + i);

        bl_pollux_see(&known, &point);
    }
    assert_int_equal(known.count, BL_POLLUX_POINTS_MAX);
    assert_true(bl_pollux_knows(&known, &first));
    first.local_batch = 100;
    first.gpus = 8;
    assert_false(bl_pollux_knows(&known, &first));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_model_is_that_of_the_paper),
        cmocka_unit_test(what_was_seen_everywhere_is_foretold_well),
        cmocka_unit_test(what_was_not_seen_costs_nothing),
        cmocka_unit_test(across_nodes_is_never_taken_to_be_faster_than_within),
        cmocka_unit_test(only_news_change_the_model),
        cmocka_unit_test(when_there_are_too_many_points_the_commonest_place_loses_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
