#include "bl_test.h"
#include "near.h"
#include "scene.h"

#include "core/foretell_levels.h"
#include "core/scores.h"

#include <math.h>
#include <string.h>

/* A row of what was told `at`: three starts, three ends. */
static struct bl_told told(bl_time at, const bl_time start[3], const bl_time end[3])
{
    struct bl_told out = {.at = at, .basis = BL_TOLD_RUNS};

    memcpy(out.start, start, sizeof out.start);
    memcpy(out.end, end, sizeof out.end);
    return out;
}

/* The outline that such a range was read off. */
static struct bl_outline outline_of(bl_time at, const bl_time range[3])
{
    return (struct bl_outline){
        at, {range[0], (range[0] + range[1]) / 2, range[1], (range[1] + range[2]) / 2, range[2]}};
}

static void tell(struct scene *s, bl_job_id job, struct bl_told what)
{
    const struct bl_told_row row = {job, what};
    struct bl_event event = {.kind = BL_EVENT_FORETOLD, .at = s->now};

    event.u.foretold.row = &row;
    event.u.foretold.count = 1;
    scene_step(s, &event);
}

static struct bl_score sum_of(const struct bl_core *core, enum bl_score_when when,
                              enum bl_score_what what)
{
    const struct bl_score_group *const *group;
    size_t count = bl_scores_groups(bl_core_scores(core), &group);
    struct bl_score sum = {0};

    for (size_t i = 0; i < count; i++) {
        struct bl_score score = bl_score_sum(group[i], when, what);

        bl_score_add(&sum, &score);
    }
    return sum;
}

/* One GPU. Job 1 has it for ten minutes; job 2, asked for at one minute, is told that it would
 * start at 8, 9 or 11 minutes and end at 20, 25 or 29. It starts at 10 and ends at 30. */
static struct scene one_that_waits(void)
{
    static const bl_time start[] = {8 * BL_MINUTE, 9 * BL_MINUTE, 11 * BL_MINUTE};
    static const bl_time end[] = {20 * BL_MINUTE, 25 * BL_MINUTE, 29 * BL_MINUTE};
    struct scene s = scene_new("1x1:A100", "fifo");
    struct bl_told word;

    scene_event(&s, "t=0s submit id=1 gpus=1 run=10m");
    scene_event(&s, "t=1m submit id=2 gpus=1 run=20m");
    word = told(BL_MINUTE, start, end);
    word.start_runs = outline_of(BL_MINUTE, start);
    word.end_runs = outline_of(BL_MINUTE, end);
    tell(&s, 2, word);
    return s;
}

static void P16_a_start_and_an_end_are_scored_against_what_was_told_first(void **state)
{
    struct scene s = one_that_waits();
    const struct bl_score_group *const *group;
    struct bl_score score;

    (void)state;
    assert_string_equal(scene_starts(&s), "1@0s 2@10m");
    assert_int_equal(bl_scores_groups(bl_core_scores(s.core), &group), 1);
    assert_string_equal(group[0]->policy, "fifo");
    assert_int_equal(group[0]->basis, BL_TOLD_RUNS);
    /* eight minutes were foreseen: from 256 s on */
    assert_int_equal(group[0]->score[BL_SCORE_FIRST][BL_SCORE_START][9]->count, 1);
    score = sum_of(s.core, BL_SCORE_FIRST, BL_SCORE_START);
    assert_int_equal(score.count, 1);
    assert_int_equal(score.covered, 1);
    assert_int_equal(score.bias_ms, -60000);
    /* (.1 × 2 min + .5 × 1 min + .1 × 1 min) / 3 */
    assert_int_equal(score.pinball_ms, 16000);
    assert_near(bl_score_median_error_s(&score), 60, 60.0 / 16);
    score = sum_of(s.core, BL_SCORE_FIRST, BL_SCORE_END);
    assert_int_equal(score.count, 1);
    assert_int_equal(score.covered, 0);
    assert_int_equal(score.bias_ms, -300000);
    assert_int_equal(sum_of(s.core, BL_SCORE_RANGE, BL_SCORE_START).count, 1);
    assert_int_equal(sum_of(s.core, BL_SCORE_LAST, BL_SCORE_START).count, 0);
    assert_int_equal(bl_scores_untold(bl_core_scores(s.core)), 0);
    scene_free(&s);
}

static void P16_the_first_word_may_be_a_point_and_the_first_range_comes_later(void **state)
{
    static const bl_time point[] = {7 * BL_MINUTE, 7 * BL_MINUTE, 7 * BL_MINUTE};
    static const bl_time range[] = {8 * BL_MINUTE, 9 * BL_MINUTE, 11 * BL_MINUTE};
    struct scene s = scene_new("1x1:A100", "fifo");
    struct bl_told word = told(BL_MINUTE, point, point);
    struct bl_score score;

    (void)state;
    word.basis = BL_TOLD_MEDIAN;
    scene_event(&s, "t=0s submit id=1 gpus=1 run=10m");
    scene_event(&s, "t=1m submit id=2 gpus=1 run=20m");
    tell(&s, 2, word);
    assert_true(bl_scores_has(bl_core_scores(s.core), 2));
    assert_false(bl_scores_has_range(bl_core_scores(s.core), 2));
    scene_event(&s, "t=2m round");
    tell(&s, 2, told(2 * BL_MINUTE, range, range));
    tell(&s, 2, told(2 * BL_MINUTE, point, point));
    assert_true(bl_scores_has_range(bl_core_scores(s.core), 2));
    scene_starts(&s);
    score = sum_of(s.core, BL_SCORE_FIRST, BL_SCORE_START);
    assert_int_equal(score.bias_ms, -180000);
    assert_int_equal(score.covered, 0);
    score = sum_of(s.core, BL_SCORE_RANGE, BL_SCORE_START);
    assert_int_equal(score.bias_ms, -60000);
    assert_int_equal(score.covered, 1);
    scene_free(&s);
}

static void what_was_told_last_is_what_comes_after_the_start_and_was_told_before(void **state)
{
    static const bl_time start[] = {9 * BL_MINUTE, 10 * BL_MINUTE, 10 * BL_MINUTE};
    static const bl_time end[] = {30 * BL_MINUTE, 30 * BL_MINUTE, 30 * BL_MINUTE};
    struct scene s = one_that_waits();
    struct bl_score score;

    (void)state;
    tell(&s, 2, told(2 * BL_MINUTE, end, end)); /* nobody looked: neither first nor last */
    scene_event(&s, "t=11m round");
    tell(&s, 2, told(11 * BL_MINUTE, start, end)); /* that is later than the start */
    assert_int_equal(sum_of(s.core, BL_SCORE_LAST, BL_SCORE_START).count, 0);
    tell(&s, 2, told(9 * BL_MINUTE, start, end));
    tell(&s, 2, told(9 * BL_MINUTE, end, end)); /* once is enough */
    score = sum_of(s.core, BL_SCORE_LAST, BL_SCORE_START);
    assert_int_equal(score.count, 1);
    assert_int_equal(score.covered, 1);
    assert_int_equal(score.error_ms, 0);
    scene_starts(&s);
    assert_int_equal(sum_of(s.core, BL_SCORE_LAST, BL_SCORE_END).count, 1);
    scene_free(&s);
}

static void what_no_longer_holds_is_not_scored(void **state)
{
    static const char *const rows[] = {"t=2m hold id=2", "t=2m resize id=2 gpus=0",
                                       "t=2m jump by=1h"};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene s = one_that_waits();

        assert_true(bl_scores_has(bl_core_scores(s.core), 2));
        scene_event(&s, rows[i]);
        assert_false(bl_scores_has(bl_core_scores(s.core), 2));
        scene_free(&s);
    }
}

static void who_waited_and_was_told_nothing_is_counted(void **state)
{
    struct scene s = scene_new("1x1:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0s submit id=1 gpus=1 run=10m");
    scene_event(&s, "t=1m submit id=2 gpus=1 run=20m");
    scene_starts(&s);
    assert_int_equal(bl_scores_untold(bl_core_scores(s.core)), 1);
    scene_free(&s);
}

static void feed(void *self, const struct bl_event *event)
{
    bl_core_step(self, event, NULL);
}

static void pass_through_snapshot(struct scene *s)
{
    struct bl_core *copy = bl_core_create(BL_KEEP_ENDED);
    size_t cursor = 0;

    assert_false(bl_core_export(s->core, &cursor, SIZE_MAX, feed, copy));
    bl_core_destroy(s->core);
    s->core = copy;
}

/* Before the start, while it runs, and after the end: what was told and scored comes along. */
static void scores_and_what_was_told_go_through_snapshots(void **state)
{
    struct scene whole = one_that_waits();
    struct scene s = one_that_waits();

    (void)state;
    scene_starts(&whole);
    pass_through_snapshot(&s);
    scene_event(&s, "t=15m round");
    pass_through_snapshot(&s);
    scene_starts(&s);
    pass_through_snapshot(&s);
    for (int when = 0; when < BL_SCORE_WHEN_COUNT; when++) {
        for (int what = 0; what < BL_SCORE_WHAT_COUNT; what++) {
            struct bl_score a = sum_of(whole.core, when, what);
            struct bl_score b = sum_of(s.core, when, what);

            assert_int_equal(a.count, when != BL_SCORE_LAST);
            assert_memory_equal(&a, &b, sizeof a);
        }
    }
    assert_memory_equal(bl_scores_learnt(bl_core_scores(whole.core)),
                        bl_scores_learnt(bl_core_scores(s.core)),
                        sizeof(struct bl_foretell_learnt));
    scene_free(&whole);
    scene_free(&s);
}

/* A mass of one in the cell of the truth. */
static int cells_of(const struct bl_levels *levels)
{
    int cells = 0;

    for (int i = 0; i < BL_LEVELS_CELLS; i++) {
        cells += levels->cell[i] > 0;
    }
    return cells;
}

/* The first range and the last word are what levels are learnt from, once each. */
static void P16_levels_are_learnt_from_ranges_that_came_to_be(void **state)
{
    static const bl_time soon[] = {10 * BL_MINUTE, 11 * BL_MINUTE, 12 * BL_MINUTE};
    struct scene s = one_that_waits();
    struct bl_told word = told(9 * BL_MINUTE, soon, soon);
    const struct bl_foretell_learnt *learnt;

    (void)state;
    assert_null(bl_scores_learnt(bl_core_scores(s.core)));
    scene_event(&s, "t=11m round");
    learnt = bl_scores_learnt(bl_core_scores(s.core));
    assert_non_null(learnt);
    assert_int_equal(cells_of(&learnt->start.all), 1);
    /* ten minutes: in the middle between p50 and p90 of what was told for nine */
    assert_int_equal(learnt->start.all.cell[70], BL_LEVELS_MASS);
    assert_int_equal(learnt->start.group[8].cell[70], BL_LEVELS_MASS);
    assert_int_equal(cells_of(&learnt->end.all), 0);
    tell(&s, 2, word); /* by limits or a plan: nothing to learn from */
    assert_int_equal(cells_of(&learnt->start.all), 1);
    scene_free(&s);
    s = one_that_waits();
    word.start_runs = outline_of(9 * BL_MINUTE, soon);
    scene_event(&s, "t=11m round");
    tell(&s, 2, word);
    tell(&s, 2, word);
    learnt = bl_scores_learnt(bl_core_scores(s.core));
    assert_int_equal(cells_of(&learnt->start.all), 2);
    assert_int_equal(learnt->start.group[6].cell[10], BL_LEVELS_MASS);
    scene_starts(&s);
    assert_int_equal(cells_of(&learnt->end.all), 1);
    scene_free(&s);
}

/* They hold no outlines: what was told still counts, and nothing is learnt from it. */
static void what_older_snapshots_tell_is_taken(void **state)
{
    static const int64_t value[1 + 3 * 8] = {2, 7, BL_TOLD_RUNS, 8, 9, 8, 9, 8, 9};
    struct bl_scores *scores = bl_scores_create();

    (void)state;
    bl_scores_take(scores, &(struct bl_kept){"eta_told", NULL, value, 1 + 3 * 8});
    assert_true(bl_scores_has(scores, 2));
    assert_null(bl_scores_learnt(scores));
    bl_scores_destroy(scores);
}

static void what_makes_no_sense_is_passed_over(void **state)
{
    static const int64_t value[] = {9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9};
    static const int64_t bins[] = {0, 0, 0, 0, 1, 1, 5, 5, 5, BL_SCORE_BINS, 1, 3, -1};
    static const struct bl_kept rows[] = {
        {"eta_score", "easy", value, 9}, {"eta_score", "easy", value, 0},
        {"eta_score", NULL, value, 9},   {"eta_told", "easy", value, 17},
        {"eta_told", NULL, value, 3},    {"eta_untold", NULL, value, 2},
        {"other", NULL, value, 1},
    };
    static const struct bl_kept sound = {"eta_score", "easy", bins, sizeof bins / sizeof bins[0]};
    struct bl_scores *scores = bl_scores_create();
    const struct bl_score_group *const *group;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bl_scores_take(scores, &rows[i]);
    }
    assert_int_equal(bl_scores_groups(scores, &group), 0);
    assert_false(bl_scores_has(scores, 9));
    assert_int_equal(bl_scores_untold(scores), 0);
    bl_scores_take(scores, &sound);
    assert_int_equal(bl_scores_groups(scores, &group), 1);
    assert_int_equal(group[0]->score[0][0][0]->count, 1);
    assert_int_equal(group[0]->score[0][0][0]->bin[3], 0);
    bl_scores_destroy(scores);
}

static void the_middle_error_is_exact_to_a_sixteenth(void **state)
{
    static const double rows[] = {.005, .05, .5, 1, 7, 60, 3600, 86400, 3e6};
    struct bl_score nothing = {0};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bl_time start = (bl_time)(rows[i] * BL_SECOND);
        const bl_time range[] = {start, start, start};
        struct bl_scores *scores = bl_scores_create();
        struct bl_job job = {.id = 1, .state = BL_JOB_QUEUED, .submitted_at = 1};
        const struct bl_told what = told(1, range, range);
        const struct bl_score_group *const *group;
        struct bl_score sum;

        bl_scores_tell(scores, &job, &what);
        job.first_started_at = job.started_at = 2 * start + 1;
        bl_scores_note_started(scores, &job, "fifo");
        assert_int_equal(bl_scores_groups(scores, &group), 1);
        sum = bl_score_sum(group[0], BL_SCORE_FIRST, BL_SCORE_START);
        assert_int_equal(sum.count, 1);
        assert_near(bl_score_median_error_s(&sum), rows[i], rows[i] / 16 + .005);
        bl_scores_destroy(scores);
    }
    assert_true(isnan(bl_score_median_error_s(&nothing)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(P16_a_start_and_an_end_are_scored_against_what_was_told_first),
        cmocka_unit_test(P16_the_first_word_may_be_a_point_and_the_first_range_comes_later),
        cmocka_unit_test(what_was_told_last_is_what_comes_after_the_start_and_was_told_before),
        cmocka_unit_test(what_no_longer_holds_is_not_scored),
        cmocka_unit_test(who_waited_and_was_told_nothing_is_counted),
        cmocka_unit_test(scores_and_what_was_told_go_through_snapshots),
        cmocka_unit_test(P16_levels_are_learnt_from_ranges_that_came_to_be),
        cmocka_unit_test(what_older_snapshots_tell_is_taken),
        cmocka_unit_test(what_makes_no_sense_is_passed_over),
        cmocka_unit_test(the_middle_error_is_exact_to_a_sixteenth),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
