#include "base/rng.h"
#include "core/curves_parts.h"
#include "near.h"

enum { CASES = 400, NOISES = 40 };

/* A number between the two, even in its logarithm. */
static double draw(struct bl_rng *rng, double low, double high)
{
    double share = (double)bl_rng_between(rng, 0, 1000000) / 1e6;

    return low * pow(high / low, share);
}

static struct bl_fit draw_fit(struct bl_rng *rng)
{
    struct bl_fit fit = {.model = {.alpha_c = draw(rng, 1e-3, 1),
                                   .beta_c = draw(rng, 1e-5, 1e-2),
                                   .alpha_r = draw(rng, 1e-4, 1),
                                   .beta_r = draw(rng, 1e-5, 0.1),
                                   .alpha_n = draw(rng, 1e-4, 1),
                                   .beta_n = draw(rng, 1e-5, 0.1),
                                   .gamma = draw(rng, 1, BL_GAMMA_MAX)}};

    return fit;
}

static struct bl_curves_placement draw_placement(struct bl_rng *rng)
{
    struct bl_curves_placement placement = {
        .subject = {.gpus = (int32_t)bl_rng_between(rng, 1, 16), .nodes = 1}};
    struct bl_batch *batch = &placement.subject.batch;

    placement.subject.nodes = (placement.subject.gpus + 3) / 4;
    batch->initial = floor(draw(rng, 8, 256));
    batch->max = batch->initial * draw(rng, 1, 200);
    batch->local_min = floor(draw(rng, 1, 16));
    batch->local_max = batch->local_min * draw(rng, 1, 64);
    return placement;
}

/* As for a new fit: corrections that differ by up to a half. */
static void correct(struct bl_rng *rng, struct bl_curves_placement *placement)
{
    for (int i = 0; i < 3; i++) {
        placement->correction[i] = log(draw(rng, 0.6, 1.6));
    }
}

static struct bl_step full_step(const void *self, double local)
{
    const struct bl_curves_asking *asking = self;
    size_t i = 0;

    while (asking->placement->grid.at[i].local != local) {
        i++;
    }
    return bl_curves_step_at(asking, local, &asking->placement->lie[i]);
}

static void compare(struct bl_rng *rng, const struct bl_curves_asking *asking)
{
    const struct bl_curves_subject *subject = &asking->placement->subject;

    for (int i = 0; i < NOISES; i++) {
        struct bl_noise noise = {draw(rng, 0.1, 10), draw(rng, 1e-3, 1e5)};
        struct bl_tuned found = {0};
        struct bl_tuned all = {0};

        assert_int_equal(bl_curves_best_batch(asking, &noise, &found),
                         bl_goodput_best(&subject->batch, &noise, subject->gpus,
                                         &(struct bl_steps){full_step, asking}, &all));
        assert_near(found.choice.global, all.choice.global, 0);
        assert_near(found.choice.iter_s, all.choice.iter_s, 0);
        assert_near(found.goodput, all.goodput, 0);
    }
}

static void the_batch_is_the_one_that_all_exact_times_give(void **state)
{
    struct bl_rng rng;

    (void)state;
    bl_rng_seed(&rng, 1);
    for (int i = 0; i < CASES; i++) {
        struct bl_curves_placement placement = draw_placement(&rng);

        bl_curves_plan_batches(&placement);
        for (int fits = 0; fits < 3 && placement.grid.count > 0; fits++) {
            struct bl_fit fit = draw_fit(&rng);
            struct bl_curves_asking asking = {&fit, &placement};

            correct(&rng, &placement);
            bl_curves_bound_batches(&asking);
            compare(&rng, &asking);
        }
    }
}

static size_t count_exact(uint64_t bits)
{
    size_t count = 0;

    for (; bits; bits &= bits - 1) {
        count++;
    }
    return count;
}

static void few_times_are_worked_out(void **state)
{
    struct bl_curves_placement placement = {
        .subject = {.gpus = 4, .nodes = 1, .batch = {128, 8192, 16, 2048}}};
    struct bl_fit fit = {.model = {0.05, 0.002, 0.03, 0.001, 0.1, 0.002, 2}};
    struct bl_curves_asking asking = {&fit, &placement};
    struct bl_tuned found;

    (void)state;
    bl_curves_plan_batches(&placement);
    bl_curves_bound_batches(&asking);
    assert_int_equal(placement.grid.count, BL_BATCH_CHOICES);
    for (int i = 0; i < 10; i++) {
        assert_true(bl_curves_best_batch(&asking, &(struct bl_noise){1, 20 + 0.01 * i}, &found));
    }
    assert_true(count_exact(placement.exact) <= BL_BATCH_CHOICES / 3);
}

static void a_time_that_is_none_is_never_chosen(void **state)
{
    struct bl_curves_placement placement = {
        .subject = {.gpus = 2, .nodes = 1, .batch = {64, 1024, 16, 256}}};
    struct bl_fit fit = {.model = {INFINITY, 0.002, 0.03, 0.001, 0.1, 0.002, 2}};
    struct bl_curves_asking asking = {&fit, &placement};
    struct bl_tuned found;

    (void)state;
    bl_curves_plan_batches(&placement);
    bl_curves_bound_batches(&asking);
    assert_false(bl_curves_best_batch(&asking, &(struct bl_noise){1, 20}, &found));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_batch_is_the_one_that_all_exact_times_give),
        cmocka_unit_test(few_times_are_worked_out),
        cmocka_unit_test(a_time_that_is_none_is_never_chosen),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
