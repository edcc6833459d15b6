/* For the tests of cluster files and declared nodes: a node as one line. */
#ifndef BL_CLUSTER_TEST_H
#define BL_CLUSTER_TEST_H

#include "base/units.h"
#include "form/clusterspec.h"
#include "form_test.h"

/* "n1 8xA100 gpu_mem=… cpu=… mem=… pool=… price=… spot;" without what is not set */
static inline void cluster_print_node(struct bl_buf *out, const struct bl_node_spec *node)
{
    bl_buf_printf(out, "%s %dx%s", node->name, node->gpus, node->gpu_type ? node->gpu_type : "-");
    if (node->gpu_mem_bytes) {
        bl_buf_append_text(out, " gpu_mem=");
        bl_size_print(out, node->gpu_mem_bytes);
    }
    bl_buf_printf(out, " cpu=%lld mem=", (long long)node->cpu_milli);
    bl_size_print(out, node->mem_bytes);
    if (node->pool) {
        bl_buf_printf(out, " pool=%s", node->pool);
    }
    if (node->price_micros) {
        bl_buf_printf(out, " price=%lld", (long long)node->price_micros);
    }
    bl_buf_append_text(out, node->spot ? " spot;" : ";");
    assert_false(node->counted);
}

#endif
