#include "core/hold.h"

#include "base/vec.h"

#include <assert.h>
#include <string.h>

void bl_holds_clear(struct bl_holds *holds, size_t node_count)
{
    for (size_t i = 0; i < holds->node_count; i++) {
        holds->node[i].count = 0;
    }
    if (node_count > holds->node_count) {
        holds->node = bl_realloc_array(holds->node, node_count, sizeof *holds->node);
        memset(holds->node + holds->node_count, 0,
               (node_count - holds->node_count) * sizeof *holds->node);
        holds->node_count = node_count;
    }
    holds->count = 0;
}

void bl_holds_add(struct bl_holds *holds, const struct bl_hold *hold)
{
    struct bl_node_holds *node = &holds->node[hold->part.node];

    assert(node->count == 0 || node->at[node->count - 1].start <= hold->start);
    BL_VEC_PUSH(node, *hold);
    holds->count++;
}

static struct bl_resources amounts_of(const struct bl_alloc_part *part)
{
    return (struct bl_resources){{part->gpus, part->cpu_milli, part->mem_bytes}};
}

/* Those before it in the list have begun when it begins; some of them have ended. */
static void sum_up(struct bl_node_holds *node)
{
    for (size_t i = 0; i < node->count; i++) {
        struct bl_hold *hold = &node->at[i];

        hold->sum = (struct bl_resources){0};
        for (size_t k = 0; k < node->count && node->at[k].start <= hold->start; k++) {
            if (node->at[k].end > hold->start) {
                struct bl_resources more = amounts_of(&node->at[k].part);

                bl_resources_add(&hold->sum, &more);
            }
        }
    }
}

void bl_holds_settle(struct bl_holds *holds)
{
    for (size_t i = 0; i < holds->node_count; i++) {
        sum_up(&holds->node[i]);
    }
}

void bl_holds_uncover(struct bl_holds *holds)
{
    for (size_t i = 0; i < holds->node_count; i++) {
        for (size_t k = 0; k < holds->node[i].count; k++) {
            holds->node[i].at[k].covered = (struct bl_resources){0};
        }
    }
}

static uint64_t gpus_of(const struct bl_job *job, int32_t node)
{
    const struct bl_alloc_part *part = bl_alloc_parts(&job->alloc);
    uint64_t mask = 0;

    for (uint32_t i = 0; i < job->alloc.part_count; i++) {
        mask |= part[i].node == node ? part[i].gpu_mask : 0;
    }
    return mask;
}

bool bl_hold_is_for(const struct bl_hold *hold, const struct bl_job *job)
{
    bool is_inside = job->inside_at && hold->owner && job->spec.user &&
                     hold->start <= job->inside_at && job->inside_at < hold->end &&
                     strcmp(hold->owner, job->spec.user) == 0 &&
                     (gpus_of(job, hold->part.node) & hold->part.gpu_mask) != 0;

    return hold->booking > 0 && (hold->booking == job->spec.reservation || is_inside);
}

void bl_holds_cover(struct bl_holds *holds, const struct bl_alloc *alloc, const struct bl_job *job,
                    bl_time until)
{
    const struct bl_alloc_part *part = bl_alloc_parts(alloc);

    for (uint32_t i = 0; i < alloc->part_count; i++) {
        struct bl_node_holds *node = &holds->node[part[i].node];
        struct bl_resources gone = amounts_of(&part[i]);

        for (size_t k = 0; k < node->count; k++) {
            if (until <= node->at[k].start || bl_hold_is_for(&node->at[k], job)) {
                bl_resources_add(&node->at[k].covered, &gone);
            }
        }
    }
}

void bl_holds_finish(struct bl_holds *holds)
{
    for (size_t i = 0; i < holds->node_count; i++) {
        BL_VEC_FINISH(&holds->node[i]);
    }
    free(holds->node);
    *holds = (struct bl_holds){0};
}

static bool is_own(const struct bl_hold *hold, const struct bl_job *job)
{
    return bl_hold_is_for(hold, job) || hold->booking == -job->id;
}

bl_time bl_hold_until(const struct bl_cluster *cluster, const struct bl_job *job, bl_time at)
{
    bl_time lead = bl_saves_lead(cluster->holds->saves, job) + 1;
    bl_time run = bl_job_longest_run(&job->spec) - job->ran_before;
    bl_time until;

    if (!bl_job_gives_way(&job->spec) && job->spec.limit == 0) {
        return BL_TIME_NEVER;
    }
    run = bl_job_gives_way(&job->spec) || run < lead ? lead : run;
    return __builtin_add_overflow(at, run, &until) ? BL_TIME_NEVER : until;
}

/* A job of a booking is stopped when its slot is over: what is held after that is no obstacle. */
bool bl_hold_bars(const struct bl_hold *hold, const struct bl_job *job, bl_time at, bl_time until)
{
    return !is_own(hold, job) && hold->start < until && hold->end > at &&
           (job->spec.reservation == 0 || hold->start <= at);
}

/* Those of its own slot, which goes on. */
static bool is_in_own_slot(const struct bl_hold *hold, const struct bl_job *job, bl_time at)
{
    return hold->is_open && hold->booking == job->spec.reservation && hold->start <= at &&
           at < hold->end;
}

/* It may stay, and have no more of what is held: that is for the jobs of the booking. */
static bool is_a_guest(const struct bl_hold *hold, const struct bl_job *job, bl_time at,
                       bl_time until)
{
    return bl_job_state_is_active(job->state) && hold->booking != job->spec.reservation &&
           bl_hold_is_for(hold, job) && hold->start < until && hold->end > at;
}

uint64_t bl_hold_mask(const struct bl_cluster *cluster, const struct bl_job *job, bl_time at,
                      int32_t index)
{
    const struct bl_node_holds *node = bl_holds_of(cluster, (size_t)index);
    uint64_t all = bl_node_sound_gpus(&cluster->node[index]);
    uint64_t own = 0;
    uint64_t barred = 0;
    bl_time until;

    if (!node) {
        return job->spec.reservation ? 0 : all;
    }
    until = bl_hold_until(cluster, job, at);
    for (size_t i = 0; i < node->count && node->at[i].start < until; i++) {
        const struct bl_hold *hold = &node->at[i];

        own |= is_in_own_slot(hold, job, at) ? hold->part.gpu_mask : 0;
        if (bl_hold_bars(hold, job, at, until)) {
            barred |= hold->part.gpu_mask;
        } else if (is_a_guest(hold, job, at, until)) {
            barred |= hold->part.gpu_mask & ~gpus_of(job, index);
        }
    }
    return (job->spec.reservation ? own & all : all) & ~barred;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* By name: what changed against the books changed on GPUs that it may have. */
static int64_t named_gpus(const struct bl_cluster *cluster, const struct bl_job *job, bl_time at,
                          int32_t index, int64_t gpus)
{
    const struct bl_node *node = &cluster->node[index];
    uint64_t mask = bl_hold_mask(cluster, job, at, index);
    int64_t now = __builtin_popcountll(node->free_gpu_mask & mask);
    int64_t more = gpus - __builtin_popcountll(node->free_gpu_mask);

    return least(least(now + more, gpus), __builtin_popcountll(mask));
}

static int64_t amount_of(const struct bl_alloc_part *part, int resource)
{
    return amounts_of(part).amount[resource];
}

/* What others hold when `hold` begins. */
static int64_t held_by_others(const struct bl_node_holds *holds, const struct bl_hold *hold,
                              const struct bl_job *job, int resource)
{
    int64_t held = hold->sum.amount[resource];

    for (size_t i = 0; i < holds->count && holds->at[i].start <= hold->start; i++) {
        if (is_own(&holds->at[i], job) && holds->at[i].end > hold->start) {
            held -= amount_of(&holds->at[i].part, resource);
        }
    }
    return held;
}

/* What the holds that bar the job leave of a resource that has no names. */
static int64_t unnamed(const struct bl_node_holds *holds, const struct bl_job *job, bl_time at,
                       bl_time until, int resource, int64_t amount)
{
    int64_t left = amount;

    for (size_t i = 0; i < holds->count && holds->at[i].start < until; i++) {
        const struct bl_hold *hold = &holds->at[i];

        if (bl_hold_bars(hold, job, at, until)) {
            left = least(left, amount + hold->covered.amount[resource] -
                                   held_by_others(holds, hold, job, resource));
        } else if (is_a_guest(hold, job, at, until)) { /* its own part is covered by itself */
            left =
                least(left, amount + hold->covered.amount[resource] - hold->sum.amount[resource]);
        }
    }
    return left > 0 || amount < 0 ? left : 0;
}

/* On a node that only counts its GPUs a job of a booking has no more of them than are its own, and
 * not in use by others of it. */
static int64_t own_gpus(const struct bl_node_holds *holds, const struct bl_job *job, bl_time at)
{
    int64_t own = 0;

    for (size_t i = 0; i < holds->count; i++) {
        const struct bl_hold *hold = &holds->at[i];
        int64_t left = hold->part.gpus - hold->covered.amount[BL_RESOURCE_GPU];

        own += is_in_own_slot(hold, job, at) && left > 0 ? left : 0;
    }
    return own;
}

struct bl_resources bl_hold_room(const struct bl_cluster *cluster, const struct bl_job *job,
                                 bl_time at, int32_t index, const struct bl_resources *room)
{
    const struct bl_node_holds *holds = bl_holds_of(cluster, (size_t)index);
    struct bl_resources left = *room;
    bl_time until;

    if (!holds) {
        return job->spec.reservation ? (struct bl_resources){0} : left;
    }
    until = bl_hold_until(cluster, job, at);
    for (int r = 0; r < BL_RESOURCE_COUNT; r++) {
        left.amount[r] = unnamed(holds, job, at, until, r, room->amount[r]);
    }
    if (!cluster->node[index].spec.counted) {
        left.amount[BL_RESOURCE_GPU] =
            named_gpus(cluster, job, at, index, room->amount[BL_RESOURCE_GPU]);
    } else if (job->spec.reservation) {
        left.amount[BL_RESOURCE_GPU] =
            least(left.amount[BL_RESOURCE_GPU], own_gpus(holds, job, at));
    }
    return left;
}

/* With some leave: who starts now must save its work before a slot begins. */
int32_t bl_hold_closed(const struct bl_cluster *cluster, int32_t index)
{
    const struct bl_node_holds *node = bl_holds_of(cluster, (size_t)index);
    const struct bl_node *at = &cluster->node[index];
    int32_t gpus = 0;

    for (size_t i = 0; node && i < node->count; i++) {
        if (node->at[i].booking > 0 && node->at[i].start < cluster->now + BL_SAVE_GRACE &&
            node->at[i].end > cluster->now) {
            const struct bl_alloc_part *part = &node->at[i].part;

            gpus += part->gpu_mask ? __builtin_popcountll(part->gpu_mask & at->free_gpu_mask)
                                   : (int32_t)least(part->gpus, at->free.amount[BL_RESOURCE_GPU]);
        }
    }
    return gpus;
}

int32_t bl_hold_open(const struct bl_cluster *cluster, int32_t index)
{
    const struct bl_node *node = &cluster->node[index];
    int32_t open =
        node->spec.gpus - __builtin_popcountll(node->lost_idle) - bl_hold_closed(cluster, index);

    return node->state == BL_NODE_UP && open > 0 ? open : 0;
}

static bool suits(const struct bl_node *node, const struct bl_job *job)
{
    return node->state == BL_NODE_UP && (job->pool < 0 || job->pool == node->pool) &&
           (job->spec.gpus_max == 0 ||
            (node->type >= 0 && (job->type_mask == 0 || (job->type_mask >> node->type & 1))));
}

const struct bl_hold *bl_hold_in_the_way(const struct bl_cluster *cluster, const struct bl_job *job,
                                         bl_time from)
{
    const struct bl_hold *first = NULL;

    for (size_t i = 0; i < cluster->node_count; i++) {
        const struct bl_node_holds *node = bl_holds_of(cluster, i);

        for (size_t k = 0; node && suits(&cluster->node[i], job) && k < node->count; k++) {
            const struct bl_hold *hold = &node->at[k];

            if (hold->start >= from && (!first || hold->start < first->start) &&
                bl_hold_bars(hold, job, cluster->now, bl_hold_until(cluster, job, cluster->now))) {
                first = hold;
            }
        }
    }
    return first;
}

bool bl_hold_allows(const struct bl_cluster *cluster, const struct bl_job *job,
                    const struct bl_alloc *alloc)
{
    const struct bl_alloc_part *part = bl_alloc_parts(alloc);

    for (uint32_t i = 0; bl_holds_matter(cluster, job) && i < alloc->part_count; i++) {
        if (part[i].gpu_mask & ~bl_hold_mask(cluster, job, cluster->now, part[i].node)) {
            return false;
        }
    }
    return true;
}

bool bl_hold_admits(const struct bl_cluster *cluster, const struct bl_job *job,
                    const struct bl_alloc *alloc)
{
    const struct bl_alloc_part *part = bl_alloc_parts(alloc);

    for (uint32_t i = 0; bl_holds_matter(cluster, job) && i < alloc->part_count; i++) {
        struct bl_resources room = bl_hold_room(cluster, job, cluster->now, part[i].node,
                                                &cluster->node[part[i].node].free);
        struct bl_resources need = amounts_of(&part[i]);

        if (!bl_resources_fit(&need, &room)) {
            return false;
        }
    }
    return bl_hold_allows(cluster, job, alloc);
}
