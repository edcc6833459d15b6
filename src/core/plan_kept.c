#include "core/plan_kept.h"

#include "base/own.h"
#include "base/vec.h"
#include "core/hold.h"
#include "core/plan_parts.h"

#include <string.h>

/* An entry of the queue as it was put in. */
struct placed {
    bl_job_id job;
    struct bl_plan_kind kind;
    struct bl_resources need;
    bl_time duration;
    bl_time start;
};

/* A job that holds resources, as the plan counts with it. */
struct taken {
    bl_job_id job;
    int32_t attempt;
    bl_time end;
};

/* What a node had when the round was over. */
struct seen_node {
    struct bl_resources free;
    int64_t gpu_mem_bytes;
    int32_t type, pool;
    bool is_up;
};

struct bl_plan_kept {
    struct bl_arena arena;
    struct bl_plan *plan; /* NULL: there is none */
    bool is_whole;        /* all that it rests on was noted, and can be compared */
    struct bl_plan_place last;
    BL_VEC(struct placed) placed;
    BL_VEC(struct taken) running;
    BL_VEC(struct seen_node) nodes;
};

struct bl_plan_kept *bl_plan_kept_create(void)
{
    return bl_alloc_zero(sizeof(struct bl_plan_kept));
}

void bl_plan_kept_destroy(struct bl_plan_kept *kept)
{
    if (kept) {
        bl_arena_finish(&kept->arena);
        BL_VEC_FINISH(&kept->placed);
        BL_VEC_FINISH(&kept->running);
        BL_VEC_FINISH(&kept->nodes);
        free(kept);
    }
}

/* --- comparing ------------------------------------------------------------------------------- */

static struct seen_node see_node(const struct bl_node *node)
{
    return (struct seen_node){node->free, node->spec.gpu_mem_bytes, node->type, node->pool,
                              node->state == BL_NODE_UP};
}

static bool is_node_same(const struct bl_node *node, const struct seen_node *seen)
{
    return (node->state == BL_NODE_UP) == seen->is_up && node->drain_at == BL_TIME_NEVER &&
           node->type == seen->type && node->pool == seen->pool &&
           node->spec.gpu_mem_bytes == seen->gpu_mem_bytes &&
           bl_resources_fit(&node->free, &seen->free) && bl_resources_fit(&seen->free, &node->free);
}

static bool has_holds(const struct bl_cluster *cluster)
{
    return cluster->holds && cluster->holds->count > 0;
}

static bool are_nodes_same(const struct bl_plan_kept *kept, const struct bl_cluster *cluster)
{
    if (cluster->node_count != kept->nodes.count || has_holds(cluster)) {
        return false;
    }
    for (size_t i = 0; i < cluster->node_count; i++) {
        if (!is_node_same(&cluster->node[i], &kept->nodes.at[i])) {
            return false;
        }
    }
    return true;
}

/* None is overdue: one that is, is expected to end any moment. */
static bool are_running_same(const struct bl_plan_kept *kept, const struct bl_view *view)
{
    if (view->running_count != kept->running.count) {
        return false;
    }
    for (size_t i = 0; i < view->running_count; i++) {
        const struct bl_running_entry *now = &view->running[i];
        const struct taken *then = &kept->running.at[i];

        if (now->job->id != then->job || now->job->attempt != then->attempt ||
            now->planned_end != then->end || now->planned_end <= view->now) {
            return false;
        }
    }
    return true;
}

static struct bl_plan_kind kind_of(const struct bl_job *job)
{
    const struct bl_job_spec *spec = &job->spec;

    return (struct bl_plan_kind){.type_mask = job->type_mask,
                                 .gpu_mem_bytes = spec->gpu_mem_bytes,
                                 .pool = job->pool,
                                 .nodes_max = spec->nodes_max,
                                 .has_gpus = spec->gpus_max > 0};
}

static bool is_kind_same(const struct bl_plan_kind *a, const struct bl_plan_kind *b)
{
    return a->type_mask == b->type_mask && a->gpu_mem_bytes == b->gpu_mem_bytes &&
           a->pool == b->pool && a->nodes_max == b->nodes_max && a->has_gpus == b->has_gpus;
}

static bool is_entry_same(const struct bl_queue_entry *entry, const struct placed *placed)
{
    struct bl_resources need;
    struct bl_plan_kind kind;

    if (entry->job->id != placed->job || entry->duration != placed->duration || entry->job->array) {
        return false;
    }
    need = bl_job_need(&entry->job->spec, entry->gpus);
    kind = kind_of(entry->job);
    return bl_resources_fit(&need, &placed->need) && bl_resources_fit(&placed->need, &need) &&
           is_kind_same(&kind, &placed->kind);
}

/* Who was to start by now has done so, and is not in line any more. */
static bool is_queue_same(const struct bl_plan_kept *kept, const struct bl_view *view)
{
    if (view->queue_count < kept->placed.count) {
        return false;
    }
    for (size_t i = 0; i < kept->placed.count; i++) {
        if (kept->placed.at[i].start <= view->now ||
            !is_entry_same(&view->queue[i], &kept->placed.at[i])) {
            return false;
        }
    }
    return true;
}

static bool is_same(const struct bl_plan_kept *kept, const struct bl_view *view)
{
    return kept->plan && kept->is_whole && view->now >= kept->plan->first &&
           are_nodes_same(kept, view->cluster) && are_running_same(kept, view) &&
           is_queue_same(kept, view);
}

/* --- the plan -------------------------------------------------------------------------------- */

static void make_anew(struct bl_plan_kept *kept, const struct bl_view *view)
{
    struct bl_view lasting = *view;

    bl_arena_reset(&kept->arena);
    lasting.scratch = &kept->arena;
    kept->plan = bl_plan_create(&lasting);
    kept->placed.count = 0;
}

size_t bl_plan_kept_begin(struct bl_plan_kept *kept, const struct bl_view *view)
{
    if (is_same(kept, view)) {
        kept->plan->first = view->now;
        kept->plan->cluster = *view->cluster;
        kept->plan->cluster.holds = NULL;
    } else {
        make_anew(kept, view);
    }
    kept->is_whole = true;
    return kept->placed.count;
}

bl_time bl_plan_kept_add(struct bl_plan_kept *kept, const struct bl_view *view, size_t index)
{
    const struct bl_queue_entry *entry = &view->queue[index];
    struct placed placed = {.job = entry->job->id,
                            .kind = kind_of(entry->job),
                            .need = bl_job_need(&entry->job->spec, entry->gpus),
                            .duration = entry->duration};

    kept->last = bl_plan_put(kept->plan, entry->job, entry->gpus, entry->duration, view->now);
    placed.start = kept->last.start;
    BL_VEC_PUSH(&kept->placed, placed);
    kept->is_whole = kept->is_whole && !entry->job->array;
    return placed.start;
}

static bool is_part_same(const struct bl_alloc_part *a, const struct bl_alloc_part *b)
{
    return a->node == b->node && a->gpus == b->gpus && a->cpu_milli == b->cpu_milli &&
           a->mem_bytes == b->mem_bytes;
}

static bool is_alloc_same(const struct bl_alloc *a, const struct bl_alloc *b)
{
    bool is_same = a->part_count == b->part_count;

    for (uint32_t i = 0; is_same && i < a->part_count; i++) {
        is_same = is_part_same(&bl_alloc_parts(a)[i], &bl_alloc_parts(b)[i]);
    }
    return is_same;
}

/* It runs from now on for as long as was planned: it only may lie elsewhere. */
void bl_plan_kept_start(struct bl_plan_kept *kept, const struct bl_alloc *alloc)
{
    kept->placed.count--;
    kept->is_whole = kept->is_whole && is_alloc_same(&kept->last.alloc, alloc);
}

void bl_plan_kept_end(struct bl_plan_kept *kept, const struct bl_view *view)
{
    const struct bl_cluster *cluster = view->cluster;

    kept->running.count = 0;
    for (size_t i = 0; i < view->running_count; i++) {
        const struct bl_running_entry *entry = &view->running[i];
        struct taken taken = {entry->job->id, entry->job->attempt, entry->planned_end};

        BL_VEC_PUSH(&kept->running, taken);
    }
    kept->nodes.count = 0;
    for (size_t i = 0; i < cluster->node_count; i++) {
        BL_VEC_PUSH(&kept->nodes, see_node(&cluster->node[i]));
        kept->is_whole = kept->is_whole && cluster->node[i].drain_at == BL_TIME_NEVER;
    }
    kept->is_whole = kept->is_whole && !has_holds(cluster);
}

bl_time bl_plan_kept_start_of(const struct bl_plan_kept *kept, size_t index)
{
    return kept->placed.at[index].start;
}
