#include "core/cluster.h"

#include "base/own.h"

#include <assert.h>
#include <string.h>

static struct bl_resources amounts_of_node(const struct bl_node_spec *spec)
{
    return (struct bl_resources){{
        [BL_RESOURCE_GPU] = spec->gpus,
        [BL_RESOURCE_CPU] = spec->cpu_milli,
        [BL_RESOURCE_MEM] = spec->mem_bytes,
    }};
}

/* What it has but for lost GPUs. */
static struct bl_resources amounts_here(const struct bl_node *node)
{
    struct bl_resources all = amounts_of_node(&node->spec);

    all.amount[BL_RESOURCE_GPU] = bl_node_sound_count(node);
    return all;
}

static struct bl_resources amounts_of_part(const struct bl_alloc_part *part)
{
    return (struct bl_resources){{
        [BL_RESOURCE_GPU] = part->gpus,
        [BL_RESOURCE_CPU] = part->cpu_milli,
        [BL_RESOURCE_MEM] = part->mem_bytes,
    }};
}

static int32_t find_word(char *const *words, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(words[i], name) == 0) {
            return (int32_t)i;
        }
    }
    return -1;
}

/* The index of a name that is added when new; -1 when the table is full. */
static int32_t intern_word(char **words, size_t *count, size_t most, const char *name)
{
    int32_t found = find_word(words, *count, name);

    if (found >= 0 || *count == most) {
        return found;
    }
    words[*count] = bl_copy_text(name);
    return (int32_t)(*count)++;
}

int32_t bl_cluster_find_node(const struct bl_cluster *cluster, const char *name)
{
    for (size_t i = 0; i < cluster->node_count; i++) {
        if (strcmp(cluster->node[i].spec.name, name) == 0) {
            return (int32_t)i;
        }
    }
    return -1;
}

int32_t bl_cluster_find_type(const struct bl_cluster *cluster, const char *name)
{
    return find_word(cluster->type_name, cluster->type_count, name);
}

int32_t bl_cluster_find_pool(const struct bl_cluster *cluster, const char *name)
{
    return find_word(cluster->pool_name, cluster->pool_count, name);
}

static bool is_spec_sound(const struct bl_node_spec *spec)
{
    int32_t most = spec->counted ? BL_NODE_COUNTED_GPUS_MAX : BL_NODE_NAMED_GPUS_MAX;

    return spec->gpus >= 0 && spec->gpus <= most && spec->cpu_milli >= 0 && spec->mem_bytes >= 0;
}

static void grow_nodes(struct bl_cluster *cluster)
{
    if (cluster->node_count == cluster->node_capacity) {
        cluster->node_capacity = cluster->node_capacity ? cluster->node_capacity * 2 : 8;
        cluster->node =
            bl_realloc_array(cluster->node, cluster->node_capacity, sizeof *cluster->node);
    }
}

/* The last bit of a type mask stands for types that the cluster does not have. */
int32_t bl_cluster_add_type(struct bl_cluster *cluster, const char *name)
{
    return intern_word(cluster->type_name, &cluster->type_count, BL_GPU_TYPES_MAX - 1, name);
}

/* The indices of a spec's pool and type, which are added when new; false when a table is full. */
static bool intern_names(struct bl_cluster *cluster, const struct bl_node_spec *spec, int32_t *pool,
                         int32_t *type)
{
    const char *pool_name = spec->pool ? spec->pool : "default";
    const char *type_name = spec->gpu_type ? spec->gpu_type : "gpu";

    *pool = intern_word(cluster->pool_name, &cluster->pool_count, BL_POOLS_MAX, pool_name);
    *type = -1;
    if (spec->gpus > 0) {
        *type = bl_cluster_add_type(cluster, type_name);
    }
    return *pool >= 0 && (spec->gpus == 0 || *type >= 0);
}

/* A node that is all free and up; `name` is owned. */
static struct bl_node fresh_node(const struct bl_cluster *cluster, const struct bl_node_spec *spec,
                                 const char *name, int32_t pool, int32_t type)
{
    struct bl_node node = {
        .spec = *spec, .state = BL_NODE_UP, .drain_at = BL_TIME_NEVER, .type = type, .pool = pool};

    node.spec.name = name;
    node.spec.pool = cluster->pool_name[pool];
    node.spec.gpu_type = type >= 0 ? cluster->type_name[type] : NULL;
    node.free = amounts_of_node(spec);
    node.free_gpu_mask = bl_node_gpus(spec);
    return node;
}

static void note_node_gpus(struct bl_cluster *cluster, const struct bl_node *node)
{
    if (node->type >= 0 && node->spec.gpus > cluster->type_node_gpus[node->type]) {
        cluster->type_node_gpus[node->type] = node->spec.gpus;
    }
}

static void note_all_node_gpus(struct bl_cluster *cluster)
{
    memset(cluster->type_node_gpus, 0, sizeof cluster->type_node_gpus);
    for (size_t i = 0; i < cluster->node_count; i++) {
        note_node_gpus(cluster, &cluster->node[i]);
    }
}

int32_t bl_cluster_add_node(struct bl_cluster *cluster, const struct bl_node_spec *spec)
{
    struct bl_node *node;
    int32_t pool;
    int32_t type;

    if (!is_spec_sound(spec) || cluster->node_count == BL_NODES_MAX ||
        bl_cluster_find_node(cluster, spec->name) >= 0 ||
        !intern_names(cluster, spec, &pool, &type)) {
        return -1;
    }
    grow_nodes(cluster);
    node = &cluster->node[cluster->node_count];
    *node = fresh_node(cluster, spec, bl_copy_text(spec->name), pool, type);
    bl_resources_add(&cluster->capacity, &node->free);
    bl_resources_add(&cluster->free, &node->free);
    cluster->version++;
    note_node_gpus(cluster, node);
    return (int32_t)cluster->node_count++;
}

static bool is_all_free(const struct bl_node *node)
{
    struct bl_resources all = amounts_here(node);

    return bl_resources_fit(&all, &node->free) && node->lost == node->lost_idle;
}

bool bl_cluster_reshape_node(struct bl_cluster *cluster, int32_t index,
                             const struct bl_node_spec *spec)
{
    struct bl_node *node = &cluster->node[index];
    enum bl_node_state state = node->state;
    bl_time drain_at = node->drain_at;
    int32_t pool;
    int32_t type;

    if (!is_all_free(node) || !is_spec_sound(spec) || !intern_names(cluster, spec, &pool, &type)) {
        return false;
    }
    bl_cluster_set_state(cluster, index, BL_NODE_DOWN);
    *node = fresh_node(cluster, spec, node->spec.name, pool, type);
    node->state = BL_NODE_DOWN;
    bl_cluster_set_state(cluster, index, state);
    node->drain_at = drain_at;
    note_all_node_gpus(cluster);
    cluster->version++;
    return true;
}

/* Drained nodes count as capacity, since what runs there is load; only nodes that are up have
 * anything free. */
void bl_cluster_set_state(struct bl_cluster *cluster, int32_t index, enum bl_node_state state)
{
    struct bl_node *node = &cluster->node[index];
    struct bl_resources all = amounts_here(node);

    if (node->drain_at != BL_TIME_NEVER) {
        node->drain_at = BL_TIME_NEVER;
        cluster->version++;
    }
    if (node->state == state) {
        return;
    }
    if (node->state == BL_NODE_UP) {
        bl_resources_subtract(&cluster->free, &node->free);
    }
    if (node->state != BL_NODE_DOWN) {
        bl_resources_subtract(&cluster->capacity, &all);
    }
    node->state = state;
    if (state == BL_NODE_UP) {
        bl_resources_add(&cluster->free, &node->free);
    }
    if (state != BL_NODE_DOWN) {
        bl_resources_add(&cluster->capacity, &all);
    }
    cluster->version++;
}

/* Free ones leave the books, or come back into them. */
static void move_free(struct bl_cluster *cluster, struct bl_node *node, uint64_t out, uint64_t in)
{
    struct bl_resources less = {{[BL_RESOURCE_GPU] = __builtin_popcountll(out)}};
    struct bl_resources more = {{[BL_RESOURCE_GPU] = __builtin_popcountll(in)}};

    bl_resources_subtract(&node->free, &less);
    bl_resources_add(&node->free, &more);
    if (node->state == BL_NODE_UP) {
        bl_resources_subtract(&cluster->free, &less);
        bl_resources_add(&cluster->free, &more);
    }
    node->free_gpu_mask = (node->free_gpu_mask & ~out) | in;
    node->lost_idle = (node->lost_idle | out) & ~in;
}

void bl_cluster_set_lost(struct bl_cluster *cluster, int32_t index, uint64_t lost)
{
    struct bl_node *node = &cluster->node[index];
    struct bl_resources before = amounts_here(node);
    struct bl_resources after;

    lost &= bl_node_gpus(&node->spec);
    move_free(cluster, node, node->free_gpu_mask & lost, node->lost_idle & ~lost);
    node->lost = lost;
    after = amounts_here(node);
    if (node->state != BL_NODE_DOWN) {
        bl_resources_subtract(&cluster->capacity, &before);
        bl_resources_add(&cluster->capacity, &after);
    }
    cluster->version++;
}

void bl_cluster_set_drain(struct bl_cluster *cluster, int32_t index, bl_time at)
{
    cluster->node[index].drain_at = at;
    cluster->version++;
}

/* Whether the node's books have it, whatever state the node is in. */
static bool is_in_books(const struct bl_cluster *cluster, const struct bl_alloc_part *part)
{
    const struct bl_node *node;
    struct bl_resources need = amounts_of_part(part);

    if (part->node < 0 || (size_t)part->node >= cluster->node_count) {
        return false;
    }
    node = &cluster->node[part->node];
    return bl_resources_fit(&need, &node->free) && (part->gpu_mask & ~node->free_gpu_mask) == 0 &&
           (node->spec.counted || __builtin_popcountll(part->gpu_mask) == part->gpus);
}

static bool is_part_free(const struct bl_cluster *cluster, const struct bl_alloc_part *part)
{
    return is_in_books(cluster, part) && cluster->node[part->node].state == BL_NODE_UP;
}

bool bl_cluster_can_take(const struct bl_cluster *cluster, const struct bl_alloc *alloc)
{
    const struct bl_alloc_part *part = bl_alloc_parts(alloc);

    for (uint32_t i = 0; i < alloc->part_count; i++) {
        if (!is_part_free(cluster, &part[i])) {
            return false;
        }
    }
    return alloc->part_count > 0;
}

static void book_part(struct bl_cluster *cluster, const struct bl_alloc_part *part)
{
    struct bl_node *node = &cluster->node[part->node];
    struct bl_resources need = amounts_of_part(part);

    bl_resources_subtract(&node->free, &need);
    if (node->state == BL_NODE_UP) {
        bl_resources_subtract(&cluster->free, &need);
    }
    node->free_gpu_mask &= ~part->gpu_mask;
}

void bl_cluster_take(struct bl_cluster *cluster, const struct bl_alloc *alloc)
{
    const struct bl_alloc_part *part = bl_alloc_parts(alloc);

    for (uint32_t i = 0; i < alloc->part_count; i++) {
        assert(is_part_free(cluster, &part[i]));
        book_part(cluster, &part[i]);
    }
    cluster->version++;
}

bool bl_cluster_rebook(struct bl_cluster *cluster, const struct bl_alloc *alloc)
{
    const struct bl_alloc_part *part = bl_alloc_parts(alloc);
    struct bl_alloc booked = {0};

    for (uint32_t i = 0; i < alloc->part_count; i++) {
        uint64_t lost = 0;

        if (part[i].node >= 0 && (size_t)part[i].node < cluster->node_count) {
            lost = part[i].gpu_mask & cluster->node[part[i].node].lost_idle;
            move_free(cluster, &cluster->node[part[i].node], 0, lost);
        }
        if (!is_in_books(cluster, &part[i])) {
            if (lost) {
                move_free(cluster, &cluster->node[part[i].node], lost, 0);
            }
            for (uint32_t back = 0; back < i; back++) {
                booked = (struct bl_alloc){.part_count = 1, .single = part[back]};
                bl_cluster_give_back(cluster, &booked);
            }
            return false;
        }
        book_part(cluster, &part[i]);
    }
    cluster->version++;
    return true;
}

void bl_cluster_give_back(struct bl_cluster *cluster, const struct bl_alloc *alloc)
{
    const struct bl_alloc_part *part = bl_alloc_parts(alloc);

    for (uint32_t i = 0; i < alloc->part_count; i++) {
        struct bl_node *node = &cluster->node[part[i].node];
        struct bl_resources back = amounts_of_part(&part[i]);

        assert((node->free_gpu_mask & part[i].gpu_mask) == 0);
        bl_resources_add(&node->free, &back);
        if (node->state == BL_NODE_UP) {
            bl_resources_add(&cluster->free, &back);
        }
        node->free_gpu_mask |= part[i].gpu_mask;
        move_free(cluster, node, part[i].gpu_mask & node->lost, 0);
    }
    cluster->version++;
}

void bl_cluster_finish(struct bl_cluster *cluster)
{
    for (size_t i = 0; i < cluster->node_count; i++) {
        char *name = (char *)(uintptr_t)cluster->node[i].spec.name;

        free(name);
    }
    for (size_t i = 0; i < cluster->type_count; i++) {
        free(cluster->type_name[i]);
    }
    for (size_t i = 0; i < cluster->pool_count; i++) {
        free(cluster->pool_name[i]);
    }
    free(cluster->node);
    *cluster = (struct bl_cluster){0};
}
