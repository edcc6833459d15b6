/* Cluster files (`nodes: […]`) and `--declared 8xA100:80GB,cpus=96,mem=1TB`. */
#ifndef BL_FORM_CLUSTERSPEC_H
#define BL_FORM_CLUSTERSPEC_H

#include "core/cluster.h"
#include "form/tree.h"

struct bl_clusterspec {
    struct bl_node_spec *node; /* strings and array in the arena */
    size_t node_count;
};

/* Host names "n[1-4]" and "n[01-16,20]" are expanded. Nodes without cpus or mem get 16 CPUs and
 * 128 GiB a GPU. */
int bl_clusterspec_read(const struct bl_tree_source *source, const struct bl_tree *tree,
                        struct bl_arena *arena, struct bl_clusterspec *out, struct bl_error *err);

/* One declared node, named "nodeINDEX" with INDEX from 1. */
int bl_declared_parse(const char *text, int index, struct bl_arena *arena, struct bl_node_spec *out,
                      struct bl_error *err);

#endif
