#include "bl_test.h"
#include "core/hesrpt.h"

#include <math.h>

enum { COUNTS = 4 };

/* Jobs that may have 1, 2, 4 or 8 of one bucket's GPUs, speed k^0.7. */
struct bench {
    struct bl_arena arena;
    struct bl_view view;
    struct bl_job job[3];
    struct bl_crew_member member[3];
    struct bl_crew_option option[3 * COUNTS];
    struct bl_crew crew;
    double value[3 * COUNTS];
};

static void setup(struct bench *bench, size_t jobs)
{
    *bench = (struct bench){0};
    bench->view.scratch = &bench->arena;
    bench->crew = (struct bl_crew){.view = &bench->view,
                                   .bucket = {{.room = 16, .node = BL_CREW_NONE}},
                                   .bucket_count = 1,
                                   .member = bench->member,
                                   .count = jobs,
                                   .option = bench->option,
                                   .option_count = jobs * COUNTS};
    for (size_t i = 0; i < jobs; i++) {
        bench->member[i] = (struct bl_crew_member){.job = &bench->job[i],
                                                   .left_s = 1000 * (double)(i + 1),
                                                   .first = i * COUNTS,
                                                   .count = COUNTS,
                                                   .bucket = BL_CREW_NONE};
        bench->job[i].spec.job_class = BL_CLASS_BATCH;
        for (int k = 0; k < COUNTS; k++) {
            bench->option[i * COUNTS + (size_t)k] =
                (struct bl_crew_option){0, 1 << k, pow(1 << k, 0.7)};
        }
    }
}

static const double *rate(struct bench *bench)
{
    bl_hesrpt(&bench->crew, 86400, bench->value);
    bl_arena_finish(&bench->arena);
    return bench->value;
}

static void the_shorter_job_is_dearer_and_more_gpus_are_worth_more(void **state)
{
    struct bench bench;
    const double *value;

    (void)state;
    setup(&bench, 3);
    value = rate(&bench);
    for (int k = 0; k < COUNTS; k++) {
        assert_true(value[k] > value[COUNTS + k] && value[COUNTS + k] > value[2 * COUNTS + k]);
        assert_true(k == 0 || value[k] > value[k - 1]);
    }
}

static void one_job_alone_has_weight_one(void **state)
{
    struct bench bench;

    (void)state;
    setup(&bench, 1);
    assert_true(fabs(rate(&bench)[0] * pow(8, 0.7) / pow(8, 0.5) - 1) < 1e-9);
}

static void a_change_costs_its_restart_and_staying_nothing(void **state)
{
    struct bench bench;
    const double *value;
    double free_value;

    (void)state;
    setup(&bench, 1);
    free_value = rate(&bench)[3];
    setup(&bench, 1);
    bench.member[0].restart_s = 60;
    bench.member[0].is_running = true;
    bench.member[0].bucket = 0;
    bench.member[0].gpus = 4;
    value = rate(&bench);
    assert_true(value[3] < 0.9 * free_value && value[3] > 0.7 * free_value);
    assert_true(value[2] > value[1]);
    setup(&bench, 1);
    bench.member[0].restart_s = 60; /* a first start is never discounted */
    assert_true(fabs(rate(&bench)[3] - free_value) < 1e-12);
}

/* What growing from 4 GPUs to 8 is worth beside staying, where all have so much left. */
static double worth_of_growing(double left_s)
{
    struct bench bench;
    const double *value;

    setup(&bench, 3);
    for (int i = 0; i < 3; i++) {
        bench.member[i].left_s = left_s;
    }
    bench.member[0].restart_s = 60;
    bench.member[0].is_running = true;
    bench.member[0].bucket = 0;
    bench.member[0].gpus = 4;
    value = rate(&bench);
    return value[3] / value[2];
}

static void a_change_has_until_somebody_is_expected_to_end_to_pay_for_itself(void **state)
{
    (void)state;
    assert_true(fabs(worth_of_growing(1e6) / worth_of_growing(1500) / (0.98 / (1 - 60.0 / 360)) -
                     1) < 1e-9);
    assert_true(worth_of_growing(6000) > worth_of_growing(1500));
    assert_true(worth_of_growing(6000) < worth_of_growing(1e6));
}

/* What moving to as many GPUs of another bucket is worth beside staying. */
static double worth_of_moving(int32_t type)
{
    struct bench bench;
    const double *value;

    setup(&bench, 1);
    bench.crew.bucket[1] = (struct bl_bucket){.type = type, .room = 16, .node = BL_CREW_NONE};
    bench.crew.bucket_count = 2;
    for (int32_t bucket = 0; bucket < 2; bucket++) {
        bench.option[2 * bucket] = (struct bl_crew_option){bucket, 1, 1};
        bench.option[2 * bucket + 1] = (struct bl_crew_option){bucket, 4, 3};
    }
    bench.member[0].left_s = 900;
    bench.member[0].restart_s = 60;
    bench.member[0].is_running = true;
    bench.member[0].bucket = 0;
    bench.member[0].gpus = 4;
    value = rate(&bench);
    return value[3] / value[1];
}

static void A14_moving_to_another_type_counts_as_two_restarts(void **state)
{
    (void)state;
    assert_true(fabs(worth_of_moving(0) - (1 - 60.0 / 360)) < 1e-9);
    assert_true(fabs(worth_of_moving(1) - (1 - 120.0 / 420)) < 1e-9);
}

/* The worth of a job's fair share, 4 GPUs, is 4 to the power of the elasticity less 0.2. */
static void A2_one_count_that_is_measured_badly_does_not_change_the_elasticity(void **state)
{
    struct bench bench;

    (void)state;
    setup(&bench, 1);
    bench.crew.bucket[0].room = 4;
    bench.option[0] = (struct bl_crew_option){0, 2, pow(2, 0.7)};
    bench.option[1] = (struct bl_crew_option){0, 3, 0.8 * pow(3, 0.7)};
    assert_true(fabs(rate(&bench)[2] - 2) < 1e-9);
}

static double worth_of_a_change(double age_s, int32_t restarts)
{
    struct bench bench;

    setup(&bench, 1);
    bench.member[0].restart_s = 60;
    bench.member[0].age_s = age_s;
    bench.member[0].is_running = true;
    bench.member[0].bucket = 0;
    bench.member[0].gpus = 4;
    bench.member[0].left_s = 1e6;
    bench.job[0].restarts = restarts;
    return rate(&bench)[3];
}

static void who_was_changed_often_is_left_alone_until_it_is_older(void **state)
{
    double rested = worth_of_a_change(36000, 0);

    (void)state;
    assert_true(worth_of_a_change(36000, 300) < 0.6 * rested);
    assert_true(worth_of_a_change(36000, 600) < 0.03 * rested);
    assert_true(worth_of_a_change(36000, 10000) > 0);
    assert_true(fabs(worth_of_a_change(3600000, 600) / rested - 1) < 1e-9);
    assert_true(fabs(worth_of_a_change(30, 0) / rested - 1) < 1e-9);
}

static void waiting_priority_and_people_make_a_job_dearer(void **state)
{
    struct bench bench;
    double plain;

    (void)state;
    setup(&bench, 1);
    plain = rate(&bench)[0];
    setup(&bench, 1);
    bench.member[0].waited_s = 86400;
    assert_true(fabs(rate(&bench)[0] / plain - 2) < 1e-9);
    setup(&bench, 1);
    bench.job[0].spec.priority = 4;
    assert_true(fabs(rate(&bench)[0] / plain - 2) < 1e-9);
    setup(&bench, 1);
    bench.job[0].spec.priority = 1000000;
    assert_true(fabs(rate(&bench)[0] / plain - 32) < 1e-9);
    setup(&bench, 1);
    bench.job[0].spec.job_class = BL_CLASS_INTERACTIVE;
    assert_true(fabs(rate(&bench)[0] / plain - 4) < 1e-9);
}

static void jobs_without_options_and_buckets_without_jobs_do_no_harm(void **state)
{
    struct bench bench;
    const double *value;

    (void)state;
    setup(&bench, 2);
    bench.member[1].count = 0;
    bench.crew.bucket[1] = (struct bl_bucket){.type = 1, .room = 1000, .node = BL_CREW_NONE};
    bench.crew.bucket_count = 2;
    value = rate(&bench);
    for (int k = 0; k < COUNTS; k++) {
        assert_true(value[k] > 0 && isfinite(value[k]));
    }
    setup(&bench, 0);
    rate(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_shorter_job_is_dearer_and_more_gpus_are_worth_more),
        cmocka_unit_test(one_job_alone_has_weight_one),
        cmocka_unit_test(a_change_costs_its_restart_and_staying_nothing),
        cmocka_unit_test(a_change_has_until_somebody_is_expected_to_end_to_pay_for_itself),
        cmocka_unit_test(A14_moving_to_another_type_counts_as_two_restarts),
        cmocka_unit_test(A2_one_count_that_is_measured_badly_does_not_change_the_elasticity),
        cmocka_unit_test(who_was_changed_often_is_left_alone_until_it_is_older),
        cmocka_unit_test(waiting_priority_and_people_make_a_job_dearer),
        cmocka_unit_test(jobs_without_options_and_buckets_without_jobs_do_no_harm),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
