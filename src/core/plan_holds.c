/* What is held ahead for others, in a plan. */
#include "core/hold.h"
#include "core/plan_parts.h"

static struct bl_alloc alloc_of(const struct bl_alloc_part *part)
{
    return (struct bl_alloc){.part_count = 1, .single = *part};
}

static bl_time later(bl_time a, bl_time b)
{
    return a > b ? a : b;
}

static void change_over(struct bl_plan *plan, const struct bl_alloc_part *part, bl_time from,
                        bl_time to, int32_t sign)
{
    const struct bl_alloc alloc = alloc_of(part);

    if (from < to) {
        bl_plan_change(plan, &plan->tree, &alloc, from, sign);
        bl_plan_change(plan, &plan->tree, &alloc, to, -sign);
    }
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t share_of(int64_t amount, int32_t gpus, int32_t all)
{
    __extension__ typedef __int128 wide;

    return (int64_t)((wide)amount * gpus / all);
}

/* GPUs that a running job has of what is held. Where they have no names: all that could be, of a
 * job that is there by right or by leave. */
static int32_t count_shared(const struct bl_hold *hold, const struct bl_job *job,
                            const struct bl_alloc_part *part)
{
    if (hold->part.gpu_mask && part->gpu_mask) {
        return __builtin_popcountll(hold->part.gpu_mask & part->gpu_mask);
    }
    return bl_hold_is_for(hold, job) || bl_job_gives_way(&job->spec)
               ? (int32_t)smaller(hold->part.gpus, part->gpus)
               : 0;
}

/* What runs on held GPUs and what holds them would be counted twice: given back once, for as long
 * as both last. */
static void give_back_shared(struct bl_plan *plan, const struct bl_hold *hold,
                             const struct bl_running_entry *running,
                             const struct bl_alloc_part *part)
{
    int32_t gpus = count_shared(hold, running->job, part);
    bl_time end = later(running->planned_end, plan->first + 1);
    struct bl_alloc_part shared = {.node = part->node, .gpus = gpus};

    if (gpus > 0) {
        shared.cpu_milli = smaller(share_of(part->cpu_milli, gpus, part->gpus),
                                   share_of(hold->part.cpu_milli, gpus, hold->part.gpus));
        shared.mem_bytes = smaller(share_of(part->mem_bytes, gpus, part->gpus),
                                   share_of(hold->part.mem_bytes, gpus, hold->part.gpus));
        change_over(plan, &shared, later(hold->start, plan->first), smaller(hold->end, end), 1);
    }
}

static void add_holds_of(struct bl_plan *plan, const struct bl_node_holds *node)
{
    for (size_t i = 0; i < node->count; i++) {
        change_over(plan, &node->at[i].part, later(node->at[i].start, plan->first), node->at[i].end,
                    -1);
    }
}

static void share_with(struct bl_plan *plan, const struct bl_running_entry *running)
{
    const struct bl_alloc_part *part = bl_alloc_parts(&running->job->alloc);

    for (uint32_t i = 0; i < running->job->alloc.part_count; i++) {
        size_t index = (size_t)part[i].node;
        const struct bl_node_holds *node =
            index < plan->holds->node_count ? &plan->holds->node[index] : NULL;

        for (size_t k = 0; node && k < node->count; k++) {
            give_back_shared(plan, &node->at[k], running, &part[i]);
        }
    }
}

void bl_plan_add_holds(struct bl_plan *plan, const struct bl_view *view)
{
    for (size_t i = 0; i < plan->holds->node_count; i++) {
        add_holds_of(plan, &plan->holds->node[i]);
    }
    for (size_t i = 0; i < view->running_count; i++) {
        share_with(plan, &view->running[i]);
    }
}

struct bl_plan_dropped {
    bl_job_id job;
    struct bl_plan_dropped *next;
};

static bool is_dropped(const struct bl_plan *plan, bl_job_id job)
{
    const struct bl_plan_dropped *at = plan->dropped;

    while (at && at->job != job) {
        at = at->next;
    }
    return at != NULL;
}

static void drop_of_node(struct bl_plan *plan, const struct bl_node_holds *node, bl_job_id job)
{
    for (size_t i = 0; i < node->count; i++) {
        if (node->at[i].booking == -job) {
            change_over(plan, &node->at[i].part, later(node->at[i].start, plan->first),
                        node->at[i].end, 1);
        }
    }
}

void bl_plan_drop_promise(struct bl_plan *plan, const struct bl_job *job)
{
    struct bl_plan_dropped *dropped;

    if (job->promised_at == 0 || is_dropped(plan, job->id)) {
        return;
    }
    for (size_t i = 0; i < plan->holds->node_count; i++) {
        drop_of_node(plan, &plan->holds->node[i], job->id);
    }
    dropped = bl_arena_alloc(plan->arena, sizeof *dropped);
    *dropped = (struct bl_plan_dropped){job->id, plan->dropped};
    plan->dropped = dropped;
    plan->facts.count = 0;
    plan->facts_of_gpus.count = 0;
}

bl_time bl_plan_next_hold(const struct bl_plan *plan, const struct bl_alloc *alloc, bl_time from,
                          bl_time to)
{
    const struct bl_alloc_part *part = bl_alloc_parts(alloc);

    for (uint32_t i = 0; plan->holds && i < alloc->part_count; i++) {
        size_t index = (size_t)part[i].node;
        const struct bl_node_holds *node =
            index < plan->holds->node_count ? &plan->holds->node[index] : NULL;

        for (size_t k = 0; node && k < node->count; k++) {
            bl_time start = node->at[k].start;

            to = start >= from && start < to ? start : to;
        }
    }
    return to;
}
