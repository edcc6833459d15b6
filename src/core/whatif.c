#include "core/whatif.h"

#include "base/sort.h"
#include "core/graph.h"
#include "core/predictions.h"
#include "core/state.h"

#include <assert.h>
#include <string.h>

#define DELAY_LEAST BL_SECOND

/* Both ways, run for run. */
struct pairs {
    const struct bl_foretell_run *without;
    struct bl_foretell_run with[BL_WHATIF_RUNS_MAX + 1];
    size_t count; /* the first is that of the middles */
};

void bl_whatif_before_reset(struct bl_whatif_before *before)
{
    bl_arena_reset(&before->arena);
    before->count = 0;
}

void bl_whatif_before_finish(struct bl_whatif_before *before)
{
    bl_arena_finish(&before->arena);
    before->count = 0;
}

bool bl_whatif_is_enough(const struct bl_whatif_effort *effort)
{
    return effort->is_enough && effort->is_enough(effort->judge);
}

struct bl_foretell_options bl_whatif_run(const struct bl_whatif_effort *effort, size_t k)
{
    struct bl_foretell_options options = effort->options;

    options.seed = bl_foretell_seed(effort->options.seed, k);
    options.is_median = k == 0;
    options.until = 0;
    options.horizon = 0;
    return options;
}

static bl_job_id next_id(const struct bl_core *core)
{
    const struct bl_job *job;
    bl_job_id last = 0;
    size_t cursor = 0;

    while ((job = bl_core_next_job(core, &cursor))) {
        bl_job_id end = job->id + bl_array_count(&job->spec);

        last = end > last ? end : last;
    }
    return last + 1;
}

struct bl_core *bl_whatif_copy(const struct bl_core *core)
{
    struct bl_core *fork = bl_core_fork(core);

    bl_core_foresee(fork, core);
    fork->wants_round = true; /* what a round now would do anyway is nobody's doing */
    return fork;
}

/* A copy learns nothing, so that it does not foresee either: the core lends what it would. */
static void foresee(const struct bl_core *core, struct bl_core *fork, bl_job_id id)
{
    struct bl_job *job = bl_map_find(&fork->jobs, id);

    if (job && !bl_job_state_is_ended(job->state)) {
        bl_core_step_out(fork, job);
        bl_predictions_lend(core->predictions, job);
        bl_core_line_up(fork, job);
    }
}

struct bl_core *bl_whatif_fork(const struct bl_core *core, const struct bl_job_spec *spec,
                               bl_time at, bl_job_id *id)
{
    struct bl_core *fork = bl_core_fork(core);
    struct bl_event event = {.kind = BL_EVENT_JOB_SUBMITTED, .u.submitted = *spec};

    *id = next_id(core);
    bl_core_foresee(fork, core);
    event.job = *id;
    event.at = at > core->now ? at : core->now;
    bl_core_step(fork, &event, NULL);
    foresee(core, fork, *id);
    return fork;
}

void bl_whatif_drop_met(const struct bl_core *core, struct bl_job_spec *spec,
                        struct bl_arena *arena)
{
    struct bl_dependency *left = bl_arena_alloc(arena, (spec->after_count + 1) * sizeof *left);
    size_t count = 0;

    for (size_t i = 0; i < spec->after_count; i++) {
        const struct bl_job *other = bl_core_find_job(core, spec->after[i].job);
        bool is_met = other && bl_job_state_is_ended(other->state) &&
                      bl_dependency_is_met(spec->after[i].kind, other->state);

        left[count] = spec->after[i];
        count += !is_met;
    }
    spec->after = left;
    spec->after_count = count;
}

/* --- delays ---------------------------------------------------------------------------------- */

/* By how much it starts later; one that runs: ends later. */
static bl_time delay_of(const struct bl_foretell_row *without, const struct bl_foretell_row *with,
                        bl_time now)
{
    bool runs = without->start < now;
    bl_time before = runs ? without->end : without->start;
    bl_time after = runs ? with->end : with->start;

    assert(without->job == with->job);
    return before == BL_TIME_NEVER ? 0 : after == BL_TIME_NEVER ? BL_TIME_NEVER : after - before;
}

static int compare_times(const void *left, const void *right)
{
    bl_time a = *(const bl_time *)left;
    bl_time b = *(const bl_time *)right;

    return (a > b) - (a < b);
}

/* Runs that count: those with drawn run times, where there are several. */
static size_t first_of(const struct pairs *pairs)
{
    return pairs->count > 2 ? 1 : 0;
}

/* The middle of all runs. The job's own row stands behind all others. */
static bl_time middle_delay(const struct pairs *pairs, size_t row)
{
    bl_time by[BL_WHATIF_RUNS_MAX + 1];
    size_t count = 0;

    for (size_t k = first_of(pairs); k < (pairs->count > 2 ? pairs->count : 1); k++) {
        by[count++] =
            delay_of(&pairs->without[k].row[row], &pairs->with[k].row[row], pairs->with[k].now);
    }
    bl_sort(by, count, sizeof *by, compare_times);
    return by[(count - 1) / 2];
}

static int compare_delays(const void *left, const void *right)
{
    const struct bl_whatif_delay *a = left;
    const struct bl_whatif_delay *b = right;

    return a->by != b->by ? (a->by < b->by) - (a->by > b->by)
                          : (a->job > b->job) - (a->job < b->job);
}

/* Elements that have not started are told of as their array. */
static void find_delays(const struct bl_core *core, const struct pairs *pairs,
                        struct bl_arena *arena, struct bl_whatif *out)
{
    size_t rows = pairs->without[0].count;

    out->delay = bl_arena_alloc(arena, (rows + 1) * sizeof *out->delay);
    for (size_t i = 0; i < rows; i++) {
        bl_job_id job = pairs->without[0].row[i].job;
        bl_time by = bl_core_find_job(core, job) ? middle_delay(pairs, i) : 0;

        if (by >= DELAY_LEAST) {
            out->delay[out->delay_count++] = (struct bl_whatif_delay){job, by};
        }
    }
    bl_sort(out->delay, out->delay_count, sizeof *out->delay, compare_delays);
}

/* --- the question ---------------------------------------------------------------------------- */

/* The k-th look without the job; those before it are kept already. */
static bool look_before(const struct bl_core *core, const struct bl_foretell_options *options,
                        size_t k, struct bl_whatif_before *before)
{
    if (k >= before->count) {
        before->run[k] = bl_foretell_run_changed(bl_whatif_copy(core), options, &before->arena);
        before->count += before->run[k].is_whole;
    }
    return k < before->count;
}

/* As far as it is not stopped, and one at least: pairs are whole. */
static void run_pairs(const struct bl_core *core, const struct bl_job_spec *spec,
                      const struct bl_whatif_effort *effort, struct bl_whatif_before *before,
                      struct bl_arena *arena, struct pairs *pairs)
{
    for (size_t k = 0; k <= effort->runs && (k == 0 || !bl_whatif_is_enough(effort)); k++) {
        struct bl_foretell_options options = bl_whatif_run(effort, k);
        bl_job_id id;

        if (!look_before(core, &options, k, before)) {
            return;
        }
        pairs->with[k] =
            bl_foretell_run_changed(bl_whatif_fork(core, spec, options.at, &id), &options, arena);
        if (!pairs->with[k].is_whole) {
            return;
        }
        pairs->count++;
    }
}

static void take_ranges(const struct bl_core *core, const struct pairs *pairs,
                        struct bl_arena *arena, struct bl_whatif *out)
{
    bl_job_id id = next_id(core);
    size_t first = first_of(pairs);
    const struct bl_foretell_row *row = bl_foretell_find(&pairs->with[0], id);
    struct bl_foretold_table table;
    const struct bl_foretold_row *told;

    out->runs = first ? pairs->count - 1 : 1;
    table =
        bl_foretold_table(&pairs->with[first], out->runs, bl_scores_learnt(core->scores), arena);
    told = bl_foretold_find(&table, id);
    if (told) {
        out->start = told->start;
        out->end = told->end;
        out->from_limits = told->from_limits;
        out->is_now = row->start == pairs->with[0].now;
    }
}

/* By the rule by which run times are drawn: what nothing is foreseen of there has none here. */
static void foresee_length(const struct bl_job *job, bl_time now, struct bl_dist *out)
{
    for (int i = 0; i < BL_DIST_POINTS; i++) {
        struct bl_foretell_length at = bl_foretell_length(job, now, 0, bl_dist_level[i]);

        if (!at.is_foreseen) {
            return;
        }
        out->point[i] = bl_dist_point(at.length);
    }
    if (job->spec.limit > 0) {
        bl_dist_cap(out, job->spec.limit);
    }
}

/* What it takes, and what stands in its way once the policy has looked at it. */
static void explain(const struct bl_core *core, const struct bl_job_spec *spec, bl_time at,
                    struct bl_whatif *out)
{
    struct bl_actions actions = {0};
    bl_job_id id;
    struct bl_core *fork = bl_whatif_fork(core, spec, at, &id);
    struct bl_event round = {.kind = BL_EVENT_ROUND, .at = bl_core_now(fork)};
    const struct bl_job *job = bl_core_find_job(fork, id);

    foresee_length(job, round.at, &out->length);
    out->promised_at = job->promised_at;
    bl_core_step(fork, &round, &actions);
    bl_core_explain(fork, job, &out->reason);
    bl_actions_finish(&actions);
    bl_core_destroy(fork);
}

void bl_whatif_submit(const struct bl_core *core, const struct bl_job_spec *spec,
                      const struct bl_whatif_effort *effort, struct bl_arena *arena,
                      struct bl_whatif *out)
{
    struct pairs *pairs = bl_arena_alloc(arena, sizeof *pairs);
    struct bl_whatif_before own = {.count = 0};
    struct bl_whatif_before *before = effort->before ? effort->before : &own;

    assert(bl_core_can_export(core) && effort->runs <= BL_WHATIF_RUNS_MAX);
    memset(pairs, 0, sizeof *pairs);
    pairs->without = before->run;
    *out = (struct bl_whatif){.start = {BL_TIME_NEVER, BL_TIME_NEVER, BL_TIME_NEVER},
                              .end = {BL_TIME_NEVER, BL_TIME_NEVER, BL_TIME_NEVER}};
    explain(core, spec, effort->options.at, out);
    run_pairs(core, spec, effort, before, arena, pairs);
    if (pairs->count > 0) {
        take_ranges(core, pairs, arena, out);
        find_delays(core, pairs, arena, out);
    }
    bl_whatif_before_finish(&own);
}
