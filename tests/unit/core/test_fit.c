#include "base/rng.h"
#include "core/fit.h"
#include "near.h"

static const int32_t placements[][2] = {{1, 1}, {2, 1}, {4, 1}, {8, 1}, {8, 2}, {16, 2}, {32, 4}};

enum { PLACEMENTS = sizeof placements / sizeof placements[0] };

static double log_uniform(struct bl_rng *rng, double low, double high)
{
    return low * pow(high / low, bl_rng_unit(rng));
}

/* A measurement with a relative error of five percent (a sum of uniform numbers is nearly normal).
 */
static double measured(struct bl_rng *rng, double truth)
{
    double sum = 0;

    for (int i = 0; i < 12; i++) {
        sum += bl_rng_unit(rng);
    }
    return truth * exp(0.05 * (sum - 6));
}

static struct bl_throughput draw_truth(struct bl_rng *rng)
{
    struct bl_throughput truth = {
        .alpha_c = log_uniform(rng, 0.01, 0.2),
        .beta_c = log_uniform(rng, 0.001, 0.01),
        .gamma = 1.2 + 4 * bl_rng_unit(rng),
    };
    double compute = truth.alpha_c + truth.beta_c * 32;

    truth.alpha_r = compute * log_uniform(rng, 0.02, 0.25);
    truth.beta_r = truth.alpha_r * 0.02 * bl_rng_unit(rng);
    truth.alpha_n = truth.alpha_r * (1.5 + 4.5 * bl_rng_unit(rng));
    truth.beta_n = truth.alpha_n * 0.02 * bl_rng_unit(rng);
    return truth;
}

static size_t observe_all(const struct bl_throughput *truth, struct bl_rng *rng,
                          struct bl_fit_point *point)
{
    size_t count = 0;

    for (int i = 0; i < PLACEMENTS; i++) {
        for (int32_t batch = 16; batch <= 64; batch *= 2) {
            struct bl_shape shape = {placements[i][0], placements[i][1], batch, 0};
            struct bl_step step = bl_throughput_step(truth, &shape);
            double iter_s = measured(rng, step.step_s);

            point[count++] = (struct bl_fit_point){shape, iter_s,
                                                   iter_s * (1 - step.compute_s / step.step_s), 1};
        }
    }
    return count;
}

static void make(struct bl_fit *fit, const struct bl_fit_point *point, size_t count)
{
    struct bl_fit_prior prior = bl_fit_prior_of(point, count);

    bl_fit_make(fit, point, count, &prior);
}

/* The error over all placements and batches that were measured, and between them. */
static double error_of(const struct bl_fit *fit, const struct bl_throughput *truth)
{
    double sum = 0;
    int count = 0;

    for (int i = 0; i < PLACEMENTS; i++) {
        for (int32_t batch = 16; batch <= 64; batch += 8) {
            struct bl_shape shape = {placements[i][0], placements[i][1], batch, 0};

            sum +=
                fabs(log(bl_fit_iteration(fit, &shape) / bl_throughput_step(truth, &shape).step_s));
            count++;
        }
    }
    return sum / count;
}

static void A2_truths_are_recovered_under_five_percent_of_noise(void **state)
{
    struct bl_rng rng;
    struct bl_fit fit;
    double sum = 0;
    double worst = 0;
    const int cases = 200;

    (void)state;
    bl_rng_seed(&rng, 7);
    for (int i = 0; i < cases; i++) {
        struct bl_fit_point point[BL_FIT_POINTS_MAX];
        struct bl_throughput truth = draw_truth(&rng);
        double error;

        make(&fit, point, observe_all(&truth, &rng, point));
        error = error_of(&fit, &truth);
        sum += error;
        worst = fmax(worst, error);
    }
    assert_true(sum / cases < 0.03);
    assert_true(worst < 0.06);
}

static void A2_two_placements_foretell_the_next_doubling(void **state)
{
    struct bl_rng rng;
    struct bl_fit fit;
    int inside = 0;
    const int cases = 200;

    (void)state;
    bl_rng_seed(&rng, 11);
    for (int i = 0; i < cases; i++) {
        struct bl_fit_point point[BL_FIT_POINTS_MAX];
        struct bl_throughput truth = draw_truth(&rng);
        struct bl_shape next = {4, 1, 32, 0};
        struct bl_fit_answer answer;

        observe_all(&truth, &rng, point);
        make(&fit, point, 6); /* one and two GPUs */
        answer = bl_fit_ask(&fit, &next);
        inside += fabs(log(answer.iter_s / bl_throughput_step(&truth, &next).step_s)) <
                  1.64 * answer.deviation;
        assert_true(answer.deviation < 0.25);
    }
    assert_true(inside >= cases * 85 / 100);
}

static void rates_alone_fit_the_same_model(void **state)
{
    const struct bl_throughput truth = {.alpha_c = 0.05,
                                        .beta_c = 0.95,
                                        .alpha_r = 0.03,
                                        .beta_r = 0.001,
                                        .alpha_n = 0.1,
                                        .beta_n = 0.002,
                                        .gamma = 2};
    struct bl_fit_point point[PLACEMENTS];
    struct bl_fit fit;

    (void)state;
    for (int i = 0; i < PLACEMENTS; i++) {
        struct bl_shape shape = {placements[i][0], placements[i][1], 1.0 / placements[i][0], 0};

        point[i] = (struct bl_fit_point){shape, bl_throughput_step(&truth, &shape).step_s, 0, 9};
    }
    make(&fit, point, PLACEMENTS);
    for (int i = 0; i < PLACEMENTS; i++) {
        assert_near(bl_fit_iteration(&fit, &point[i].shape) / point[i].iter_s, 1, 0.03);
    }
    assert_near(bl_fit_iteration(&fit, &(struct bl_shape){3, 1, 1 / 3.0, 0}) /
                    bl_throughput_step(&truth, &(struct bl_shape){3, 1, 1 / 3.0, 0}).step_s,
                1, 0.06);
}

static void uncertainty_falls_with_measurements_and_grows_away_from_them(void **state)
{
    struct bl_fit_point point[] = {{{1, 1, 32, 0}, 0.4, 0, 1}, {{2, 1, 32, 0}, 0.45, 0.05, 1}};
    struct bl_fit one;
    struct bl_fit many;
    double at = 0;

    (void)state;
    make(&one, point, 2);
    point[0].count = point[1].count = 100;
    make(&many, point, 2);
    assert_true(bl_fit_ask(&many, &point[1].shape).deviation <
                bl_fit_ask(&one, &point[1].shape).deviation);
    for (int32_t gpus = 2; gpus <= 64; gpus *= 2) {
        double deviation =
            bl_fit_ask(&one, &(struct bl_shape){gpus, 1 + gpus / 16, 32, 0}).deviation;

        assert_true(deviation > at);
        at = deviation;
    }
}

static void what_points_say_against_the_model_holds_near_them(void **state)
{
    /* In the model a step within a node never gets shorter with more GPUs. */
    struct bl_fit_point point[] = {
        {{1, 1, 32, 0}, 1.0, 0, 50}, {{2, 1, 32, 0}, 1.05, 0, 50}, {{4, 1, 32, 0}, 2.0, 0, 50},
        {{8, 1, 32, 0}, 1.1, 0, 50}, {{16, 2, 32, 0}, 1.2, 0, 50},
    };
    struct bl_fit fit;

    (void)state;
    make(&fit, point, 5);
    for (int i = 0; i < 5; i++) {
        assert_near(bl_fit_iteration(&fit, &point[i].shape) / point[i].iter_s, 1, 0.03);
    }
    assert_true(bl_fit_ask(&fit, &point[2].shape).correction > 1.1);
}

static void every_input_leaves_a_finite_answer_over_zero(void **state)
{
    const struct bl_shape shape = {4, 1, 32, 0};
    const struct {
        struct bl_fit_point point[3];
        size_t count;
    } rows[] = {
        {{{{0}, 0, 0, 0}}, 0},
        {{{{1, 1, 32, 0}, 0.5, 0, 1}}, 1},
        {{{{1, 1, 32, 0}, 0.5, 0, 1}, {{1, 1, 32, 0}, 0.5, 0, 1}, {{1, 1, 32, 0}, 0.5, 0, 1}}, 3},
        {{{{1, 1, 32, 0}, 0.1, 0, 1}, {{1, 1, 32, 0}, 90, 0, 1}}, 2},
        {{{{1, 1, 32, 0}, NAN, 0, 1}, {{2, 1, 32, 0}, INFINITY, 0, 1}}, 2},
        {{{{1, 1, 32, 0}, 0, 0, 1}, {{2, 1, 32, 0}, -1, 0, 1}}, 2},
        {{{{1, 1, NAN, 0}, 1, 0, 1}, {{2, 1, 0, 0}, 1, 0, 1}, {{2, 3, 1, 0}, 1, 0, 1}}, 3},
        {{{{4, 1, 32, 0}, 1, 2, 1}, {{8, 1, 32, 0}, 1, NAN, 1}, {{8, 1, 32, 0}, 1, -3, 1}}, 3},
        {{{{1, 1, 32, 0}, 1e-9, 0, 1}, {{2, 1, 32, 0}, 1e9, 0, 1}}, 2},
        {{{{1, 1, 1e-9, 0}, 1, 0, 1}, {{2, 1, 1e9, 0}, 1, 0, 1e300}}, 2},
        {{{{1, 1, 32, INT32_MAX}, 1, 0, 1}, {{2, 1, 32, 1000}, 1, 0.9, 1}}, 2},
        /* slower and slower with each doubling */
        {{{{1, 1, 32, 0}, 1, 0, 1}, {{2, 1, 32, 0}, 4, 0, 1}, {{4, 1, 32, 0}, 16, 0, 1}}, 3},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_fit fit;
        struct bl_fit_answer answer;

        make(&fit, rows[i].point, rows[i].count);
        answer = bl_fit_ask(&fit, &shape);
        if (!(isfinite(answer.iter_s) && answer.iter_s > 0 && isfinite(answer.deviation) &&
              answer.deviation > 0)) {
            fail_msg("row %zu: %g +- %g", i, answer.iter_s, answer.deviation);
        }
        assert_true(fit.model.gamma >= 1 && fit.model.gamma <= BL_GAMMA_MAX);
    }
}

static void points_beyond_the_most_are_passed_over(void **state)
{
    struct bl_fit_point point[BL_FIT_POINTS_MAX + 5];
    struct bl_fit fit;

    (void)state;
    for (int i = 0; i < BL_FIT_POINTS_MAX + 5; i++) {
        point[i] = (struct bl_fit_point){{1 + i, 1, 32, 0}, 1, 0, 1};
    }
    make(&fit, point, BL_FIT_POINTS_MAX + 5);
    assert_int_equal(fit.point_count, BL_FIT_POINTS_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(A2_truths_are_recovered_under_five_percent_of_noise),
        cmocka_unit_test(A2_two_placements_foretell_the_next_doubling),
        cmocka_unit_test(rates_alone_fit_the_same_model),
        cmocka_unit_test(uncertainty_falls_with_measurements_and_grows_away_from_them),
        cmocka_unit_test(what_points_say_against_the_model_holds_near_them),
        cmocka_unit_test(every_input_leaves_a_finite_answer_over_zero),
        cmocka_unit_test(points_beyond_the_most_are_passed_over),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
