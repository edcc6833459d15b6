#include "bl_test.h"
#include "core/forecast.h"
#include "scene.h"

struct expected {
    bl_job_id job;
    bl_time start, end; /* minutes; -1 = not known */
};

static void expect(const struct scene *s, const struct expected *rows, size_t count)
{
    struct bl_arena arena = {0};
    struct bl_forecast forecast = bl_forecast_make(s->core, &arena);

    for (size_t i = 0; i < count; i++) {
        const struct bl_forecast_row *row = bl_forecast_find(&forecast, rows[i].job);
        bl_time start = rows[i].start < 0 ? BL_TIME_NEVER : rows[i].start * BL_MINUTE;
        bl_time end = rows[i].end < 0 ? BL_TIME_NEVER : rows[i].end * BL_MINUTE;

        if (!row || row->start != start || row->end != end) {
            fail_msg("job %lld: start %lld, end %lld", (long long)rows[i].job,
                     row ? (long long)(row->start / BL_MINUTE) : -2LL,
                     row ? (long long)(row->end / BL_MINUTE) : -2LL);
        }
    }
    bl_arena_finish(&arena);
}

static void C4_every_job_has_its_start_and_end(void **state)
{
    static const struct expected rows[] = {
        {1, 0, 60}, {2, 60, 120}, {3, 1, 31}, {4, 120, 180}, {5, 180, -1}, {6, -1, -1}, {7, -1, -1},
    };
    struct scene s = scene_new("1x8:A100", "easy");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=6 limit=1h");
    scene_event(&s, "t=1m submit id=2 gpus=8 limit=1h");
    scene_event(&s, "t=1m submit id=3 gpus=2 limit=30m");
    scene_event(&s, "t=2m submit id=4 gpus=8 limit=1h after=2:ok");
    scene_event(&s, "t=2m submit id=5 gpus=8 after=4:any");
    scene_event(&s, "t=2m submit id=6 gpus=8 after=5:any");
    scene_event(&s, "t=2m submit id=7 gpus=8 limit=1h");
    scene_event(&s, "t=2m hold id=7");
    expect(&s, rows, sizeof rows / sizeof rows[0]);
    scene_free(&s);
}

static void who_waits_behind_a_job_without_a_limit_has_no_start(void **state)
{
    static const struct expected rows[] = {{1, 0, -1}, {2, -1, -1}, {3, -1, -1}, {4, 0, 60}};
    struct scene s = scene_new("1x8:A100", "easy");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=6");
    scene_event(&s, "t=0 submit id=2 gpus=8 limit=1h");
    scene_event(&s, "t=0 submit id=3 gpus=8");
    scene_event(&s, "t=0 submit id=4 gpus=2 limit=1h");
    expect(&s, rows, sizeof rows / sizeof rows[0]);
    scene_free(&s);
}

/* A job without a limit stays one when it was resized; one with a limit has what is left of it. */
static void a_resized_job_ends_when_its_limit_passes_or_nobody_knows_when(void **state)
{
    static const struct expected rows[] = {{1, 30, -1}, {2, 40, 60}};
    struct scene s = scene_new("1x8:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=2-4");
    scene_event(&s, "t=0 submit id=2 gpus=2-4 limit=1h");
    scene_event(&s, "t=20m resize id=1 gpus=2");
    scene_event(&s, "t=30m end id=1 code=85");
    scene_event(&s, "t=30m resize id=2 gpus=2");
    scene_event(&s, "t=40m end id=2 code=85");
    expect(&s, rows, sizeof rows / sizeof rows[0]);
    scene_free(&s);
}

static void a_strict_policy_lets_nobody_be_forecast_ahead(void **state)
{
    static const struct expected strict[] = {{2, 60, 120}, {3, 120, 150}};
    static const struct expected loose[] = {{2, 60, 120}, {3, 2, 32}};
    struct scene fifo = scene_new("1x8:A100", "fifo");
    struct scene first = scene_new("1x8:A100", "conservative");
    struct scene *scenes[] = {&fifo, &first};

    (void)state;
    for (int i = 0; i < 2; i++) {
        scene_event(scenes[i], "t=0 submit id=1 gpus=6 limit=1h");
        scene_event(scenes[i], "t=1m submit id=2 gpus=8 limit=1h");
        scene_event(scenes[i], "t=2m submit id=3 gpus=2 limit=30m");
        expect(scenes[i], i ? loose : strict, 2);
        scene_free(scenes[i]);
    }
}

static void the_policys_own_line_is_followed(void **state)
{
    static const struct expected rows[] = {{2, 120, 180}, {3, 60, 120}};
    struct scene s = scene_new("1x8:A100", "priority");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=8 limit=1h");
    scene_event(&s, "t=0 submit id=2 gpus=8 limit=1h");
    scene_event(&s, "t=0 submit id=3 gpus=8 limit=1h priority=9");
    expect(&s, rows, 2);
    scene_free(&s);
}

static void an_array_goes_from_its_first_start_to_its_last_end(void **state)
{
    static const struct expected rows[] = {{1, 60, 180}, {1000, 60, 60 * 60}};
    struct scene s = scene_new("1x8:A100", "easy");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=2 limit=1h array=0-9");
    expect(&s, rows, 1);
    scene_event(&s, "t=0 cancel id=1");
    for (int id = 2; id < 6; id++) {
        char line[32];

        snprintf(line, sizeof line, "end id=%d", id);
        scene_event(&s, line);
    }
    scene_event(&s, "t=0 submit id=900 gpus=8 limit=1h");
    scene_event(&s, "t=0 submit id=1000 gpus=4 limit=1h array=0-117");
    expect(&s, rows + 1, 1);
    scene_free(&s);
}

static void a_queue_longer_than_the_plan_still_has_all_its_starts(void **state)
{
    struct scene s = scene_new("1x8:A100", "easy");
    struct bl_arena arena = {0};
    struct bl_forecast forecast;
    bl_time last = 0;

    (void)state;
    for (int id = 1; id <= 11000; id++) {
        char line[64];

        snprintf(line, sizeof line, "t=0 submit id=%d gpus=8 limit=1h", id);
        scene_event(&s, line);
    }
    forecast = bl_forecast_make(s.core, &arena);
    assert_int_equal(forecast.count, 11000);
    for (size_t i = 0; i < forecast.count; i++) {
        assert_true(forecast.row[i].start >= last && forecast.row[i].start < 11001 * BL_HOUR);
        last = forecast.row[i].start;
    }
    bl_arena_finish(&arena);
    scene_free(&s);
}

static void jobs_of_a_reservation_start_with_its_slot_and_others_around_it(void **state)
{
    static const struct expected rows[] = {{1, 60, 90}, {2, 120, 240}, {3, 0, 60}, {4, -1, -1}};
    struct scene s = scene_new("1x8:A100", "easy");

    (void)state;
    scene_event(&s, "t=0 reserve id=1 gpus=8 from=1h for=1h");
    scene_event(&s, "t=0 submit id=1 gpus=4 limit=30m reservation=1");
    scene_event(&s, "t=0 submit id=2 gpus=8 limit=2h");
    scene_event(&s, "t=0 submit id=3 gpus=8 limit=1h");
    scene_event(&s, "t=0 submit id=4 gpus=4 limit=30m reservation=7");
    expect(&s, rows, sizeof rows / sizeof rows[0]);
    scene_free(&s);
}

static void a_job_of_a_reservation_starts_with_its_slot(void **state)
{
    static const struct expected rows[] = {{1, 60, 90}, {2, 60, 120}, {3, -1, -1}};
    struct scene s = scene_new("1x4:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 reserve id=1 gpus=4 from=1h for=2h");
    scene_event(&s, "t=0 submit id=1 gpus=4 limit=30m reservation=1");
    scene_event(&s, "t=0 submit id=2 gpus=1 limit=1h reservation=1");
    scene_event(&s, "t=0 submit id=3 gpus=1 limit=1h reservation=2");
    expect(&s, rows, sizeof rows / sizeof rows[0]);
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(C4_every_job_has_its_start_and_end),
        cmocka_unit_test(who_waits_behind_a_job_without_a_limit_has_no_start),
        cmocka_unit_test(a_resized_job_ends_when_its_limit_passes_or_nobody_knows_when),
        cmocka_unit_test(a_strict_policy_lets_nobody_be_forecast_ahead),
        cmocka_unit_test(the_policys_own_line_is_followed),
        cmocka_unit_test(an_array_goes_from_its_first_start_to_its_last_end),
        cmocka_unit_test(a_queue_longer_than_the_plan_still_has_all_its_starts),
        cmocka_unit_test(jobs_of_a_reservation_start_with_its_slot_and_others_around_it),
        cmocka_unit_test(a_job_of_a_reservation_starts_with_its_slot),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
