#include "core/counts.h"

bool bl_job_is_legal_count(const struct bl_job_spec *spec, int32_t gpus)
{
    for (size_t i = 0; i < spec->gpu_count_count; i++) {
        if (spec->gpu_count[i] == gpus) {
            return true;
        }
    }
    return spec->gpu_count_count == 0 && gpus >= spec->gpus_min && gpus <= spec->gpus_max;
}

static bool does_suit(const struct bl_node *node, const struct bl_job *job)
{
    return node->state == BL_NODE_UP && node->type >= 0 &&
           (job->pool < 0 || node->pool == job->pool) &&
           (job->type_mask == 0 || ((job->type_mask >> node->type) & 1)) &&
           (job->spec.gpu_mem_bytes == 0 || node->spec.gpu_mem_bytes >= job->spec.gpu_mem_bytes);
}

struct bl_count_pool bl_count_pool_of(const struct bl_cluster *cluster, const struct bl_job *job)
{
    struct bl_count_pool pool = {0};

    for (size_t i = 0; i < cluster->node_count; i++) {
        const struct bl_node *node = &cluster->node[i];

        if (does_suit(node, job)) {
            pool.gpus += node->spec.gpus;
            pool.node_gpus = node->spec.gpus > pool.node_gpus ? node->spec.gpus : pool.node_gpus;
        }
    }
    return pool;
}

/* The next count that is looked at after `gpus`. */
static int64_t next_round(int64_t gpus, int64_t node_gpus)
{
    int64_t power = 1;

    if (node_gpus > 0 && gpus >= node_gpus) {
        return (gpus / node_gpus + 1) * node_gpus;
    }
    while (power <= gpus) {
        power *= 2;
    }
    return node_gpus > 0 && power > node_gpus ? node_gpus : power;
}

static int64_t next_count(const struct bl_count_pool *pool, int64_t gpus)
{
    bool is_every = pool->counts == BL_COUNTS_ALL ||
                    (pool->counts == BL_COUNTS_AUTO && pool->gpus <= BL_COUNTS_ALL_UP_TO);

    return is_every ? gpus + 1 : next_round(gpus, pool->node_gpus);
}

static size_t counts_of_range(const struct bl_job_spec *spec, const struct bl_count_pool *pool,
                              int32_t most, int32_t out[BL_COUNTS_MAX])
{
    size_t count = 0;
    int64_t gpus = spec->gpus_min;

    while (gpus < most && count < BL_COUNTS_MAX - 1) {
        out[count++] = (int32_t)gpus;
        gpus = next_count(pool, gpus);
    }
    out[count++] = most > spec->gpus_min ? most : spec->gpus_min;
    return count;
}

static int32_t most_gpus(const struct bl_job_spec *spec, const struct bl_count_pool *pool)
{
    return pool->gpus < spec->gpus_max ? (int32_t)pool->gpus : spec->gpus_max;
}

size_t bl_job_counts(const struct bl_job_spec *spec, const struct bl_count_pool *pool,
                     int32_t out[BL_COUNTS_MAX])
{
    int32_t most = most_gpus(spec, pool);
    size_t count = 0;

    if (spec->gpu_count_count == 0) {
        return counts_of_range(spec, pool, most, out);
    }
    for (size_t i = 0; i < spec->gpu_count_count; i++) {
        if (i == 0 || spec->gpu_count[i] <= most) {
            out[count++] = spec->gpu_count[i];
        }
    }
    return count;
}

size_t bl_job_choices(const struct bl_view *view, const struct bl_job *job, enum bl_counts counts,
                      int32_t out[BL_COUNTS_MAX])
{
    struct bl_count_pool pool;

    if (job->gpus_wish > 0) {
        out[0] = job->gpus_wish;
        return 1;
    }
    pool = bl_count_pool_of(view->cluster, job);
    pool.counts = counts;
    return bl_job_counts(&job->spec, &pool, out);
}
