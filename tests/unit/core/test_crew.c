#include "bl_test.h"
#include "core/crew.h"
#include "core/state.h"
#include "scene.h"

#include <math.h>

static const struct bl_crew_rules rules = {
    .hold = BL_MINUTE, .patience = BL_DAY, .preempt = BL_CREW_PREEMPT_ELASTIC};

static struct bl_crew gather(struct scene *s, struct bl_view *view)
{
    *view = bl_core_view(s->core);
    return bl_crew_gather(view, &rules);
}

static void buckets_are_types_of_pools_or_nodes_where_nobody_is_spread(void **state)
{
    static const struct {
        const char *nodes, *job;
        int32_t buckets;
        bool is_by_node;
        int64_t room;
    } rows[] = {
        {"2x8:A100 2x4:V100", "gpus=1-8", 2, false, 16},
        {"2x8:A100 2x4:V100", "gpus=1-8 nodes=1", 4, true, 8},
        {"2x8:A100 2x4:V100", "gpus=1", 4, true, 4},
        {"17x8:A100", "gpus=1", 1, false, 136},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene s = scene_new(rows[i].nodes, "fifo");
        char line[80];
        struct bl_view view;
        struct bl_crew crew;

        scene_event(&s, "t=0 submit id=1 gpus=1 run=1h nodes=1");
        snprintf(line, sizeof line, "t=0 submit id=2 %s after=1", rows[i].job);
        scene_event(&s, line);
        scene_event(&s, "t=1m submit id=3 gpus=136 run=1h");
        snprintf(line, sizeof line, "t=1m submit id=4 %s run=1h", rows[i].job);
        scene_event(&s, line); /* behind 3, so that it queues */
        scene_event(&s, "t=1m cancel id=3");
        view = bl_core_view(s.core);
        crew = bl_crew_gather(&view, &rules);
        assert_int_equal(crew.bucket_count, rows[i].buckets);
        assert_int_equal(crew.is_by_node, rows[i].is_by_node);
        assert_int_equal(crew.bucket[0].room, rows[i].room);
        bl_arena_reset(view.scratch);
        scene_free(&s);
    }
}

/* Of equal choices the first is taken. */
static void P19_of_nodes_as_buckets_the_fuller_come_first(void **state)
{
    struct scene s = scene_new("3x8:A100 1x6:V100", "fifo");
    struct bl_view view;
    struct bl_crew crew;
    char order[32] = "";

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=8 run=9h nodes=1");
    scene_event(&s, "t=0 submit id=2 gpus=1 run=9h type=A100");
    scene_event(&s, "t=0 submit id=3 gpus=3 run=9h nodes=1 type=A100");
    scene_event(&s, "t=0 cancel id=1");
    scene_event(&s, "t=0 end id=1 signal=15");
    crew = gather(&s, &view);
    for (int32_t b = 0; b < crew.bucket_count; b++) {
        size_t length = strlen(order);

        snprintf(order + length, sizeof order - length, " %s",
                 view.cluster->node[crew.bucket[b].node].spec.name);
    }
    assert_string_equal(order, " n2 n4 n1 n3");
    bl_arena_reset(view.scratch);
    scene_free(&s);
}

static void who_runs_is_open_held_or_pinned(void **state)
{
    static const struct {
        const char *job;
        const char *at;
        enum bl_crew_bond bond;
        bl_time since; /* of the second job */
    } rows[] = {
        {"gpus=4", "t=1h", BL_CREW_PINNED, BL_HOUR},
        {"gpus=4 class=preemptible", "t=1h", BL_CREW_OPEN, BL_HOUR},
        {"gpus=2-4", "t=1h", BL_CREW_OPEN, BL_HOUR},
        {"gpus=2-4 cost=1s", "t=30s", BL_CREW_HELD, 0},
        {"gpus=2-4", "t=30s", BL_CREW_OPEN, 30 * BL_SECOND}, /* it costs nothing */
        {"gpus=2-4 cost=1s", "t=0", BL_CREW_OPEN, 0},        /* at the very instant of its start */
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene s = scene_new("1x4:A100", "fifo");
        char line[80];
        struct bl_view view;
        struct bl_crew crew;

        snprintf(line, sizeof line, "t=0 submit id=1 %s run=9h", rows[i].job);
        scene_event(&s, line);
        snprintf(line, sizeof line, "%s submit id=2 gpus=4 run=1h", rows[i].at);
        scene_event(&s, line);
        crew = gather(&s, &view);
        assert_int_equal(crew.count, 2);
        assert_int_equal(crew.member[0].bond, rows[i].bond);
        assert_int_equal(crew.member[0].keep >= 0,
                         rows[i].bond == BL_CREW_HELD || rows[i].bond == BL_CREW_PINNED);
        assert_int_equal(crew.wake_at,
                         rows[i].bond == BL_CREW_HELD ? BL_MINUTE : BL_DAY + rows[i].since);
        assert_false(crew.member[1].is_running);
        bl_arena_reset(view.scratch);
        scene_free(&s);
    }
}

static void options_are_the_legal_counts_that_suit(void **state)
{
    static const struct {
        const char *job;
        const char *options; /* BUCKET:GPUS … */
    } rows[] = {
        {"gpus=2-3", "0:2 0:3 1:2 1:3"},
        {"gpus=2-3 type=V100", "1:2 1:3"},
        {"gpus=2,4 type=A100", "0:2 0:4"},
        {"gpus=6-9 nodes=2 type=V100", "1:6 1:7 1:8"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene s = scene_new("1x8:A100 4x4:V100", "fifo");
        char line[80];
        char text[100] = "";
        size_t length = 0;
        struct bl_view view;
        struct bl_crew crew;

        scene_event(&s, "t=0 submit id=1 gpus=99 run=9h");
        snprintf(line, sizeof line, "t=0 submit id=2 %s run=9h", rows[i].job);
        scene_event(&s, line);
        crew = gather(&s, &view);
        for (size_t k = 0; k < crew.member[1].count; k++) {
            const struct bl_crew_option *option = &crew.option[crew.member[1].first + k];

            length += (size_t)snprintf(text + length, sizeof text - length, "%s%d:%d", k ? " " : "",
                                       (int)option->bucket, (int)option->gpus);
        }
        assert_string_equal(text, rows[i].options);
        bl_arena_reset(view.scratch);
        scene_free(&s);
    }
}

static void elements_of_an_array_are_members_of_their_own(void **state)
{
    struct scene s = scene_new("1x4:A100", "fifo");
    struct bl_array_range range = {0, 9, 1};
    struct bl_event event = {.kind = BL_EVENT_JOB_SUBMITTED, .job = 2};
    struct bl_view view;
    struct bl_crew crew;

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=4 run=9h");
    event.u.submitted = (struct bl_job_spec){.gpus_min = 1,
                                             .gpus_want = 1,
                                             .gpus_max = 1,
                                             .array = &range,
                                             .array_range_count = 1,
                                             .array_running_max = 3};
    scene_step(&s, &event);
    crew = gather(&s, &view);
    assert_int_equal(crew.count, 4);
    assert_int_equal(crew.member[1].index, crew.member[3].index);
    bl_arena_reset(view.scratch);
    scene_free(&s);
}

static void A14_a_start_costs_what_saving_was_seen_to_take_twice(void **state)
{
    static const struct {
        const char *end;
        double restart_s;
    } rows[] = {{"t=20m40s end id=1 code=85", 80}, {"t=20m1s end id=1 code=85", 5}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene s = scene_new("1x8:A100", "fifo");
        struct bl_view view;

        scene_event(&s, "t=0 submit id=1 gpus=2-4");
        assert_true(gather(&s, &view).member[0].restart_s == 30);
        bl_arena_reset(view.scratch);
        scene_event(&s, "t=20m resize id=1 gpus=2");
        scene_event(&s, rows[i].end);
        assert_true(gather(&s, &view).member[0].restart_s == rows[i].restart_s);
        bl_arena_reset(view.scratch);
        scene_free(&s);
    }
}

static void what_is_left_comes_from_the_best_that_is_known(void **state)
{
    static const struct {
        struct bl_job job;
        double left_s;
    } rows[] = {
        {{.spec.work = BL_HOUR}, 3600},
        {{.spec.work = BL_HOUR, .progress.done = 0.75}, 900},
        {{.spec.work = BL_HOUR, .progress.done = 1}, 1e-3},
        {{.spec = {.work = BL_HOUR, .told = BL_MINUTE}}, 60},
        {{.spec = {.work = BL_HOUR, .told = -1}}, 3600},
        {{.spec = {.work = 9 * BL_HOUR, .told = -1}, .predicted_run = 2 * BL_HOUR}, 7200},
        /* running: since 100 s, 20 of them restart; 30 s ago it was half way */
        {{.spec = {.work = BL_HOUR, .restart = 20 * BL_SECOND},
          .state = BL_JOB_RUNNING,
          .running_at = 900 * BL_SECOND},
         3440},
        {{.spec = {.work = BL_HOUR, .restart = 20 * BL_SECOND},
          .state = BL_JOB_RUNNING,
          .running_at = 900 * BL_SECOND,
          .progress = {.done = 0.5, .at = 970 * BL_SECOND}},
         1740},
        {{.spec = {.work = BL_HOUR, .restart = BL_HOUR},
          .state = BL_JOB_RUNNING,
          .running_at = 900 * BL_SECOND},
         3600},
        {{.spec = {.work = BL_HOUR, .told = BL_MINUTE},
          .state = BL_JOB_RUNNING,
          .running_at = 900 * BL_SECOND},
         200}, /* it outran what was told */
        /* 100 s on what it needs least, at speed 2: half of it, whether it ran on or waits again */
        {{.spec.gpus_min = 4, .attained = 400, .progress.done = 0.5}, 200},
        {{.spec.gpus_min = 4, .attained = 400, .progress = {.done = 0.5, .at = 1}}, 200},
        {{.predicted_run = BL_HOUR, .attained = 100}, 3400},
        {{.predicted_run = BL_MINUTE, .attained = 3600}, 7200}, /* half way */
        {{.spec.limit = 4 * BL_HOUR}, 3600},
        {{.id = 1}, 3600},
    };
    struct bl_view view = {.now = 1000 * BL_SECOND};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_speeds speeds = bl_speeds_of(&view, &rows[i].job);
        double left_s = bl_crew_left_s(&speeds, 2);

        if (fabs(left_s - rows[i].left_s) > 1e-6) {
            fail_msg("row %zu: %g", i, left_s);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buckets_are_types_of_pools_or_nodes_where_nobody_is_spread),
        cmocka_unit_test(A14_a_start_costs_what_saving_was_seen_to_take_twice),
        cmocka_unit_test(P19_of_nodes_as_buckets_the_fuller_come_first),
        cmocka_unit_test(who_runs_is_open_held_or_pinned),
        cmocka_unit_test(options_are_the_legal_counts_that_suit),
        cmocka_unit_test(elements_of_an_array_are_members_of_their_own),
        cmocka_unit_test(what_is_left_comes_from_the_best_that_is_known),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
