/* Cluster files (`nodes: […]`) and `--declared 8xA100:80GB,cpus=96,mem=1TB`. */
#ifndef BL_FORM_CLUSTERSPEC_H
#define BL_FORM_CLUSTERSPEC_H

#include "core/cluster.h"
#include "form/tree.h"

enum {
    BL_CLUSTERSPEC_CPUS_MAX = 1 << 20, /* of one node */
    BL_CLUSTERSPEC_DECLARED_MAX = 255, /* bytes of a --declared text */
    BL_CLUSTERSPEC_GPU_CPUS = 16       /* of a node that does not say, for each GPU */
};
#define BL_CLUSTERSPEC_MEM_MAX   (INT64_C(1) << 50) /* bytes of one node or one GPU */
#define BL_CLUSTERSPEC_GPU_MEM   (INT64_C(128) << 30)
#define BL_CLUSTERSPEC_TOTAL_MAX (INT64_C(1) << 60) /* bytes of all nodes */

struct bl_clusterspec {
    struct bl_node_spec *node; /* strings and array in the arena */
    size_t node_count;
};

/* `tree` is a map with `nodes`, or the list itself. Host names "n[1-4]" and "n[01-16,20]" are
 * expanded. Nodes without cpus or mem get 16 CPUs and 128 GiB a GPU. */
int bl_clusterspec_read(const struct bl_tree_source *source, const struct bl_tree *tree,
                        struct bl_arena *arena, struct bl_clusterspec *out, struct bl_error *err);

/* One declared node: COUNTxTYPE[:MEM][,cpus=N][,mem=SIZE][,pool=NAME], or without GPUs
 * cpus=N,mem=SIZE. It is named "nodeINDEX" with INDEX from 1. */
int bl_declared_parse(const char *text, int index, struct bl_arena *arena, struct bl_node_spec *out,
                      struct bl_error *err);

#endif
