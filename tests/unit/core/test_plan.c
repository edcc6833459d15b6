#include "bl_test.h"
#include "core/plan.h"
#include "plan_array.h"
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

/* A machine of odd nodes, what runs on it, and a plan of each kind. */
struct world {
    struct bl_prop *prop;
    struct bl_arena arena;
    struct bl_cluster cluster;
    struct bl_job *runs; /* of view.running */
    struct bl_running_entry *running;
    struct bl_view view;
    struct bl_plan *plan;
    struct plan_array *array;
};

enum { NODES_MAX = 7, RUNNING_MAX = 6, OPERATIONS_MAX = 250, HORIZON = 60 };

static int64_t draw(const struct world *world, int64_t low, int64_t high)
{
    return bl_prop_between(world->prop, low, high);
}

static void add_node(struct world *world, int number)
{
    static const char *const pools[] = {"main", "edge"};
    static const char *const types[] = {"A100", "V100", "T4"};
    char name[16];
    int32_t gpus = (int32_t)(draw(world, 0, 3) ? 8 : draw(world, 0, 8));
    struct bl_node_spec spec = {.name = name,
                                .pool = pools[draw(world, 0, 3) == 3],
                                .gpu_type = types[draw(world, 0, 2)],
                                .gpus = gpus,
                                .counted = draw(world, 0, 4) == 4,
                                .gpu_mem_bytes = (int64_t)draw(world, 1, 2) << 30,
                                .cpu_milli = draw(world, 1, 4) * 4000,
                                .mem_bytes = draw(world, 1, 4) * 16};
    int32_t node;

    snprintf(name, sizeof name, "n%d", number);
    node = bl_cluster_add_node(&world->cluster, &spec);
    if (draw(world, 0, 9) == 9) {
        bl_cluster_set_state(&world->cluster, node, (enum bl_node_state)draw(world, 1, 2));
    } else if (draw(world, 0, 4) == 4) {
        bl_cluster_set_drain(&world->cluster, node, draw(world, 1, HORIZON));
    }
}

static struct bl_job draw_job(const struct world *world)
{
    int32_t gpus = (int32_t)(draw(world, 0, 2) ? draw(world, 1, 4) : draw(world, 0, 12));
    struct bl_job job = make_job(gpus, (int32_t)draw(world, 0, 3));

    job.pool = draw(world, 0, 3) == 3 ? (int32_t)draw(world, 0, 1) : -1;
    job.type_mask = draw(world, 0, 3) == 3 ? (uint64_t)draw(world, 1, 7) : 0;
    job.spec.gpu_mem_bytes = draw(world, 0, 3) == 3 ? INT64_C(2) << 30 : 0;
    job.spec.cpu_milli = (struct bl_amount){draw(world, 0, 3) * 1000, draw(world, 0, 1) == 0};
    job.spec.mem_bytes = (struct bl_amount){draw(world, 0, 4), draw(world, 0, 1) == 0};
    job.spec.limit = draw(world, 1, 12);
    return job;
}

static void run_some(struct world *world)
{
    for (int64_t left = draw(world, 0, RUNNING_MAX); left > 0; left--) {
        struct bl_job *job = &world->runs[world->view.running_count];
        bl_time end = world->view.running_count
                          ? world->running[world->view.running_count - 1].planned_end
                          : -2;

        *job = draw_job(world);
        if (bl_place_try(&world->cluster, job, job->spec.gpus_want, &job->alloc)) {
            bl_cluster_take(&world->cluster, &job->alloc);
            world->running[world->view.running_count++] =
                (struct bl_running_entry){job, end + draw(world, 0, 6)};
        }
    }
}

static void make_world(struct world *world, struct bl_prop *prop)
{
    *world = (struct world){.prop = prop};
    for (int i = (int)draw(world, 1, NODES_MAX); i > 0; i--) {
        add_node(world, i);
    }
    world->runs = bl_arena_alloc(&world->arena, RUNNING_MAX * sizeof *world->runs);
    world->running = bl_arena_alloc(&world->arena, RUNNING_MAX * sizeof *world->running);
    world->view.cluster = &world->cluster;
    world->view.scratch = &world->arena;
    world->view.running = world->running;
    run_some(world);
    world->plan = bl_plan_create(&world->view);
    world->array = plan_array_new(&world->view, PLAN_ARRAY_FORGETS);
}

static void free_world(struct world *world)
{
    for (size_t i = 0; i < world->view.running_count; i++) {
        bl_alloc_finish(&world->runs[i].alloc);
    }
    bl_cluster_finish(&world->cluster);
    bl_arena_finish(&world->arena);
}

static bool are_same_places(const struct bl_plan_place *a, const struct bl_plan_place *b)
{
    const struct bl_alloc_part *x = bl_alloc_parts(&a->alloc);
    const struct bl_alloc_part *y = bl_alloc_parts(&b->alloc);

    if (a->start != b->start || a->alloc.part_count != b->alloc.part_count) {
        return false;
    }
    for (uint32_t i = 0; i < a->alloc.part_count; i++) {
        if (x[i].node != y[i].node || x[i].gpus != y[i].gpus || x[i].cpu_milli != y[i].cpu_milli ||
            x[i].mem_bytes != y[i].mem_bytes) {
            return false;
        }
    }
    return true;
}

/* Some GPUs of a node, free or not, as a reservation would take them. */
static struct bl_plan_place draw_block(const struct world *world)
{
    struct bl_plan_place block = {.start = draw(world, 0, HORIZON)};

    block.end = draw(world, 0, 9) == 9 ? BL_TIME_NEVER : block.start + draw(world, 1, 20);
    block.alloc.part_count = 1;
    block.alloc.single = (struct bl_alloc_part){
        .node = (int32_t)draw(world, 0, (int64_t)world->cluster.node_count - 1),
        .gpus = (int32_t)draw(world, 0, 8),
        .cpu_milli = draw(world, 0, 8) * 1000,
        .mem_bytes = draw(world, 0, 20)};
    return block;
}

static bool put_in_both(struct world *world, struct bl_plan_place *out)
{
    struct bl_job job = draw_job(world);
    int32_t gpus = job.spec.gpus_want;
    bl_time duration = draw(world, 1, 3) < 3 ? job.spec.limit : draw(world, 1, job.spec.limit);
    bl_time from = draw(world, 0, 3) == 3 ? draw(world, 0, HORIZON) : 0;
    bl_time found = bl_plan_find(world->plan, &job, gpus, duration, from);
    struct bl_plan_place expected = plan_array_put(world->array, &job, gpus, duration, from);

    *out = bl_plan_put(world->plan, &job, gpus, duration, from);
    bl_prop_note(world->prop, "put gpus=%d nodes=%d for %lld from %lld: %lld, naive %lld", gpus,
                 job.spec.nodes_max, (long long)duration, (long long)from, (long long)out->start,
                 (long long)expected.start);
    return found == out->start && are_same_places(out, &expected);
}

static bool change_both(struct world *world, struct bl_plan_place *known, size_t *count)
{
    int64_t what = draw(world, 0, 9);

    if (what < 7) {
        bool is_same = put_in_both(world, &known[*count]);

        *count += known[*count].start != BL_TIME_NEVER;
        return is_same;
    }
    if (what == 7) {
        struct bl_plan_place block = draw_block(world);

        bl_plan_block(world->plan, &block.alloc, block.start, block.end);
        plan_array_block(world->array, &block.alloc, block.start, block.end);
        bl_prop_note(world->prop, "block node=%d gpus=%d [%lld, %lld)", block.alloc.single.node,
                     block.alloc.single.gpus, (long long)block.start, (long long)block.end);
        known[(*count)++] = block;
    } else if (*count > 0) {
        struct bl_plan_place *gone = &known[draw(world, 0, (int64_t)*count - 1)];

        bl_plan_remove(world->plan, &gone->alloc, gone->start, gone->end);
        plan_array_remove(world->array, &gone->alloc, gone->start, gone->end);
        bl_prop_note(world->prop, "remove [%lld, %lld)", (long long)gone->start,
                     (long long)gone->end);
        *gone = known[--*count];
    }
    return true;
}

static bool plan_equals_the_array(struct bl_prop *prop, void *context)
{
    struct world world;
    struct bl_plan_place known[OPERATIONS_MAX];
    size_t count = 0;
    bool held = true;

    (void)context;
    make_world(&world, prop);
    for (int64_t left = bl_prop_between(prop, 1, OPERATIONS_MAX); left > 0 && held; left--) {
        held = change_both(&world, known, &count);
    }
    free_world(&world);
    return held;
}

static void the_plan_equals_a_naive_model_after_any_operations(void **state)
{
    (void)state;
    assert_true(bl_prop_holds("plan equals naive", 1500, plan_equals_the_array, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jobs_fill_the_plan_one_beside_and_behind_the_other),
        cmocka_unit_test(a_job_stays_on_its_nodes_for_its_whole_time),
        cmocka_unit_test(what_runs_frees_its_place_at_its_planned_end),
        cmocka_unit_test(the_plan_equals_a_naive_model_after_any_operations),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
