#include "bl_test.h"
#include "base/rng.h"
#include "scene.h"

#include <math.h>

enum { NODES = 3, JOBS_MAX = 5, PLANS_MAX = 4096, SCENARIOS = 200 };

static double hours(const struct scene *s, bl_job_id id)
{
    return (double)bl_core_find_job(s->core, id)->ended_at / (double)BL_HOUR;
}

static double mean_hours(const struct scene *s, int jobs)
{
    double sum = 0;

    for (bl_job_id id = 1; id <= jobs; id++) {
        sum += hours(s, id);
    }
    return sum / jobs;
}

static void A1_few_jobs_on_few_nodes_take_the_best_course(void **state)
{
    struct scene s = scene_new("1x8:A100 1x4:V100 1x6:RTX4090", "whale");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=2-4 nodes=1 run=10h efficiency=0.9");
    scene_event(&s, "t=0 submit id=2 gpus=4-8 nodes=1 run=20h efficiency=0.9");
    scene_event(&s, "t=0 submit id=3 gpus=1-2 nodes=1 run=5h efficiency=0.9");
    scene_event(&s, "t=0 submit id=4 gpus=6 nodes=1 run=15h class=preemptible");
    scene_starts(&s);
    assert_true(fabs(mean_hours(&s, 4) - 8.511) < 0.001);
    scene_free(&s);
}

/* Every way in which a few jobs may go on until all have ended. */
struct world {
    int jobs;
    int room[NODES];
    int low[JOBS_MAX], high[JOBS_MAX];
    double work[JOBS_MAX];
    double (*plan[1 << JOBS_MAX])[JOBS_MAX]; /* by who is left: speeds that nothing beats */
    int plans[1 << JOBS_MAX];
    double best;
};

static double speed(const struct world *w, int job, int gpus)
{
    return gpus ? 1 + 0.9 * ((double)gpus / w->low[job] - 1) : 0;
}

static bool covers(const double *a, const double *b)
{
    for (int j = 0; j < JOBS_MAX; j++) {
        if (a[j] < b[j]) {
            return false;
        }
    }
    return true;
}

static void keep_unless_beaten(struct world *w, int left, const double *speeds)
{
    double(*plan)[JOBS_MAX] = w->plan[left];
    int kept = 0;

    for (int i = 0; i < w->plans[left]; i++) {
        if (covers(plan[i], speeds)) {
            return;
        }
    }
    for (int i = 0; i < w->plans[left]; i++) {
        if (!covers(speeds, plan[i])) {
            memmove(plan[kept++], plan[i], sizeof plan[0]);
        }
    }
    assert_true(kept < PLANS_MAX);
    memcpy(plan[kept], speeds, sizeof plan[0]);
    w->plans[left] = kept + 1;
}

static void list_plans(struct world *w, int left, int job, double *speeds)
{
    if (job == w->jobs) {
        keep_unless_beaten(w, left, speeds);
        return;
    }
    for (int n = 0; n < NODES && (left >> job & 1); n++) {
        for (int g = w->low[job]; g <= w->high[job] && g <= w->room[n]; g++) {
            w->room[n] -= g;
            speeds[job] = speed(w, job, g);
            list_plans(w, left, job + 1, speeds);
            w->room[n] += g;
        }
    }
    speeds[job] = 0;
    list_plans(w, left, job + 1, speeds);
}

/* `sum` holds the ends so far. Nobody ends sooner than at its fastest. */
static void go_on(struct world *w, int left, double now, double sum, const double *work)
{
    double least = sum;

    for (int j = 0; j < w->jobs; j++) {
        least += left >> j & 1 ? now + work[j] / speed(w, j, w->high[j]) : 0;
    }
    if (least >= w->best) {
        return;
    }
    if (!left) {
        w->best = sum;
        return;
    }
    for (int i = 0; i < w->plans[left]; i++) {
        const double *speeds = w->plan[left][i];
        double rest[JOBS_MAX] = {0};
        double step = HUGE_VAL;
        double ends = sum;
        int next = left;

        for (int j = 0; j < w->jobs; j++) {
            step = left >> j & 1 && speeds[j] > 0 ? fmin(step, work[j] / speeds[j]) : step;
        }
        for (int j = 0; j < w->jobs; j++) {
            rest[j] = work[j] - speeds[j] * step;
            if ((left >> j & 1) && rest[j] < 1e-9) {
                next &= ~(1 << j);
                ends += now + step;
            }
        }
        go_on(w, next, now + step, ends, rest);
    }
}

static double optimum(struct world *w)
{
    double speeds[JOBS_MAX] = {0};

    w->best = HUGE_VAL;
    for (int left = 1; left < 1 << w->jobs; left++) {
        w->plan[left] = calloc(PLANS_MAX, sizeof w->plan[0][0]);
        list_plans(w, left, 0, speeds);
    }
    go_on(w, (1 << w->jobs) - 1, 0, 0, w->work);
    for (int left = 1; left < 1 << w->jobs; left++) {
        free(w->plan[left]);
    }
    return w->best / w->jobs;
}

static void draw_world(struct bl_rng *rng, struct world *w)
{
    int largest = 0;

    *w = (struct world){.jobs = (int)bl_rng_between(rng, 4, JOBS_MAX)};
    for (int n = 0; n < NODES; n++) {
        w->room[n] = (int)bl_rng_between(rng, 2, 8);
        largest = w->room[n] > largest ? w->room[n] : largest;
    }
    for (int j = 0; j < w->jobs; j++) {
        w->low[j] = (int)bl_rng_between(rng, 1, largest < 4 ? largest : 4);
        w->high[j] = w->low[j] * (int)bl_rng_between(rng, 1, 2);
        w->high[j] = w->high[j] > largest ? largest : w->high[j];
        w->work[j] = (double)bl_rng_between(rng, 1, 20);
    }
}

static double replay(const struct world *w)
{
    char text[160];
    struct scene s;
    double mean;

    snprintf(text, sizeof text, "1x%d:A 1x%d:B 1x%d:C", w->room[0], w->room[1], w->room[2]);
    s = scene_new(text, "whale");
    for (int j = 0; j < w->jobs; j++) {
        snprintf(text, sizeof text,
                 "t=0 submit id=%d gpus=%d-%d nodes=1 run=%dh efficiency=0.9 class=preemptible",
                 j + 1, w->low[j], w->high[j], (int)w->work[j]);
        scene_event(&s, text);
    }
    scene_starts(&s);
    mean = mean_hours(&s, w->jobs);
    scene_free(&s);
    return mean;
}

static void A2_on_random_scenarios_the_mean_is_the_enumerated_optimum(void **state)
{
    struct bl_rng rng;
    int near = 0;
    double worst = 1;

    (void)state;
    bl_rng_seed(&rng, 20240229);
    for (int i = 0; i < SCENARIOS; i++) {
        struct world w;
        double ratio;

        draw_world(&rng, &w);
        ratio = replay(&w) / optimum(&w);
        near += ratio <= 1.01;
        worst = fmax(worst, ratio);
        assert_true(ratio > 1 - 1e-6);
    }
    print_message("# within 1 %% in %d of %d, worst %.4f\n", near, SCENARIOS, worst);
    assert_true(near >= SCENARIOS * 9 / 10);
    assert_true(worst <= 1.05);
}

static void A3_an_elastic_job_makes_room_and_takes_it_back(void **state)
{
    struct scene s = scene_new("1x8:A100", "whale");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=2-8 run=10h efficiency=0.9");
    assert_string_equal(scene_where(&s, 1), "n1:0,1,2,3,4,5,6,7");
    scene_event(&s, "t=1h submit id=2 gpus=4 run=1h");
    assert_string_equal(scene_where(&s, 1), "n1:0,1,2,3");
    assert_string_equal(scene_state(&s, 2), "running");
    assert_string_equal(scene_why_word(&s, 1), "shrunk_for");
    assert_string_equal(scene_why_word(&s, 2), "joint");
    scene_event(&s, "t=2h round");
    assert_string_equal(scene_where(&s, 1), "n1:0,1,2,3,4,5,6,7");
    scene_free(&s);
}

static void A3_rigid_jobs_keep_what_they_have(void **state)
{
    struct scene s = scene_new("1x8:A100", "whale");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=6 run=10h");
    scene_event(&s, "t=1h submit id=2 gpus=2-8 run=1h efficiency=0.9");
    scene_event(&s, "t=1h submit id=3 gpus=4 run=1m");
    assert_string_equal(scene_where(&s, 1), "n1:0,1,2,3,4,5");
    assert_string_equal(scene_where(&s, 2), "n1:6,7");
    assert_string_equal(scene_state(&s, 3), "queued");
    assert_string_equal(scene_why_word(&s, 3), "outbid");
    scene_free(&s);
}

static void A2_what_would_end_sooner_on_more_waits_for_them(void **state)
{
    struct scene s = scene_new("1x8:A100", "whale");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=4 nodes=1 run=20s");
    scene_event(&s, "t=1s submit id=2 gpus=2-8 nodes=1 run=2h efficiency=1 cost=60s");
    scene_event(&s, "t=2s round");
    assert_string_equal(scene_state(&s, 2), "queued");
    assert_string_equal(scene_why_word(&s, 2), "for_more");
    scene_free(&s);
}

static void A2_which_counts_of_a_range_are_looked_at_can_be_said(void **state)
{
    static const struct {
        const char *nodes, *policy;
        int32_t others, gpus; /* that are taken, and that a job of 1 to 8 gets of the three left */
    } rows[] = {
        {"1x8:A100", "whale", 5, 3},
        {"1x8:A100", "whale:counts=pow2", 5, 2},
        {"9x8:A100", "whale", 69, 2},
        {"9x8:A100", "whale:counts=all", 69, 3},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene s = scene_new(rows[i].nodes, rows[i].policy);
        char line[80];

        snprintf(line, sizeof line, "t=0 submit id=1 gpus=%d run=10h", rows[i].others);
        scene_event(&s, line);
        scene_event(&s, "t=0 submit id=2 gpus=1-8 run=10h efficiency=0.9");
        assert_int_equal(bl_alloc_gpus(&bl_core_find_job(s.core, 2)->alloc), rows[i].gpus);
        scene_free(&s);
    }
}

static void A14_what_was_changed_is_left_in_peace_for_a_while(void **state)
{
    struct scene s = scene_new("1x8:A100", "whale:hold=1h");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=2-8 run=10h efficiency=0.9 cost=1s");
    scene_event(&s, "t=10m submit id=2 gpus=4 run=1h");
    assert_string_equal(scene_state(&s, 2), "queued");
    assert_true(bl_core_next_wake(s.core) == BL_HOUR);
    scene_event(&s, "t=1h round");
    assert_string_equal(scene_state(&s, 2), "running");
    scene_free(&s);
}

/* What it has done since it told how far it is counts. */
static void A14_a_job_that_is_nearly_done_is_not_put_back(void **state)
{
    struct scene s = scene_new("1x8:A100", "whale");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=8 run=10h cost=30s class=preemptible");
    scene_event(&s, "t=9h54m submit id=2 gpus=8 run=1h cost=30s class=preemptible");
    assert_string_equal(bl_buf_text(&s.log), "0 start 1.1 joint\n");
    scene_event(&s, "t=9h55m submit id=3 gpus=8 run=1m class=preemptible");
    assert_string_equal(scene_state(&s, 3), "running");
    scene_free(&s);
}

static void A14_a_change_that_does_not_pay_for_its_restart_is_not_made(void **state)
{
    static const struct {
        const char *cost, *where;
    } rows[] = {{"0", "n1:0,1,2,3,4,5,6,7"}, {"30s", "n1:0,1,2,3,4,5,6,7"}, {"6h", "n1:0,1,2,3"}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene s = scene_new("1x8:A100", "whale");
        char line[120];

        scene_event(&s, "t=0 submit id=1 gpus=4 run=8h");
        snprintf(line, sizeof line, "t=0 submit id=2 gpus=4-8 run=10h efficiency=0.9 cost=%s",
                 rows[i].cost);
        scene_event(&s, line);
        assert_string_equal(scene_where(&s, 2), "n1:4,5,6,7");
        scene_event(&s, "t=1h end id=1 code=0");
        if ((strlen(scene_where(&s, 2)) > 10) != (strlen(rows[i].where) > 10)) {
            fail_msg("cost %s: %s", rows[i].cost, scene_where(&s, 2));
        }
        scene_free(&s);
    }
}

/* Short jobs without end, each worth more than the long one. */
static void A22_nobody_waits_longer_than_promised(void **state)
{
    static const char *const kinds[] = {"gpus=1", "gpus=1-4 efficiency=0.9",
                                        "gpus=2 class=preemptible"};

    (void)state;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        struct scene s = scene_new("1x4:A100", "whale:patience=5h");
        char line[160];
        const struct bl_job *job;

        scene_event(&s, "t=0 submit id=1 gpus=1 run=20m limit=20m");
        scene_event(&s, "t=1m submit id=2 gpus=4 run=90h");
        for (int id = 3; id < 200; id++) {
            snprintf(line, sizeof line, "t=%dm submit id=%d %s run=20m limit=20m", 4 * id - 10, id,
                     kinds[k]);
            scene_event(&s, line);
        }
        job = bl_core_find_job(s.core, 2);
        assert_true(job->first_started_at > 0);
        assert_true(job->first_started_at <= BL_MINUTE + 5 * BL_HOUR + 21 * BL_MINUTE);
        scene_free(&s);
    }
}

static void A22_priority_and_interactive_jobs_go_first(void **state)
{
    static const char *const rows[] = {"user=u", "class=interactive"};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene s = scene_new("1x4:A100", "whale");
        char line[120];

        scene_event(&s, "t=0 submit id=1 gpus=4 run=1h");
        scene_event(&s, "t=1m submit id=2 gpus=4 run=2h");
        snprintf(line, sizeof line, "t=2m submit id=3 gpus=4 run=3h %s", rows[i]);
        scene_event(&s, line);
        scene_event(&s, "t=1h round");
        assert_string_equal(scene_state(&s, i == 0 ? 2 : 3), "running");
        scene_free(&s);
    }
}

static void jobs_of_all_kinds_share_a_large_machine(void **state)
{
    struct scene s = scene_new("4x8:A100 4x4:V100 2x64c", "whale");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=1-32 run=900h efficiency=0.9 type=A100");
    scene_event(&s, "t=0 submit id=2 gpus=2-16 run=900h efficiency=0.8 type=V100");
    scene_event(&s, "t=0 submit id=3 gpus=0 cpus=1 run=1h");
    scene_event(&s, "t=1h submit id=4 gpus=8 run=100h type=A100");
    scene_event(&s, "t=1h submit id=5 gpus=99 run=1h type=V100");
    scene_event(&s, "t=1h submit id=6 gpus=4,8 run=90h type=V100 efficiency=0.9");
    assert_string_equal(scene_state(&s, 1), "running");
    assert_string_equal(scene_state(&s, 2), "running");
    assert_string_equal(scene_state(&s, 4), "running");
    assert_string_equal(scene_why_word(&s, 5), "nodes_down");
    assert_string_equal(scene_state(&s, 6), "running");
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(A1_few_jobs_on_few_nodes_take_the_best_course),
        cmocka_unit_test(A2_on_random_scenarios_the_mean_is_the_enumerated_optimum),
        cmocka_unit_test(A3_an_elastic_job_makes_room_and_takes_it_back),
        cmocka_unit_test(A3_rigid_jobs_keep_what_they_have),
        cmocka_unit_test(A2_what_would_end_sooner_on_more_waits_for_them),
        cmocka_unit_test(A2_which_counts_of_a_range_are_looked_at_can_be_said),
        cmocka_unit_test(A14_what_was_changed_is_left_in_peace_for_a_while),
        cmocka_unit_test(A14_a_job_that_is_nearly_done_is_not_put_back),
        cmocka_unit_test(A14_a_change_that_does_not_pay_for_its_restart_is_not_made),
        cmocka_unit_test(A22_nobody_waits_longer_than_promised),
        cmocka_unit_test(A22_priority_and_interactive_jobs_go_first),
        cmocka_unit_test(jobs_of_all_kinds_share_a_large_machine),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
