/* The nodes that this machine is made of in the local engine: declared ones, or one for each model
 * of GPU found, or one without GPUs. */
#ifndef BL_ENGINE_LOCAL_NODES_H
#define BL_ENGINE_LOCAL_NODES_H

#include "base/arena.h"
#include "base/vec.h"
#include "form/clusterspec.h"
#include "os/nvml.h"

struct bl_local_node {
    struct bl_node_spec spec;
    const int32_t *device; /* by GPU of the node: its number on this machine */
    const char **uuid;
    const char **pci; /* where each is on the bus, "0000:3b:00.0"; NULL for declared ones */
    bool declared;    /* its GPUs are made up */
};

/* All memory is in the arena. */
struct bl_local_nodes {
    struct bl_arena arena;
    struct bl_local_node *node;
    size_t count;
};

/* What the machine has besides GPUs. */
struct bl_local_machine {
    const char *name;
    int64_t cpu_milli;
    int64_t mem_bytes;
};

/* Declared nodes get numbers one after another, so that two jobs never share one, and made-up
 * UUIDs that stay the same: "GPU-declared-node1-3". */
int bl_local_nodes_declare(const struct bl_clusterspec *declared, struct bl_local_nodes *out,
                           struct bl_error *err);

/* One node for each model and memory size; CPUs and memory are shared out by the GPUs. The first
 * has the machine's name, the others "NAME-MODEL". */
void bl_local_nodes_group(const struct bl_nvml_list *gpus, const struct bl_local_machine *machine,
                          struct bl_local_nodes *out);

/* bl_local_nodes_group for this machine. A driver that does not answer is said in the log, and the
 * machine then counts as one without GPUs. */
void bl_local_nodes_find(struct bl_local_nodes *out);

void bl_local_nodes_finish(struct bl_local_nodes *nodes);

/* NULL where there is no such GPU, and for a declared one: nobody knows it by its made-up name. */
const char *bl_local_nodes_uuid(const struct bl_local_nodes *nodes, const char *node, int32_t gpu);

/* One GPU of an allocation. */
struct bl_local_device {
    const char *node;
    int32_t gpu;    /* on its node */
    int32_t number; /* on this machine */
    const char *uuid;
    bool declared;
};

typedef BL_VEC(struct bl_local_device) bl_local_devices;

/* Appends the GPUs of an allocation in order of their numbers; strings are borrowed. Fails when a
 * node is not of this machine. */
int bl_local_nodes_resolve(const struct bl_local_nodes *nodes, const struct bl_cluster *cluster,
                           const struct bl_alloc *alloc, bl_local_devices *out,
                           struct bl_error *err);

#endif
