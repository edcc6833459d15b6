#include "core/predictions.h"
#include "bl_test.h"
#include "scene.h"

#include <math.h>

static const struct bl_foresight *foresight(const struct scene *s, bl_job_id id)
{
    return &bl_core_find_job(s->core, id)->foresight;
}

static bl_time p50(const struct scene *s, bl_job_id id)
{
    return bl_dist_quantile(&foresight(s, id)->dist, .5);
}

static bool is_near(bl_time a, bl_time b)
{
    return fabs((double)a / (double)b - 1) < .05;
}

static void A15_jobs_that_wait_are_asked_about_anew_when_one_of_their_user_ends(void **state)
{
    struct scene s = scene_new("1x4", "easy:durations=predict");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=4 limit=10h run=1h user=ann");
    scene_event(&s, "t=1m submit id=2 gpus=4 limit=10h run=1h user=ann");
    scene_event(&s, "t=2m submit id=3 gpus=4 limit=10h run=1h user=bob");
    scene_event(&s, "t=3m submit id=4 gpus=4 limit=10h run=1h user=ann");
    assert_false(bl_dist_is_known(&foresight(&s, 4)->dist));
    scene_event(&s, "t=70m round");
    assert_true(is_near(p50(&s, 4), BL_HOUR));
    assert_true(is_near(p50(&s, 3), BL_HOUR)); /* of which nothing was known */
    assert_int_equal(foresight(&s, 4)->asked.known, 1);
    assert_int_equal(bl_core_find_job(s.core, 4)->predicted_run, BL_HOUR);
    scene_free(&s);
}

static void failed_and_cancelled_runs_are_learnt_and_lost_ones_are_not(void **state)
{
    static const struct {
        const char *end;
        bool is_learnt;
    } rows[] = {{"t=10m end id=1 code=1", true},
                {"t=10m end id=1 lost=1", false},
                {"t=10m cancel id=1", true}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene s = scene_new("1x4", "easy:durations=predict");

        scene_event(&s, "t=0 submit id=1 gpus=4 limit=10h user=ann");
        scene_event(&s, rows[i].end);
        scene_event(&s, "t=10m end id=1 signal=15");
        scene_event(&s, "t=11m submit id=2 gpus=4 limit=10h user=ann");
        assert_int_equal(bl_dist_is_known(&foresight(&s, 2)->dist), rows[i].is_learnt);
        assert_true(!rows[i].is_learnt || is_near(p50(&s, 2), 10 * BL_MINUTE));
        scene_free(&s);
    }
}

static void a_job_knows_its_crowd_and_its_siblings(void **state)
{
    struct scene s = scene_new("1x8", "easy:durations=predict");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=2 limit=1h user=ann");
    scene_event(&s, "t=1m submit id=2 gpus=2 limit=2h user=ann");
    scene_event(&s, "t=2m submit id=3 gpus=2 limit=1h user=bob");
    scene_event(&s, "t=4m submit id=4 gpus=2 limit=1h user=ann");
    assert_int_equal(foresight(&s, 4)->asked.crowd, 2);
    assert_int_equal(foresight(&s, 4)->asked.sibling_count, 1);
    assert_true(is_near(bl_dist_length(foresight(&s, 4)->asked.sibling[0]), 4 * BL_MINUTE));
    scene_event(&s, "t=5m end id=1 code=0");
    scene_event(&s, "t=5m end id=2 code=0");
    scene_event(&s, "t=6m submit id=5 gpus=2 limit=1h user=ann");
    assert_int_equal(foresight(&s, 5)->asked.crowd, 1);
    scene_free(&s);
}

static void feed(void *self, const struct bl_event *event)
{
    bl_core_step(self, event, NULL);
}

static void tell(struct bl_buf *out, const struct bl_core *core)
{
    size_t cursor = 0;
    const struct bl_job *job;

    while ((job = bl_core_next_job(core, &cursor))) {
        bl_buf_printf(out, "%lld:", (long long)job->id);
        for (int i = 0; i < BL_DIST_POINTS; i++) {
            bl_buf_printf(out, " %d", (int)job->foresight.dist.point[i]);
        }
        bl_buf_append_char(out, '\n');
    }
}

/* A busy past: many users, sizes, ends. */
static void live_through(struct scene *s, int from, int to)
{
    char line[160];

    for (int i = from; i < to; i++) {
        snprintf(line, sizeof line, "t=%dm submit id=%d gpus=%d limit=%dh run=%dm user=u%d", i * 7,
                 i, 1 + i % 3, 1 + i % 5, 1 + i * i % 50, i % 4);
        scene_event(s, line);
    }
}

static void A15_a_core_from_a_snapshot_foresees_the_same_for_ever_after(void **state)
{
    struct scene a = scene_new("1x8", "easy:durations=predict");
    struct scene b = scene_new("1x8", "easy:durations=predict");
    struct bl_core *copy = bl_core_create(BL_KEEP_ENDED);
    BL_AUTO_BUF of_a = {0};
    BL_AUTO_BUF of_b = {0};
    size_t cursor = 0;

    (void)state;
    live_through(&a, 1, 120);
    live_through(&b, 1, 120);
    bl_core_export(b.core, &cursor, SIZE_MAX, feed, copy);
    bl_core_destroy(b.core);
    b.core = copy;
    live_through(&a, 120, 240);
    live_through(&b, 120, 240);
    tell(&of_a, a.core);
    tell(&of_b, b.core);
    assert_string_equal(bl_buf_text(&of_a), bl_buf_text(&of_b));
    scene_free(&a);
    scene_free(&b);
}

static void
C2_a_final_rule_counts_whoever_predicts_and_one_that_is_not_for_the_mixture(void **state)
{
    struct bl_predictions *predictions = bl_predictions_create();
    struct bl_job_spec spec = {
        .user = "ann", .gpus_want = 1, .expected = {BL_HOUR, 2 * BL_HOUR, 4 * BL_HOUR, true}};
    struct bl_dist dist;

    (void)state;
    for (size_t i = 0; bl_predictors[i]; i++) {
        bool hears_rules = i == 0 || strcmp(bl_predictors[i]->name, "rules") == 0;

        bl_predictions_choose(predictions, bl_predictors[i]);
        spec.expected.is_final = true;
        bl_predictions_of(predictions, &spec, &dist);
        assert_true(is_near(bl_dist_quantile(&dist, .5), 2 * BL_HOUR));
        spec.expected.is_final = false;
        bl_predictions_of(predictions, &spec, &dist);
        assert_int_equal(bl_dist_is_known(&dist), hears_rules);
    }
    bl_predictions_destroy(predictions);
}

static void a_chosen_predictor_learns_from_the_past_that_is_there(void **state)
{
    struct bl_predictions *predictions = bl_predictions_create();
    struct bl_job_spec spec = {.user = "ann", .gpus_want = 1};
    struct bl_job job = {.spec = spec};
    struct bl_dist dist;

    (void)state;
    for (int i = 0; i < 20; i++) {
        bl_predictions_ask(predictions, &job, NULL, 0, 0);
        bl_predictions_note_ended(predictions, &job, BL_HOUR);
    }
    for (size_t i = 0; bl_predictors[i]; i++) {
        bl_predictions_choose(predictions, bl_predictors[i]);
        bl_predictions_of(predictions, &spec, &dist);
        assert_int_equal(bl_dist_is_known(&dist), strcmp(bl_predictors[i]->name, "regress") != 0 &&
                                                      strcmp(bl_predictors[i]->name, "rules") != 0);
    }
    bl_predictions_destroy(predictions);
}

static void A15_reports_of_a_running_job_correct_what_was_foreseen(void **state)
{
    struct bl_job job = {.state = BL_JOB_RUNNING, .started_at = 1, .running_at = 1};
    struct bl_dist dist;

    (void)state;
    for (int i = 0; i < BL_DIST_POINTS; i++) {
        job.foresight.dist.point[i] = bl_dist_point(BL_HOUR) + i;
    }
    bl_predictions_now(&job, BL_MINUTE, &dist);
    assert_true(is_near(bl_dist_quantile(&dist, .5), BL_HOUR));
    job.progress.total = 100;
    job.progress.done = .5;
    job.progress.at = 5 * BL_HOUR + 1;
    bl_predictions_now(&job, job.progress.at, &dist);
    assert_in_range(bl_dist_quantile(&dist, .5), 7 * BL_HOUR, 11 * BL_HOUR);
    job.progress.done = .99;
    bl_predictions_now(&job, job.progress.at, &dist);
    assert_in_range(bl_dist_quantile(&dist, .5), 5 * BL_HOUR, 5 * BL_HOUR + 20 * BL_MINUTE);
    assert_true(bl_dist_quantile(&dist, 0) >= 5 * BL_HOUR - BL_SECOND);
    job.spec.limit = BL_HOUR; /* it outlives that: still in order, and not before now */
    bl_predictions_now(&job, 9 * BL_HOUR, &dist);
    assert_true(bl_dist_quantile(&dist, .1) >= 9 * BL_HOUR - BL_SECOND);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(A15_jobs_that_wait_are_asked_about_anew_when_one_of_their_user_ends),
        cmocka_unit_test(failed_and_cancelled_runs_are_learnt_and_lost_ones_are_not),
        cmocka_unit_test(a_job_knows_its_crowd_and_its_siblings),
        cmocka_unit_test(A15_a_core_from_a_snapshot_foresees_the_same_for_ever_after),
        cmocka_unit_test(
            C2_a_final_rule_counts_whoever_predicts_and_one_that_is_not_for_the_mixture),
        cmocka_unit_test(a_chosen_predictor_learns_from_the_past_that_is_there),
        cmocka_unit_test(A15_reports_of_a_running_job_correct_what_was_foreseen),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
