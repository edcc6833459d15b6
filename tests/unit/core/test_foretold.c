#include "core/foretold.h"
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
    bl_foretold_start(s.core, &(struct bl_foretold_question){31, RUNS, 7, NULL}, &foretold);
    assert_int_equal(foretold.count, RUNS);
    for (size_t i = 0; i < RUNS; i++) {
        assert_true(foretold.at[i] > now && foretold.at[i] <= now + 10 * BL_HOUR + BL_SECOND);
        assert_true(i == 0 || foretold.at[i] >= foretold.at[i - 1]);
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
    bl_foretold_start(s.core, &(struct bl_foretold_question){31, RUNS, 7, NULL}, &a);
    bl_foretold_start(s.core, &(struct bl_foretold_question){31, RUNS, 7, NULL}, &b);
    assert_memory_equal(a.at, b.at, sizeof(bl_time) * RUNS);
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
    bl_foretold_start(s.core, &(struct bl_foretold_question){2, 4, 1, NULL}, &foretold);
    assert_true(foretold.at[0] == BL_TIME_NEVER);
    assert_true(bl_foretold_at(&foretold, .5) == BL_TIME_NEVER);
    scene_free(&s);
}

static void assert_in_order(const struct bl_range *range, bl_time from)
{
    assert_true(range->p10 >= from);
    assert_true(range->p50 >= range->p10);
    assert_true(range->p90 >= range->p50);
}

static struct bl_foretold_table look_ahead(const struct scene *s, size_t runs,
                                           struct bl_arena *arena)
{
    struct bl_foretell_run run[RUNS];

    for (size_t i = 0; i < runs; i++) {
        struct bl_foretell_options options = {.seed = i, .is_median = runs == 1};

        run[i] = bl_foretell_run(s->core, &options, arena);
    }
    return bl_foretold_table(run, runs, NULL, arena);
}

static void C2_runs_give_every_job_a_range_of_start_and_end(void **state)
{
    struct scene s = with_past("easy:durations=predict");
    struct bl_arena arena = {0};
    bl_time now = 100 * BL_HOUR;
    struct bl_foretold_table table;

    (void)state;
    scene_event(&s, "t=100h submit id=30 gpus=8 limit=10h user=bob");
    scene_event(&s, "t=100h submit id=31 gpus=8 limit=10h user=ann");
    scene_event(&s, "t=100h submit id=32 gpus=8 limit=10h user=ann after=31");
    table = look_ahead(&s, RUNS, &arena);
    assert_int_equal(table.count, 3);
    for (size_t i = 0; i < table.count; i++) {
        assert_int_equal(table.row[i].job, 30 + (bl_job_id)i);
        assert_int_equal(table.row[i].runs, RUNS);
        assert_false(table.row[i].from_limits);
        assert_in_order(&table.row[i].start, now);
        assert_in_order(&table.row[i].end, table.row[i].start.p10);
        assert_true(table.row[i].end.p90 < now + 40 * BL_HOUR);
    }
    assert_int_equal(table.row[0].start.p90, now); /* it runs */
    assert_true(table.row[1].start.p10 < table.row[1].start.p90);
    assert_true(table.row[2].start.p50 >= table.row[1].start.p50);
    assert_ptr_equal(bl_foretold_find(&table, 32), &table.row[2]);
    assert_null(bl_foretold_find(&table, 33));
    bl_arena_finish(&arena);
    scene_free(&s);
}

static void P16_what_rests_on_limits_alone_says_so(void **state)
{
    struct scene s = scene_new("1x8c", "easy");
    struct scene known = with_past("easy");
    struct bl_arena arena = {0};
    struct bl_foretold_table table;

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=8 limit=10h user=bob");
    scene_event(&s, "t=0 submit id=2 gpus=8 limit=10h user=bob");
    table = look_ahead(&s, 8, &arena);
    assert_true(table.row[0].from_limits);
    assert_true(table.row[1].from_limits);
    scene_event(&known, "t=100h submit id=30 gpus=8 limit=10h user=bob");
    scene_event(&known, "t=100h submit id=31 gpus=8 limit=10h user=bob");
    table = look_ahead(&known, 8, &arena);
    assert_false(table.row[0].from_limits);
    assert_false(table.row[1].from_limits);
    bl_arena_finish(&arena);
    scene_free(&s);
    scene_free(&known);
}

/* A few runs in which it never starts leave the range open to the right. */
static void what_starts_in_some_runs_only_has_no_late_end(void **state)
{
    struct bl_foretell_row row[10];
    struct bl_foretell_run run[10];
    struct bl_arena arena = {0};
    struct bl_foretold_table table;

    (void)state;
    for (int i = 0; i < 10; i++) {
        bl_time start = i < 7 ? (i + 1) * BL_HOUR : BL_TIME_NEVER;

        row[i] = (struct bl_foretell_row){.job = 1, .start = start, .end = BL_TIME_NEVER};
        run[i] = (struct bl_foretell_run){&row[i], 1, BL_MINUTE, true};
    }
    table = bl_foretold_table(run, 10, NULL, &arena);
    assert_true(table.row[0].start.p10 >= BL_MINUTE && table.row[0].start.p10 <= 2 * BL_HOUR);
    assert_true(table.row[0].start.p50 < 7 * BL_HOUR);
    assert_true(table.row[0].start.p90 == BL_TIME_NEVER);
    assert_true(table.row[0].end.p10 == BL_TIME_NEVER);
    bl_arena_finish(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(C2_a_start_is_a_range_from_what_is_foreseen_of_those_before),
        cmocka_unit_test(the_same_question_has_the_same_answer_and_changes_nothing),
        cmocka_unit_test(what_can_not_start_is_told_no_instant),
        cmocka_unit_test(C2_runs_give_every_job_a_range_of_start_and_end),
        cmocka_unit_test(P16_what_rests_on_limits_alone_says_so),
        cmocka_unit_test(what_starts_in_some_runs_only_has_no_late_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
