#include "core/whatif.h"
#include "bl_test.h"
#include "scene.h"

enum { SPACE = 1800 };

static struct bl_whatif ask(const struct scene *scene, const char *line, size_t runs,
                            struct bl_arena *arena)
{
    const struct bl_whatif_effort effort = {.options.seed = 3, .runs = runs};
    struct bl_job_spec spec = scene_spec(line, arena);
    struct bl_whatif out;

    bl_whatif_submit(scene->core, &spec, &effort, arena, &out);
    return out;
}

static bool is_about(bl_time a, bl_time b)
{
    return a - b < SPACE * BL_SECOND && b - a < SPACE * BL_SECOND;
}

/* So many of ann's jobs took an hour each. */
static struct scene with_runs(const char *nodes, const char *policy, int runs)
{
    struct scene s = scene_new(nodes, policy);
    char line[128];

    for (int i = 1; i <= runs; i++) {
        snprintf(line, sizeof line, "t=%dh submit id=%d gpus=4 run=1h limit=10h user=ann", 2 * i,
                 i);
        scene_event(&s, line);
    }
    scene_event(&s, "t=50h round");
    return s;
}

static struct scene with_past(const char *nodes, const char *policy)
{
    return with_runs(nodes, policy, 20);
}

static void A20_a_job_that_is_not_there_is_told_its_start_and_whom_it_delays(void **state)
{
    struct scene s = with_past("1x8:A100", "fifo");
    struct bl_arena arena = {0};
    struct bl_whatif out;
    size_t jobs;

    (void)state;
    scene_event(&s, "submit id=30 gpus=6 limit=10h user=ann");
    scene_event(&s, "submit id=31 gpus=8 limit=10h user=ann");
    jobs = bl_core_job_count(s.core);
    out = ask(&s, "gpus=2 limit=10h user=ann priority=0", 0, &arena);
    /* behind 31, which starts when 30 has ended */
    assert_int_equal(out.runs, 1);
    assert_false(out.is_now);
    assert_true(is_about(out.start.p50, 52 * BL_HOUR) && is_about(out.end.p50, 53 * BL_HOUR));
    assert_true(is_about(bl_dist_quantile(&out.length, .5), BL_HOUR));
    assert_int_equal(out.reason.code, BL_REASON_PRIORITY);
    assert_int_equal(out.reason.job, 31);
    assert_int_equal(out.delay_count, 0);
    assert_int_equal(bl_core_job_count(s.core), jobs);
    scene_free(&s);
    bl_arena_finish(&arena);
}

static void A20_who_is_passed_is_told_by_how_much(void **state)
{
    struct scene s = with_past("1x8:A100", "priority");
    struct bl_arena arena = {0};
    struct bl_whatif out;

    (void)state;
    scene_event(&s, "submit id=30 gpus=8 limit=10h user=ann");
    scene_event(&s, "submit id=31 gpus=8 limit=10h user=ann");
    scene_event(&s, "submit id=32 gpus=8 limit=10h user=ann");
    out = ask(&s, "gpus=8 limit=10h user=ann priority=9", 0, &arena);
    assert_true(is_about(out.start.p50, 51 * BL_HOUR));
    assert_int_equal(out.delay_count, 2);
    assert_true(is_about(out.delay[0].by, BL_HOUR) && is_about(out.delay[1].by, BL_HOUR));
    assert_int_equal(out.delay[0].job + out.delay[1].job, 31 + 32);
    /* several runs are ordered, and what they rest on is said */
    out = ask(&s, "gpus=8 limit=10h user=ann priority=9", 8, &arena);
    assert_int_equal(out.runs, 8);
    assert_true(out.start.p10 <= out.start.p50 && out.start.p50 <= out.start.p90);
    assert_int_equal(out.delay_count, 2);
    scene_free(&s);
    bl_arena_finish(&arena);
}

static void a_job_that_would_start_at_once_is_told_so(void **state)
{
    struct scene s = with_past("1x8:A100", "easy");
    struct bl_arena arena = {0};
    struct bl_whatif out;

    (void)state;
    scene_event(&s, "submit id=30 gpus=6 limit=10h user=ann");
    out = ask(&s, "gpus=2 limit=10h user=ann", 4, &arena);
    assert_true(out.is_now);
    assert_true(out.start.p10 == s.now && out.start.p90 == s.now);
    out = ask(&s, "gpus=2 limit=10h promise=1 user=ann", 0, &arena);
    assert_int_equal(out.promised_at, s.now);
    scene_free(&s);
    bl_arena_finish(&arena);
}

static void arrays_and_dependencies_are_told_as_a_whole(void **state)
{
    struct scene s = with_past("1x8:A100", "fifo");
    struct bl_arena arena = {0};
    struct bl_job_spec spec;
    struct bl_whatif out;

    (void)state;
    scene_event(&s, "submit id=30 gpus=8 limit=10h user=ann");
    out = ask(&s, "gpus=8 limit=10h user=ann array=0-2", 0, &arena);
    assert_true(is_about(out.start.p50, 51 * BL_HOUR) && is_about(out.end.p50, 54 * BL_HOUR));
    out = ask(&s, "gpus=1 limit=10h user=ann after=30", 0, &arena);
    assert_true(is_about(out.start.p50, 51 * BL_HOUR));
    assert_int_equal(out.reason.code, BL_REASON_DEPENDENCY);
    /* one that has ended holds nobody up, and copies do not know of it */
    spec = scene_spec("gpus=1 limit=10h user=ann after=3", &arena);
    bl_whatif_drop_met(s.core, &spec, &arena);
    assert_int_equal(spec.after_count, 0);
    spec = scene_spec("gpus=1 limit=10h user=ann after=3:fail", &arena);
    bl_whatif_drop_met(s.core, &spec, &arena);
    assert_int_equal(spec.after_count, 1);
    bl_whatif_submit(s.core, &spec, &(struct bl_whatif_effort){.runs = 0}, &arena, &out);
    assert_true(out.start.p50 == BL_TIME_NEVER);
    assert_int_equal(out.reason.code, BL_REASON_DEPENDENCY_FAILED);
    scene_free(&s);
    bl_arena_finish(&arena);
}

static bool stop_at_once(void *self)
{
    ++*(int *)self;
    return true;
}

static void a_question_that_is_stopped_tells_no_more_than_it_knows(void **state)
{
    struct scene s = with_past("1x8:A100", "fifo");
    struct bl_arena arena = {0};
    int asked = 0;
    const struct bl_whatif_effort effort = {
        .options = {.is_stopped = stop_at_once, .stopper = &asked}, .runs = 4};
    struct bl_job_spec spec;
    struct bl_whatif out;

    (void)state;
    scene_event(&s, "submit id=30 gpus=8 limit=10h user=ann");
    spec = scene_spec("gpus=8 limit=10h user=ann", &arena);
    bl_whatif_submit(s.core, &spec, &effort, &arena, &out);
    assert_int_equal(asked, 1);
    assert_int_equal(out.runs, 0);
    assert_true(out.start.p50 == BL_TIME_NEVER);
    assert_int_equal(out.reason.code, BL_REASON_RESOURCES);
    scene_free(&s);
    bl_arena_finish(&arena);
}

/* On however few runs it rests: the length that is shown is the one that is drawn. */
static void the_length_that_is_told_is_the_one_by_which_it_runs(void **state)
{
    (void)state;
    for (int runs = 0; runs <= 12; runs++) {
        struct scene s = with_runs("1x8:A100", "fifo", runs);
        struct bl_arena arena = {0};
        struct bl_whatif out = ask(&s, "gpus=8 limit=10h user=ann", 0, &arena);
        bl_time taken = out.end.p50 - out.start.p50;
        bl_time told = bl_dist_quantile(&out.length, .5);

        if (out.from_limits) {
            assert_true(runs <= 5);
            assert_int_equal(told, 0);
        } else {
            assert_true(told - taken < BL_SECOND && taken - told < BL_SECOND);
            assert_true(runs >= 5 && bl_dist_quantile(&out.length, .99) <= 10 * BL_HOUR);
        }
        scene_free(&s);
        bl_arena_finish(&arena);
    }
}

static bool is_enough_after(void *self)
{
    int *left = self;

    return (*left)-- <= 0;
}

/* Run for run: the first is that of the middles. */
static void an_answer_that_is_good_enough_says_on_how_many_looks_it_rests(void **state)
{
    static const struct {
        int more;
        size_t runs;
    } rows[] = {{0, 1}, {1, 1}, {2, 2}, {5, 5}, {100, 8}};
    struct scene s = with_past("1x8:A100", "fifo");

    (void)state;
    scene_event(&s, "submit id=30 gpus=8 limit=10h user=ann");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_arena arena = {0};
        int left = rows[i].more;
        const struct bl_whatif_effort effort = {
            .options.seed = 3, .runs = 8, .is_enough = is_enough_after, .judge = &left};
        struct bl_job_spec spec = scene_spec("gpus=8 limit=10h user=ann", &arena);
        struct bl_whatif out;

        bl_whatif_submit(s.core, &spec, &effort, &arena, &out);
        assert_int_equal(out.runs, rows[i].runs);
        assert_true(out.start.p10 <= out.start.p50 && out.start.p50 <= out.start.p90);
        assert_true(out.start.p90 != BL_TIME_NEVER);
        bl_arena_finish(&arena);
    }
    scene_free(&s);
}

struct looks {
    bl_time began;
    int count;
};

/* Nothing else of a look is at the instant at which it begins. */
static void see_beginning(void *self, const struct bl_core *core)
{
    struct looks *looks = self;

    looks->count += bl_core_now(core) == looks->began;
}

static int count_looks(const struct scene *s, struct bl_whatif_before *before,
                       struct bl_whatif *out, struct bl_arena *arena)
{
    struct looks looks = {bl_core_now(s->core), 0};
    const struct bl_whatif_effort effort = {
        .options = {.seed = 3, .see = see_beginning, .seer = &looks}, .runs = 4, .before = before};
    struct bl_job_spec spec = scene_spec("gpus=8 limit=10h user=ann priority=5", arena);

    bl_whatif_submit(s->core, &spec, &effort, arena, out);
    return looks.count;
}

static void what_was_looked_at_for_one_question_serves_the_next(void **state)
{
    struct scene s = with_past("1x8:A100", "priority");
    struct bl_arena arena = {0};
    struct bl_whatif_before before = {.count = 0};
    struct bl_whatif alone, first, second;

    (void)state;
    scene_event(&s, "submit id=30 gpus=8 limit=10h user=ann");
    scene_event(&s, "submit id=31 gpus=8 limit=10h user=ann");
    assert_int_equal(count_looks(&s, NULL, &alone, &arena), 10);
    assert_int_equal(count_looks(&s, &before, &first, &arena), 10);
    assert_int_equal(before.count, 5);
    assert_int_equal(count_looks(&s, &before, &second, &arena), 5);
    assert_memory_equal(&alone.start, &second.start, sizeof alone.start);
    assert_memory_equal(&first.start, &second.start, sizeof first.start);
    assert_int_equal(alone.delay_count, 1);
    assert_int_equal(second.delay_count, 1);
    assert_int_equal(alone.delay[0].by, second.delay[0].by);
    /* of another state other looks */
    scene_event(&s, "submit id=32 gpus=8 limit=10h user=ann");
    bl_whatif_before_reset(&before);
    assert_int_equal(count_looks(&s, &before, &second, &arena), 10);
    assert_int_equal(second.delay_count, 2);
    bl_whatif_before_finish(&before);
    scene_free(&s);
    bl_arena_finish(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(A20_a_job_that_is_not_there_is_told_its_start_and_whom_it_delays),
        cmocka_unit_test(A20_who_is_passed_is_told_by_how_much),
        cmocka_unit_test(a_job_that_would_start_at_once_is_told_so),
        cmocka_unit_test(arrays_and_dependencies_are_told_as_a_whole),
        cmocka_unit_test(a_question_that_is_stopped_tells_no_more_than_it_knows),
        cmocka_unit_test(the_length_that_is_told_is_the_one_by_which_it_runs),
        cmocka_unit_test(an_answer_that_is_good_enough_says_on_how_many_looks_it_rests),
        cmocka_unit_test(what_was_looked_at_for_one_question_serves_the_next),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
