/* The machine in the books: nodes, their GPUs, pools, and what is free. */
#ifndef BL_CORE_CLUSTER_H
#define BL_CORE_CLUSTER_H

#include "base/span.h"
#include "core/resources.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    BL_NODE_NAMED_GPUS_MAX = 64,        /* GPUs with an identity on one node: bits of a mask */
    BL_NODE_COUNTED_GPUS_MAX = 1 << 24, /* GPUs (or SWF slots) that are only counted */
    BL_GPU_TYPES_MAX = 64,              /* distinct GPU types of a cluster: bits of a mask */
    BL_POOLS_MAX = 64,
    BL_NODES_MAX = 1 << 20
};

enum bl_node_state {
    BL_NODE_UP,
    BL_NODE_DRAINED, /* what runs may end, nothing starts */
    BL_NODE_DOWN
};

/* What a node is made of. Strings are borrowed by whoever is given the struct; the core copies. */
struct bl_node_spec {
    const char *name;     /* unique */
    const char *pool;     /* NULL means "default" */
    const char *gpu_type; /* NULL where there is no GPU or its type does not matter */
    int32_t gpus;
    bool counted; /* GPUs have no identity here: SWF slots, or an engine that picks them itself */
    int64_t gpu_mem_bytes; /* of each GPU; 0 = unknown */
    int64_t cpu_milli;
    int64_t mem_bytes;
    int64_t price_micros; /* money per hour, millionths */
    bool spot;
};

/* A node in the books; read only outside cluster.c. */
struct bl_node {
    struct bl_node_spec spec; /* strings owned by the cluster */
    enum bl_node_state state;
    bl_time drain_at; /* it will be drained then; BL_TIME_NEVER = not planned */
    int32_t type;     /* index into the cluster's types, -1 without GPUs */
    int32_t pool;     /* index into the cluster's pools */
    struct bl_resources free;
    uint64_t free_gpu_mask; /* bit g = GPU g is free; 0 for counted GPUs */
    uint64_t lost;          /* bit g = GPU g is broken, or gone: nobody gets it */
    uint64_t lost_idle;     /* of those: nobody is on them any more */
    bl_time lost_since;     /* when the last of them was lost; 0 = none is */
};

struct bl_holds;

/* One node's share of an allocation. */
struct bl_alloc_part {
    int32_t node; /* index into the cluster's nodes */
    int32_t gpus;
    uint64_t gpu_mask; /* which ones; 0 for counted GPUs */
    int64_t cpu_milli;
    int64_t mem_bytes;
};

/* An allocation; nearly always one part, which needs no memory of its own. */
struct bl_alloc {
    uint32_t part_count;
    struct bl_alloc_part single;
    struct bl_alloc_part *many; /* owned, used when part_count > 1 */
};

struct bl_cluster {
    struct bl_node *node;
    size_t node_count;
    size_t node_capacity;
    char *type_name[BL_GPU_TYPES_MAX];
    size_t type_count;
    int32_t type_node_gpus[BL_GPU_TYPES_MAX]; /* of the largest node of each type */
    char *pool_name[BL_POOLS_MAX];
    size_t pool_count;
    struct bl_resources capacity; /* of nodes that are not down */
    struct bl_resources free;     /* of nodes that are up */
    bl_time now;                  /* the books' instant, for what is sure to end before a drain */
    uint64_t version;             /* grows with every change of a node */
    const struct bl_holds *holds; /* what is held ahead (core/hold); NULL = nothing. Borrowed */
};

/* Bits of a mask from the lowest on, at most so many. */
static inline uint64_t bl_gpus_lowest(uint64_t mask, int32_t count)
{
    uint64_t rest = mask;

    for (int32_t i = 0; i < count; i++) {
        rest &= rest - 1;
    }
    return mask & ~rest;
}

/* The GPUs of a node that have an identity. */
static inline uint64_t bl_node_gpus(const struct bl_node_spec *spec)
{
    if (spec->counted || spec->gpus == 0) {
        return 0;
    }
    return spec->gpus == 64 ? UINT64_MAX : (UINT64_C(1) << spec->gpus) - 1;
}

/* Those of them that are not lost. */
static inline uint64_t bl_node_sound_gpus(const struct bl_node *node)
{
    return bl_node_gpus(&node->spec) & ~node->lost;
}

/* All that are not lost; counted ones never are. */
static inline int32_t bl_node_sound_count(const struct bl_node *node)
{
    return node->spec.gpus - __builtin_popcountll(node->lost);
}

static inline const struct bl_alloc_part *bl_alloc_parts(const struct bl_alloc *alloc)
{
    return alloc->part_count > 1 ? alloc->many : &alloc->single;
}

int32_t bl_alloc_gpus(const struct bl_alloc *alloc);
void bl_alloc_copy(struct bl_alloc *to, const struct bl_alloc *from);
void bl_alloc_finish(struct bl_alloc *alloc);

/* Of each node the larger share; GPUs with an identity are those of either. Fills *out, which the
 * caller finishes. */
void bl_alloc_join(const struct bl_alloc *a, const struct bl_alloc *b, struct bl_alloc *out);
/* What `of` has on each node beyond `less`; without parts when there is nothing. Booking
 * `b` beyond `a` on top of `a` books the two joined. */
void bl_alloc_beyond(const struct bl_alloc *of, const struct bl_alloc *less, struct bl_alloc *out);
/* Whether a GPU with an identity is of both. */
bool bl_alloc_shares_named(const struct bl_alloc *a, const struct bl_alloc *b);
/* What it has of the node; NULL = nothing. */
const struct bl_alloc_part *bl_alloc_part_on(const struct bl_alloc *alloc, int32_t node);
struct bl_resources bl_alloc_resources(const struct bl_alloc *alloc);

/* Copies `spec`. Answers the node's index, or -1 when the name is taken, a table is full or a
 * count is out of range; the books are unchanged then. */
int32_t bl_cluster_add_node(struct bl_cluster *cluster, const struct bl_node_spec *spec);

/* Gives a node that nobody uses another shape; its state stays. False, and the books unchanged,
 * when something runs there or bl_cluster_add_node would refuse the spec. */
bool bl_cluster_reshape_node(struct bl_cluster *cluster, int32_t node,
                             const struct bl_node_spec *spec);

/* The index, or -1. */
int32_t bl_cluster_find_node(const struct bl_cluster *cluster, const char *name);
int32_t bl_cluster_find_type(const struct bl_cluster *cluster, const char *name);
/* Its index, which no node needs to have; -1 when the table is full. */
int32_t bl_cluster_add_type(struct bl_cluster *cluster, const char *name);
int32_t bl_cluster_find_pool(const struct bl_cluster *cluster, const char *name);

void bl_cluster_set_state(struct bl_cluster *cluster, int32_t node, enum bl_node_state state);
/* These GPUs of the node are lost, all others are not. What somebody is on leaves the books when it
 * is given back. */
void bl_cluster_set_lost(struct bl_cluster *cluster, int32_t node, uint64_t lost);
/* From `at` on only jobs that are sure to end before start there. */
void bl_cluster_set_drain(struct bl_cluster *cluster, int32_t node, bl_time at);

/* Book and return resources. Booking what is not free is a bug and asserts. */
void bl_cluster_take(struct bl_cluster *cluster, const struct bl_alloc *alloc);
/* As take, whatever state the nodes are in: what a snapshot says is booked. False, and the books
 * unchanged, when that does not fit into them. */
bool bl_cluster_rebook(struct bl_cluster *cluster, const struct bl_alloc *alloc);
void bl_cluster_give_back(struct bl_cluster *cluster, const struct bl_alloc *alloc);

/* Whether every part is free on nodes that are up: what bl_cluster_take demands. */
bool bl_cluster_can_take(const struct bl_cluster *cluster, const struct bl_alloc *alloc);

void bl_cluster_finish(struct bl_cluster *cluster);

#endif
