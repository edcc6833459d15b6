#include "core/foretell.h"
#include "bl_test.h"
#include "scene.h"

#include <string.h>

static const struct bl_foretell_options median = {.is_median = true};

static struct bl_foretell_run look(const struct scene *s, struct bl_arena *arena)
{
    return bl_foretell_run(s->core, &median, arena);
}

static bl_time start_of(const struct bl_foretell_run *run, bl_job_id job)
{
    return bl_foretell_find(run, job)->start;
}

static bl_time end_of(const struct bl_foretell_run *run, bl_job_id job)
{
    return bl_foretell_find(run, job)->end;
}

/* Some users' jobs always take the same. */
static void add_past(struct scene *s, const char *user, const char *run, int first_id)
{
    char line[128];

    for (int i = 0; i < 12; i++) {
        snprintf(line, sizeof line, "t=%dh submit id=%d gpus=1 run=%s limit=10000h user=%s",
                 45000 * (first_id + i), first_id + i, run, user);
        scene_event(s, line);
    }
}

static void one_run_tells_start_and_end_of_every_job(void **state)
{
    struct scene s = scene_new("1x8c", "easy");
    struct bl_arena arena = {0};
    struct bl_foretell_run run;

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=8 limit=2h");
    scene_event(&s, "t=1m submit id=2 gpus=8 limit=4h");
    scene_event(&s, "t=1m submit id=3 gpus=8 limit=1h after=2");
    run = look(&s, &arena);
    assert_true(run.is_whole);
    assert_int_equal(run.count, 3);
    assert_int_equal(start_of(&run, 1), 0);
    assert_in_range(end_of(&run, 1), BL_MINUTE, 2 * BL_HOUR);
    assert_int_equal(start_of(&run, 2), end_of(&run, 1));
    assert_in_range(end_of(&run, 2) - start_of(&run, 2), BL_MINUTE, 4 * BL_HOUR);
    assert_int_equal(start_of(&run, 3), end_of(&run, 2));
    assert_string_equal(scene_state(&s, 2), "queued");
    bl_arena_finish(&arena);
    scene_free(&s);
}

static void held_jobs_and_who_waits_for_them_have_no_instant(void **state)
{
    struct scene s = scene_new("1x8c", "easy");
    struct bl_arena arena = {0};
    struct bl_foretell_run run;

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=8 limit=2h");
    scene_event(&s, "t=1m submit id=2 gpus=8 limit=4h");
    scene_event(&s, "t=1m hold id=2");
    scene_event(&s, "t=1m submit id=3 gpus=8 limit=1h after=2");
    scene_event(&s, "t=1m submit id=4 gpus=8 limit=1h after=1:fail");
    scene_event(&s, "t=1m submit id=5 gpus=8 limit=1h");
    run = look(&s, &arena);
    for (bl_job_id id = 2; id <= 4; id++) {
        assert_true(start_of(&run, id) == BL_TIME_NEVER);
        assert_true(id == 4 || end_of(&run, id) == BL_TIME_NEVER);
    }
    assert_int_equal(start_of(&run, 5), end_of(&run, 1));
    bl_arena_finish(&arena);
    scene_free(&s);
}

static void nobody_is_told_a_start_behind_a_job_without_end(void **state)
{
    struct scene s = scene_new("1x8c", "easy");
    struct bl_arena arena = {0};
    struct bl_foretell_options guess = {.is_median = true, .unknown = BL_DAY};
    struct bl_foretell_run run;

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=8");
    scene_event(&s, "t=1m submit id=2 gpus=8 limit=1h");
    run = look(&s, &arena);
    assert_true(end_of(&run, 1) == BL_TIME_NEVER);
    assert_true(start_of(&run, 2) == BL_TIME_NEVER);
    run = bl_foretell_run(s.core, &guess, &arena);
    assert_in_range(end_of(&run, 1), BL_HOUR, BL_DAY);
    assert_int_equal(start_of(&run, 2), end_of(&run, 1));
    bl_arena_finish(&arena);
    scene_free(&s);
}

static void elements_have_rows_of_their_own_and_the_array_spans_them(void **state)
{
    struct scene s = scene_new("1x8c", "easy");
    struct bl_arena arena = {0};
    struct bl_foretell_run run;

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=4 limit=1h array=0-5"); /* two run, four are to come */
    run = look(&s, &arena);
    assert_int_equal(run.count, 7);
    assert_int_equal(start_of(&run, 2), 0);
    assert_int_equal(start_of(&run, 4), end_of(&run, 2));
    assert_int_equal(start_of(&run, 7), end_of(&run, 5));
    assert_int_equal(start_of(&run, 1), start_of(&run, 4));
    assert_int_equal(end_of(&run, 1), end_of(&run, 7));
    bl_arena_finish(&arena);
    scene_free(&s);
}

static void an_array_that_is_too_large_has_one_row(void **state)
{
    struct scene s = scene_new("1x8c", "easy");
    struct bl_arena arena = {0};
    struct bl_foretell_run run;

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=8 limit=1h");
    scene_event(&s, "t=0 submit id=2 gpus=8 limit=1m array=0-2000");
    run = look(&s, &arena);
    assert_int_equal(run.count, 2);
    assert_int_equal(start_of(&run, 2), end_of(&run, 1));
    assert_true(end_of(&run, 2) > start_of(&run, 2) && end_of(&run, 2) < 2002 * BL_MINUTE);
    bl_arena_finish(&arena);
    scene_free(&s);
}

static void a_job_of_a_reservation_starts_with_its_slot(void **state)
{
    struct scene s = scene_new("1x8c", "easy");
    struct bl_arena arena = {0};
    struct bl_foretell_run run;

    (void)state;
    scene_event(&s, "t=0 reserve id=1 gpus=8 from=5h for=2h every=24h times=3");
    scene_event(&s, "t=1m submit id=2 gpus=8 limit=1h reservation=1");
    scene_event(&s, "t=1m submit id=3 gpus=8 limit=6h");
    run = look(&s, &arena);
    assert_int_equal(start_of(&run, 2), 5 * BL_HOUR);
    assert_true(start_of(&run, 3) >= 7 * BL_HOUR);
    assert_true(end_of(&run, 3) < 24 * BL_HOUR);
    bl_arena_finish(&arena);
    scene_free(&s);
}

/* Durations of next to nothing and of a year; the first job has outrun all that was foreseen. */
static void odd_lengths_leave_instants_finite_and_in_order(void **state)
{
    static const char *const lengths[] = {"1s", "8760h"};

    (void)state;
    for (int k = 0; k < 2; k++) {
        struct scene s = scene_new("1x8c", "easy:durations=predict");
        struct bl_arena arena = {0};
        bl_time now = 590000 * BL_HOUR;
        int short_runs = 0;

        add_past(&s, "ann", lengths[k], 1);
        scene_event(&s, "t=580100h submit id=100 gpus=8 limit=10000h user=ann");
        scene_event(&s, "t=590000h submit id=101 gpus=8 limit=10000h user=ann");
        scene_event(&s, "t=590000h submit id=102 gpus=8 limit=10000h user=ann");
        for (uint64_t seed = 0; seed < 16; seed++) {
            struct bl_foretell_options options = {.seed = seed};
            struct bl_foretell_run run = bl_foretell_run(s.core, &options, &arena);

            assert_int_equal(run.count, 3);
            assert_int_equal(run.now, now);
            for (size_t i = 0; i < run.count; i++) {
                assert_true(run.row[i].end > now && run.row[i].end > run.row[i].start);
                assert_true(run.row[i].end < now + 40000 * BL_HOUR);
                assert_true(i == 0 || run.row[i].start >= now);
                assert_true(run.row[i].knows_end);
            }
            short_runs += end_of(&run, 102) - start_of(&run, 102) < BL_HOUR;
            assert_true(k == 0 || end_of(&run, 102) - start_of(&run, 102) > BL_DAY);
        }
        /* so few runs may be wrong about the next */
        assert_true(k == 1 || (short_runs >= 4 && short_runs < 16));
        bl_arena_finish(&arena);
        scene_free(&s);
    }
}

static void the_middle_is_one_and_draws_differ(void **state)
{
    struct scene s = scene_new("1x8c", "easy");
    struct bl_arena arena = {0};
    bl_time start[4];

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=8 limit=5h user=ann");
    scene_event(&s, "t=0 submit id=2 gpus=8 limit=5h user=bob");
    for (int i = 0; i < 4; i++) {
        struct bl_foretell_options options = {.seed = (uint64_t)i % 2 + 1, .is_median = i < 2};
        struct bl_foretell_run run = bl_foretell_run(s.core, &options, &arena);

        start[i] = start_of(&run, 2);
    }
    assert_int_equal(start[0], start[1]);
    assert_int_not_equal(start[2], start[3]);
    bl_arena_finish(&arena);
    scene_free(&s);
}

/* How often both run for longer than half of what they may, of a thousand. */
static int both_long(const struct bl_core *core, bl_job_id a, bl_job_id b)
{
    struct bl_arena arena = {0};
    int both = 0;

    for (uint64_t seed = 0; seed < 1000; seed++) {
        struct bl_foretell_options options = {.seed = seed};
        struct bl_foretell_run run = bl_foretell_run(core, &options, &arena);

        assert_int_not_equal(end_of(&run, a), end_of(&run, b));
        both += end_of(&run, a) > 5 * BL_HOUR && end_of(&run, b) > 5 * BL_HOUR;
        bl_arena_reset(&arena);
    }
    bl_arena_finish(&arena);
    return both;
}

/* Were they one error, it would be half and more of all; were they of their own, a third. */
static void errors_of_a_users_jobs_go_together_in_part(void **state)
{
    struct scene s = scene_new("1x8c", "easy");
    int of_one;
    int of_two;

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=1 limit=10h user=ann");
    scene_event(&s, "t=0 submit id=2 gpus=1 limit=10h user=ann");
    scene_event(&s, "t=0 submit id=3 gpus=1 limit=10h user=bob");
    of_one = both_long(s.core, 1, 2);
    of_two = both_long(s.core, 1, 3);
    assert_in_range(of_two, 300, 400);
    assert_in_range(of_one, of_two + 40, 520);
    scene_free(&s);
}

static void a_run_may_begin_later_than_the_last_event(void **state)
{
    struct scene s = scene_new("1x8c", "easy");
    struct bl_arena arena = {0};
    struct bl_foretell_options options = {.is_median = true, .at = 20 * BL_HOUR};
    struct bl_foretell_run run;

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=8 limit=30h");
    scene_event(&s, "t=0 submit id=2 gpus=8 limit=1h");
    run = bl_foretell_run(s.core, &options, &arena);
    assert_int_equal(run.now, 20 * BL_HOUR);
    assert_true(end_of(&run, 1) > 20 * BL_HOUR);
    assert_int_equal(start_of(&run, 2), end_of(&run, 1));
    bl_arena_finish(&arena);
    scene_free(&s);
}

static void a_run_ends_at_its_horizon(void **state)
{
    struct scene s = scene_new("1x8c", "easy");
    struct bl_arena arena = {0};
    struct bl_foretell_options options = {.is_median = true, .horizon = 150 * BL_MINUTE};
    struct bl_foretell_run run;

    (void)state;
    for (int i = 1; i <= 9; i++) {
        char line[64];

        snprintf(line, sizeof line, "t=0 submit id=%d gpus=8 limit=2h", i);
        scene_event(&s, line);
    }
    run = bl_foretell_run(s.core, &options, &arena);
    assert_true(run.is_whole);
    assert_true(start_of(&run, 3) < BL_TIME_NEVER && end_of(&run, 2) <= 150 * BL_MINUTE);
    assert_true(start_of(&run, 5) == BL_TIME_NEVER && end_of(&run, 5) == BL_TIME_NEVER);
    bl_arena_finish(&arena);
    scene_free(&s);
}

struct stopper {
    int left;
};

static bool stop_soon(void *self)
{
    struct stopper *stopper = self;

    return stopper->left-- == 0;
}

static void a_run_can_be_stopped(void **state)
{
    struct scene s = scene_new("1x8c", "easy");
    struct bl_arena arena = {0};
    struct stopper stopper = {1};
    struct bl_foretell_options options = {.is_stopped = stop_soon, .stopper = &stopper};

    (void)state;
    for (int i = 1; i <= 9; i++) {
        char line[64];

        snprintf(line, sizeof line, "t=0 submit id=%d gpus=8 limit=2h", i);
        scene_event(&s, line);
    }
    assert_false(bl_foretell_run(s.core, &options, &arena).is_whole);
    stopper.left = 1000;
    assert_true(bl_foretell_run(s.core, &options, &arena).is_whole);
    bl_arena_finish(&arena);
    scene_free(&s);
}

/* Short jobs of somebody else, one each half hour. */
struct stream {
    int count;
};

static bool next_of_stream(void *self, bl_time *at, struct bl_job_spec *spec, bl_time *run)
{
    struct stream *stream = self;

    *at = (++stream->count) * 30 * BL_MINUTE;
    *spec = (struct bl_job_spec){
        .gpus_min = 8, .gpus_want = 8, .gpus_max = 8, .limit = 10 * BL_MINUTE, .user = "zoe"};
    *run = 5 * BL_MINUTE;
    return stream->count <= 100;
}

static void who_comes_later_may_go_first_where_the_policy_says_so(void **state)
{
    struct scene s = scene_new("1x8c", "sjf");
    struct bl_arena arena = {0};
    struct stream stream = {0};
    struct bl_foretell_source source = {.self = &stream, .next = next_of_stream};
    struct bl_foretell_options options = {.is_median = true, .arrivals = &source};
    struct bl_foretell_run alone;
    struct bl_foretell_run run;

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=8 limit=2h");
    scene_event(&s, "t=0 submit id=2 gpus=8 limit=3h");
    alone = look(&s, &arena);
    run = bl_foretell_run(s.core, &options, &arena);
    assert_int_equal(run.count, 2);
    assert_true(start_of(&run, 2) >= start_of(&alone, 2) + 5 * BL_MINUTE);
    assert_true(end_of(&run, 2) < 6 * BL_HOUR);
    assert_true(stream.count < 20); /* nobody is drawn once all is told */
    bl_arena_finish(&arena);
    scene_free(&s);
}

/* Rounds share what happens until they may be: starts are a little later, and few. */
static void a_coarse_run_comes_to_nearly_the_same(void **state)
{
    struct scene s = scene_new("8x8c", "sia");
    struct bl_arena arena = {0};
    struct bl_foretell_options options = {.is_median = true, .grain = 4};
    struct bl_foretell_run exact;
    struct bl_foretell_run coarse;
    double ends[2] = {0};

    (void)state;
    for (int i = 1; i <= 600; i++) {
        char line[64];

        snprintf(line, sizeof line, "t=0 submit id=%d gpus=%d limit=%dm", i, 1 + i % 7,
                 30 + i % 13 * 10);
        scene_event(&s, line);
    }
    exact = look(&s, &arena);
    coarse = bl_foretell_run(s.core, &options, &arena);
    for (size_t i = 0; i < exact.count; i++) {
        assert_true(coarse.row[i].end < BL_TIME_NEVER);
        ends[0] += (double)exact.row[i].end;
        ends[1] += (double)coarse.row[i].end;
    }
    assert_true(ends[0] != ends[1]);
    assert_true(ends[1] > ends[0] * .97 && ends[1] < ends[0] * 1.03);
    assert_in_range(bl_foretell_grain(s.core), 10, 500);
    bl_arena_finish(&arena);
    scene_free(&s);
}

/* Under every policy, with jobs that are resized and put back, held, bound to others and booked. */
static void C2_every_policy_tells_of_every_job(void **state)
{
    (void)state;
    for (size_t i = 0; bl_policies[i]; i++) {
        struct scene s = scene_new("1x8:A100", bl_policies[i]->name);
        struct bl_arena arena = {0};
        struct bl_foretell_run run;

        scene_event(&s, "t=0 submit id=1 gpus=2-8 limit=5h user=ann cost=30s");
        scene_event(&s, "t=1m submit id=2 gpus=8 limit=2h user=bob class=preemptible");
        scene_event(&s, "t=2m submit id=3 gpus=8 limit=1h user=ann");
        scene_event(&s, "t=2m submit id=4 gpus=8 limit=1h user=ann after=3");
        scene_event(&s, "t=2m submit id=5 gpus=4 limit=1h user=ann array=0-3");
        scene_event(&s, "t=2m reserve id=1 gpus=8 from=48h for=1h every=24h times=4");
        while (!bl_core_can_export(s.core)) {
            scene_event(&s, "t=3m round");
        }
        run = look(&s, &arena);
        assert_true(run.is_whole);
        for (size_t k = 0; k < run.count; k++) {
            assert_true(run.row[k].end < 80 * BL_HOUR);
            assert_true(run.row[k].start < run.row[k].end);
            assert_true(run.row[k].start == 0 || run.row[k].start >= BL_MINUTE);
        }
        assert_true(start_of(&run, 4) >= end_of(&run, 3));
        bl_arena_finish(&arena);
        scene_free(&s);
    }
}

static void a_copy_that_was_changed_is_decided_at_once(void **state)
{
    struct scene s = scene_new("1x4:A100", "easy");
    struct bl_event event = {.kind = BL_EVENT_JOB_CANCELLED, .at = BL_HOUR, .job = 1};
    struct bl_foretell_options options = {.is_median = true};
    struct bl_arena arena = {0};
    struct bl_foretell_run run;
    struct bl_core *fork;

    (void)state;
    scene_event(&s, "t=1h submit id=1 gpus=4 limit=4h");
    scene_event(&s, "submit id=2 gpus=4 limit=2h");
    scene_event(&s, "submit id=3 gpus=4 limit=2h");
    fork = bl_core_fork(s.core);
    bl_core_step(fork, &event, NULL);
    run = bl_foretell_run_changed(fork, &options, &arena);
    assert_true(bl_foretell_find(&run, 2)->start == BL_HOUR);
    assert_true(bl_foretell_find(&run, 3)->start >= 2 * BL_HOUR);
    scene_free(&s);
    bl_arena_finish(&arena);
}

struct looker {
    int looks;
    int64_t free_at_last;
    bl_time last;
};

static void look_on(void *self, const struct bl_core *core)
{
    struct looker *looker = self;

    assert_true(bl_core_now(core) >= looker->last);
    looker->looks++;
    looker->last = bl_core_now(core);
    looker->free_at_last = bl_core_cluster(core)->free.amount[BL_RESOURCE_GPU];
}

/* A slot that nobody runs in begins and ends as well. */
static void whoever_looks_on_sees_all_that_changes(void **state)
{
    struct scene s = scene_new("1x4:A100", "easy");
    struct looker looker = {0};
    struct bl_foretell_options options = {.is_median = true, .see = look_on, .seer = &looker};
    struct bl_arena arena = {0};

    (void)state;
    scene_event(&s, "t=1h submit id=1 gpus=3 limit=4h");
    scene_event(&s, "reserve id=1 gpus=4 from=9h for=2h");
    bl_foretell_run(s.core, &options, &arena);
    assert_true(looker.looks >= 4);
    assert_true(looker.last == 11 * BL_HOUR);
    assert_int_equal(looker.free_at_last, 4);
    scene_free(&s);
    bl_arena_finish(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_run_tells_start_and_end_of_every_job),
        cmocka_unit_test(held_jobs_and_who_waits_for_them_have_no_instant),
        cmocka_unit_test(nobody_is_told_a_start_behind_a_job_without_end),
        cmocka_unit_test(elements_have_rows_of_their_own_and_the_array_spans_them),
        cmocka_unit_test(an_array_that_is_too_large_has_one_row),
        cmocka_unit_test(a_job_of_a_reservation_starts_with_its_slot),
        cmocka_unit_test(odd_lengths_leave_instants_finite_and_in_order),
        cmocka_unit_test(the_middle_is_one_and_draws_differ),
        cmocka_unit_test(errors_of_a_users_jobs_go_together_in_part),
        cmocka_unit_test(a_run_may_begin_later_than_the_last_event),
        cmocka_unit_test(a_run_ends_at_its_horizon),
        cmocka_unit_test(a_run_can_be_stopped),
        cmocka_unit_test(who_comes_later_may_go_first_where_the_policy_says_so),
        cmocka_unit_test(a_coarse_run_comes_to_nearly_the_same),
        cmocka_unit_test(C2_every_policy_tells_of_every_job),
        cmocka_unit_test(a_copy_that_was_changed_is_decided_at_once),
        cmocka_unit_test(whoever_looks_on_sees_all_that_changes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
