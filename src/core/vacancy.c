#include "core/vacancy.h"

#include "base/rng.h"
#include "base/sort.h"
#include "core/hold.h"

#include <assert.h>
#include <string.h>

/* What is seen of one state: what is free of each type, and all that is in use. */
struct state {
    int32_t of_type[BL_GPU_TYPES_MAX];
    int32_t used;
};

/* A run while it goes on. */
struct watch {
    const struct bl_vacancy_wish *wish;
    bl_time from;
    struct state now;
    struct state *seen; /* at each instant */
    size_t count;       /* instants that have passed */
};

static int32_t free_on(const struct bl_cluster *cluster, size_t index)
{
    const struct bl_node *node = &cluster->node[index];
    int32_t idle = (int32_t)node->free.amount[BL_RESOURCE_GPU];
    int32_t held = bl_hold_closed(cluster, (int32_t)index);

    return node->state == BL_NODE_UP && idle > held ? idle - held : 0;
}

static struct state state_of(const struct bl_cluster *cluster)
{
    struct state state = {.used = 0};

    for (size_t i = 0; i < cluster->node_count; i++) {
        const struct bl_node *node = &cluster->node[i];

        if (node->type >= 0) {
            state.of_type[node->type] += free_on(cluster, i);
            state.used += node->spec.gpus - (int32_t)node->free.amount[BL_RESOURCE_GPU];
        }
    }
    return state;
}

/* What was there until `now` was there at the instants before it. */
static void pass(struct watch *watch, bl_time now)
{
    while (watch->count < watch->wish->steps &&
           watch->from + (bl_time)watch->count * watch->wish->step < now) {
        watch->seen[watch->count++] = watch->now;
    }
}

static void see(void *self, const struct bl_core *core)
{
    struct watch *watch = self;

    pass(watch, bl_core_now(core));
    watch->now = state_of(bl_core_cluster(core));
}

/* False when it was stopped. */
static bool run_once(const struct bl_core *core, const struct bl_vacancy_wish *wish, size_t k,
                     struct bl_arena *arena, struct watch *watch)
{
    struct bl_foretell_options options = wish->options;
    struct bl_arena scratch = {0};
    struct bl_foretell_run run;
    struct bl_rng rng;

    bl_rng_seed(&rng, wish->options.seed + k);
    options.seed = bl_rng_next(&rng);
    options.is_median = wish->runs == 1;
    options.until = 0;
    options.horizon = (bl_time)wish->steps * wish->step;
    options.see = see;
    options.seer = watch;
    watch->wish = wish;
    watch->from = wish->options.at > bl_core_now(core) ? wish->options.at : bl_core_now(core);
    watch->now = state_of(bl_core_cluster(core));
    watch->seen = bl_arena_alloc(arena, wish->steps * sizeof *watch->seen);
    run = bl_foretell_run(core, &options, &scratch);
    bl_arena_finish(&scratch);
    pass(watch, BL_TIME_NEVER);
    return run.is_whole;
}

static int compare_counts(const void *left, const void *right)
{
    int32_t a = *(const int32_t *)left;
    int32_t b = *(const int32_t *)right;

    return (a > b) - (a < b);
}

/* The number that is not passed in this part of the runs. */
static int32_t level_of(const int32_t *sorted, size_t count, double level)
{
    return sorted[(size_t)(level * (double)(count - 1) + .5)];
}

static void sum_up_type(struct bl_vacancy_type *out, int32_t type, const struct watch *watch,
                        size_t runs, size_t steps)
{
    int32_t at[BL_VACANCY_RUNS_MAX];

    for (size_t i = 0; i < steps; i++) {
        for (size_t k = 0; k < runs; k++) {
            at[k] = watch[k].seen[i].of_type[type];
        }
        bl_sort(at, runs, sizeof *at, compare_counts);
        out->p10[i] = level_of(at, runs, .1);
        out->p50[i] = level_of(at, runs, .5);
        out->p90[i] = level_of(at, runs, .9);
    }
}

static void sum_up_used(struct bl_vacancy *out, const struct watch *watch, size_t steps)
{
    int32_t at[BL_VACANCY_RUNS_MAX];

    for (size_t i = 0; i < steps; i++) {
        for (size_t k = 0; k < out->runs; k++) {
            at[k] = watch[k].seen[i].used;
        }
        bl_sort(at, out->runs, sizeof *at, compare_counts);
        out->used[i] = level_of(at, out->runs, .5);
    }
}

static int32_t gpus_of(const struct bl_cluster *cluster, int32_t type)
{
    int32_t gpus = 0;

    for (size_t i = 0; i < cluster->node_count; i++) {
        const struct bl_node *node = &cluster->node[i];

        gpus += node->type == type && node->state != BL_NODE_DOWN ? node->spec.gpus : 0;
    }
    return gpus;
}

static void sum_up(const struct bl_cluster *cluster, const struct watch *watch, size_t steps,
                   struct bl_arena *arena, struct bl_vacancy *out)
{
    size_t bytes = steps * sizeof(int32_t);

    out->type = bl_arena_alloc(arena, (cluster->type_count + 1) * sizeof *out->type);
    out->used = bl_arena_alloc(arena, bytes);
    sum_up_used(out, watch, steps);
    for (size_t type = 0; type < cluster->type_count; type++) {
        struct bl_vacancy_type *one = &out->type[out->type_count];
        int32_t gpus = gpus_of(cluster, (int32_t)type);

        if (gpus > 0) {
            *one = (struct bl_vacancy_type){
                cluster->type_name[type], gpus, bl_arena_alloc(arena, bytes),
                bl_arena_alloc(arena, bytes), bl_arena_alloc(arena, bytes)};
            sum_up_type(one, (int32_t)type, watch, out->runs, steps);
            out->gpus += gpus;
            out->type_count++;
        }
    }
}

static bool is_enough(const struct bl_vacancy_wish *wish)
{
    return wish->is_enough && wish->is_enough(wish->judge);
}

void bl_vacancy_look(const struct bl_core *core, const struct bl_vacancy_wish *wish,
                     struct bl_arena *arena, struct bl_vacancy *out)
{
    struct watch watch[BL_VACANCY_RUNS_MAX];
    size_t runs = 0;

    assert(wish->runs > 0 && wish->runs <= BL_VACANCY_RUNS_MAX && wish->steps > 0 &&
           wish->steps <= BL_VACANCY_STEPS_MAX && wish->step > 0);
    memset(watch, 0, sizeof watch);
    while (runs < wish->runs && (runs == 0 || !is_enough(wish)) &&
           run_once(core, wish, runs, arena, &watch[runs])) {
        runs++;
    }
    *out = (struct bl_vacancy){.runs = runs, .from = watch[0].from};
    if (runs > 0) {
        sum_up(bl_core_cluster(core), watch, wish->steps, arena, out);
    }
}
