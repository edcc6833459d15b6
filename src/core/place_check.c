#include "core/place.h"

#include "base/own.h"

#include <string.h>

/* The machine as it would be with every node up and nothing running. Shares the names of the real
 * one. */
static struct bl_cluster empty_copy(const struct bl_cluster *cluster)
{
    struct bl_cluster copy = *cluster;

    copy.node = bl_realloc_array(NULL, cluster->node_count, sizeof *copy.node);
    copy.free = (struct bl_resources){0};
    copy.holds = NULL;
    for (size_t i = 0; i < cluster->node_count; i++) {
        struct bl_node *node = &copy.node[i];

        *node = cluster->node[i];
        node->state = BL_NODE_UP;
        node->drain_at = BL_TIME_NEVER;
        node->lost = node->lost_idle = 0;
        node->free =
            (struct bl_resources){{node->spec.gpus, node->spec.cpu_milli, node->spec.mem_bytes}};
        node->free_gpu_mask =
            node->spec.gpus == 64 ? UINT64_MAX : (UINT64_C(1) << (node->spec.gpus & 63)) - 1;
        bl_resources_add(&copy.free, &node->free);
    }
    return copy;
}

static bool fits(const struct bl_cluster *empty, const struct bl_job *job, int32_t gpus)
{
    struct bl_arena arena = {0};
    struct bl_free all = bl_free_copy(empty, &arena);
    bool answer = bl_place_fits(&all, job, gpus);

    bl_arena_finish(&arena);
    return answer;
}

/* The largest count that fits, by halving: a count that fits makes every smaller one fit. */
static int32_t most_gpus(const struct bl_cluster *empty, const struct bl_job *job)
{
    int32_t low = 0;
    int32_t high = job->spec.gpus_want;

    while (low < high) {
        int32_t middle = low + (high - low + 1) / 2;

        if (fits(empty, job, middle)) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

static bool has_type(const struct bl_job *job, const struct bl_node *node)
{
    return node->type >= 0 && (job->type_mask == 0 || ((job->type_mask >> node->type) & 1));
}

struct limits {
    bool has_pool;
    bool has_type;
    int64_t gpu_mem;
    int64_t cpu_milli;
    int64_t mem_bytes;
};

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* What the nodes that get past each hurdle offer at most. */
static struct limits find_limits(const struct bl_cluster *empty, const struct bl_job *job)
{
    struct limits found = {0};
    bool wants_gpus = job->spec.gpus_max > 0;

    for (size_t i = 0; i < empty->node_count; i++) {
        const struct bl_node *node = &empty->node[i];

        if (job->pool >= 0 && node->pool != job->pool) {
            continue;
        }
        found.has_pool = true;
        if (wants_gpus && !has_type(job, node)) {
            continue;
        }
        found.has_type = true;
        found.gpu_mem = larger(found.gpu_mem, node->spec.gpu_mem_bytes);
        if (wants_gpus && node->spec.gpu_mem_bytes < job->spec.gpu_mem_bytes) {
            continue;
        }
        found.cpu_milli = larger(found.cpu_milli, node->spec.cpu_milli);
        found.mem_bytes = larger(found.mem_bytes, node->spec.mem_bytes);
    }
    return found;
}

static struct bl_misfit_report name_misfit(const struct bl_cluster *empty, const struct bl_job *job)
{
    struct limits limits = find_limits(empty, job);
    struct bl_job bare = *job;
    int32_t want = job->spec.gpus_want;
    int32_t most;

    if (!limits.has_pool) {
        return (struct bl_misfit_report){BL_MISFIT_POOL, 0};
    }
    if (!limits.has_type) {
        return (struct bl_misfit_report){BL_MISFIT_GPU_TYPE, 0};
    }
    if (job->spec.gpus_max > 0 && limits.gpu_mem < job->spec.gpu_mem_bytes) {
        return (struct bl_misfit_report){BL_MISFIT_GPU_MEM, limits.gpu_mem};
    }
    bare.spec.cpu_milli.value = 0;
    bare.spec.mem_bytes.value = 0;
    most = most_gpus(empty, &bare);
    if (want > most) {
        return (struct bl_misfit_report){BL_MISFIT_GPUS, most};
    }
    bare.spec.cpu_milli = job->spec.cpu_milli;
    if (!fits(empty, &bare, want)) {
        return (struct bl_misfit_report){BL_MISFIT_CPU, limits.cpu_milli};
    }
    return (struct bl_misfit_report){BL_MISFIT_MEM, limits.mem_bytes};
}

struct bl_misfit_report bl_place_check(const struct bl_cluster *cluster,
                                       const struct bl_job_spec *spec)
{
    struct bl_cluster empty;
    struct bl_job job = {.spec = *spec};
    struct bl_misfit_report report = {BL_MISFIT_NONE, 0};

    if (cluster->node_count == 0) {
        return (struct bl_misfit_report){BL_MISFIT_GPUS, 0};
    }
    empty = empty_copy(cluster);
    job.spec.reservation = 0; /* its slot is no matter of the machine */
    bl_job_resolve(&job, cluster);
    if (!fits(&empty, &job, spec->gpus_want)) {
        report = name_misfit(&empty, &job);
    }
    free(empty.node);
    return report;
}
