#include "engine/local_nodes.h"

#include "base/sort.h"
#include "os/log.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *keep_text(struct bl_arena *arena, struct bl_buf *text)
{
    const char *kept = bl_arena_copy_text(arena, bl_buf_text(text));

    bl_buf_clear(text);
    return kept;
}

static void copy_spec(struct bl_arena *arena, const struct bl_node_spec *from,
                      struct bl_node_spec *to)
{
    *to = *from;
    to->name = bl_arena_copy_text(arena, from->name);
    to->pool = bl_arena_copy_text(arena, from->pool);
    to->gpu_type = bl_arena_copy_text(arena, from->gpu_type);
}

/* ---- declared ---- */

static void declare_node(struct bl_arena *arena, const struct bl_node_spec *spec, int32_t first,
                         struct bl_local_node *out)
{
    size_t gpus = (size_t)spec->gpus;
    int32_t *device = bl_arena_alloc(arena, gpus * sizeof *device);
    BL_AUTO_BUF text = {0};

    copy_spec(arena, spec, &out->spec);
    out->uuid = bl_arena_alloc(arena, gpus * sizeof *out->uuid);
    for (int32_t gpu = 0; gpu < spec->gpus; gpu++) {
        device[gpu] = first + gpu;
        bl_buf_printf(&text, "GPU-declared-%s-%d", spec->name, gpu);
        out->uuid[gpu] = keep_text(arena, &text);
    }
    out->device = device;
    out->declared = true;
}

int bl_local_nodes_declare(const struct bl_clusterspec *declared, struct bl_local_nodes *out,
                           struct bl_error *err)
{
    struct bl_local_nodes nodes = {.count = declared->node_count};
    int32_t first = 0;

    for (size_t i = 0; i < declared->node_count; i++) {
        const struct bl_node_spec *spec = &declared->node[i];

        if (spec->counted || spec->gpus < 0 || spec->gpus > BL_NODE_NAMED_GPUS_MAX) {
            bl_fail(err, BL_EINVAL,
                    "node %s: the local engine gives each job its own GPUs, at most %d a node; "
                    "declare several nodes",
                    spec->name, BL_NODE_NAMED_GPUS_MAX);
            return bl_error_set_field(err, "declared");
        }
    }
    nodes.node = bl_arena_alloc(&nodes.arena, nodes.count * sizeof *nodes.node);
    for (size_t i = 0; i < nodes.count; i++) {
        declare_node(&nodes.arena, &declared->node[i], first, &nodes.node[i]);
        first += declared->node[i].gpus;
    }
    *out = nodes;
    return BL_OK;
}

/* ---- found ---- */

static bool same_kind(const struct bl_nvml_gpu *a, const struct bl_nvml_gpu *b)
{
    return strcmp(a->name, b->name) == 0 && a->mem_bytes == b->mem_bytes;
}

/* Whether no GPU before it is of its kind. */
static bool opens_group(const struct bl_nvml_list *gpus, size_t index)
{
    for (size_t i = 0; i < index; i++) {
        if (same_kind(&gpus->gpus.at[i], &gpus->gpus.at[index])) {
            return false;
        }
    }
    return true;
}

static void name_node(struct bl_local_nodes *nodes, const struct bl_local_machine *machine,
                      struct bl_local_node *node)
{
    BL_AUTO_BUF name = {0};

    bl_buf_append_text(&name, machine->name);
    if (node != nodes->node) {
        bl_buf_printf(&name, "-%s", node->spec.gpu_type);
        for (const struct bl_local_node *other = nodes->node; other < node; other++) {
            if (strcmp(other->spec.name, bl_buf_text(&name)) == 0) { /* two sizes of one model */
                bl_buf_printf(&name, "-%lldG", (long long)(node->spec.gpu_mem_bytes >> 30));
                break;
            }
        }
    }
    node->spec.name = keep_text(&nodes->arena, &name);
}

/* Fills the node of the kind of GPU `first`, and takes at most what a node can have. */
static void fill_group(struct bl_local_nodes *nodes, const struct bl_nvml_list *gpus, size_t first,
                       struct bl_local_node *node)
{
    const struct bl_nvml_gpu *model = &gpus->gpus.at[first];
    int32_t *device = bl_arena_alloc(&nodes->arena, gpus->gpus.count * sizeof *device);
    BL_AUTO_BUF type = {0};
    BL_AUTO_BUF address = {0};

    bl_nvml_short_name(model->name, &type);
    node->spec.gpu_type = keep_text(&nodes->arena, &type);
    node->spec.gpu_mem_bytes = model->mem_bytes;
    node->uuid = bl_arena_alloc(&nodes->arena, gpus->gpus.count * sizeof *node->uuid);
    node->pci = bl_arena_alloc(&nodes->arena, gpus->gpus.count * sizeof *node->pci);
    for (size_t i = first; i < gpus->gpus.count; i++) {
        if (same_kind(model, &gpus->gpus.at[i]) && node->spec.gpus < BL_NODE_NAMED_GPUS_MAX) {
            device[node->spec.gpus] = (int32_t)i;
            node->uuid[node->spec.gpus] = bl_arena_copy_text(&nodes->arena, gpus->gpus.at[i].uuid);
            bl_buf_printf(&address, "%04x:%02x:%02x.0", gpus->gpus.at[i].domain,
                          gpus->gpus.at[i].bus, gpus->gpus.at[i].device);
            node->pci[node->spec.gpus] = keep_text(&nodes->arena, &address);
            node->spec.gpus++;
        }
    }
    node->device = device;
}

/* GPU g of all takes its share; the rest of the division goes to the last. */
static int64_t share(int64_t whole, size_t from, size_t to, size_t all)
{
    return whole / (int64_t)all * (int64_t)(to - from) + (to == all ? whole % (int64_t)all : 0);
}

void bl_local_nodes_group(const struct bl_nvml_list *gpus, const struct bl_local_machine *machine,
                          struct bl_local_nodes *out)
{
    struct bl_local_nodes nodes = {0};
    size_t all = gpus->gpus.count;
    size_t given = 0;

    nodes.node = bl_arena_alloc(&nodes.arena, (all ? all : 1) * sizeof *nodes.node);
    if (!all) {
        nodes.count = 1;
        nodes.node[0].spec =
            (struct bl_node_spec){.cpu_milli = machine->cpu_milli, .mem_bytes = machine->mem_bytes};
        name_node(&nodes, machine, &nodes.node[0]);
    }
    for (size_t i = 0; i < all; i++) {
        struct bl_local_node *node = &nodes.node[nodes.count];
        size_t end;

        if (opens_group(gpus, i)) {
            fill_group(&nodes, gpus, i, node);
            name_node(&nodes, machine, node);
            end = given + (size_t)node->spec.gpus;
            node->spec.cpu_milli = share(machine->cpu_milli, given, end, all);
            node->spec.mem_bytes = share(machine->mem_bytes, given, end, all);
            given = end;
            nodes.count++;
        }
    }
    *out = nodes;
}

static int64_t usable_cpus(void)
{
    cpu_set_t set;

    /* More CPUs than a fixed set holds make this fail; then all count. */
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        return CPU_COUNT(&set);
    }
    return sysconf(_SC_NPROCESSORS_ONLN);
}

void bl_local_nodes_find(struct bl_local_nodes *out)
{
    char name[256] = "";
    struct bl_error err = {0};
    struct bl_nvml_list gpus = {0};
    struct bl_local_machine machine = {.name = name,
                                       .cpu_milli = usable_cpus() * 1000,
                                       .mem_bytes = (int64_t)sysconf(_SC_PHYS_PAGES) *
                                                    sysconf(_SC_PAGESIZE)};

    gethostname(name, sizeof name - 1);
    name[strcspn(name, ".")] = '\0';
    if (!name[0]) {
        machine.name = "localhost";
    }
    if (bl_nvml_list(&gpus, &err)) {
        bl_log(BL_LOG_WARNING, "no GPU is used: %s", err.text);
    }
    bl_local_nodes_group(&gpus, &machine, out);
    bl_nvml_list_finish(&gpus);
}

void bl_local_nodes_finish(struct bl_local_nodes *nodes)
{
    bl_arena_finish(&nodes->arena);
    *nodes = (struct bl_local_nodes){0};
}

/* ---- allocations ---- */

static const struct bl_local_node *find_node(const struct bl_local_nodes *nodes, const char *name)
{
    for (size_t i = 0; i < nodes->count; i++) {
        if (strcmp(nodes->node[i].spec.name, name) == 0) {
            return &nodes->node[i];
        }
    }
    return NULL;
}

const char *bl_local_nodes_uuid(const struct bl_local_nodes *nodes, const char *name, int32_t gpu)
{
    const struct bl_local_node *node = find_node(nodes, name);

    return node && !node->declared && gpu >= 0 && gpu < node->spec.gpus ? node->uuid[gpu] : NULL;
}

static int compare_devices(const void *left, const void *right)
{
    const struct bl_local_device *a = left;
    const struct bl_local_device *b = right;

    return (a->number > b->number) - (a->number < b->number);
}

static int resolve_part(const struct bl_local_nodes *nodes, const char *name,
                        const struct bl_alloc_part *part, bl_local_devices *out,
                        struct bl_error *err)
{
    const struct bl_local_node *node = find_node(nodes, name);

    if (!node) {
        return bl_fail(err, BL_ENOTFOUND, "node %s is not a node of this machine", name);
    }
    for (int32_t gpu = 0; gpu < BL_NODE_NAMED_GPUS_MAX; gpu++) {
        if (!(part->gpu_mask >> gpu & 1)) {
            continue;
        }
        if (gpu >= node->spec.gpus) {
            return bl_fail(err, BL_ENOTFOUND, "node %s has no GPU %d", name, gpu);
        }
        BL_VEC_PUSH(out, (struct bl_local_device){.node = node->spec.name,
                                                  .gpu = gpu,
                                                  .number = node->device[gpu],
                                                  .uuid = node->uuid[gpu],
                                                  .declared = node->declared});
    }
    return BL_OK;
}

int bl_local_nodes_resolve(const struct bl_local_nodes *nodes, const struct bl_cluster *cluster,
                           const struct bl_alloc *alloc, bl_local_devices *out,
                           struct bl_error *err)
{
    const struct bl_alloc_part *parts = bl_alloc_parts(alloc);

    for (uint32_t i = 0; i < alloc->part_count; i++) {
        const char *name = cluster->node[parts[i].node].spec.name;
        int status = resolve_part(nodes, name, &parts[i], out, err);

        if (status) {
            return status;
        }
    }
    if (out->count) {
        bl_sort(out->at, out->count, sizeof *out->at, compare_devices);
    }
    return BL_OK;
}
