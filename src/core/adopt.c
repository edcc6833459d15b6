#include "core/adopt.h"

#include "core/bookings.h"
#include "core/place.h"

#include <string.h>

struct search {
    const struct bl_core *core;
    struct bl_job job; /* as it would be */
    struct bl_adoption *out;
    struct bl_alloc_part *part; /* a node each, in the order in which they were named */
    uint32_t part_count;
};

static bool fail(struct search *search, enum bl_adoption_fault fault)
{
    search->out->fault = fault;
    return false;
}

static bool fail_at(struct search *search, enum bl_adoption_fault fault, int32_t node, int32_t gpu)
{
    search->out->node = node;
    search->out->gpu = gpu;
    return fail(search, fault);
}

/* ---- the GPUs that it uses ---- */

static bool is_there(const struct bl_node *node, const struct bl_booking_place *place)
{
    return (place->gpu_mask & ~bl_node_gpus(&node->spec)) == 0;
}

static bool name_place(struct search *search, size_t index)
{
    const struct bl_cluster *cluster = &search->core->cluster;
    const struct bl_booking_place *place = &search->job.spec.on[index];
    int32_t found = bl_cluster_find_node(cluster, place->node);

    search->out->place = index;
    if (found < 0 || !is_there(&cluster->node[found], place)) {
        return fail(search, BL_ADOPTION_NODE);
    }
    for (uint32_t i = 0; i < search->part_count; i++) {
        if (search->part[i].node == found) {
            search->part[i].gpu_mask |= place->gpu_mask;
            return true;
        }
    }
    search->part[search->part_count++] =
        (struct bl_alloc_part){.node = found, .gpu_mask = place->gpu_mask};
    return true;
}

static bool name_places(struct search *search)
{
    for (size_t i = 0; i < search->job.spec.on_count; i++) {
        if (!name_place(search, i)) {
            return false;
        }
    }
    return true;
}

/* ---- what is in its way ---- */

static bool fail_taken(struct search *search, int32_t node, int32_t gpu)
{
    const struct bl_core *core = search->core;

    for (size_t i = 0; i < core->running.count; i++) {
        const struct bl_job *job = core->running.at[i].job;
        const struct bl_alloc_part *part = bl_alloc_part_on(&job->alloc, node);

        if (part && (part->gpu_mask >> gpu & 1)) {
            search->out->job = job->id;
        }
    }
    return fail_at(search, BL_ADOPTION_TAKEN, node, gpu);
}

/* The hold that keeps it off the GPUs of the mask, or off what has no names (mask 0). */
static bool fail_held(struct search *search, int32_t node, uint64_t mask)
{
    const struct bl_cluster *cluster = &search->core->cluster;
    const struct bl_node_holds *holds = bl_holds_of(cluster, (size_t)node);
    bl_time until = bl_hold_until(cluster, &search->job, cluster->now);

    for (size_t i = 0; holds && i < holds->count; i++) {
        const struct bl_hold *hold = &holds->at[i];
        uint64_t hit = hold->part.gpu_mask & mask;

        if ((hit || !mask) && bl_hold_bars(hold, &search->job, cluster->now, until)) {
            search->out->booking = hold->booking;
            search->out->from = hold->start;
            search->out->until = hold->end;
            return fail_at(search, BL_ADOPTION_HELD, node, hit ? __builtin_ctzll(hit) : -1);
        }
    }
    return fail_at(search, BL_ADOPTION_HELD, node, -1);
}

static uint64_t allowed_on(const struct search *search, int32_t node)
{
    return bl_place_mask(&search->core->cluster, &search->job, node);
}

static bool check_part(struct search *search, const struct bl_alloc_part *part)
{
    const struct bl_node *node = &search->core->cluster.node[part->node];
    uint64_t lost = part->gpu_mask & ~bl_node_sound_gpus(node);
    uint64_t taken = part->gpu_mask & ~node->free_gpu_mask & ~lost;

    if (node->state != BL_NODE_UP) {
        return fail_at(search, BL_ADOPTION_NODE_AWAY, part->node, -1);
    }
    if (lost) {
        return fail_at(search, BL_ADOPTION_GPU_LOST, part->node, __builtin_ctzll(lost));
    }
    if (taken) {
        return fail_taken(search, part->node, __builtin_ctzll(taken));
    }
    if (part->gpu_mask & ~allowed_on(search, part->node)) {
        return fail_held(search, part->node, part->gpu_mask & ~allowed_on(search, part->node));
    }
    return true;
}

static bool check_parts(struct search *search)
{
    for (uint32_t i = 0; i < search->part_count; i++) {
        if (!check_part(search, &search->part[i])) {
            return false;
        }
    }
    return true;
}

/* ---- more GPUs than it was found to use ---- */

static int32_t count_gpus(const struct search *search)
{
    int32_t gpus = 0;

    for (uint32_t i = 0; i < search->part_count; i++) {
        gpus += __builtin_popcountll(search->part[i].gpu_mask);
    }
    return gpus;
}

static uint64_t free_on(const struct search *search, int32_t index)
{
    const struct bl_node *node = &search->core->cluster.node[index];

    return node->state == BL_NODE_UP
               ? node->free_gpu_mask & bl_node_sound_gpus(node) & allowed_on(search, index)
               : 0;
}

/* Up to so many more of the node. */
static int32_t add_on(struct search *search, struct bl_alloc_part *part, int32_t more)
{
    uint64_t free_ones = free_on(search, part->node) & ~part->gpu_mask;
    int32_t there = __builtin_popcountll(free_ones);

    more = more < there ? more : there;
    part->gpu_mask |= bl_gpus_lowest(free_ones, more);
    return more;
}

static bool is_named(const struct search *search, int32_t node)
{
    for (uint32_t i = 0; i < search->part_count; i++) {
        if (search->part[i].node == node) {
            return true;
        }
    }
    return false;
}

/* On the nodes where it is first, then on others. */
static bool add_gpus(struct search *search)
{
    int32_t named = count_gpus(search);
    int32_t lacking = search->job.spec.gpus_min - named;

    for (uint32_t i = 0; i < search->part_count && lacking > 0; i++) {
        lacking -= add_on(search, &search->part[i], lacking);
    }
    for (size_t i = 0; i < search->core->cluster.node_count && lacking > 0; i++) {
        struct bl_alloc_part part = {.node = (int32_t)i};

        if (!is_named(search, part.node) && free_on(search, part.node)) {
            lacking -= add_on(search, &part, lacking);
            search->part[search->part_count++] = part;
        }
    }
    search->out->need = search->job.spec.gpus_min;
    search->out->have = search->job.spec.gpus_min - lacking;
    return lacking == 0 || fail(search, BL_ADOPTION_FEW);
}

/* ---- CPUs and memory ---- */

/* A flat amount goes with the GPUs; without any, to the first node. */
static void share_out(struct search *search)
{
    int32_t all = count_gpus(search);
    struct bl_resources need = bl_job_need(&search->job.spec, all);

    for (uint32_t i = 0; i < search->part_count; i++) {
        struct bl_alloc_part *part = &search->part[i];

        part->gpus = __builtin_popcountll(part->gpu_mask);
        if (all > 0 || i == 0) {
            part->cpu_milli = bl_place_share(need.amount[BL_RESOURCE_CPU], part->gpus, all);
            part->mem_bytes = bl_place_share(need.amount[BL_RESOURCE_MEM], part->gpus, all);
        }
    }
}

static bool check_amounts(struct search *search, const struct bl_alloc_part *part)
{
    const struct bl_cluster *cluster = &search->core->cluster;
    const struct bl_node *node = &cluster->node[part->node];
    const int64_t need[BL_RESOURCE_COUNT] = {part->gpus, part->cpu_milli, part->mem_bytes};
    struct bl_resources room =
        bl_hold_room(cluster, &search->job, cluster->now, part->node, &node->free);

    for (int r = 0; r < BL_RESOURCE_COUNT; r++) {
        search->out->resource = r;
        search->out->need = need[r];
        search->out->have = node->free.amount[r];
        if (need[r] > node->free.amount[r]) {
            return fail_at(search, BL_ADOPTION_SHORT, part->node, -1);
        }
        if (need[r] > room.amount[r]) {
            return fail_held(search, part->node, r == BL_RESOURCE_GPU ? part->gpu_mask : 0);
        }
    }
    return true;
}

static bool check_all_amounts(struct search *search)
{
    for (uint32_t i = 0; i < search->part_count; i++) {
        if (!check_amounts(search, &search->part[i])) {
            return false;
        }
    }
    return true;
}

static void hand_over(const struct search *search)
{
    struct bl_alloc *alloc = &search->out->alloc;

    *alloc = (struct bl_alloc){.part_count = search->part_count, .single = search->part[0]};
    if (search->part_count > 1) {
        alloc->many = bl_realloc_array(NULL, search->part_count, sizeof *alloc->many);
        memcpy(alloc->many, search->part, search->part_count * sizeof *alloc->many);
    }
    search->out->fault = BL_ADOPTION_FINE;
}

void bl_adoption_find(const struct bl_core *core, const struct bl_job_spec *spec,
                      struct bl_adoption *out)
{
    struct search search = {
        .core = core, .job = {.spec = *spec, .pool = -1, .inside_at = core->now}, .out = out};
    size_t most = core->cluster.node_count + 1;
    BL_AUTO_FREE struct bl_alloc_part *part = bl_alloc_zero(most * sizeof *part);

    *out = (struct bl_adoption){.gpu = -1};
    search.part = part;
    bl_core_refresh_live((struct bl_core *)(uintptr_t)core);
    bl_core_cover_holds((struct bl_core *)(uintptr_t)core);
    if (!core->choice.policy) {
        fail(&search, BL_ADOPTION_EARLY);
        return;
    }
    if (spec->on_count == 0) {
        fail(&search, BL_ADOPTION_NODE);
        return;
    }
    if (!name_places(&search)) {
        return;
    }
    search.job.alloc =
        (struct bl_alloc){.part_count = search.part_count, .single = part[0], .many = part};
    if (check_parts(&search) && add_gpus(&search)) {
        share_out(&search);
        if (check_all_amounts(&search)) {
            hand_over(&search);
        }
    }
}

/* What a process that runs cannot be. */
static bool makes_sense(const struct bl_job_spec *spec)
{
    return spec->array_range_count == 0 && spec->after_count == 0 && spec->reservation == 0 &&
           !spec->promise;
}

void bl_core_adopt(struct bl_core *core, const struct bl_event *event)
{
    static const struct bl_reason reason = {.code = BL_REASON_ADOPTED};
    struct bl_adoption found;
    struct bl_job *job;
    int32_t gpus;

    if (!makes_sense(&event->u.submitted)) {
        return;
    }
    bl_adoption_find(core, &event->u.submitted, &found);
    if (found.fault != BL_ADOPTION_FINE) {
        return;
    }
    job = bl_job_create(event);
    bl_job_resolve(job, &core->cluster);
    bl_map_insert(&core->jobs, job->id, job);
    bl_metrics_note_submitted(core->metrics, job);
    gpus = bl_alloc_gpus(&found.alloc);
    job->state = BL_JOB_QUEUED;
    job->eligible_at = core->now;
    job->spec.gpus_min = job->spec.gpus_want = job->spec.gpus_max = gpus;
    bl_core_book(core, job, &found.alloc, &reason,
                 core->now + core->choice.policy->plan_duration(&core->choice, job, gpus));
    bl_core_use_own(core, job);
    BL_VEC_PUSH(&core->to_start, job->id);
    core->wants_round = true;
    bl_alloc_finish(&found.alloc);
}
