#include "core/foretell.h"
#include "bl_test.h"
#include "scene.h"

enum { RUNS = 32 };

/* bob's jobs took an hour or three, ann's a minute; all ask for ten hours. */
static struct scene with_past(const char *policy)
{
    struct scene s = scene_new("1x8c", policy);
    char line[128];

    for (int i = 1; i <= 20; i++) {
        snprintf(line, sizeof line, "t=%dh submit id=%d gpus=4 run=%s limit=10h user=%s", 4 * i, i,
                 i % 4 == 0 ? "3h" : (i % 2 ? "1m" : "1h"), i % 2 ? "ann" : "bob");
        scene_event(&s, line);
    }
    return s;
}

static void C2_a_start_is_a_range_from_what_is_foreseen_of_those_before(void **state)
{
    struct scene s = with_past("easy:durations=predict");
    struct bl_foretold foretold;
    bl_time now = 100 * BL_HOUR;

    (void)state;
    scene_event(&s, "t=100h submit id=30 gpus=8 limit=10h user=bob");
    scene_event(&s, "t=100h submit id=31 gpus=8 limit=10h user=ann");
    bl_foretell_start(s.core, 31, RUNS, 7, &foretold);
    assert_int_equal(foretold.count, RUNS);
    for (size_t i = 0; i < RUNS; i++) {
        assert_true(foretold.start[i] > now && foretold.start[i] <= now + 10 * BL_HOUR + BL_SECOND);
        assert_true(i == 0 || foretold.start[i] >= foretold.start[i - 1]);
    }
    assert_true(bl_foretold_at(&foretold, .1) < now + 100 * BL_MINUTE);
    assert_true(bl_foretold_at(&foretold, .9) > now + 2 * BL_HOUR);
    scene_free(&s);
}

static void the_same_question_has_the_same_answer_and_changes_nothing(void **state)
{
    struct scene s = with_past("easy:durations=predict");
    struct bl_foretold a;
    struct bl_foretold b;

    (void)state;
    scene_event(&s, "t=100h submit id=30 gpus=8 run=2h limit=10h user=bob");
    scene_event(&s, "t=100h submit id=31 gpus=8 run=1m limit=10h user=ann");
    bl_foretell_start(s.core, 31, RUNS, 7, &a);
    bl_foretell_start(s.core, 31, RUNS, 7, &b);
    assert_memory_equal(a.start, b.start, sizeof(bl_time) * RUNS);
    assert_string_equal(scene_state(&s, 30), "running");
    assert_string_equal(scene_state(&s, 31), "queued");
    scene_event(&s, "t=103h round");
    assert_int_equal(bl_core_find_job(s.core, 31)->first_started_at, 102 * BL_HOUR);
    scene_free(&s);
}

static void what_can_not_start_is_told_no_instant(void **state)
{
    struct scene s = scene_new("1x8c", "easy");
    struct bl_foretold foretold;

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=4 limit=1h");
    scene_event(&s, "t=1m submit id=2 gpus=8 limit=1h");
    scene_event(&s, "t=2m node name=n1 state=drained");
    bl_foretell_start(s.core, 2, 4, 1, &foretold);
    assert_true(foretold.start[0] == BL_TIME_NEVER);
    assert_true(bl_foretold_at(&foretold, .5) == BL_TIME_NEVER);
    scene_free(&s);
}

/* Under every policy, with jobs that are resized and put back on the way. */
static void every_policy_runs_forward(void **state)
{
    (void)state;
    for (size_t i = 0; bl_policies[i]; i++) {
        struct scene s = scene_new("1x8:A100", bl_policies[i]->name);
        struct bl_foretold foretold;

        scene_event(&s, "t=0 submit id=1 gpus=2-8 limit=5h user=ann cost=30s");
        scene_event(&s, "t=1m submit id=2 gpus=8 limit=2h user=bob class=preemptible");
        scene_event(&s, "t=2m submit id=3 gpus=8 limit=1h user=ann");
        if (bl_core_find_job(s.core, 3)->state == BL_JOB_QUEUED && bl_core_can_export(s.core)) {
            bl_foretell_start(s.core, 3, 8, 1, &foretold);
            assert_true(foretold.start[0] > 2 * BL_MINUTE);
            assert_true(foretold.start[7] < 30 * BL_HOUR);
        }
        scene_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(C2_a_start_is_a_range_from_what_is_foreseen_of_those_before),
        cmocka_unit_test(the_same_question_has_the_same_answer_and_changes_nothing),
        cmocka_unit_test(what_can_not_start_is_told_no_instant),
        cmocka_unit_test(every_policy_runs_forward),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
