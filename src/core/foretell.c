#include "core/foretell.h"

#include "base/heap.h"
#include "base/rng.h"
#include "base/sort.h"
#include "core/predictions.h"

#include <assert.h>
#include <math.h>

enum {
    STEPS_MAX = 100000, /* of one run */
    CODE_PUT_BACK = 85  /* of an attempt that saved its work */
};

/* Run times come out a little longer than was foreseen. */
#define SKEW 1.3

struct run {
    struct bl_core *core;
    struct bl_heap ends; /* key: the job, value: its attempt */
    struct bl_actions actions;
    uint64_t seed;
};

/* One draw for all jobs of a user. */
static double draw(const struct run *run, const struct bl_job *job)
{
    struct bl_rng rng;

    bl_rng_seed(&rng, run->seed ^ (uint64_t)job->foresight.user);
    return 1 - pow(1 - bl_rng_unit(&rng), SKEW);
}

/* The whole run, by its age; where nothing is foreseen some part of its limit, or of a day. */
static bl_time draw_length(const struct run *run, const struct bl_job *job)
{
    bl_time longest = bl_job_longest_run(&job->spec);
    double level = draw(run, job);
    struct bl_dist dist;

    bl_predictions_now(job, bl_core_now(run->core), &dist);
    longest = longest < BL_DAY ? longest : BL_DAY;
    return bl_dist_is_known(&dist) ? bl_dist_quantile(&dist, level)
                                   : (bl_time)(level * (double)longest) + 1;
}

static void push_end(struct run *run, const struct bl_job *job)
{
    bl_time now = bl_core_now(run->core);
    bl_time from = job->running_at ? job->running_at : job->started_at;
    bl_time end = from + draw_length(run, job) - job->ran_before;

    bl_heap_push(&run->ends, (struct bl_heap_item){end > now ? end : now + 1, job->id,
                                                   (void *)(uintptr_t)job->attempt});
}

static void report(struct run *run, enum bl_event_kind kind, const struct bl_job *job, int32_t code)
{
    struct bl_event event = {
        .kind = kind, .at = bl_core_now(run->core), .job = job->id, .attempt = job->attempt};

    if (kind == BL_EVENT_JOB_ENDED) {
        event.u.ended.cause = BL_END_EXITED;
        event.u.ended.code = code;
    }
    bl_core_step(run->core, &event, NULL);
}

static void begin(struct run *run)
{
    size_t cursor = 0;
    const struct bl_job *job;

    while ((job = bl_core_next_job(run->core, &cursor))) {
        if (job->state == BL_JOB_STARTING) {
            report(run, BL_EVENT_JOB_STARTED, job, 0);
        }
        if (bl_job_state_is_active(job->state)) {
            push_end(run, job);
        }
    }
}

static void carry_out(struct run *run, const struct bl_action *action)
{
    const struct bl_job *job = bl_core_find_job(run->core, action->job);

    switch (action->kind) {
    case BL_ACTION_START:
        report(run, BL_EVENT_JOB_STARTED, job, 0);
        push_end(run, job);
        break;
    case BL_ACTION_STOP:
        report(run, BL_EVENT_JOB_ENDED, job, 1);
        break;
    case BL_ACTION_RESIZE:
    case BL_ACTION_PREEMPT:
        report(run, BL_EVENT_JOB_ENDED, job, CODE_PUT_BACK);
        break;
    case BL_ACTION_SIGNAL:
    case BL_ACTION_COUNT:
        break;
    }
}

static void decide(struct run *run, bl_time now)
{
    bl_core_step(run->core, &(struct bl_event){.kind = BL_EVENT_ROUND, .at = now}, &run->actions);
    for (size_t i = 0; i < run->actions.list.count; i++) {
        carry_out(run, &run->actions.list.at[i]);
    }
}

/* An attempt that is over already ends no more. */
static void end_next(struct run *run)
{
    struct bl_heap_item item;
    const struct bl_job *job;
    struct bl_event event = {.kind = BL_EVENT_JOB_ENDED};

    bl_heap_pop(&run->ends, &item);
    job = bl_core_find_job(run->core, item.key);
    event.at = item.time;
    event.job = item.key;
    event.attempt = (int32_t)(uintptr_t)item.value;
    if (job) {
        bl_core_step(run->core, &event, NULL);
    }
}

/* False when nothing will happen any more. */
static bool step(struct run *run)
{
    const struct bl_heap_item *first = bl_heap_peek(&run->ends);
    bl_time wake = bl_core_next_wake(run->core);
    bl_time end = first ? first->time : BL_TIME_NEVER;
    bl_time now = end < wake ? end : wake;

    if (now == BL_TIME_NEVER) {
        return false;
    }
    while ((first = bl_heap_peek(&run->ends)) && first->time <= now) {
        end_next(run);
    }
    if (bl_core_wants_round(run->core) || wake <= now) {
        decide(run, now);
    }
    return true;
}

static bl_time run_until_started(const struct bl_core *core, bl_job_id id, uint64_t seed)
{
    struct run run = {.core = bl_core_fork(core), .seed = seed};
    bl_time start = BL_TIME_NEVER;

    begin(&run);
    for (int i = 0; i < STEPS_MAX && start == BL_TIME_NEVER && step(&run); i++) {
        const struct bl_job *job = bl_core_find_job(run.core, id);

        start = job && job->attempt > 0 ? job->first_started_at : BL_TIME_NEVER;
    }
    bl_core_destroy(run.core);
    bl_heap_finish(&run.ends);
    bl_actions_finish(&run.actions);
    return start;
}

static int compare_times(const void *left, const void *right)
{
    bl_time a = *(const bl_time *)left;
    bl_time b = *(const bl_time *)right;

    return (a > b) - (a < b);
}

void bl_foretell_start(const struct bl_core *core, bl_job_id job, size_t runs, uint64_t seed,
                       struct bl_foretold *out)
{
    struct bl_rng rng;

    assert(runs > 0 && runs <= BL_FORETELL_RUNS_MAX && bl_core_can_export(core));
    bl_rng_seed(&rng, seed);
    out->now = bl_core_now(core);
    out->count = runs;
    for (size_t i = 0; i < runs; i++) {
        out->start[i] = run_until_started(core, job, bl_rng_next(&rng));
    }
    bl_sort(out->start, runs, sizeof *out->start, compare_times);
}

/* Half as far beyond an end as that is from the middle, at most. */
static bl_time beyond(const struct bl_foretold *foretold, bl_time end, double share)
{
    bl_time middle = foretold->start[foretold->count / 2];
    bl_time at = end + (bl_time)(fmin(share, 1) / 2 * (double)(end - middle));

    return at > foretold->now ? at : foretold->now;
}

bl_time bl_foretold_at(const struct bl_foretold *foretold, double level)
{
    double at = level * (double)foretold->count - .5;
    double last = (double)foretold->count - 1;
    size_t low = at > 0 ? (size_t)fmin(at, last) : 0;
    size_t high = (double)low < last ? low + 1 : low;

    if (foretold->start[high] == BL_TIME_NEVER) {
        return foretold->start[at > (double)low ? high : low];
    }
    if (at < 0 || at > last) {
        return beyond(foretold, foretold->start[low], 2 * (at < 0 ? -at : at - last));
    }
    return foretold->start[low] +
           (bl_time)((at - (double)low) * (double)(foretold->start[high] - foretold->start[low]));
}
