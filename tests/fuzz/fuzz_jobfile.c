/* Job files, pipelines, cluster files and reservations, as YAML and as JSON. The first byte says
 * which. */
#include "fuzz.h"

#include "form/bookingspec.h"
#include "form/clusterspec.h"
#include "form/jobspec.h"
#include "form/pipeline.h"
#include "form/tree.h"

enum { BIT_JSON = 1, BIT_TRACE = 2, BIT_CLUSTER = 4, BIT_BOOKING = 8 };

static void read_as_job(const struct bl_tree_source *source, const struct bl_tree *tree,
                        enum bl_jobspec_use use, struct bl_arena *arena)
{
    struct bl_jobspec job = {0};
    struct bl_error err = {0};
    int status = bl_jobspec_read(source, tree, use, arena, &job, &err);

    check_refusal(status, &err);
    if (status == BL_OK) {
        assert(job.core.gpus_min >= 0 && job.core.gpus_min <= job.core.gpus_want &&
               job.core.gpus_want <= job.core.gpus_max);
        assert(job.core.limit >= 0 && job.core.work >= 0);
        assert(use == BL_JOBSPEC_TRACE || (job.launch.argc > 0 && job.launch.argv[0]));
    }
}

static void read_as_cluster(const struct bl_tree_source *source, const struct bl_tree *tree,
                            struct bl_arena *arena)
{
    struct bl_clusterspec cluster = {0};
    struct bl_error err = {0};
    int status = bl_clusterspec_read(source, tree, arena, &cluster, &err);

    check_refusal(status, &err);
    for (size_t i = 0; status == BL_OK && i < cluster.node_count; i++) {
        assert(cluster.node[i].name && cluster.node[i].gpus >= 0 && cluster.node[i].cpu_milli >= 0);
    }
}

static void read_as_pipeline(const struct bl_tree_source *source, const struct bl_tree *tree,
                             struct bl_arena *arena)
{
    struct bl_pipeline pipeline = {0};
    struct bl_error err = {0};
    int status = bl_pipeline_read(source, tree, arena, &pipeline, &err);

    check_refusal(status, &err);
    for (size_t i = 0; status == BL_OK && i < pipeline.count; i++) {
        for (size_t j = 0; j < pipeline.job[i].spec.after_count; j++) {
            assert(pipeline.job[i].after[j] < i || pipeline.job[i].after[j] == BL_PIPELINE_OUTSIDE);
        }
    }
}

static void read_as_booking(const struct bl_tree_source *source, const struct bl_tree *tree,
                            enum bl_bookingspec_use use, struct bl_arena *arena)
{
    struct bl_bookingspec spec = {0};
    struct bl_error err = {0};
    int status = bl_bookingspec_read(source, tree, use, arena, &spec, &err);

    check_refusal(status, &err);
    if (status == BL_OK) {
        assert(spec.gpus >= 0 && spec.on_count <= BL_BOOKING_ON_MAX);
        assert(spec.gpus == 0 || spec.on_count == 0);
        assert(spec.duration >= 0 && spec.duration <= BL_BOOKING_HORIZON);
        assert(use == BL_BOOKINGSPEC_EDIT || (spec.from && spec.gpus + spec.on_count > 0));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct bl_arena arena = {0};
    struct bl_tree_source source;
    const struct bl_tree *tree;

    if (!length) {
        return 0;
    }
    tree = read_document(bytes, length, bytes[0] & BIT_JSON, &source, &arena);
    if (tree && bytes[0] & BIT_BOOKING) {
        read_as_booking(&source, tree,
                        bytes[0] & BIT_TRACE ? BL_BOOKINGSPEC_EDIT : BL_BOOKINGSPEC_NEW, &arena);
    } else if (tree && bytes[0] & BIT_CLUSTER) {
        read_as_cluster(&source, tree, &arena);
    } else if (tree && bl_pipeline_is_one(tree)) {
        read_as_pipeline(&source, tree, &arena);
    } else if (tree) {
        read_as_job(&source, tree, bytes[0] & BIT_TRACE ? BL_JOBSPEC_TRACE : BL_JOBSPEC_LIVE,
                    &arena);
    }
    bl_arena_finish(&arena);
    return 0;
}
