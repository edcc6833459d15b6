#include "sim/eta.h"
#include "bl_test.h"
#include "scene.h"

#include <math.h>

static void nothing_submitted_gives_no_figures(void **state)
{
    struct bl_sim_eta *eta = bl_sim_eta_create(1);
    struct bl_sim_eta_figures figures;

    (void)state;
    bl_sim_eta_fill(eta, &figures);
    assert_int_equal(figures.jobs, 0);
    assert_true(isnan(figures.median_error_s) && isnan(figures.pred_accuracy));
    bl_sim_eta_destroy(eta);
}

static void submit(struct scene *s, struct bl_sim_eta *eta, bl_job_id id, const char *line)
{
    scene_event(s, line);
    bl_sim_eta_note_submitted(eta, s->core, id);
    bl_sim_eta_tell(eta, s->core);
}

/* Jobs that always take an hour: what is foreseen comes true. */
static void C2_jobs_that_wait_are_told_a_start_and_scored_by_it(void **state)
{
    struct scene s = scene_new("1x8c", "easy:durations=predict");
    struct bl_sim_eta *eta = bl_sim_eta_create(1);
    struct bl_sim_eta_figures figures;
    char line[128];

    (void)state;
    for (int i = 1; i <= 30; i++) {
        snprintf(line, sizeof line, "t=%dh submit id=%d gpus=8 run=1h limit=9h user=ann", 2 * i, i);
        submit(&s, eta, i, line);
    }
    submit(&s, eta, 31, "t=90h submit id=31 gpus=8 run=1h limit=9h user=ann");
    submit(&s, eta, 32, "t=90h30m submit id=32 gpus=8 run=1h limit=9h user=ann");
    scene_starts(&s);
    for (int i = 1; i <= 32; i++) {
        bl_sim_eta_note_started(eta, bl_core_find_job(s.core, i));
        bl_sim_eta_note_ended(eta, bl_core_find_job(s.core, i));
    }
    bl_sim_eta_fill(eta, &figures);
    assert_int_equal(figures.jobs, 1);
    assert_true(isnan(figures.coverage_of[0]) &&
                figures.coverage_of[BL_SIM_ETA_TENTHS - 1] == figures.coverage);
    assert_true(figures.mae_s < 300 && figures.median_error_s < 300);
    assert_true(figures.pred_accuracy > .95 && figures.pred_mae_s < 100);
    assert_true(figures.pred_coverage > .9);
    bl_sim_eta_destroy(eta);
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_submitted_gives_no_figures),
        cmocka_unit_test(C2_jobs_that_wait_are_told_a_start_and_scored_by_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
