#include "core/guard.h"
#include "bl_test.h"
#include "prop.h"
#include "scene.h"

static bl_time due(const struct scene *s, bl_job_id id)
{
    return bl_core_find_job(s->core, id)->guard.due;
}

static int64_t broken(const struct scene *s)
{
    struct bl_figures figures;

    bl_metrics_figures(bl_core_metrics(s->core), &figures);
    assert_true(figures.promises > 0);
    return figures.promises_broken;
}

static void a_job_is_promised_its_place_in_the_plan_by_limits_or_the_wait(void **state)
{
    struct scene s = scene_new("1x8c", "predictive:wait=2h");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=8 run=5h limit=5h");
    scene_event(&s, "t=1m submit id=2 gpus=8 run=1h limit=1h");
    scene_event(&s, "t=2m submit id=3 gpus=4 run=1h limit=1h");
    assert_int_equal(due(&s, 2), 5 * BL_HOUR);
    assert_int_equal(due(&s, 3), 6 * BL_HOUR);
    scene_event(&s, "t=4h cancel id=2");
    scene_event(&s, "t=4h submit id=4 gpus=4 run=1h limit=1h");
    assert_int_equal(due(&s, 4), 6 * BL_HOUR); /* the wait: the plan has it at 5h */
    assert_int_equal(due(&s, 3), 6 * BL_HOUR); /* a promise stays */
    scene_free(&s);
}

/* Short jobs pass a long one, by prediction, until it has to start. */
static void nobody_is_passed_for_longer_than_was_promised(void **state)
{
    struct scene s = scene_new("1x8c", "predictive:wait=3h");
    char line[128];

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=4 run=1m limit=1h user=ann");
    scene_event(&s, "t=2m submit id=2 gpus=4 run=10h limit=10h user=bob");
    scene_event(&s, "t=2m cancel id=2");
    scene_event(&s, "t=2m end id=2 signal=15");
    for (int i = 3; i < 100; i++) {
        snprintf(line, sizeof line, "t=%dm submit id=%d gpus=5 run=55m limit=1h user=u%d", i * 5, i,
                 i % 3);
        scene_event(&s, line);
        if (i == 5) {
            scene_event(&s, "t=25m submit id=200 gpus=8 run=9h limit=10h user=bob");
        }
    }
    scene_starts(&s);
    assert_true(bl_core_find_job(s.core, 200)->first_started_at <= due(&s, 200));
    assert_true(bl_core_find_job(s.core, 200)->first_started_at > 90 * BL_MINUTE);
    assert_int_equal(broken(&s), 0);
    scene_free(&s);
}

static void who_has_waited_long_goes_first_wide_jobs_earlier(void **state)
{
    struct scene s = scene_new("1x8c", "predictive:patience=10h");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=8 run=9h limit=9h");
    scene_event(&s, "t=1m submit id=2 gpus=1 run=4h limit=4h");
    scene_event(&s, "t=2m submit id=3 gpus=8 run=1h limit=1h");
    scene_event(&s, "t=4h round"); /* the whole machine: a fifth of the patience */
    assert_true(bl_core_find_job(s.core, 3)->guard.is_aged);
    assert_false(bl_core_find_job(s.core, 2)->guard.is_aged);
    assert_string_equal(scene_starts(&s), "1@0s 3@9h 2@10h");
    assert_int_equal(broken(&s), 0);
    scene_free(&s);
}

/* By limits the first one runs for five hours; the narrow one would be passed for longer. */
static void who_has_aged_keeps_its_place_in_the_plan(void **state)
{
    struct scene s = scene_new("1x8c", "predictive:wait=100h,patience=10h");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=8 run=4h limit=5h");
    scene_event(&s, "t=1m submit id=2 gpus=8 run=1h limit=1h");
    scene_event(&s, "t=2m submit id=3 gpus=1 run=1h limit=1h");
    assert_int_equal(due(&s, 2), 100 * BL_HOUR + BL_MINUTE);
    scene_event(&s, "t=3h round");
    assert_int_equal(due(&s, 2), 5 * BL_HOUR);
    assert_int_equal(due(&s, 3), 100 * BL_HOUR + 2 * BL_MINUTE);
    scene_event(&s, "t=4h round");
    assert_int_equal(bl_core_find_job(s.core, 2)->first_started_at, 4 * BL_HOUR);
    assert_int_equal(broken(&s), 0);
    scene_free(&s);
}

/* The wide one came later and has aged as well: it waits for the one before it, which must be first
 * behind the long ones. */
static void nobody_is_promised_to_start_before_an_older_one_that_has_aged(void **state)
{
    struct scene s = scene_new("1x8c", "predictive:wait=100h,patience=10h");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=2 run=30h limit=30h");
    scene_event(&s, "t=0 submit id=2 gpus=6 run=20h limit=20h");
    scene_event(&s, "t=1m submit id=3 gpus=7 run=1h limit=1h");
    scene_event(&s, "t=2m submit id=4 gpus=6 run=2h limit=2h");
    scene_event(&s, "t=9h round");
    assert_true(bl_core_find_job(s.core, 3)->guard.is_aged);
    assert_true(bl_core_find_job(s.core, 4)->guard.is_aged);
    assert_int_equal(due(&s, 3), 30 * BL_HOUR);
    assert_int_equal(bl_core_find_job(s.core, 4)->guard.planned, 20 * BL_HOUR);
    assert_int_equal(due(&s, 4), 30 * BL_HOUR);
    scene_free(&s);
}

/* All wait for what runs until 10 h; of the four that the plan has then, only the first is planned
 * anew when it ends early. The short one fits beside that and is over before the others come. */
static void of_a_long_queue_who_fits_beside_the_first_may_pass(void **state)
{
    struct scene s = scene_new("1x8c", "predictive:wait=0s,front=1");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=8 run=2h limit=10h user=ann");
    scene_event(&s, "t=1m submit id=2 gpus=6 run=9h limit=10h user=bob");
    scene_event(&s, "t=2m submit id=3 gpus=6 run=1h limit=10h user=cy");
    scene_event(&s, "t=3m submit id=4 gpus=8 run=1h limit=10h user=dee");
    scene_event(&s, "t=4m submit id=5 gpus=2 run=1h limit=3h user=eve");
    assert_int_equal(bl_core_find_job(s.core, 4)->guard.planned, 30 * BL_HOUR);
    scene_starts(&s);
    assert_int_equal(bl_core_find_job(s.core, 2)->first_started_at, 2 * BL_HOUR);
    assert_int_equal(bl_core_find_job(s.core, 5)->first_started_at, 2 * BL_HOUR);
    assert_int_equal(broken(&s), 0);
    scene_free(&s);
}

static void a_job_that_was_away_is_promised_anew(void **state)
{
    struct scene s = scene_new("1x8c", "predictive:wait=1h");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=8 run=8h limit=8h");
    scene_event(&s, "t=1m submit id=2 gpus=8 run=1h limit=1h");
    scene_event(&s, "t=2m hold id=2");
    scene_event(&s, "t=3m submit id=3 gpus=8 run=1h limit=1h");
    scene_event(&s, "t=4h release id=2");
    assert_int_equal(due(&s, 3), 8 * BL_HOUR);
    assert_int_equal(due(&s, 2), 9 * BL_HOUR);
    scene_free(&s);
}

static void nodes_that_leave_break_promises_and_nothing_else(void **state)
{
    struct scene s = scene_new("2x4c", "predictive:wait=1h");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=4 run=2h limit=2h");
    scene_event(&s, "t=0 submit id=2 gpus=4 run=2h limit=2h");
    scene_event(&s, "t=1m submit id=3 gpus=4 run=2h limit=2h");
    scene_event(&s, "t=2m submit id=4 gpus=4 run=2h limit=2h");
    scene_event(&s, "t=10m node name=n1 state=down");
    scene_event(&s, "t=10m end id=1 lost=1");
    scene_event(&s, "t=5h node name=n1 state=up");
    scene_starts(&s);
    assert_true(broken(&s) > 0);
    assert_string_equal(scene_state(&s, 3), "completed");
    assert_string_equal(scene_state(&s, 4), "completed");
    scene_free(&s);
}

/* A stay on GPUs, by limits. */
struct stay {
    bl_time from, to;
    int32_t gpus;
};

static int32_t taken_at(const struct stay *stay, size_t count, bl_time at)
{
    int32_t taken = 0;

    for (size_t i = 0; i < count; i++) {
        taken += stay[i].from <= at && at < stay[i].to ? stay[i].gpus : 0;
    }
    return taken;
}

/* Counted one by one: whoever waits has a place no later than its promise, and beside each other
 * and what runs there is room for all of them. */
static bool places_hold_all(const struct scene *s, int32_t gpus)
{
    struct stay stay[64];
    size_t count = 0;
    size_t cursor = 0;
    const struct bl_job *job;

    while ((job = bl_core_next_job(s->core, &cursor))) {
        bool waits = job->state == BL_JOB_QUEUED;
        bl_time from = waits ? job->guard.planned : job->started_at;

        if (bl_job_state_is_ended(job->state)) {
            continue;
        }
        if (waits && job->guard.planned > job->guard.due) {
            return false;
        }
        stay[count++] = (struct stay){from, from + job->spec.limit, job->spec.gpus_want};
    }
    for (size_t i = 0; i < count; i++) {
        if (taken_at(stay, count, stay[i].from) > gpus) {
            return false;
        }
    }
    return true;
}

/* Whatever is submitted, and however short runs are beside their limits. */
static bool promises_are_kept(struct bl_prop *prop, void *context)
{
    static const char *const policies[] = {"predictive:wait=0s",
                                           "predictive:wait=1h",
                                           "predictive:wait=1h,order=haste",
                                           "predictive:wait=20m,order=shortest",
                                           "predictive:wait=10h",
                                           "predictive:wait=1h,front=1",
                                           "predictive:wait=20m,front=3,order=haste",
                                           "predictive:wait=10h,front=5,patience=1h"};
    const int last_policy = sizeof policies / sizeof policies[0] - 1;
    struct scene s = scene_new("1x8c", policies[bl_prop_between(prop, 0, last_policy)]);
    bl_time now = 0;
    struct bl_figures figures;
    bool is_sound = true;
    char line[160];

    (void)context;
    for (int64_t id = 1, last = bl_prop_between(prop, 1, 40); id <= last; id++) {
        int64_t limit = bl_prop_between(prop, 1, 300);
        int64_t run = bl_prop_between(prop, 1, limit);

        now += bl_prop_between(prop, 0, 40) * BL_MINUTE;
        snprintf(line, sizeof line, "t=%lldm submit id=%lld gpus=%d run=%lldm limit=%lldm user=u%d",
                 (long long)(now / BL_MINUTE), (long long)id, (int)bl_prop_between(prop, 1, 8),
                 (long long)run, (long long)limit, (int)bl_prop_between(prop, 0, 2));
        bl_prop_note(prop, "%s", line);
        scene_event(&s, line);
        is_sound = is_sound && places_hold_all(&s, 8);
    }
    scene_starts(&s);
    bl_metrics_figures(bl_core_metrics(s.core), &figures);
    scene_free(&s);
    return is_sound && figures.promises_broken == 0 && figures.done == figures.jobs;
}

static void every_promise_is_kept_by_places_that_hold_all(void **state)
{
    (void)state;
    assert_true(bl_prop_holds("every promise is kept", 300, promises_are_kept, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_job_is_promised_its_place_in_the_plan_by_limits_or_the_wait),
        cmocka_unit_test(nobody_is_passed_for_longer_than_was_promised),
        cmocka_unit_test(who_has_waited_long_goes_first_wide_jobs_earlier),
        cmocka_unit_test(who_has_aged_keeps_its_place_in_the_plan),
        cmocka_unit_test(nobody_is_promised_to_start_before_an_older_one_that_has_aged),
        cmocka_unit_test(of_a_long_queue_who_fits_beside_the_first_may_pass),
        cmocka_unit_test(a_job_that_was_away_is_promised_anew),
        cmocka_unit_test(nodes_that_leave_break_promises_and_nothing_else),
        cmocka_unit_test(every_promise_is_kept_by_places_that_hold_all),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
