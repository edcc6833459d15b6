#include "bl_test.h"
#include "core/plan.h"
#include "prop.h"
#include "scene.h"

#include <stdlib.h>

static struct bl_job make_job(int32_t gpus, int32_t nodes_max)
{
    struct bl_job job = {.pool = -1};

    job.spec.gpus_min = job.spec.gpus_want = job.spec.gpus_max = gpus;
    job.spec.nodes_max = nodes_max;
    job.spec.limit = BL_HOUR;
    return job;
}

static struct bl_view make_view(const struct scene *s, struct bl_arena *scratch)
{
    return (struct bl_view){
        .now = bl_core_now(s->core), .cluster = bl_core_cluster(s->core), .scratch = scratch};
}

static void jobs_fill_the_plan_one_beside_and_behind_the_other(void **state)
{
    struct scene s = scene_new("1x8:A100", "fifo");
    struct bl_arena scratch = {0};
    struct bl_view view = make_view(&s, &scratch);
    struct bl_plan *plan = bl_plan_create(&view);
    struct bl_job six = make_job(6, 0);
    struct bl_job eight = make_job(8, 0);
    struct bl_job two = make_job(2, 0);
    struct bl_job nine = make_job(9, 0);

    (void)state;
    assert_int_equal(bl_plan_add(plan, &six, 6, 2 * BL_HOUR, 0), 0);
    assert_int_equal(bl_plan_add(plan, &eight, 8, BL_HOUR, 0), 2 * BL_HOUR);
    assert_int_equal(bl_plan_find(plan, &two, 2, 3 * BL_HOUR, 0), 3 * BL_HOUR);
    assert_int_equal(bl_plan_add(plan, &two, 2, 2 * BL_HOUR, 0), 0);
    assert_int_equal(bl_plan_add(plan, &two, 2, 1, 0), 3 * BL_HOUR);
    assert_int_equal(bl_plan_add(plan, &two, 2, BL_HOUR, 10 * BL_HOUR), 10 * BL_HOUR);
    assert_true(bl_plan_add(plan, &nine, 9, 1, 0) == BL_TIME_NEVER);
    bl_arena_finish(&scratch);
    scene_free(&s);
}

static void a_job_stays_on_its_nodes_for_its_whole_time(void **state)
{
    struct scene s = scene_new("2x4:A100", "fifo");
    struct bl_arena scratch = {0};
    struct bl_view view = make_view(&s, &scratch);
    struct bl_plan *plan = bl_plan_create(&view);
    struct bl_job four = make_job(4, 1);
    struct bl_job two = make_job(2, 1);

    (void)state;
    assert_int_equal(bl_plan_add(plan, &four, 4, BL_HOUR, 0), 0);
    assert_int_equal(bl_plan_add(plan, &four, 4, BL_HOUR, BL_HOUR / 2), BL_HOUR / 2);
    /* One node is free before, the other after half past: neither for two hours. */
    assert_int_equal(bl_plan_find(plan, &two, 2, 2 * BL_HOUR, 0), BL_HOUR);
    assert_int_equal(bl_plan_find(plan, &two, 2, BL_HOUR / 2, 0), 0);
    bl_arena_finish(&scratch);
    scene_free(&s);
}

static void what_runs_frees_its_place_at_its_planned_end(void **state)
{
    struct scene s = scene_new("1x8:A100", "easy");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=8 limit=1h");
    scene_event(&s, "t=0 node name=n1 state=drained from=3h");
    scene_event(&s, "t=1m submit id=2 gpus=8 limit=2h");
    scene_event(&s, "t=1m submit id=3 gpus=8 limit=30m");
    assert_int_equal(bl_core_find_job(s.core, 1)->planned_end, BL_HOUR);
    scene_free(&s);
}

enum { NODES = 3, PLANNED = 14, HORIZON = 40 };

/* The same by brute force: every minute of every node. */
struct naive {
    int free[HORIZON * 4][NODES];
};

static int naive_add(struct naive *naive, int gpus, int minutes)
{
    for (int start = 0; start + minutes < HORIZON * 4; start++) {
        for (int node = 0; node < NODES; node++) {
            bool fits = true;

            for (int t = start; t < start + minutes; t++) {
                fits = fits && naive->free[t][node] >= gpus;
            }
            if (fits) {
                return start;
            }
        }
    }
    return -1;
}

/* The plan may choose another node than the first; what must agree is the earliest start, given the
 * same bookings. So the naive model books where the plan did: it asks for all nodes that fit and
 * takes the one that is left with least over the whole window, lowest first. */
static void naive_take(struct naive *naive, int start, int gpus, int minutes)
{
    int best = -1;
    int best_left = 0;

    for (int node = 0; node < NODES; node++) {
        int left = 99;

        for (int t = start; t < start + minutes; t++) {
            left = naive->free[t][node] < left ? naive->free[t][node] : left;
        }
        if (left >= gpus && (best < 0 || left < best_left)) {
            best = node;
            best_left = left;
        }
    }
    for (int t = start; t < start + minutes; t++) {
        naive->free[t][best] -= gpus;
    }
}

static bool plan_equals_the_naive_one(struct bl_prop *prop, void *context)
{
    struct scene *s = context;
    struct bl_arena scratch = {0};
    struct bl_view view = make_view(s, &scratch);
    struct bl_plan *plan = bl_plan_create(&view);
    struct naive naive;
    bool held = true;
    int64_t jobs = bl_prop_between(prop, 1, PLANNED);

    for (int t = 0; t < HORIZON * 4; t++) {
        for (int node = 0; node < NODES; node++) {
            naive.free[t][node] = 4;
        }
    }
    for (int64_t i = 0; i < jobs && held; i++) {
        int gpus = (int)bl_prop_between(prop, 1, 4);
        int minutes = (int)bl_prop_between(prop, 1, 9);
        struct bl_job job = make_job(gpus, 1);
        bl_time start = bl_plan_add(plan, &job, gpus, minutes * BL_MINUTE, 0);
        int expected = naive_add(&naive, gpus, minutes);

        bl_prop_note(prop, "gpus=%d minutes=%d: %lld, naive %d", gpus, minutes,
                     (long long)(start / BL_MINUTE), expected);
        held = start == expected * BL_MINUTE;
        if (held) {
            naive_take(&naive, expected, gpus, minutes);
        }
    }
    bl_arena_finish(&scratch);
    return held;
}

static void the_plan_equals_a_naive_model(void **state)
{
    struct scene s = scene_new("3x4:A100", "fifo");

    (void)state;
    assert_true(bl_prop_holds("plan equals naive", 1000, plan_equals_the_naive_one, &s));
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jobs_fill_the_plan_one_beside_and_behind_the_other),
        cmocka_unit_test(a_job_stays_on_its_nodes_for_its_whole_time),
        cmocka_unit_test(what_runs_frees_its_place_at_its_planned_end),
        cmocka_unit_test(the_plan_equals_a_naive_model),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
