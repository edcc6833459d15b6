#include "bl_test.h"
#include "near.h"
#include "scene.h"

#include "base/rng.h"
#include "base/sort.h"

#include <math.h>
#include <stdlib.h>

static struct bl_figures figures_of(const struct scene *scene)
{
    struct bl_figures figures;

    bl_metrics_figures(bl_core_metrics(scene->core), &figures);
    return figures;
}

/* Four GPUs, first come first served:
 *     job 1: four GPUs, 0 to 10 s; job 2: two, submitted at 2, 10 to 15; job 3: two, submitted at
 *     3, 10 to 30. Waits 0, 8, 7; completion times 10, 13, 27. */
static struct scene three_jobs(void)
{
    struct scene scene = scene_new("1x4:A100", "fifo");

    scene_event(&scene, "t=0s submit id=1 gpus=4 run=10s");
    scene_event(&scene, "t=2s submit id=2 gpus=2 run=5s");
    scene_event(&scene, "t=3s submit id=3 gpus=2 run=20s");
    scene_starts(&scene);
    return scene;
}

static void A16_times_of_jobs(void **state)
{
    struct scene scene = three_jobs();
    struct bl_figures figures = figures_of(&scene);

    (void)state;
    assert_int_equal(figures.jobs, 3);
    assert_int_equal(figures.done, 3);
    assert_near(figures.avg_jct_s, 50.0 / 3, 1e-12);
    assert_near(figures.p50_jct_s, 13, 0);
    assert_near(figures.p99_jct_s, 27, 0);
    assert_near(figures.makespan_s, 30, 0);
    assert_near(figures.avg_wait_s, 5, 0);
    assert_near(figures.p99_wait_s, 8, 0);
    assert_near(figures.max_wait_s, 8, 0);
    assert_near(figures.throughput_jobs_h, 360, 1e-9);
    scene_free(&scene);
}

/* 10 / 10, 13 / 10 (a run counts as ten seconds at least), 27 / 20. */
static void A16_bounded_slowdown_and_finish_time_fairness(void **state)
{
    struct scene scene = three_jobs();
    struct bl_figures figures = figures_of(&scene);

    (void)state;
    assert_near(figures.avg_bounded_slowdown, (1 + 1.3 + 1.35) / 3, 1e-9);
    /* The worst is job 2: 13 s where 5 would do; fewer jobs than GPUs. */
    assert_near(figures.worst_ftf_rho, 13.0 / 5, 1e-12);
    scene_free(&scene);
}

static void finish_time_fairness_allows_for_the_crowd(void **state)
{
    struct scene scene = scene_new("1x1:A100", "fifo");

    (void)state;
    scene_event(&scene, "t=0s submit id=1 gpus=1 run=10s");
    scene_event(&scene, "t=0s submit id=2 gpus=1 run=10s");
    scene_event(&scene, "t=0s submit id=3 gpus=1 run=10s");
    scene_starts(&scene);
    assert_near(figures_of(&scene).worst_ftf_rho, 30.0 / 10 / 3, 1e-12);
    scene_free(&scene);
}

/* 40 + 10 + 40 GPU seconds of 4 x 30; nothing was free when the last job had come. */
static void A16_use_of_the_machine(void **state)
{
    struct scene scene = three_jobs();
    struct bl_figures figures = figures_of(&scene);

    (void)state;
    assert_near(figures.gpu_utilization, 90.0 / 120, 1e-12);
    assert_near(figures.gpu_hours, 90.0 / 3600, 1e-12);
    assert_near(figures.unallocated_ratio, 0, 0);
    assert_int_equal(figures.restarts, 0);
    assert_int_equal(figures.cost_micros, 0);
    scene_free(&scene);
}

static void unallocated_is_what_is_free_once_the_last_job_was_decided_on(void **state)
{
    struct scene scene = scene_new("1x8:A100", "fifo");

    (void)state;
    scene_event(&scene, "t=0s submit id=1 gpus=3 run=10s");
    assert_near(figures_of(&scene).unallocated_ratio, 5.0 / 8, 1e-12);
    scene_event(&scene, "t=1s submit id=2 gpus=1 run=10s");
    scene_starts(&scene);
    assert_near(figures_of(&scene).unallocated_ratio, 4.0 / 8, 1e-12);
    scene_free(&scene);
}

/* A node of four GPUs at 3.60 an hour: half of it for 1,000 s, a quarter for 1,000 s. */
static void A16_cost_is_the_price_of_the_part_that_was_used(void **state)
{
    struct scene scene = scene_new("1x1:A100", "fifo");
    struct bl_event node = {.kind = BL_EVENT_NODE_ADDED};

    (void)state;
    node.u.node = (struct bl_node_spec){.name = "dear",
                                        .gpu_type = "H100",
                                        .gpus = 4,
                                        .cpu_milli = 64000,
                                        .mem_bytes = INT64_C(1) << 40,
                                        .price_micros = 3600000};
    scene_step(&scene, &node);
    scene_event(&scene, "t=0s submit id=1 gpus=2 type=H100 run=1000s");
    scene_event(&scene, "t=1000s submit id=2 gpus=1 type=H100 run=1000s");
    scene_starts(&scene);
    assert_int_equal(figures_of(&scene).cost_micros, 750000);
    scene_free(&scene);
}

static void ends_are_counted_by_kind_and_only_runs_have_times(void **state)
{
    struct scene scene = scene_new("1x2:A100", "fifo");
    struct bl_figures figures;

    (void)state;
    scene_event(&scene, "t=0s submit id=1 gpus=2 run=10s");
    scene_event(&scene, "t=0s submit id=2 gpus=1");
    scene_event(&scene, "t=1s cancel id=2");
    scene_event(&scene, "t=11s submit id=3 gpus=1");
    scene_event(&scene, "t=12s end id=3 code=1");
    scene_event(&scene, "t=13s submit id=4 gpus=1");
    scene_event(&scene, "t=14s end id=4 lost=1");
    scene_event(&scene, "t=14s submit id=5 gpus=1");
    figures = figures_of(&scene);
    assert_int_equal(figures.jobs, 5);
    assert_int_equal(figures.done, 1);
    assert_int_equal(figures.cancelled, 1);
    assert_int_equal(figures.failed, 2);
    assert_near(figures.avg_jct_s, (10 + 1 + 1) / 3.0, 1e-12);
    scene_free(&scene);
}

/* Its start fails at 5 s; it is tried again, and what it waited for is the first start. */
static void a_job_that_was_put_back_waited_until_its_first_start(void **state)
{
    struct scene scene = scene_new("1x2:A100", "fifo");
    struct bl_figures figures;

    (void)state;
    scene_event(&scene, "t=0s submit id=1 gpus=2 run=5s");
    scene_event(&scene, "t=1s submit id=2 gpus=1");
    scene_event(&scene, "t=5s fail id=2");
    assert_string_equal(scene_state(&scene, 2), "waiting");
    scene_event(&scene, "t=11h end id=2");
    figures = figures_of(&scene);
    assert_int_equal(figures.done, 2);
    assert_int_equal(figures.restarts, 1);
    assert_near(figures.max_wait_s, 4, 0);
    assert_near(figures.avg_jct_s, (5 + 11 * 3600 - 1) / 2.0, 1e-9);
    /* About eleven hours on one GPU, and nothing is booked any more. */
    assert_near(figures.gpu_hours, 11, 0.02);
    scene_event(&scene, "t=20h round");
    assert_near(figures_of(&scene).gpu_hours, figures.gpu_hours, 0);
    scene_free(&scene);
}

static void what_does_not_apply_is_not_a_number(void **state)
{
    struct scene scene = scene_new("1x2:A100", "fifo");
    struct bl_figures figures = figures_of(&scene);

    (void)state;
    assert_true(isnan(figures.avg_jct_s));
    assert_true(isnan(figures.p99_wait_s));
    assert_true(isnan(figures.makespan_s));
    assert_true(isnan(figures.gpu_utilization));
    assert_true(isnan(figures.fragmentation));
    assert_true(isnan(figures.unallocated_ratio));
    assert_true(isnan(figures.fairness_jain));
    assert_true(isnan(figures.worst_ftf_rho));
    assert_int_equal(figures.jobs, 0);
    scene_free(&scene);
}

static int compare_times(const void *left, const void *right)
{
    bl_time a = *(const bl_time *)left;
    bl_time b = *(const bl_time *)right;

    return (a > b) - (a < b);
}

static double at_rank(const bl_time *sorted, size_t count, size_t percent)
{
    size_t rank = (count * percent + 99) / 100;

    return (double)sorted[rank - 1] / 1e6;
}

/* Against sorting, for many sizes of samples and of values. */
static void percentiles_are_nearest_rank(void **state)
{
    enum { MOST = 300 };
    struct bl_rng rng;

    (void)state;
    bl_rng_seed(&rng, 7);
    for (size_t count = 1; count < MOST; count += 1 + count / 7) {
        struct bl_metrics *metrics = bl_metrics_create();
        struct bl_figures figures;
        bl_time jct[MOST];
        int shift = (int)bl_rng_between(&rng, 0, 50);

        for (size_t i = 0; i < count; i++) {
            struct bl_job job = {.id = (bl_job_id)i + 1,
                                 .attempt = 1,
                                 .state = BL_JOB_COMPLETED,
                                 .alloc = {.part_count = 1}};

            jct[i] = bl_rng_between(&rng, 0, INT64_C(1) << shift);
            bl_metrics_note_submitted(metrics, &job);
            bl_metrics_note_started(metrics, &job);
            job.ended_at = jct[i];
            bl_metrics_note_ended(metrics, &job);
        }
        bl_metrics_figures(metrics, &figures);
        bl_sort(jct, count, sizeof jct[0], compare_times);
        assert_near(figures.p50_jct_s, at_rank(jct, count, 50), 0);
        assert_near(figures.p99_jct_s, at_rank(jct, count, 99), 0);
        bl_metrics_destroy(metrics);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(A16_times_of_jobs),
        cmocka_unit_test(A16_bounded_slowdown_and_finish_time_fairness),
        cmocka_unit_test(finish_time_fairness_allows_for_the_crowd),
        cmocka_unit_test(A16_use_of_the_machine),
        cmocka_unit_test(unallocated_is_what_is_free_once_the_last_job_was_decided_on),
        cmocka_unit_test(A16_cost_is_the_price_of_the_part_that_was_used),
        cmocka_unit_test(ends_are_counted_by_kind_and_only_runs_have_times),
        cmocka_unit_test(a_job_that_was_put_back_waited_until_its_first_start),
        cmocka_unit_test(what_does_not_apply_is_not_a_number),
        cmocka_unit_test(percentiles_are_nearest_rank),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
