#include "bl_test.h"
#include "core/plan_parts.h"

struct world {
    struct bl_cluster cluster;
    struct bl_arena arena;
    struct bl_plan_columns columns;
};

/* A node of four A100 with eight CPUs and 40 bytes, and one of four V100 with four CPUs. */
static void world_make(struct world *world)
{
    const struct bl_node_spec specs[] = {
        {.name = "n1", .gpu_type = "A100", .gpus = 4, .cpu_milli = 8000, .mem_bytes = 40},
        {.name = "n2", .gpu_type = "V100", .gpus = 4, .cpu_milli = 4000, .mem_bytes = 40}};

    *world = (struct world){0};
    bl_cluster_add_node(&world->cluster, &specs[0]);
    bl_cluster_add_node(&world->cluster, &specs[1]);
    world->columns = bl_plan_columns_make(&world->cluster, &world->arena);
}

static void world_free(struct world *world)
{
    bl_arena_finish(&world->arena);
    bl_cluster_finish(&world->cluster);
}

static void take(struct world *world, int32_t node, int32_t gpus, int64_t cpus, int64_t mem)
{
    struct bl_alloc alloc = {.part_count = 1, .single = {node, gpus, 0, cpus, mem}};

    bl_plan_light_note(&world->columns, &alloc);
}

/* Whether CPUs and memory are looked at for two GPUs with so much beside them. */
static void expect(const struct world *world, uint64_t types, int64_t cpus, bool cpu_matters,
                   bool mem_matters)
{
    struct bl_plan_request request = {.kind = {.type_mask = types, .pool = -1, .has_gpus = true},
                                      .need = {{2, cpus, 20}}};
    struct bl_plan_request light = bl_plan_light_request(&world->columns, &request);

    assert_int_equal(light.need.amount[BL_RESOURCE_GPU], 2);
    assert_int_equal(light.need.amount[BL_RESOURCE_CPU], cpu_matters ? cpus : 0);
    assert_int_equal(light.need.amount[BL_RESOURCE_MEM], mem_matters ? 20 : 0);
}

static void what_every_node_has_beside_each_gpu_is_not_looked_at(void **state)
{
    struct world world;

    (void)state;
    world_make(&world);
    expect(&world, 0, 2000, false, false);
    expect(&world, 0, 2001, true, false);
    expect(&world, 1, 4000, false, false);
    expect(&world, 1, 4001, true, false);
    world_free(&world);
}

static void what_others_took_too_much_of_may_be_short(void **state)
{
    struct world world;

    (void)state;
    world_make(&world);
    take(&world, 0, 2, 4000, 20);
    expect(&world, 1, 2000, false, false);
    take(&world, 0, 1, 1, 11);
    expect(&world, 1, 2000, false, true);
    expect(&world, 2, 2000, false, false);
    take(&world, 1, 0, 1, 0);
    expect(&world, 2, 2000, true, false);
    expect(&world, 0, 2000, true, true);
    world_free(&world);
}

static void jobs_without_gpus_ask_for_all_they_ask_for(void **state)
{
    struct bl_plan_request request = {.kind = {.pool = -1}, .need = {{0, 1, 1}}};
    struct bl_plan_request light;
    struct world world;

    (void)state;
    world_make(&world);
    light = bl_plan_light_request(&world.columns, &request);
    assert_int_equal(light.need.amount[BL_RESOURCE_CPU], 1);
    assert_int_equal(light.need.amount[BL_RESOURCE_MEM], 1);
    world_free(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_every_node_has_beside_each_gpu_is_not_looked_at),
        cmocka_unit_test(what_others_took_too_much_of_may_be_short),
        cmocka_unit_test(jobs_without_gpus_ask_for_all_they_ask_for),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
