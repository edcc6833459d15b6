#include "bl_test.h"
#include "near.h"
#include "sim/bound.h"

static const struct bl_node_spec node = {.name = "n", .gpu_type = "A100", .gpus = 4};
static const struct bl_curve_point points[] = {{1, 1}, {4, 2}};

static const struct bl_job_spec whole = {
    .gpus_min = 4, .gpus_want = 4, .gpus_max = 4, .work = 10 * BL_SECOND};
static const struct bl_job_spec elastic = {
    .gpus_min = 1,
    .gpus_want = 4,
    .gpus_max = 4,
    .work = 10 * BL_SECOND,
    .curve = {.kind = BL_CURVE_POINTS, .point_count = 2, .point = points}};

/* The bound of `count` jobs of that spec, submitted at once and run one after the other. */
static double bound_of(const struct bl_job_spec *spec, int32_t attempt, int count)
{
    struct bl_cluster cluster = {0};
    struct bl_sim_bound *bound = bl_sim_bound_create();
    struct bl_job job = {.spec = *spec, .attempt = attempt, .submitted_at = 1000 * BL_SECOND};
    double found;

    assert_int_equal(bl_cluster_add_node(&cluster, &node), 0);
    bl_job_resolve(&job, &cluster);
    for (int i = 0; i < count; i++) {
        job.ended_at = job.submitted_at + (i + 1) * (spec->work + spec->restart);
        bl_sim_bound_add(bound, &cluster, &job);
    }
    found = bl_sim_bound_mean(bound);
    bl_sim_bound_destroy(bound);
    bl_cluster_finish(&cluster);
    return found;
}

static void without_jobs_there_is_no_bound(void **state)
{
    (void)state;
    assert_true(isnan(bound_of(&whole, 1, 0)));
}

static void unknown_work_bounds_nothing(void **state)
{
    struct bl_job_spec spec = whole;

    (void)state;
    spec.work = 0;
    spec.restart = BL_MINUTE;
    assert_near(bound_of(&spec, 1, 2), 0, 0);
}

/* Two jobs that each take the whole machine: one of them ends at 20 s at the earliest. */
static void jobs_that_exclude_each_other_raise_the_bound(void **state)
{
    double found = bound_of(&whole, 1, 2);

    (void)state;
    assert_near(bound_of(&whole, 1, 1), 10, 1e-3);
    assert_true(found > 14.5 && found < 15);
}

/* One that ran twice is divisible: what shares the machine evenly ends at 20 s too. */
static void a_job_that_was_put_back_may_be_divided(void **state)
{
    double found = bound_of(&whole, 2, 2);

    (void)state;
    assert_true(found > 14 && found < 15);
}

/* Alone it takes 5 s on four GPUs. Both on two: 10 / (4 / 3) = 7.5 s. */
static void an_elastic_job_is_bounded_on_its_best_count(void **state)
{
    double found = bound_of(&elastic, 1, 2);

    (void)state;
    assert_near(bound_of(&elastic, 1, 1), 5, 1e-3);
    assert_true(found > 6.5 && found <= 7.5);
}

static void a_first_start_takes_its_time_within_the_limit(void **state)
{
    static const struct {
        const struct bl_job_spec *spec;
        bl_time restart, limit;
        double expected;
    } rows[] = {
        {&whole, 3 * BL_SECOND, 0, 13},
        {&whole, 3 * BL_SECOND, 12 * BL_SECOND, 12},
        {&elastic, 3 * BL_SECOND, 0, 8},
        {&elastic, 3 * BL_SECOND, 20 * BL_SECOND, 5},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_job_spec spec = *rows[i].spec;

        spec.restart = rows[i].restart;
        spec.limit = rows[i].limit;
        assert_near(bound_of(&spec, 1, 1), rows[i].expected, 1e-3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_jobs_there_is_no_bound),
        cmocka_unit_test(unknown_work_bounds_nothing),
        cmocka_unit_test(jobs_that_exclude_each_other_raise_the_bound),
        cmocka_unit_test(a_job_that_was_put_back_may_be_divided),
        cmocka_unit_test(an_elastic_job_is_bounded_on_its_best_count),
        cmocka_unit_test(a_first_start_takes_its_time_within_the_limit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
