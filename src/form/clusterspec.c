#include "form/clusterspec.h"

#include "base/units.h"
#include "base/vec.h"
#include "base/sort.h"
#include "form/hostlist.h"
#include "form/tree_read.h"

#include <assert.h>
#include <string.h>

#define MICROS_PER_UNIT INT64_C(1000000)

static const char *const node_keys[] = {"name", "gpus",   "cpus", "mem", "pool", "price",
                                        "spot", "labels", "data", "at",  NULL};
static const char *const later_keys[] = {"labels", "data", "at"};
static const char *const gpu_keys[] = {"type", "count", "mem", NULL};

/* Nodes whose names are spread later, with the place that they were read from. */
struct cluster_reader {
    struct bl_tree_reader in;
    BL_VEC(struct bl_node_spec) nodes;
    BL_VEC(const struct bl_tree *) origin;
    const char *types[BL_GPU_TYPES_MAX];
    size_t type_count;
    const char *pools[BL_POOLS_MAX];
    size_t pool_count;
    int64_t total_mem_bytes;
};

static int read_price(const struct bl_tree_reader *in, const struct bl_tree *at, int64_t *out)
{
    struct bl_error cause = {0};

    if (at->kind != BL_TREE_SCALAR) {
        return bl_tree_fail_kind(in, at, "a price per hour like 12.5");
    }
    if (bl_scaled_parse(at->text, MICROS_PER_UNIT, out, &cause) != BL_OK) {
        return bl_tree_fail_cause(in, at, &cause);
    }
    return BL_OK;
}

static int read_cpus(const struct bl_tree_reader *in, const struct bl_tree *at, int64_t *out)
{
    struct bl_error cause = {0};

    if (at->kind != BL_TREE_SCALAR) {
        return bl_tree_fail_kind(in, at, "a number of CPUs");
    }
    if (bl_scaled_parse(at->text, 1000, out, &cause) != BL_OK) {
        return bl_tree_fail_cause(in, at, &cause);
    }
    if (*out > INT64_C(1000) * BL_CLUSTERSPEC_CPUS_MAX) {
        return bl_tree_fail(in->source, at, in->err, "expected at most %d CPUs, found '%.100s'",
                            BL_CLUSTERSPEC_CPUS_MAX, at->text);
    }
    return BL_OK;
}

static int read_gpu_count(const struct bl_tree_reader *in, const struct bl_tree *at,
                          struct bl_node_spec *node)
{
    int64_t count = 0;
    int status = bl_tree_read_int(in, at, (struct bl_int_range){0, BL_NODE_NAMED_GPUS_MAX}, &count);

    node->gpus = (int32_t)count;
    return status;
}

static int read_gpus(const struct bl_tree_reader *in, const struct bl_tree *at,
                     struct bl_node_spec *node)
{
    const struct bl_tree *count;
    const struct bl_tree *type;
    const struct bl_tree *mem;
    int status;

    if (at->kind == BL_TREE_SCALAR) {
        return read_gpu_count(in, at, node);
    }
    status = bl_tree_check_keys(in->source, at, gpu_keys, in->err);
    if (status != BL_OK) {
        return status;
    }
    count = bl_tree_given(at, "count");
    type = bl_tree_given(at, "type");
    mem = bl_tree_given(at, "mem");
    if (!count) {
        return bl_tree_fail(in->source, at, in->err, "expected count, the number of GPUs");
    }
    status = read_gpu_count(in, count, node);
    if (status == BL_OK && type) {
        status = bl_tree_read_name(in, type, &node->gpu_type);
    }
    if (status == BL_OK && mem) {
        status = bl_tree_read_size(in, mem, BL_CLUSTERSPEC_MEM_MAX, &node->gpu_mem_bytes);
    }
    return status;
}

/* Books that are not written: so many a GPU. */
static int set_defaults(const struct bl_tree_reader *in, const struct bl_tree *at,
                        struct bl_node_spec *node)
{
    bool has_cpus = bl_tree_given(at, "cpus") != NULL;
    bool has_mem = bl_tree_given(at, "mem") != NULL;

    if (node->gpus == 0 && (!has_cpus || !has_mem)) {
        return bl_tree_fail(in->source, at, in->err,
                            "expected cpus and mem, as the node has no GPU");
    }
    if (!has_cpus) {
        node->cpu_milli = INT64_C(1000) * BL_CLUSTERSPEC_GPU_CPUS * node->gpus;
    }
    if (!has_mem) {
        node->mem_bytes = BL_CLUSTERSPEC_GPU_MEM * node->gpus;
    }
    return BL_OK;
}

static int refuse_later_keys(const struct bl_tree_reader *in, const struct bl_tree *map)
{
    for (size_t i = 0; i < sizeof later_keys / sizeof later_keys[0]; i++) {
        const struct bl_tree *at = bl_tree_given(map, later_keys[i]);

        if (at) {
            return bl_tree_fail(in->source, at, in->err, "%s is not supported by this version yet",
                                later_keys[i]);
        }
    }
    return BL_OK;
}

static int read_books(const struct bl_tree_reader *in, const struct bl_tree *map,
                      struct bl_node_spec *node)
{
    const struct bl_tree *at;
    int status = BL_OK;

    if ((at = bl_tree_given(map, "gpus"))) {
        status = read_gpus(in, at, node);
    }
    if (status == BL_OK && (at = bl_tree_given(map, "cpus"))) {
        status = read_cpus(in, at, &node->cpu_milli);
    }
    if (status == BL_OK && (at = bl_tree_given(map, "mem"))) {
        status = bl_tree_read_size(in, at, BL_CLUSTERSPEC_MEM_MAX, &node->mem_bytes);
    }
    return status == BL_OK ? set_defaults(in, map, node) : status;
}

static int read_rest(const struct bl_tree_reader *in, const struct bl_tree *map,
                     struct bl_node_spec *node)
{
    const struct bl_tree *at;
    int status = BL_OK;

    if ((at = bl_tree_given(map, "pool"))) {
        status = bl_tree_read_name(in, at, &node->pool);
    }
    if (status == BL_OK && (at = bl_tree_given(map, "price"))) {
        status = read_price(in, at, &node->price_micros);
    }
    if (status == BL_OK && (at = bl_tree_given(map, "spot"))) {
        status = bl_tree_read_bool(in, at, &node->spot);
    }
    return status;
}

/* Adds the name to a table of distinct names; false when it is full. */
static bool note_name(const char **table, size_t *count, size_t most, const char *name)
{
    for (size_t i = 0; i < *count; i++) {
        if (!strcmp(table[i], name)) {
            return true;
        }
    }
    if (*count == most) {
        return false;
    }
    table[(*count)++] = name;
    return true;
}

static int check_tables(struct cluster_reader *reader, const struct bl_tree *map,
                        const struct bl_node_spec *node)
{
    if (node->gpu_type &&
        !note_name(reader->types, &reader->type_count, BL_GPU_TYPES_MAX, node->gpu_type)) {
        return bl_tree_fail(reader->in.source, map, reader->in.err,
                            "expected at most %d types of GPU", BL_GPU_TYPES_MAX);
    }
    if (!note_name(reader->pools, &reader->pool_count, BL_POOLS_MAX,
                   node->pool ? node->pool : "default")) {
        return bl_tree_fail(reader->in.source, map, reader->in.err, "expected at most %d pools",
                            BL_POOLS_MAX);
    }
    return BL_OK;
}

/* One node for each name; all with the same books. */
static int spread(struct cluster_reader *reader, const struct bl_tree *map,
                  struct bl_node_spec *node)
{
    const struct bl_tree *at = bl_tree_given(map, "name");
    struct bl_error cause = {0};
    struct bl_hostlist hosts = {0};

    if (!at || at->kind != BL_TREE_SCALAR) {
        return bl_tree_fail(reader->in.source, map, reader->in.err,
                            "expected name, the node's name");
    }
    if (bl_hostlist_expand(at->text, (size_t)BL_NODES_MAX - reader->nodes.count, reader->in.arena,
                           &hosts, &cause) != BL_OK) {
        return bl_tree_fail_cause(&reader->in, at, &cause);
    }
    for (size_t i = 0; i < hosts.count; i++) {
        node->name = hosts.name[i];
        BL_VEC_PUSH(&reader->nodes, *node);
        BL_VEC_PUSH(&reader->origin, at);
        reader->total_mem_bytes += node->mem_bytes;
        if (reader->total_mem_bytes > BL_CLUSTERSPEC_TOTAL_MAX) {
            return bl_tree_fail(reader->in.source, map, reader->in.err,
                                "the nodes have more than 1024PiB of memory together");
        }
    }
    return BL_OK;
}

static int read_node(struct cluster_reader *reader, const struct bl_tree *map)
{
    struct bl_node_spec node = {0};
    int status = bl_tree_check_keys(reader->in.source, map, node_keys, reader->in.err);

    if (status == BL_OK) {
        status = refuse_later_keys(&reader->in, map);
    }
    if (status == BL_OK) {
        status = read_books(&reader->in, map, &node);
    }
    if (status == BL_OK) {
        status = read_rest(&reader->in, map, &node);
    }
    if (status == BL_OK) {
        status = check_tables(reader, map, &node);
    }
    return status == BL_OK ? spread(reader, map, &node) : status;
}

struct named_origin {
    const char *name;
    size_t index;
};

/* By name, then by place in the file. */
static int compare_names(const void *a, const void *b)
{
    const struct named_origin *left = a;
    const struct named_origin *right = b;
    int order = strcmp(left->name, right->name);

    return order ? order : (left->index > right->index) - (left->index < right->index);
}

static int refuse_duplicates(struct cluster_reader *reader)
{
    size_t count = reader->nodes.count;
    struct named_origin *sorted = bl_arena_alloc(reader->in.arena, (count + 1) * sizeof *sorted);

    for (size_t i = 0; i < count; i++) {
        sorted[i] = (struct named_origin){reader->nodes.at[i].name, i};
    }
    bl_sort(sorted, count, sizeof *sorted, compare_names);
    for (size_t i = 1; i < count; i++) {
        if (!strcmp(sorted[i - 1].name, sorted[i].name)) {
            return bl_tree_fail(reader->in.source, reader->origin.at[sorted[i].index],
                                reader->in.err, "the node '%s' is given twice", sorted[i].name);
        }
    }
    return BL_OK;
}

static int read_list(struct cluster_reader *reader, const struct bl_tree *list,
                     struct bl_clusterspec *out)
{
    int status = BL_OK;

    for (size_t i = 0; i < list->child_count && status == BL_OK; i++) {
        status = read_node(reader, &list->child[i]);
    }
    if (status == BL_OK) {
        status = refuse_duplicates(reader);
    }
    if (status == BL_OK) {
        size_t bytes = reader->nodes.count * sizeof *out->node;

        assert(reader->nodes.at); /* the list has nodes, and each a name */
        out->node = bl_arena_alloc(reader->in.arena, bytes);
        out->node_count = reader->nodes.count;
        memcpy(out->node, reader->nodes.at, bytes);
    }
    return status;
}

/* The list of nodes, given as such or under its key. */
static int find_list(const struct bl_tree_source *source, const struct bl_tree *tree,
                     const struct bl_tree **out, struct bl_error *err)
{
    static const char *const keys[] = {"nodes", NULL};
    int status;

    if (tree->kind != BL_TREE_LIST) {
        status = bl_tree_check_keys(source, tree, keys, err);
        if (status != BL_OK) {
            return status;
        }
        *out = bl_tree_given(tree, "nodes");
    } else {
        *out = tree;
    }
    if (!*out || (*out)->kind != BL_TREE_LIST || (*out)->child_count == 0) {
        return bl_tree_fail(source, tree, err, "expected nodes, a list of at least one node");
    }
    return BL_OK;
}

int bl_clusterspec_read(const struct bl_tree_source *source, const struct bl_tree *tree,
                        struct bl_arena *arena, struct bl_clusterspec *out, struct bl_error *err)
{
    struct cluster_reader reader = {.in = {source, arena, err}};
    const struct bl_tree *list = NULL;
    int status = find_list(source, tree, &list, err);

    if (status == BL_OK) {
        status = read_list(&reader, list, out);
    }
    BL_VEC_FINISH(&reader.nodes);
    BL_VEC_FINISH(&reader.origin);
    return status;
}
