#include "core/arrivals.h"
#include "bl_test.h"
#include "scene.h"

enum { SEED = 7 };

struct drawn {
    bl_time at, run;
    struct bl_job_spec spec;
    const struct bl_job *like;
};

static bool draw(struct bl_future *future, struct drawn *out)
{
    struct bl_foretell_source source = bl_future_source(future);

    if (!source.next(source.self, &out->at, &out->spec, &out->run)) {
        return false;
    }
    out->like = source.like(source.self);
    return true;
}

/* A job each hour from the first on, of as many minutes as its number. */
static struct scene hourly(int from, int to)
{
    struct scene s = scene_new("1x8c", "easy:durations=predict");
    char line[128];

    for (int i = from; i <= to; i++) {
        snprintf(line, sizeof line, "t=%dh submit id=%d gpus=1 run=%dm limit=1000h user=ann", i, i,
                 i);
        scene_event(&s, line);
    }
    return s;
}

static void C4_what_was_submitted_lately_comes_again_with_its_gaps_and_its_real_runs(void **state)
{
    struct scene s = hourly(1, 30);
    struct bl_future future;
    struct drawn drawn;
    struct drawn before = {.at = 100 * BL_HOUR};
    int stretches = 0;

    (void)state;
    scene_event(&s, "t=40h round");
    bl_future_begin(&future, bl_core_arrivals(s.core), 100 * BL_HOUR, SEED);
    for (int i = 0; i < 200; i++) {
        bool goes_on;

        assert_true(draw(&future, &drawn));
        goes_on = before.like && drawn.like->id == before.like->id + 1;
        assert_int_equal(drawn.at - before.at, goes_on || !before.like ? BL_HOUR : 2 * BL_HOUR);
        assert_int_equal(drawn.run, drawn.like->id * BL_MINUTE);
        assert_int_equal(drawn.spec.limit, 1000 * BL_HOUR);
        stretches += !goes_on;
        before = drawn;
    }
    assert_in_range(stretches, 8, 30);
    scene_free(&s);
}

static void the_same_seed_draws_the_same_and_another_another(void **state)
{
    struct scene s = hourly(1, 30);
    struct bl_future future[3];
    int different = 0;

    (void)state;
    for (int i = 0; i < 3; i++) {
        bl_future_begin(&future[i], bl_core_arrivals(s.core), 100 * BL_HOUR, i < 2 ? SEED : 8);
    }
    for (int i = 0; i < 50; i++) {
        struct drawn drawn[3];

        for (int k = 0; k < 3; k++) {
            assert_true(draw(&future[k], &drawn[k]));
        }
        assert_int_equal(drawn[0].like->id, drawn[1].like->id);
        different += drawn[0].like->id != drawn[2].like->id;
    }
    assert_true(different > 0);
    scene_free(&s);
}

static void who_has_not_ended_is_to_be_drawn_and_who_never_ran_does_not_come(void **state)
{
    struct scene s = hourly(1, 20);
    struct bl_future future;
    struct drawn drawn;
    bool is_running_there = false;

    (void)state;
    scene_event(&s, "t=21h submit id=21 gpus=1 limit=1000h user=ann");
    scene_event(&s, "t=22h submit id=22 gpus=8 limit=1000h user=ann");
    scene_event(&s, "t=23h cancel id=22");
    scene_event(&s, "t=24h submit id=24 gpus=1 run=24m limit=1000h user=ann");
    scene_event(&s, "t=30h round");
    bl_future_begin(&future, bl_core_arrivals(s.core), 100 * BL_HOUR, SEED);
    for (int i = 0; i < 100; i++) {
        assert_true(draw(&future, &drawn));
        assert_int_not_equal(drawn.like->id, 22);
        assert_int_equal(drawn.run, drawn.like->id == 21 ? 0 : drawn.like->id * BL_MINUTE);
        is_running_there = is_running_there || drawn.like->id == 21;
    }
    assert_true(is_running_there);
    scene_free(&s);
}

static void nobody_comes_where_too_little_was_submitted_or_all_at_once(void **state)
{
    struct scene few = hourly(1, 7);
    struct scene burst = scene_new("1x8c", "easy:durations=predict");
    struct bl_future future;
    struct drawn drawn;
    char line[128];

    (void)state;
    for (int i = 1; i <= 100; i++) {
        snprintf(line, sizeof line, "t=5h submit id=%d gpus=1 run=1h limit=2h user=ann", i);
        scene_event(&burst, line);
    }
    bl_future_begin(&future, bl_core_arrivals(few.core), BL_DAY, SEED);
    assert_false(draw(&future, &drawn));
    bl_future_begin(&future, bl_core_arrivals(burst.core), BL_DAY, SEED);
    assert_false(draw(&future, &drawn));
    scene_free(&few);
    scene_free(&burst);
}

/* One gap before a burst: it passes now and then. */
static void a_future_comes_to_an_end_and_moves_on_in_time(void **state)
{
    struct scene s = hourly(1, 1);
    struct bl_future future;
    struct drawn drawn;
    char line[128];
    int count = 0;

    (void)state;
    for (int i = 2; i <= 600; i++) {
        snprintf(line, sizeof line, "t=5h submit id=%d gpus=1 run=1h limit=2h user=ann", i);
        scene_event(&s, line);
    }
    assert_int_equal(bl_arrivals_count(bl_core_arrivals(s.core)), BL_ARRIVALS_MAX);
    scene_event(&s, "t=6h submit id=601 gpus=1 run=1h limit=2h user=ann");
    bl_future_begin(&future, bl_core_arrivals(s.core), BL_DAY, SEED);
    while (draw(&future, &drawn)) {
        count++;
    }
    assert_int_equal(count, BL_FUTURE_MAX);
    assert_true(drawn.at > BL_DAY + BL_HOUR);
    scene_free(&s);
}

static void feed(void *self, const struct bl_event *event)
{
    bl_core_step(self, event, NULL);
}

/* What is drawn follows from the jobs in memory. */
static void C4_a_core_from_a_snapshot_draws_the_same_future(void **state)
{
    struct scene s = hourly(1, 60);
    struct bl_core *copy = bl_core_create(BL_KEEP_ENDED);
    struct bl_event forget = {.kind = BL_EVENT_JOBS_FORGOTTEN, .at = 60 * BL_HOUR};
    struct bl_future future[2];
    size_t cursor = 0;

    (void)state;
    forget.u.forgotten.before = 12 * BL_HOUR;
    scene_step(&s, &forget);
    while (bl_core_export(s.core, &cursor, 10, feed, copy)) {
    }
    assert_in_range(bl_arrivals_count(bl_core_arrivals(s.core)), 45, 55);
    assert_int_equal(bl_arrivals_count(bl_core_arrivals(s.core)),
                     bl_arrivals_count(bl_core_arrivals(copy)));
    bl_future_begin(&future[0], bl_core_arrivals(s.core), 100 * BL_HOUR, SEED);
    bl_future_begin(&future[1], bl_core_arrivals(copy), 100 * BL_HOUR, SEED);
    for (int i = 0; i < 300; i++) {
        struct drawn a;
        struct drawn b;

        if (!draw(&future[0], &a) || !draw(&future[1], &b)) {
            fail_msg("no submission %d", i);
        }
        assert_int_equal(a.like->id, b.like->id);
        assert_int_equal(a.at, b.at);
        assert_int_equal(a.run, b.run);
        assert_int_equal(a.like->predicted_run, b.like->predicted_run);
    }
    bl_core_destroy(copy);
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(C4_what_was_submitted_lately_comes_again_with_its_gaps_and_its_real_runs),
        cmocka_unit_test(the_same_seed_draws_the_same_and_another_another),
        cmocka_unit_test(who_has_not_ended_is_to_be_drawn_and_who_never_ran_does_not_come),
        cmocka_unit_test(nobody_comes_where_too_little_was_submitted_or_all_at_once),
        cmocka_unit_test(a_future_comes_to_an_end_and_moves_on_in_time),
        cmocka_unit_test(C4_a_core_from_a_snapshot_draws_the_same_future),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
