/* The nodes of a plan, put so that those which are the same to a job stand together. */
#include "base/sort.h"
#include "core/plan_parts.h"

/* A node with what it is sorted by. */
struct place {
    struct bl_plan_group key;
    int32_t node;
};

static int compare(int64_t a, int64_t b)
{
    return a < b ? -1 : a > b;
}

static int compare_keys(const struct bl_plan_group *a, const struct bl_plan_group *b)
{
    int order = compare(a->type, b->type);

    order = order ? order : compare(a->pool, b->pool);
    order = order ? order : compare(a->gpu_mem_bytes, b->gpu_mem_bytes);
    return order ? order : compare(a->drain_at, b->drain_at);
}

static int compare_places(const void *left, const void *right)
{
    const struct place *a = left;
    const struct place *b = right;
    int order = compare_keys(&a->key, &b->key);

    return order ? order : compare(a->node, b->node);
}

static int32_t list_nodes(const struct bl_cluster *cluster, struct place *place)
{
    int32_t count = 0;

    for (size_t i = 0; i < cluster->node_count; i++) {
        const struct bl_node *node = &cluster->node[i];

        if (node->state == BL_NODE_UP) {
            place[count++] = (struct place){.key = {.type = node->type,
                                                    .pool = node->pool,
                                                    .gpu_mem_bytes = node->spec.gpu_mem_bytes,
                                                    .drain_at = node->drain_at},
                                            .node = (int32_t)i};
        }
    }
    return count;
}

static bool is_sorted(const struct place *place, int32_t count)
{
    for (int32_t i = 1; i < count; i++) {
        if (compare_places(&place[i - 1], &place[i]) > 0) {
            return false;
        }
    }
    return true;
}

static int32_t whole_lanes(int32_t columns)
{
    return (columns + BL_PLAN_LANES - 1) / BL_PLAN_LANES * BL_PLAN_LANES;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static void note_each(struct bl_plan_group *group, const struct bl_node_spec *spec)
{
    if (spec->gpus > 0) {
        group->least_each.cpu_milli =
            smaller(group->least_each.cpu_milli, spec->cpu_milli / spec->gpus);
        group->least_each.mem_bytes =
            smaller(group->least_each.mem_bytes, spec->mem_bytes / spec->gpus);
    }
}

/* Nodes of one key, `first` to `end`, become a group. */
static void add_group(struct bl_plan_columns *columns, const struct place *place, int32_t first,
                      int32_t end)
{
    struct bl_plan_group *group = &columns->group[columns->group_count];

    *group = place[first].key;
    group->first = columns->count;
    group->nodes = end - first;
    group->end = group->first + whole_lanes(group->nodes);
    group->least_each = (struct bl_plan_side){INT64_MAX, INT64_MAX};
    for (int32_t i = group->first; i < group->end; i++) {
        int32_t index = first + i - group->first;

        columns->node[i] = index < end ? place[index].node : -1;
        columns->group_of[i] = (int32_t)columns->group_count;
        if (index < end) {
            columns->of_node[place[index].node] = i;
            note_each(group, &columns->cluster->node[place[index].node].spec);
        }
    }
    columns->count = group->end;
    columns->group_count++;
    columns->has_drains = columns->has_drains || group->drain_at != BL_TIME_NEVER;
}

static int32_t count_groups(const struct place *place, int32_t count)
{
    int32_t groups = count > 0;

    for (int32_t i = 1; i < count; i++) {
        groups += compare_keys(&place[i - 1].key, &place[i].key) != 0;
    }
    return groups;
}

static void make_groups(struct bl_plan_columns *columns, const struct place *place, int32_t count,
                        struct bl_arena *arena)
{
    size_t groups = (size_t)count_groups(place, count);
    size_t most = (size_t)count + groups * BL_PLAN_LANES;
    int32_t first = 0;

    columns->node = bl_arena_alloc(arena, most * sizeof *columns->node);
    columns->group_of = bl_arena_alloc(arena, most * sizeof *columns->group_of);
    columns->group = bl_arena_alloc(arena, groups * sizeof *columns->group);
    for (int32_t i = 1; i <= count; i++) {
        if (i == count || compare_keys(&place[i - 1].key, &place[i].key) != 0) {
            add_group(columns, place, first, i);
            first = i;
        }
    }
}

struct bl_plan_columns bl_plan_columns_make(const struct bl_cluster *cluster,
                                            struct bl_arena *arena)
{
    struct bl_plan_columns columns = {.cluster = cluster};
    size_t nodes = cluster->node_count;
    struct place *place = bl_arena_alloc(arena, nodes * sizeof *place);
    int32_t count = list_nodes(cluster, place);

    if (!is_sorted(place, count)) {
        bl_sort(place, (size_t)count, sizeof *place, compare_places);
    }
    columns.of_node = bl_arena_alloc(arena, nodes * sizeof *columns.of_node);
    for (size_t i = 0; i < nodes; i++) {
        columns.of_node[i] = -1;
    }
    make_groups(&columns, place, count, arena);
    return columns;
}
