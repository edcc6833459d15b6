#include "plan_array.h"

#include <string.h>

/* What is free from `at` until the next step. */
struct step {
    bl_time at;
    struct bl_free free;
};

/* What a search asked for, and the first instant that it found. */
struct memory {
    uint64_t type_mask;
    int32_t pool;
    int32_t nodes_max;
    int64_t gpu_mem_bytes;
    bl_time longest_run;
    struct bl_resources need;
    bl_time duration;
    bl_time earliest;
};

enum { MEMORIES_MAX = 16, FIRST_STEPS = 64 };

struct plan_array {
    const struct bl_cluster *cluster;
    struct bl_arena *arena;
    struct step *step; /* in order of time; the last one lasts for ever */
    size_t step_count;
    size_t step_capacity;
    struct bl_free window; /* of the search that goes on */
    enum plan_array_memory remembers;
    struct memory memory[MEMORIES_MAX];
    size_t memory_count;
    size_t memory_next; /* to be overwritten */
};

static void grow_steps(struct plan_array *plan)
{
    if (plan->step_count == plan->step_capacity) {
        size_t capacity = plan->step_capacity * 2;
        struct step *grown = bl_arena_alloc(plan->arena, capacity * sizeof *grown);

        memcpy(grown, plan->step, plan->step_count * sizeof *grown);
        plan->step = grown;
        plan->step_capacity = capacity;
    }
}

/* The last step that begins at or before `at`; `at` is not before the first. */
static size_t find_step(const struct plan_array *plan, bl_time at)
{
    size_t low = 0;
    size_t high = plan->step_count;

    while (low + 1 < high) {
        size_t middle = low + (high - low) / 2;

        if (plan->step[middle].at <= at) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

static struct bl_free copy_free(struct plan_array *plan, const struct bl_free *from)
{
    struct bl_free copy = *from;
    size_t bytes = plan->cluster->node_count * sizeof *copy.node;

    copy.node = bl_arena_alloc(plan->arena, bytes);
    memcpy(copy.node, from->node, bytes);
    return copy;
}

/* The index of a step that begins exactly at `at`, made where there is none. */
static size_t split_at(struct plan_array *plan, bl_time at)
{
    size_t index = find_step(plan, at);

    if (plan->step[index].at == at) {
        return index;
    }
    grow_steps(plan);
    index++;
    memmove(&plan->step[index + 1], &plan->step[index],
            (plan->step_count - index) * sizeof *plan->step);
    plan->step[index] = (struct step){at, copy_free(plan, &plan->step[index - 1].free)};
    plan->step[index].free.at = at;
    plan->step_count++;
    return index;
}

struct plan_array *plan_array_new(const struct bl_view *view, enum plan_array_memory memory)
{
    struct plan_array *plan = bl_arena_alloc(view->scratch, sizeof *plan);

    plan->cluster = view->cluster;
    plan->arena = view->scratch;
    plan->remembers = memory;
    plan->step_capacity = FIRST_STEPS;
    plan->step = bl_arena_alloc(view->scratch, FIRST_STEPS * sizeof *plan->step);
    plan->step[0] = (struct step){view->now, bl_free_copy(view->cluster, view->scratch)};
    plan->step_count = 1;
    plan->window = copy_free(plan, &plan->step[0].free);
    for (size_t i = 0; i < view->running_count; i++) {
        bl_time end = view->running[i].planned_end;

        if (end != BL_TIME_NEVER) {
            size_t at = split_at(plan, end > view->now ? end : view->now + 1);

            for (size_t s = at; s < plan->step_count; s++) {
                bl_free_add(&plan->step[s].free, &view->running[i].job->alloc);
            }
        }
    }
    return plan;
}

static struct memory make_memory(const struct bl_job *job, int32_t gpus, bl_time duration)
{
    return (struct memory){
        .type_mask = job->type_mask,
        .pool = job->pool,
        .nodes_max = job->spec.nodes_max,
        .gpu_mem_bytes = job->spec.gpu_mem_bytes,
        .longest_run = bl_job_longest_run(&job->spec),
        .need = bl_job_need(&job->spec, gpus),
        .duration = duration,
    };
}

static bool asks_no_less(const struct memory *asked, const struct memory *known)
{
    return asked->type_mask == known->type_mask && asked->pool == known->pool &&
           asked->nodes_max == known->nodes_max && asked->gpu_mem_bytes == known->gpu_mem_bytes &&
           asked->longest_run >= known->longest_run && asked->duration >= known->duration &&
           bl_resources_fit(&known->need, &asked->need);
}

static bl_time remembered_start(const struct plan_array *plan, const struct memory *asked,
                                bl_time from)
{
    for (size_t i = 0; i < plan->memory_count; i++) {
        const struct memory *known = &plan->memory[i];

        if (known->earliest > from && asks_no_less(asked, known)) {
            from = known->earliest;
        }
    }
    return from;
}

static void remember(struct plan_array *plan, struct memory asked, bl_time earliest)
{
    asked.earliest = earliest;
    plan->memory[plan->memory_next] = asked;
    plan->memory_next = (plan->memory_next + 1) % MEMORIES_MAX;
    plan->memory_count = plan->memory_count < MEMORIES_MAX ? plan->memory_count + 1 : MEMORIES_MAX;
}

/* What is sought. */
struct request {
    const struct bl_job *job;
    int32_t gpus;
    bl_time duration;
};

/* Blocks may leave less than nothing. */
static bool does_fit(struct bl_free amounts, const struct request *request, bl_time start)
{
    amounts.at = start;
    return bl_place_fits(&amounts, request->job, request->gpus);
}

static void level_at_nothing(struct bl_free *amounts)
{
    amounts->total = (struct bl_resources){0};
    for (size_t n = 0; n < amounts->cluster->node_count; n++) {
        for (int r = 0; r < BL_RESOURCE_COUNT; r++) {
            int64_t *amount = &amounts->node[n].amount[r];

            *amount = *amount > 0 ? *amount : 0;
        }
        bl_resources_add(&amounts->total, &amounts->node[n]);
    }
}

/* Whether it is free during the whole of [start, start + duration); plan->window holds what is. On
 * false, *next is the first instant worth trying. */
static bool fits_from(struct plan_array *plan, const struct request *request, bl_time start,
                      bl_time *next)
{
    struct bl_free *window = &plan->window;
    size_t first = find_step(plan, start);
    bl_time end = BL_TIME_NEVER;

    if (__builtin_add_overflow(start, request->duration, &end)) {
        end = BL_TIME_NEVER;
    }
    memcpy(window->node, plan->step[first].free.node,
           plan->cluster->node_count * sizeof *window->node);
    window->at = start;
    level_at_nothing(window);
    *next = first + 1 < plan->step_count ? plan->step[first + 1].at : BL_TIME_NEVER;
    if (!does_fit(*window, request, start)) {
        return false;
    }
    for (size_t s = first + 1; s < plan->step_count && plan->step[s].at < end; s++) {
        bl_free_narrow(window, &plan->step[s].free);
        level_at_nothing(window);
        if (does_fit(*window, request, start)) {
            continue;
        }
        if (plan->remembers == PLAN_ARRAY_REMEMBERS &&
            !does_fit(plan->step[s].free, request, start)) {
            *next = s + 1 < plan->step_count ? plan->step[s + 1].at : BL_TIME_NEVER;
        }
        return false;
    }
    return true;
}

/* As plan_array_find; leaves what is free there in plan->window. */
static bl_time search(struct plan_array *plan, const struct request *request, bl_time from)
{
    struct memory asked = make_memory(request->job, request->gpus, request->duration);
    bl_time first = from > plan->step[0].at ? from : plan->step[0].at;
    bl_time start = first;

    if (plan->remembers == PLAN_ARRAY_REMEMBERS) {
        start = remembered_start(plan, &asked, first);
    }
    while (start != BL_TIME_NEVER) {
        bl_time next;

        if (fits_from(plan, request, start, &next)) {
            break;
        }
        start = next;
    }
    if (first == plan->step[0].at) {
        remember(plan, asked, start);
    }
    return start;
}

bl_time plan_array_find(struct plan_array *plan, const struct bl_job *job, int32_t gpus,
                        bl_time duration, bl_time from)
{
    return search(plan, &(struct request){job, gpus, duration}, from);
}

static void change(struct plan_array *plan, const struct bl_alloc *alloc, bl_time from, bl_time to,
                   void (*apply)(struct bl_free *free_now, const struct bl_alloc *alloc))
{
    from = from > plan->step[0].at ? from : plan->step[0].at;
    if (from < to) {
        if (to != BL_TIME_NEVER) {
            split_at(plan, to);
        }
        for (size_t s = split_at(plan, from); s < plan->step_count && plan->step[s].at < to; s++) {
            apply(&plan->step[s].free, alloc);
        }
    }
}

struct bl_plan_place plan_array_put(struct plan_array *plan, const struct bl_job *job, int32_t gpus,
                                    bl_time duration, bl_time from)
{
    struct bl_plan_place place = {.start =
                                      search(plan, &(struct request){job, gpus, duration}, from)};
    struct bl_alloc alloc = {0};

    if (place.start == BL_TIME_NEVER || __builtin_add_overflow(place.start, duration, &place.end) ||
        !bl_place_plan(&plan->window, job, gpus, &alloc)) {
        place.start = BL_TIME_NEVER;
        return place;
    }
    place.alloc = alloc;
    if (alloc.part_count > 1) {
        place.alloc.many = bl_arena_alloc(plan->arena, alloc.part_count * sizeof *place.alloc.many);
        memcpy(place.alloc.many, alloc.many, alloc.part_count * sizeof *place.alloc.many);
    }
    bl_alloc_finish(&alloc);
    plan_array_block(plan, &place.alloc, place.start, place.end);
    return place;
}

void plan_array_block(struct plan_array *plan, const struct bl_alloc *alloc, bl_time from,
                      bl_time to)
{
    change(plan, alloc, from, to, bl_free_take);
}

void plan_array_remove(struct plan_array *plan, const struct bl_alloc *alloc, bl_time from,
                       bl_time to)
{
    change(plan, alloc, from, to, bl_free_add);
}
