#include "bl_test.h"
#include "core/hold.h"
#include "core/plan_parts.h"

/* One node of eight GPUs; four of them are held over [100, 200). */
struct world {
    struct bl_cluster cluster;
    struct bl_holds holds;
    struct bl_saves saves;
    struct bl_arena arena;
    struct bl_job runs;
    struct bl_running_entry running;
    struct bl_view view;
};

enum { HOLD_START = 100 * 1000000, HOLD_END = 2 * HOLD_START, UNIT = 1000000 };

static void hold(struct world *world, int64_t booking)
{
    struct bl_hold hold = {.booking = booking,
                           .start = HOLD_START,
                           .end = HOLD_END,
                           .part = {.gpus = 4, .gpu_mask = 0xF, .cpu_milli = 4000}};

    bl_holds_clear(&world->holds, 1);
    bl_holds_add(&world->holds, &hold);
    bl_holds_settle(&world->holds);
}

static void world_make(struct world *world)
{
    struct bl_node_spec spec = {.name = "n1", .gpu_type = "A100", .gpus = 8, .cpu_milli = 8000};

    *world = (struct world){0};
    bl_cluster_add_node(&world->cluster, &spec);
    hold(world, 1);
    world->holds.saves = &world->saves;
    world->cluster.holds = &world->holds;
    world->view = (struct bl_view){.cluster = &world->cluster, .scratch = &world->arena};
}

static void world_free(struct world *world)
{
    bl_holds_finish(&world->holds);
    bl_saves_finish(&world->saves);
    bl_arena_finish(&world->arena);
    bl_cluster_finish(&world->cluster);
}

static struct bl_job job_of(int32_t gpus, bl_time limit)
{
    return (struct bl_job){.id = 7,
                           .pool = -1,
                           .spec = {.gpus_min = gpus,
                                    .gpus_want = gpus,
                                    .gpus_max = gpus,
                                    .cpu_milli = {1000, true},
                                    .limit = limit * UNIT}};
}

/* Seconds. */
static bl_time start_of(struct world *world, const struct bl_job *job, bl_time duration,
                        bl_time from)
{
    struct bl_plan *plan = bl_plan_create(&world->view);

    return bl_plan_add(plan, job, job->spec.gpus_want, duration * UNIT, from * UNIT) / UNIT;
}

struct row {
    const char *name;
    int32_t gpus;
    bl_time limit, duration, from;
    enum bl_job_class job_class;
    bl_time start;
};

static void P14_nobody_is_planned_into_what_is_held(void **state)
{
    static const struct row rows[] = {
        {"done before", 8, 100, 100, 0, BL_CLASS_BATCH, 0},
        {"not done before", 8, 101, 101, 0, BL_CLASS_BATCH, 200},
        {"beside it", 4, 500, 500, 0, BL_CLASS_BATCH, 0},
        {"beside it and more", 5, 101, 101, 0, BL_CLASS_BATCH, 200},
        {"done by a guess only", 8, 300, 50, 0, BL_CLASS_BATCH, 200},
        {"gives way in time", 8, 300, 300, 0, BL_CLASS_PREEMPTIBLE, 0},
        {"cannot give way in time", 8, 300, 300, 80, BL_CLASS_PREEMPTIBLE, 200},
        {"gives way, while it lasts", 8, 300, 300, 150, BL_CLASS_PREEMPTIBLE, 200},
    };
    struct world world;

    (void)state;
    world_make(&world);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_job job = job_of(rows[i].gpus, rows[i].limit);
        bl_time start;

        job.spec.job_class = rows[i].job_class;
        start = start_of(&world, &job, rows[i].duration, rows[i].from);
        if (start != rows[i].start) {
            fail_msg("%s: %lld", rows[i].name, (long long)start);
        }
    }
    world_free(&world);
}

static void what_gives_way_leaves_room_for_others_behind_it(void **state)
{
    struct world world;
    struct bl_job lent = job_of(8, 300);
    struct bl_job other = job_of(4, 50);
    struct bl_plan *plan;

    (void)state;
    world_make(&world);
    lent.spec.job_class = BL_CLASS_PREEMPTIBLE;
    plan = bl_plan_create(&world.view);
    assert_int_equal(bl_plan_add(plan, &lent, 8, 300 * UNIT, 0), 0);
    assert_int_equal(bl_plan_add(plan, &other, 4, 50 * UNIT, 0), HOLD_START);
    assert_int_equal(bl_plan_add(plan, &lent, 8, 300 * UNIT, 0), 300 * UNIT);
    world_free(&world);
}

static void a_promise_is_in_the_way_of_others_alone(void **state)
{
    struct world world;
    struct bl_job promised = job_of(8, 150);
    struct bl_job other = job_of(8, 150);
    struct bl_plan *plan;

    (void)state;
    world_make(&world);
    hold(&world, -7);
    promised.promised_at = HOLD_START;
    other.id = 8;
    plan = bl_plan_create(&world.view);
    assert_int_equal(bl_plan_find(plan, &other, 8, 150 * UNIT, 0), HOLD_END);
    assert_int_equal(bl_plan_find(plan, &promised, 8, 150 * UNIT, 0), 0);
    assert_int_equal(bl_plan_add(plan, &promised, 8, 150 * UNIT, 0), 0);
    assert_int_equal(bl_plan_find(plan, &other, 8, 150 * UNIT, 0), 150 * UNIT);
    world_free(&world);
}

static void gpus_that_run_for_their_holder_are_counted_once(void **state)
{
    static const struct {
        uint64_t mask;    /* of four GPUs that a job is on until 150 */
        bl_time of_four;  /* four more, for an hour */
        bl_time of_eight; /* all */
    } rows[] = {{0x0F, 110, 200}, {0xF0, 150, 200}, {0x3C, 150, 200}};
    struct bl_job four = job_of(4, 3600);
    struct bl_job eight = job_of(8, 3600);
    struct world world;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        world_make(&world);
        world.view.now = 110 * UNIT;
        world.runs = job_of(4, 3600);
        world.runs.spec.reservation = 1;
        world.runs.alloc = (struct bl_alloc){
            .part_count = 1, .single = {.gpus = 4, .gpu_mask = rows[i].mask, .cpu_milli = 4000}};
        bl_cluster_take(&world.cluster, &world.runs.alloc);
        world.running = (struct bl_running_entry){&world.runs, 150 * UNIT};
        world.view.running = &world.running;
        world.view.running_count = 1;
        assert_int_equal(start_of(&world, &four, 3600, 0), rows[i].of_four);
        assert_int_equal(start_of(&world, &eight, 3600, 0), rows[i].of_eight);
        world_free(&world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(P14_nobody_is_planned_into_what_is_held),
        cmocka_unit_test(what_gives_way_leaves_room_for_others_behind_it),
        cmocka_unit_test(a_promise_is_in_the_way_of_others_alone),
        cmocka_unit_test(gpus_that_run_for_their_holder_are_counted_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
