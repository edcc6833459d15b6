#include "bl_test.h"
#include "core/speed.h"
#include "curves_kit.h"

#include <math.h>

static void a_job_is_as_fast_as_its_curve_says(void **state)
{
    struct bl_view view = {0};
    struct bl_job job = {.spec = {.gpus_min = 2,
                                  .gpus_max = 8,
                                  .curve = {.kind = BL_CURVE_EFFICIENCY, .efficiency = 0.5}}};

    (void)state;
    assert_near(bl_speed(&view, &job, -1, 2, 0), 1, 1e-12);
    assert_near(bl_speed(&view, &job, 0, 8, 1), 2.5, 1e-12);
}

static void a_job_of_which_nothing_is_known_gains_far_less_than_in_proportion(void **state)
{
    struct bl_view view = {0};
    struct bl_job job = {.spec = {.gpus_min = 2, .gpus_max = 8}};

    (void)state;
    assert_near(bl_speed(&view, &job, -1, 2, 0), 1, 1e-12);
    assert_near(bl_speed(&view, &job, -1, 8, 0), 2, 1e-12);
    job.spec.work = BL_HOUR; /* a trace says all */
    assert_near(bl_speed(&view, &job, -1, 8, 0), 1, 1e-12);
}

/* One node of eight GPUs a type; the second type is twice as fast. */
static void make_cluster(struct bl_cluster *cluster)
{
    bl_cluster_add_node(cluster,
                        &(struct bl_node_spec){.name = "a", .gpu_type = "V100", .gpus = 8});
    bl_cluster_add_node(cluster,
                        &(struct bl_node_spec){.name = "b", .gpu_type = "A100", .gpus = 8});
}

static void learn(struct bl_curves *curves, int32_t type, int32_t gpus, double rate)
{
    struct bl_observation seen = {.type = type, .gpus = gpus, .nodes = 1, .rate = rate};

    for (int i = 0; i < 9; i++) {
        bl_curves_learn(curves, &(struct bl_curves_news){
                                    .application = "/train", .done = NAN, .observation = &seen});
    }
}

static void A6_what_was_learnt_counts_against_the_slowest_type(void **state)
{
    struct bl_cluster cluster = {0};
    struct bl_view view = {.cluster = &cluster, .curves = bl_curves_create()};
    struct bl_job job = {.spec = {.name = "train", .gpus_min = 1, .gpus_max = 8}};

    (void)state;
    make_cluster(&cluster);
    learn(view.curves, 0, 1, 10);
    learn(view.curves, 0, 2, 18);
    learn(view.curves, 1, 1, 20);
    assert_near(bl_speed(&view, &job, 0, 1, 0), 1, 1e-9);
    assert_near(bl_speed(&view, &job, 0, 2, 1), 1.8, 0.03);
    assert_near(bl_speed(&view, &job, 1, 1, 1), 2, 0.03);
    assert_near(bl_speed(&view, &job, -1, 2, 0), 1.8, 0.03);
    job.type_mask = 2; /* only the fast one: it is its own reference */
    assert_near(bl_speed(&view, &job, 1, 1, 1), 1, 1e-9);
    bl_curves_destroy(view.curves);
    bl_cluster_finish(&cluster);
}

static void A2_beyond_twice_what_was_seen_more_promise_nothing(void **state)
{
    struct bl_cluster cluster = {0};
    struct bl_view view = {.cluster = &cluster, .curves = bl_curves_create()};
    struct bl_job job = {.spec = {.name = "train", .gpus_min = 1, .gpus_max = 8}};

    (void)state;
    make_cluster(&cluster);
    learn(view.curves, 0, 1, 10);
    assert_true(bl_speed(&view, &job, 0, 2, 1) > 1.5);
    assert_near(bl_speed(&view, &job, 0, 8, 1), bl_speed(&view, &job, 0, 2, 1), 1e-9);
    learn(view.curves, 0, 4, 36);
    assert_true(bl_speed(&view, &job, 0, 8, 1) > 5);
    bl_curves_destroy(view.curves);
    bl_cluster_finish(&cluster);
}

static double hope_for(struct bl_speeds *speeds, int32_t type)
{
    double expected;

    speeds->optimism = 0;
    expected = bl_speeds_at(speeds, type, 1, 1);
    speeds->optimism = 0.4;
    return bl_speeds_at(speeds, type, 1, 1) / expected;
}

static void A6_what_was_never_tried_is_hoped_to_be_faster_than_what_is_known(void **state)
{
    struct bl_cluster cluster = {0};
    struct bl_view view = {.cluster = &cluster, .curves = bl_curves_create()};
    struct bl_job job = {.spec = {.name = "train", .gpus_min = 1, .gpus_max = 8}};
    struct bl_speeds speeds;

    (void)state;
    make_cluster(&cluster);
    learn(view.curves, 0, 1, 10);
    learn(view.curves, 0, 2, 18);
    speeds = bl_speeds_of(&view, &job);
    assert_true(hope_for(&speeds, 0) >= 1 && hope_for(&speeds, 0) < 1.05);
    assert_true(hope_for(&speeds, 1) > 1.1 && hope_for(&speeds, 1) < exp(0.4) + 1e-9);
    bl_curves_destroy(view.curves);
    bl_cluster_finish(&cluster);
}

static void a_curve_of_its_own_comes_first(void **state)
{
    struct bl_cluster cluster = {0};
    struct bl_view view = {.cluster = &cluster, .curves = bl_curves_create()};
    struct bl_job job = {.spec = {.name = "train",
                                  .gpus_min = 1,
                                  .gpus_max = 8,
                                  .curve = {.kind = BL_CURVE_EFFICIENCY, .efficiency = 0.5}}};

    (void)state;
    make_cluster(&cluster);
    learn(view.curves, 0, 1, 10);
    learn(view.curves, 0, 2, 20);
    assert_near(bl_speed(&view, &job, 0, 2, 1), 1.5, 1e-12);
    bl_curves_destroy(view.curves);
    bl_cluster_finish(&cluster);
}

static void A2_what_is_left_follows_the_total_of_others_or_its_own(void **state)
{
    struct bl_cluster cluster = {0};
    struct bl_view view = {.cluster = &cluster, .curves = bl_curves_create()};
    struct bl_job job = {.spec = {.name = "train", .gpus_min = 1, .gpus_max = 8}};
    struct bl_speeds speeds = bl_speeds_of(&view, &job);

    (void)state;
    make_cluster(&cluster);
    assert_near(bl_speeds_left_s(&speeds), 0, 0); /* nothing is known */
    learn(view.curves, 0, 1, 10);
    speeds = bl_speeds_of(&view, &job);
    assert_near(bl_speeds_left_s(&speeds), 0, 0);
    bl_curves_learn_finished(view.curves, "/train", 5000);
    assert_near(bl_speeds_left_s(&speeds), 500, 5);
    job.progress.steps = 4000;
    assert_near(bl_speeds_left_s(&speeds), 100, 1);
    job.progress.steps = 5000; /* about to end, but it has not */
    assert_true(bl_speeds_left_s(&speeds) > 0 && bl_speeds_left_s(&speeds) < 5);
    job.progress.total = 20000;
    assert_near(bl_speeds_left_s(&speeds), 1500, 15);
    bl_curves_destroy(view.curves);
    bl_cluster_finish(&cluster);
}

static double tell_rate(void *self, const struct bl_cluster *cluster,
                        const struct bl_oracle_question *question)
{
    (void)self;
    (void)cluster;
    return 3.0 * question->gpus * (question->type + 1) / question->nodes;
}

static double tell_total(void *self, bl_job_id job)
{
    (void)self;
    return job == 7 ? 3000 : 0;
}

static void an_oracle_is_believed_rather_than_what_was_learnt(void **state)
{
    const struct bl_oracle oracle = {NULL, tell_rate, tell_total};
    struct bl_cluster cluster = {0};
    struct bl_view view = {.cluster = &cluster, .curves = bl_curves_create(), .oracle = &oracle};
    struct bl_job job = {.id = 7, .spec = {.name = "train", .gpus_min = 1, .gpus_max = 16}};
    struct bl_speeds speeds;

    (void)state;
    make_cluster(&cluster);
    learn(view.curves, 0, 1, 10);
    learn(view.curves, 0, 2, 10);
    job.progress.steps = 1500;
    job.progress.total = 9999;
    speeds = bl_speeds_of(&view, &job);
    assert_near(bl_speeds_at(&speeds, 0, 8, 0), 8, 1e-9); /* no limit of what may be tried */
    assert_near(bl_speeds_at(&speeds, 1, 2, 1), 4, 1e-9);
    assert_near(bl_speeds_at(&speeds, 0, 16, 0), 8, 1e-9); /* on two nodes */
    assert_near(bl_speeds_at(&speeds, 0, 4, 4), 1, 1e-9);
    assert_near(bl_speeds_left_s(&speeds), 500, 1e-9);
    bl_curves_destroy(view.curves);
    bl_cluster_finish(&cluster);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_job_is_as_fast_as_its_curve_says),
        cmocka_unit_test(a_job_of_which_nothing_is_known_gains_far_less_than_in_proportion),
        cmocka_unit_test(A6_what_was_learnt_counts_against_the_slowest_type),
        cmocka_unit_test(A2_beyond_twice_what_was_seen_more_promise_nothing),
        cmocka_unit_test(A6_what_was_never_tried_is_hoped_to_be_faster_than_what_is_known),
        cmocka_unit_test(a_curve_of_its_own_comes_first),
        cmocka_unit_test(an_oracle_is_believed_rather_than_what_was_learnt),
        cmocka_unit_test(A2_what_is_left_follows_the_total_of_others_or_its_own),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
