#include "core/estimate.h"

#include "bl_test.h"
#include "core/application.h"
#include "core/curves.h"

#include <math.h>

enum { T4, A100 };

struct scene {
    struct bl_cluster cluster;
    struct bl_curves *curves;
    struct bl_view view;
    struct bl_job job;
    struct bl_estimates *estimates;
};

/* The application is known on one GPU: twice as fast on an A100. */
static void begin(struct scene *s)
{
    struct bl_node_spec nodes[] = {{.name = "a", .gpu_type = "T4", .gpus = 4},
                                   {.name = "b", .gpu_type = "A100", .gpus = 8}};

    *s = (struct scene){.curves = bl_curves_create(), .estimates = bl_estimates_create()};
    for (int32_t type = T4; type <= A100; type++) {
        struct bl_lesson lesson = {.kind = BL_LESSON_POINT, .application = "net", .count = 1};

        bl_cluster_add_node(&s->cluster, &nodes[type]);
        lesson.point = (struct bl_observation){
            .type = type, .gpus = 1, .nodes = 1, .local_batch = 64, .iter_s = type ? .1 : .2};
        bl_curves_take_lesson(s->curves, &lesson);
    }
    s->view = (struct bl_view){.cluster = &s->cluster, .curves = s->curves};
    s->job = (struct bl_job){.id = 7, .pool = -1};
    s->job.spec.application = "net";
    s->job.spec.gpus_min = 1;
    s->job.spec.gpus_max = 16;
    s->job.spec.batch = (struct bl_batch){32, 512, 8, 64};
}

static void end(struct scene *s)
{
    bl_estimates_destroy(s->estimates);
    bl_curves_destroy(s->curves);
    bl_cluster_finish(&s->cluster);
}

static void report(struct scene *s, int32_t gpus, double iter_s)
{
    struct bl_observation seen = {
        .type = T4, .gpus = gpus, .nodes = 1, .local_batch = 32, .iter_s = iter_s};
    char name[BL_APPLICATION_MAX];

    bl_application_alone(s->job.id, name);
    bl_curves_learn(s->curves, &(struct bl_curves_news){.application = name,
                                                        .batch = &s->job.spec.batch,
                                                        .done = 1,
                                                        .observation = &seen});
    s->job.progress.at += BL_SECOND;
    s->job.progress.noise = (struct bl_noise){1, 10};
}

static void a_job_that_never_ran_is_unknown(void **state)
{
    struct scene s;
    struct bl_estimate *estimate;

    (void)state;
    begin(&s);
    estimate = bl_estimates_of(s.estimates, &s.view, &s.job);
    assert_int_equal(bl_estimate_gpus_seen(estimate, &s.view), 0);
    assert_true(bl_estimate_goodput(estimate, &s.view, T4, 1) == 0);
    end(&s);
}

static void what_it_saw_itself_is_carried_to_other_types_by_their_speed_on_one_gpu(void **state)
{
    struct scene s;
    struct bl_estimate *estimate;
    double on_t4;

    (void)state;
    begin(&s);
    report(&s, 2, .1);
    estimate = bl_estimates_of(s.estimates, &s.view, &s.job);
    assert_int_equal(bl_estimate_gpus_seen(estimate, &s.view), 2);
    on_t4 = bl_estimate_goodput(estimate, &s.view, T4, 2);
    assert_true(on_t4 > 0);
    assert_true(fabs(bl_estimate_goodput(estimate, &s.view, A100, 2) / on_t4 - 2) < 1e-9);
    assert_true(bl_estimate_goodput(estimate, &s.view, T4, 4) > on_t4);
    end(&s);
}

static void news_change_the_estimate(void **state)
{
    struct scene s;
    double before;

    (void)state;
    begin(&s);
    report(&s, 1, .1);
    before = bl_estimate_goodput(bl_estimates_of(s.estimates, &s.view, &s.job), &s.view, T4, 4);
    report(&s, 4, .4);
    assert_true(bl_estimate_goodput(bl_estimates_of(s.estimates, &s.view, &s.job), &s.view, T4, 4) <
                .6 * before);
    end(&s);
}

static void a_named_batch_is_the_largest_that_is_looked_at(void **state)
{
    struct scene s;
    double free_batch;

    (void)state;
    begin(&s);
    report(&s, 4, .1);
    free_batch = bl_estimate_goodput(bl_estimates_of(s.estimates, &s.view, &s.job), &s.view, T4, 4);
    bl_estimates_sweep(s.estimates);
    bl_estimates_sweep(s.estimates); /* not asked about in between: forgotten */
    s.job.spec.batch_asked = 32;
    assert_true(bl_estimate_goodput(bl_estimates_of(s.estimates, &s.view, &s.job), &s.view, T4, 4) <
                free_batch);
    end(&s);
}

/* As fast as it has GPUs, and twice that on an A100, whatever it reported. */
static double tell_rate(void *self, const struct bl_cluster *cluster,
                        const struct bl_oracle_question *question)
{
    (void)self;
    (void)cluster;
    return question->gpus * (question->type == A100 ? 2 : 1) / (double)question->nodes;
}

static void an_oracle_is_believed_and_has_seen_every_count(void **state)
{
    const struct bl_oracle oracle = {.rate = tell_rate};
    struct bl_estimate *estimate;
    struct scene s;

    (void)state;
    begin(&s);
    report(&s, 1, .1);
    s.view.oracle = &oracle;
    estimate = bl_estimates_of(s.estimates, &s.view, &s.job);
    assert_true(bl_estimate_goodput(estimate, &s.view, T4, 4) == 4);
    assert_true(bl_estimate_goodput(estimate, &s.view, T4, 8) == 4); /* on two nodes */
    assert_true(bl_estimate_goodput(estimate, &s.view, A100, 8) == 16);
    assert_true(bl_estimate_gpus_seen(estimate, &s.view) >= s.job.spec.gpus_max);
    end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_job_that_never_ran_is_unknown),
        cmocka_unit_test(what_it_saw_itself_is_carried_to_other_types_by_their_speed_on_one_gpu),
        cmocka_unit_test(news_change_the_estimate),
        cmocka_unit_test(an_oracle_is_believed_and_has_seen_every_count),
        cmocka_unit_test(a_named_batch_is_the_largest_that_is_looked_at),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
