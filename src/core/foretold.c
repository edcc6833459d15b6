#include "core/foretold.h"

#include "base/rng.h"
#include "base/sort.h"
#include "core/foretell_levels.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

static int compare_times(const void *left, const void *right)
{
    bl_time a = *(const bl_time *)left;
    bl_time b = *(const bl_time *)right;

    return (a > b) - (a < b);
}

static void settle(struct bl_foretold *foretold)
{
    bl_sort(foretold->at, foretold->count, sizeof *foretold->at, compare_times);
}

static bl_time look_ahead(const struct bl_core *core, const struct bl_foretold_question *question,
                          uint64_t seed, struct bl_arena *arena)
{
    const struct bl_foretell_options options = {
        .seed = seed, .unknown = BL_DAY, .until = question->job, .of_late = question->arrivals};
    const struct bl_foretell_run run = bl_foretell_run(core, &options, arena);
    const struct bl_foretell_row *row = bl_foretell_find(&run, question->job);

    return row ? row->start : BL_TIME_NEVER;
}

void bl_foretold_start(const struct bl_core *core, const struct bl_foretold_question *question,
                       struct bl_foretold *out)
{
    struct bl_arena arena = {0};
    struct bl_rng rng;

    assert(question->runs > 0 && question->runs <= BL_FORETOLD_RUNS_MAX);
    bl_rng_seed(&rng, question->seed);
    out->now = bl_core_now(core);
    out->count = question->runs;
    for (size_t i = 0; i < question->runs; i++) {
        out->at[i] = look_ahead(core, question, bl_rng_next(&rng), &arena);
        bl_arena_reset(&arena);
    }
    settle(out);
    bl_arena_finish(&arena);
}

/* Half as far beyond an end as that is from the middle, at most. */
static bl_time beyond(const struct bl_foretold *foretold, bl_time end, double share)
{
    bl_time middle = foretold->at[foretold->count / 2];
    bl_time at = end + (bl_time)(fmin(share, 1) / 2 * (double)(end - middle));

    return at > foretold->now ? at : foretold->now;
}

bl_time bl_foretold_at(const struct bl_foretold *foretold, double level)
{
    double at = level * (double)foretold->count - .5;
    double last = (double)foretold->count - 1;
    size_t low = at > 0 ? (size_t)fmin(at, last) : 0;
    size_t high = (double)low < last ? low + 1 : low;

    if (foretold->at[high] == BL_TIME_NEVER) {
        return foretold->at[at > (double)low ? high : low];
    }
    if (at < 0 || at > last) {
        return beyond(foretold, foretold->at[low], 2 * (at < 0 ? -at : at - last));
    }
    return foretold->at[low] +
           (bl_time)((at - (double)low) * (double)(foretold->at[high] - foretold->at[low]));
}

static bl_time later(bl_time a, bl_time b)
{
    return a > b ? a : b;
}

struct bl_outline bl_foretold_outline(const struct bl_foretold *foretold)
{
    static const double level[BL_OUTLINE_POINTS] = {.1, .3, .5, .7, .9};
    struct bl_outline outline = {.now = foretold->now};

    for (int i = 0; i < BL_OUTLINE_POINTS; i++) {
        outline.at[i] = later(bl_foretold_at(foretold, level[i]), foretold->now);
    }
    return outline;
}

static struct bl_range range_of(const struct bl_foretold *foretold)
{
    return (struct bl_range){
        .p10 = bl_foretold_at(foretold, .1),
        .p50 = bl_foretold_at(foretold, .5),
        .p90 = bl_foretold_at(foretold, .9),
    };
}

/* What was learnt of starts and of ends need not agree: nothing ends before it starts. */
static void read_learnt(const struct bl_foretell_learnt *learnt, struct bl_foretold_row *row)
{
    row->start = bl_foretell_levels_read(&learnt->start, &row->start_runs);
    row->end = bl_foretell_levels_read(&learnt->end, &row->end_runs);
    row->end.p10 = later(row->end.p10, row->start.p10);
    row->end.p50 = later(row->end.p50, row->start.p50);
    row->end.p90 = later(row->end.p90, row->start.p90);
}

static void fill(const struct bl_foretell_run *run, size_t runs, size_t index,
                 struct bl_foretold_row *out)
{
    struct bl_foretold start = {.now = run->now, .count = runs};
    struct bl_foretold end = start;

    *out = (struct bl_foretold_row){
        .job = run->row[index].job,
        .is_active = run->row[index].is_active,
        .runs = (int32_t)runs,
        .from_limits = true,
    };
    for (size_t i = 0; i < runs; i++) {
        const struct bl_foretell_row *row = &run[i].row[index];

        assert(row->job == out->job);
        start.at[i] = row->start;
        end.at[i] = row->end;
        out->from_limits = out->from_limits && !row->knows_start && !row->knows_end;
    }
    settle(&start);
    settle(&end);
    out->start = out->is_active ? (struct bl_range){start.at[0], start.at[0], start.at[0]}
                                : range_of(&start);
    out->end = range_of(&end);
    if (runs > 1 && !out->is_active) {
        out->start_runs = bl_foretold_outline(&start);
        out->end_runs = bl_foretold_outline(&end);
    }
}

struct bl_foretold_table bl_foretold_table(const struct bl_foretell_run *run, size_t runs,
                                           const struct bl_foretell_learnt *learnt,
                                           struct bl_arena *arena)
{
    struct bl_foretold_table table = {.count = run->count};

    assert(runs > 0 && runs <= BL_FORETOLD_RUNS_MAX);
    table.row = bl_arena_alloc(arena, (run->count + 1) * sizeof *table.row);
    for (size_t i = 0; i < run->count; i++) {
        fill(run, runs, i, &table.row[i]);
        if (learnt && table.row[i].start_runs.now > 0) {
            read_learnt(learnt, &table.row[i]);
        }
    }
    return table;
}

static int compare_rows(const void *left, const void *right)
{
    const struct bl_foretold_row *a = left;
    const struct bl_foretold_row *b = right;

    return (a->job > b->job) - (a->job < b->job);
}

const struct bl_foretold_row *bl_foretold_find(const struct bl_foretold_table *table, bl_job_id job)
{
    struct bl_foretold_row key = {.job = job};

    return table->count ? bsearch(&key, table->row, table->count, sizeof key, compare_rows) : NULL;
}
