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

static void put_into_group(struct bl_plan_columns *columns, const struct place *place,
                           int32_t column)
{
    struct bl_plan_group *last = &columns->group[columns->group_count];

    if (column == 0 || compare_keys(&last[-1], &place->key) != 0) {
        *last = place->key;
        last->first = column;
        columns->group_count++;
    }
    columns->group[columns->group_count - 1].end = column + 1;
    columns->group_of[column] = (int32_t)columns->group_count - 1;
    columns->has_drains = columns->has_drains || place->key.drain_at != BL_TIME_NEVER;
}

struct bl_plan_columns bl_plan_columns_make(const struct bl_cluster *cluster,
                                            struct bl_arena *arena)
{
    struct bl_plan_columns columns = {.cluster = cluster};
    size_t nodes = cluster->node_count;
    struct place *place = bl_arena_alloc(arena, nodes * sizeof *place);

    columns.of_node = bl_arena_alloc(arena, nodes * sizeof *columns.of_node);
    columns.node = bl_arena_alloc(arena, nodes * sizeof *columns.node);
    columns.group_of = bl_arena_alloc(arena, nodes * sizeof *columns.group_of);
    columns.group = bl_arena_alloc(arena, nodes * sizeof *columns.group);
    columns.count = list_nodes(cluster, place);
    if (!is_sorted(place, columns.count)) {
        bl_sort(place, (size_t)columns.count, sizeof *place, compare_places);
    }
    for (size_t i = 0; i < nodes; i++) {
        columns.of_node[i] = -1;
    }
    for (int32_t i = 0; i < columns.count; i++) {
        columns.node[i] = place[i].node;
        columns.of_node[place[i].node] = i;
        put_into_group(&columns, &place[i], i);
    }
    return columns;
}
