#include "bl_test.h"
#include "core/plan_parts.h"
#include "prop.h"

#include <stdio.h>

/* A few nodes of four GPUs and four CPUs, and what is free on them at each instant of a while; all
 * is free afterwards. */
enum { NODES_MAX = 4, SPAN = 50, BLOCKS_MAX = 60, NODE_GPUS = 4 };

struct world {
    struct bl_cluster cluster;
    struct bl_arena arena;
    struct bl_plan_columns columns;
    struct bl_plan_tree tree;
    struct bl_plan_row base;
    int32_t gpus[SPAN + 1][NODES_MAX];
    int64_t cpus[SPAN + 1][NODES_MAX];
};

static void make_world(struct world *world, struct bl_prop *prop)
{
    int32_t nodes = (int32_t)bl_prop_between(prop, 1, NODES_MAX);

    *world = (struct world){0};
    for (int32_t i = 0; i < nodes; i++) {
        char name[16];
        struct bl_node_spec spec = {
            .name = name, .gpu_type = "A100", .gpus = NODE_GPUS, .cpu_milli = NODE_GPUS};

        snprintf(name, sizeof name, "n%d", i);
        bl_cluster_add_node(&world->cluster, &spec);
    }
    world->columns = bl_plan_columns_make(&world->cluster, &world->arena);
    world->base = bl_plan_row_make(&world->arena, world->columns.count);
    world->tree = (struct bl_plan_tree){.arena = &world->arena, .columns = world->columns.count};
    world->tree.block = (size_t)bl_prop_between(prop, 2, 5);
    for (int32_t i = nodes; i < world->columns.count; i++) {
        world->base.gpus[i] = BL_PLAN_NO_GPUS;
    }
    for (int32_t i = 0; i < nodes; i++) {
        world->base.gpus[i] = NODE_GPUS;
        world->base.side[i].cpu_milli = NODE_GPUS;
        for (int at = 0; at <= SPAN; at++) {
            world->gpus[at][i] = NODE_GPUS;
            world->cpus[at][i] = NODE_GPUS;
        }
    }
}

static void free_world(struct world *world)
{
    bl_arena_finish(&world->arena);
    bl_cluster_finish(&world->cluster);
}

static void take(struct world *world, struct bl_prop *prop)
{
    struct bl_plan_event event = {
        .at = bl_prop_between(prop, 0, SPAN - 2),
        .column = (int32_t)bl_prop_between(prop, 0, world->columns.group[0].nodes - 1),
        .gpus = -(int32_t)bl_prop_between(prop, 0, 3),
        .side = {-bl_prop_between(prop, 0, 3), 0}};
    bl_time end = bl_prop_between(prop, event.at + 1, SPAN - 1);

    for (bl_time at = event.at; at < end; at++) {
        world->gpus[at][event.column] += event.gpus;
        world->cpus[at][event.column] += event.side.cpu_milli;
    }
    bl_plan_tree_add(&world->tree, &event);
    event.at = end;
    event.gpus *= -1;
    event.side.cpu_milli *= -1;
    bl_plan_tree_add(&world->tree, &event);
}

/* How many of the wanted GPUs a node has over [start, start + duration). */
static int64_t room(const struct world *world, const struct bl_plan_request *request, int32_t node,
                    bl_time start)
{
    int64_t all = request->need.amount[BL_RESOURCE_GPU];
    int64_t cpus = request->need.amount[BL_RESOURCE_CPU];
    int64_t least = all;

    for (bl_time at = start; at < start + request->duration && at <= SPAN; at++) {
        int64_t beside = cpus ? world->cpus[at][node] * all / cpus : all;

        least = world->gpus[at][node] < least ? world->gpus[at][node] : least;
        least = beside < least ? beside : least;
    }
    return least > 0 ? least : 0;
}

static bl_time naive_find(const struct world *world, const struct bl_plan_request *request,
                          bl_time from)
{
    for (bl_time start = from; start <= SPAN; start++) {
        int64_t sum = 0;
        int64_t most = 0;

        for (int32_t i = 0; i < world->columns.group[0].nodes; i++) {
            int64_t here = room(world, request, i, start);

            sum += here;
            most = here > most ? here : most;
        }
        if ((request->may_spread ? sum : most) >= request->need.amount[BL_RESOURCE_GPU]) {
            return start;
        }
    }
    return BL_TIME_NEVER;
}

static bool sweep_equals_trying_all(struct bl_prop *prop, void *context)
{
    struct world world;
    struct bl_plan_sweep sweep;
    bool held = true;

    (void)context;
    make_world(&world, prop);
    bl_plan_sweep_init(&sweep, &world.tree, &world.base, &world.columns);
    for (int64_t left = bl_prop_between(prop, 0, BLOCKS_MAX); left > 0; left--) {
        take(&world, prop);
    }
    for (int i = 0; i < 8 && held; i++) {
        int64_t gpus = bl_prop_between(prop, 1, 6);
        bool is_full = bl_prop_chance(prop, 500);
        struct bl_plan_request request = {
            .kind = {.pool = -1, .has_gpus = true},
            .need = {{gpus, is_full ? bl_prop_between(prop, 0, 6) : 0, 0}},
            .duration = bl_prop_between(prop, 1, 25),
            .may_spread = gpus > 1 && bl_prop_chance(prop, 500)};
        bl_time from = bl_prop_between(prop, 0, SPAN - 1);
        bl_time found = bl_plan_sweep_find(&sweep, &request, is_full, from);
        bl_time expected = naive_find(&world, &request, from);

        bl_prop_note(prop, "%d GPUs for %d from %d: %lld, naive %lld", (int)gpus,
                     (int)request.duration, (int)from, (long long)found, (long long)expected);
        held = found == expected;
    }
    free_world(&world);
    return held;
}

static void a_sweep_finds_what_trying_every_instant_finds(void **state)
{
    (void)state;
    assert_true(bl_prop_holds("sweep equals trying all", 1000, sweep_equals_trying_all, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sweep_finds_what_trying_every_instant_finds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
