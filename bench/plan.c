/* The plan of a long queue beside the model that keeps all of every step, in one run: a queue of
 * jobs on 1,000 busy GPUs, planned as conservative backfilling does, and the forecast of it. Prints
 * a table; exit 1 when a limit is passed or the two disagree.
 *
 *     plan [JOBS [COMPARED]]    that wait (default 10,000), and of which the model plans so many
 *                               (default 1,000) */
#include "plan_array.h"

#include "base/rng.h"
#include "core/forecast.h"
#include "core/state.h"

#include "base/own.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { REPEATS = 9, JOBS = 10000, COMPARED = 1000, BUSY = 400, LIMIT_MS = 100 };

struct kind {
    int nodes, gpus;
    const char *type;
    int64_t cpus;
};

static const struct kind alike[] = {{125, 8, "A100", 128}, {0}};
static const struct kind mixed[] = {
    {50, 8, "A100", 128}, {30, 8, "V100", 64}, {60, 4, "A40", 48}, {30, 4, "T4", 32}, {0}};

/* What is planned on what. */
struct scene {
    const char *name;
    const struct kind *kinds;
    bool is_elastic;
    int64_t cpus_max; /* asked beside each GPU */
    double limit_ms;  /* 0 = none */
};

static const struct scene scenes[] = {
    {"125 x 8, rigid", alike, false, 12, LIMIT_MS},
    {"125 x 8, elastic", alike, true, 12, LIMIT_MS},
    {"four types, rigid", mixed, false, 8, LIMIT_MS},
    {"four types, elastic", mixed, true, 8, LIMIT_MS},
    {"four types, CPUs short", mixed, false, 12, 0},
};

static int missed;

static double cpu_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static void add_nodes(struct bl_core *core, const struct kind *kind)
{
    int count = 0;

    for (; kind->nodes; kind++) {
        for (int i = 0; i < kind->nodes; i++) {
            char name[16];
            struct bl_event event = {.kind = BL_EVENT_NODE_ADDED};

            snprintf(name, sizeof name, "n%d", ++count);
            event.u.node = (struct bl_node_spec){.name = name,
                                                 .gpu_type = kind->type,
                                                 .gpus = kind->gpus,
                                                 .gpu_mem_bytes = INT64_C(40) << 30,
                                                 .cpu_milli = kind->cpus * 1000,
                                                 .mem_bytes = INT64_C(512) << 30};
            bl_core_step(core, &event, NULL);
        }
    }
}

static bl_time draw_limit(struct bl_rng *rng)
{
    double radius = sqrt(-2 * log(1 - bl_rng_unit(rng)));
    double hours = 2 * exp(1.4 * radius * cos(6.283185307179586 * bl_rng_unit(rng)));

    return (bl_time)(fmin(fmax(hours, 0.1), 72) * 60) * BL_MINUTE;
}

static void submit(struct bl_core *core, struct bl_rng *rng, bl_job_id id,
                   const struct scene *scene)
{
    static const int32_t sizes[] = {1, 1, 1, 1, 2, 2, 2, 4, 4, 4, 8, 8, 8, 16, 16, 32};
    static const char *const types[] = {"A100", "V100", "A40"};
    int32_t gpus = sizes[bl_rng_between(rng, 0, 15)];
    struct bl_event event = {.kind = BL_EVENT_JOB_SUBMITTED, .job = id};
    struct bl_job_spec *spec = &event.u.submitted;

    *spec =
        (struct bl_job_spec){.gpus_min = scene->is_elastic && gpus > 1 ? gpus / 2 : gpus,
                             .gpus_want = gpus,
                             .gpus_max = scene->is_elastic ? gpus * 2 : gpus,
                             .cpu_milli = {bl_rng_between(rng, 1, scene->cpus_max) * 1000, true},
                             .mem_bytes = {bl_rng_between(rng, 4, 32) << 30, true},
                             .limit = draw_limit(rng)};
    if (scene->kinds == mixed && bl_rng_between(rng, 0, 1) == 0) {
        spec->gpu_type[0] = types[bl_rng_between(rng, 0, 2)];
        spec->gpu_type_count = 1;
    }
    bl_core_step(core, &event, NULL);
}

static void set_policy(struct bl_core *core, const char *name)
{
    struct bl_event event = {.kind = BL_EVENT_POLICY_SET};

    event.u.policy = bl_policy_default(bl_policy_find(name));
    bl_core_step(core, &event, NULL);
}

/* A machine that is full of jobs, and `jobs` that wait. */
static struct bl_core *make_core(const struct scene *scene, int jobs)
{
    struct bl_core *core = bl_core_create(BL_KEEP_ENDED);
    struct bl_actions actions = {0};
    struct bl_rng rng;

    bl_rng_seed(&rng, 7);
    set_policy(core, "pack");
    add_nodes(core, scene->kinds);
    for (bl_job_id id = 1; id <= BUSY + jobs; id++) {
        submit(core, &rng, id, scene);
        if (id == BUSY) {
            bl_core_step(core, &(struct bl_event){.kind = BL_EVENT_ROUND}, &actions);
        }
    }
    set_policy(core, "conservative");
    bl_actions_finish(&actions);
    return core;
}

/* The queue is planned by either; starts are written down. */
static double plan_tree(struct bl_view *view, size_t jobs, bl_time *start)
{
    double began = cpu_ms();
    struct bl_plan *plan = bl_plan_create(view);

    for (size_t i = 0; i < jobs; i++) {
        const struct bl_queue_entry *entry = &view->queue[i];

        start[i] = bl_plan_add(plan, entry->job, entry->gpus, entry->duration, view->now);
    }
    return cpu_ms() - began;
}

static double plan_model(struct bl_view *view, size_t jobs, bl_time *start)
{
    double began = cpu_ms();
    struct plan_array *plan = plan_array_new(view, PLAN_ARRAY_REMEMBERS);

    for (size_t i = 0; i < jobs; i++) {
        const struct bl_queue_entry *entry = &view->queue[i];

        start[i] = plan_array_put(plan, entry->job, entry->gpus, entry->duration, view->now).start;
    }
    return cpu_ms() - began;
}

/* The best of several. Memory is used again, as the daemon does. */
static double best_plan(struct bl_core *core, size_t jobs, bl_time *start)
{
    struct bl_arena arena = {0};
    struct bl_view view = bl_core_view(core);
    double best = INFINITY;

    view.scratch = &arena;
    for (int i = 0; i < REPEATS; i++) {
        bl_arena_reset(&arena);
        best = fmin(best, plan_tree(&view, jobs, start));
    }
    bl_arena_finish(&arena);
    return best;
}

static double best_forecast(const struct bl_core *core)
{
    struct bl_arena arena = {0};
    double best = INFINITY;

    for (int i = 0; i < REPEATS; i++) {
        double began = cpu_ms();

        bl_arena_reset(&arena);
        bl_forecast_make(core, &arena);
        best = fmin(best, cpu_ms() - began);
    }
    bl_arena_finish(&arena);
    return best;
}

static void judge(double ms, double limit)
{
    bool is_over = limit > 0 && ms > limit;

    missed += is_over;
    printf(" %10.1f %-6s", ms, is_over ? "MISSED" : limit > 0 ? "ok" : "");
}

/* How much longer the model takes for the first jobs of the queue; -1 when it finds other starts.
 */
static double compare(struct bl_core *core, size_t jobs)
{
    struct bl_arena arena = {0};
    struct bl_view view = bl_core_view(core);
    bl_time *tree = bl_alloc_zero(jobs * sizeof *tree);
    bl_time *model = bl_alloc_zero(jobs * sizeof *model);
    double ratio = 1 / best_plan(core, jobs, tree);

    view.scratch = &arena;
    ratio *= plan_model(&view, jobs, model);
    if (memcmp(tree, model, jobs * sizeof *tree) != 0) {
        ratio = -1;
        missed++;
    }
    bl_arena_finish(&arena);
    free(tree);
    free(model);
    return ratio;
}

static void show(const struct scene *scene, int jobs, int compared)
{
    struct bl_core *core = make_core(scene, jobs);
    size_t waiting = bl_core_view(core).queue_count;
    bl_time *start = bl_alloc_zero(waiting * sizeof *start);
    size_t both = waiting < (size_t)compared ? waiting : (size_t)compared;

    printf("%-24s %6zu", scene->name, waiting);
    judge(best_plan(core, waiting, start), scene->limit_ms);
    judge(best_forecast(core), scene->limit_ms);
    printf(" %8.0f\n", compare(core, both));
    free(start);
    bl_core_destroy(core);
}

int main(int argc, char **argv)
{
    int jobs = argc > 1 ? (int)strtol(argv[1], NULL, 10) : JOBS;
    int compared = argc > 2 ? (int)strtol(argv[2], NULL, 10) : COMPARED;

    printf("%-24s %6s %17s %17s %8s\n", "machine and jobs", "wait", "plan, CPU ms", "forecast",
           "model");
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
        show(&scenes[i], jobs, compared);
        fflush(stdout);
    }
    printf(
        "model: how many times as long the model with all of every step takes for the first %d\n",
        compared);
    return missed > 0;
}
