#include "core/curves.h"
#include "near.h"
#include "scene.h"

static void submit(struct scene *s, bl_job_id id, const char *name, int32_t gpus)
{
    struct bl_event event = {.kind = BL_EVENT_JOB_SUBMITTED, .at = s->now, .job = id};

    event.u.submitted = (struct bl_job_spec){.name = name,
                                             .user = "ann",
                                             .job_class = BL_CLASS_BATCH,
                                             .gpus_min = gpus,
                                             .gpus_want = gpus,
                                             .gpus_max = gpus};
    scene_step(s, &event);
    scene_step(s, &(struct bl_event){.kind = BL_EVENT_ROUND, .at = s->now});
}

static struct bl_curves_answer ask(const struct scene *s, const char *application, int32_t type,
                                   int32_t gpus)
{
    struct bl_curves *curves = bl_core_curves(s->core);
    struct bl_curves_app *app = bl_curves_find(curves, application);

    assert_non_null(app);
    return bl_curves_ask(curves, app,
                         &(struct bl_curves_question){.type = type, .gpus = gpus, .nodes = 1});
}

static int32_t seen(const struct scene *s, const char *application)
{
    const struct bl_curves_app *app = bl_curves_find(bl_core_curves(s->core), application);

    return app ? bl_curves_gpus_seen(app) : -1;
}

static void A2_a_reported_rate_teaches_the_curve_of_the_application(void **state)
{
    struct scene s = scene_new("1x8:A100", "fifo");

    (void)state;
    submit(&s, 1, "train-1", 1);
    submit(&s, 2, "train-2", 2);
    scene_event(&s, "t=1m progress id=1 done=60 total=1000 rate=100");
    scene_event(&s, "t=1m progress id=2 done=114 total=1000 rate=190");
    assert_int_equal(seen(&s, "ann/train"), 2);
    assert_near(ask(&s, "ann/train", 0, 2).rate / ask(&s, "ann/train", 0, 1).rate, 1.9, 0.1);
    scene_free(&s);
}

static void without_a_rate_it_is_measured_between_reports(void **state)
{
    struct scene s = scene_new("1x8:A100", "fifo");

    (void)state;
    submit(&s, 1, "train", 4);
    scene_event(&s, "t=1m progress id=1 done=100");
    assert_int_equal(seen(&s, "ann/train"), 0);
    scene_event(&s, "t=61s progress id=1 done=102"); /* too short a stretch */
    assert_int_equal(seen(&s, "ann/train"), 0);
    scene_event(&s, "t=2m progress id=1 done=220");
    assert_int_equal(seen(&s, "ann/train"), 4);
    assert_near(ask(&s, "ann/train", 0, 4).rate, 2, 0.05);
    scene_free(&s);
}

static void a_stretch_does_not_reach_over_a_restart(void **state)
{
    struct scene s = scene_new("1x8:A100", "fifo");

    (void)state;
    submit(&s, 1, "train", 4);
    scene_event(&s, "t=1m progress id=1 done=100");
    scene_event(&s, "t=2m requeue id=1");
    scene_event(&s, "t=2m end id=1 signal=15");
    scene_event(&s, "t=3m progress id=1 done=500");
    assert_int_equal(seen(&s, "ann/train"), 0);
    scene_event(&s, "t=4m progress id=1 done=560");
    assert_near(ask(&s, "ann/train", 0, 4).rate, 1, 0.05);
    scene_free(&s);
}

static void a_set_clock_lengthens_no_stretch(void **state)
{
    struct scene s = scene_new("1x8:A100", "fifo");

    (void)state;
    submit(&s, 1, "train", 4);
    scene_event(&s, "t=1m progress id=1 done=100");
    scene_event(&s, "t=1m jump by=10h");
    scene_event(&s, "t=10h2m progress id=1 done=160");
    assert_near(ask(&s, "ann/train", 0, 4).rate, 1, 0.05);
    scene_free(&s);
}

static void finished_jobs_tell_the_whole_work(void **state)
{
    struct scene s = scene_new("1x8:A100", "fifo");
    const struct bl_curves_app *app;

    (void)state;
    submit(&s, 1, "train", 1);
    submit(&s, 2, "train", 1);
    scene_event(&s, "t=1m progress id=1 done=900");
    scene_event(&s, "t=2m progress id=2 done=20");
    scene_event(&s, "t=2m end id=1 code=0");
    scene_event(&s, "t=2m end id=2 code=1"); /* failed: says nothing */
    app = bl_curves_find(bl_core_curves(s.core), "ann/train");
    assert_near(bl_curves_total(app, 0).expected, 900, 1e-9);
    assert_int_equal(bl_curves_total(app, 0).finished, 1);
    scene_free(&s);
}

static void a_profile_teaches_types_that_no_node_has_yet(void **state)
{
    struct scene s = scene_new("1x8:A100", "fifo");
    struct bl_event event = {.kind = BL_EVENT_CURVE_LEARNED};

    (void)state;
    event.u.curve.gpu_type = "H100";
    event.u.curve.lesson = (struct bl_lesson){.kind = BL_LESSON_POINT,
                                              .application = "ann/train",
                                              .count = 1,
                                              .point = {.gpus = 1, .nodes = 1, .iter_s = 0.5}};
    scene_step(&s, &event);
    assert_near(ask(&s, "ann/train", 1, 1).rate, 2, 0.05);
    event.u.curve.gpu_type = NULL;
    event.u.curve.lesson.application = "ann/other";
    scene_step(&s, &event);
    assert_int_equal(seen(&s, "ann/other"), -1);
    scene_free(&s);
}

static void feed(void *self, const struct bl_event *event)
{
    bl_core_step(self, event, NULL);
}

static void what_was_learnt_is_in_the_snapshot(void **state)
{
    struct scene s = scene_new("1x8:A100 1x8:H100", "fifo");
    struct bl_core *copy = bl_core_create(BL_KEEP_ENDED);
    struct bl_curves_answer before;
    struct bl_curves_answer after;
    size_t cursor = 0;

    (void)state;
    submit(&s, 1, "train", 2);
    submit(&s, 2, "train", 8);
    scene_event(&s, "t=1m progress id=1 done=60 rate=7");
    scene_event(&s, "t=1m progress id=2 done=60 rate=13");
    before = ask(&s, "ann/train", 0, 4);
    assert_false(bl_core_export(s.core, &cursor, SIZE_MAX, feed, copy));
    bl_core_destroy(s.core);
    s.core = copy;
    after = ask(&s, "ann/train", 0, 4);
    assert_true(before.rate == after.rate && before.deviation == after.deviation);
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(A2_a_reported_rate_teaches_the_curve_of_the_application),
        cmocka_unit_test(without_a_rate_it_is_measured_between_reports),
        cmocka_unit_test(a_stretch_does_not_reach_over_a_restart),
        cmocka_unit_test(a_set_clock_lengthens_no_stretch),
        cmocka_unit_test(finished_jobs_tell_the_whole_work),
        cmocka_unit_test(a_profile_teaches_types_that_no_node_has_yet),
        cmocka_unit_test(what_was_learnt_is_in_the_snapshot),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
