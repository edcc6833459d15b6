/* The plan of a long queue beside the model that keeps all of every step, in one run: a queue of
 * jobs on 1,000 busy GPUs, planned as conservative backfilling does, and the forecast of it. Prints
 * a table; exit 1 when a limit is passed or the two disagree.
 *
 *     plan [JOBS [COMPARED [WORD]]]    that wait (default 10,000), of which the model plans so many
 *                                      (default 1,000); only scenes whose name has the word */
#include "busy.h"
#include "plan_array.h"

#include "core/forecast.h"
#include "core/plan_kept.h"
#include "core/state.h"

#include "base/own.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPEATS = 9, JOBS = 10000, COMPARED = 1000, LIMIT_MS = 100, LATER = 1 << 30 };

/* What is planned on what. */
struct scene {
    const char *name;
    struct bench_queue queue; /* but for `jobs` */
    double limit_ms;          /* 0 = none */
};

static const struct scene scenes[] = {
    {"125 x 8, rigid", {bench_alike, false, 12, 0}, LIMIT_MS},
    {"125 x 8, elastic", {bench_alike, true, 12, 0}, LIMIT_MS},
    {"four types, rigid", {bench_mixed, false, 8, 0}, LIMIT_MS},
    {"four types, elastic", {bench_mixed, true, 8, 0}, LIMIT_MS},
    {"four types, CPUs short", {bench_mixed, false, 12, 0}, 0},
};

static int missed;

/* The queue is planned by either; starts are written down. */
static double plan_tree(struct bl_view *view, size_t jobs, bl_time *start)
{
    double began = bench_cpu_ms();
    struct bl_plan *plan = bl_plan_create(view);

    for (size_t i = 0; i < jobs; i++) {
        const struct bl_queue_entry *entry = &view->queue[i];

        start[i] = bl_plan_add(plan, entry->job, entry->gpus, entry->duration, view->now);
    }
    return bench_cpu_ms() - began;
}

static double plan_model(struct bl_view *view, size_t jobs, bl_time *start)
{
    double began = bench_cpu_ms();
    struct plan_array *plan = plan_array_new(view, PLAN_ARRAY_REMEMBERS);

    for (size_t i = 0; i < jobs; i++) {
        const struct bl_queue_entry *entry = &view->queue[i];

        start[i] = plan_array_put(plan, entry->job, entry->gpus, entry->duration, view->now).start;
    }
    return bench_cpu_ms() - began;
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
        double began = bench_cpu_ms();

        bl_arena_reset(&arena);
        bl_forecast_make(core, &arena);
        best = fmin(best, bench_cpu_ms() - began);
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

/* What the plan takes that is kept from round to round, when one more job has come. */
static double keep_plan(struct bl_plan_kept *kept, struct bl_core *core)
{
    struct bl_view view = bl_core_view(core);
    double began = bench_cpu_ms();

    for (size_t i = bl_plan_kept_begin(kept, &view); i < view.queue_count; i++) {
        bl_plan_kept_add(kept, &view, i);
    }
    bl_plan_kept_end(kept, &view);
    return bench_cpu_ms() - began;
}

static double best_kept(struct bl_core *core)
{
    struct bl_plan_kept *kept = bl_plan_kept_create();
    double best = INFINITY;

    keep_plan(kept, core);
    for (int i = 0; i < REPEATS; i++) {
        struct bl_event event = {.kind = BL_EVENT_JOB_SUBMITTED, .job = LATER + i};

        event.u.submitted =
            (struct bl_job_spec){.gpus_min = 4, .gpus_want = 4, .gpus_max = 4, .limit = BL_HOUR};
        bl_core_step(core, &event, NULL);
        best = fmin(best, keep_plan(kept, core));
    }
    bl_plan_kept_destroy(kept);
    return best;
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
    const struct bench_queue queue = {scene->queue.kinds, scene->queue.is_elastic,
                                      scene->queue.cpus_max, jobs};
    struct bl_core *core = bench_busy_core(&queue);
    size_t waiting = bl_core_view(core).queue_count;
    bl_time *start = bl_alloc_zero(waiting * sizeof *start);
    size_t both = waiting < (size_t)compared ? waiting : (size_t)compared;

    printf("%-24s %6zu", scene->name, waiting);
    judge(best_plan(core, waiting, start), scene->limit_ms);
    judge(best_forecast(core), scene->limit_ms);
    printf(" %8.0f", compare(core, both));
    printf(" %8.2f\n", best_kept(core));
    free(start);
    bl_core_destroy(core);
}

int main(int argc, char **argv)
{
    int jobs = argc > 1 ? (int)strtol(argv[1], NULL, 10) : JOBS;
    int compared = argc > 2 ? (int)strtol(argv[2], NULL, 10) : COMPARED;

    printf("%-24s %6s %17s %17s %8s %8s\n", "machine and jobs", "wait", "plan, CPU ms", "forecast",
           "model", "kept");
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
        if (argc > 3 && !strstr(scenes[i].name, argv[3])) {
            continue;
        }
        show(&scenes[i], jobs, compared);
        fflush(stdout);
    }
    printf(
        "model: how many times as long the model with all of every step takes for the first %d\n",
        compared);
    printf("kept: CPU ms of the plan that is kept, when one more job has come\n");
    return missed > 0;
}
