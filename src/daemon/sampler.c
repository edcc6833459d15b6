#include "daemon/sampler.h"

#include "base/own.h"
#include "core/arrivals.h"

#include <assert.h>
#include <string.h>

enum { RUNS_LEAST = 4 /* that make a range */ };

void bl_foretelling_destroy(struct bl_foretelling *told)
{
    if (told) {
        bl_arena_finish(&told->arena);
        free(told);
    }
}

void bl_sampler_finish(struct bl_sampler *sampler)
{
    bl_core_destroy(sampler->base);
    bl_arena_finish(&sampler->quick_arena);
    bl_arena_finish(&sampler->arena);
    bl_arena_finish(&sampler->kept_arena);
}

static struct bl_foretell_options options_of(const struct bl_core *core, bl_time at,
                                             struct bl_sampler_stop stop)
{
    return (struct bl_foretell_options){
        .at = at,
        .grain = bl_foretell_grain(core),
        .is_stopped = stop.is_stopped,
        .stopper = stop.self,
    };
}

static struct bl_core *fork_now(const struct bl_replica *replica)
{
    struct bl_core *fork = bl_core_fork(replica->core);

    bl_core_foresee(fork, replica->core);
    return fork;
}

bool bl_sampler_glance(struct bl_sampler *sampler, const struct bl_replica *replica, bl_time at,
                       struct bl_sampler_stop stop)
{
    struct bl_core *core = fork_now(replica);
    struct bl_foretell_options options = options_of(core, at, stop);

    options.is_median = true;
    bl_arena_reset(&sampler->quick_arena);
    sampler->quick = bl_foretell_run(core, &options, &sampler->quick_arena);
    bl_core_destroy(core);
    sampler->quick_version = sampler->quick.is_whole ? replica->version : 0;
    sampler->quick_seq = replica->seq;
    return sampler->quick.is_whole;
}

void bl_sampler_begin(struct bl_sampler *sampler, const struct bl_replica *replica, bl_time at)
{
    const struct bl_foretell_learnt *learnt = bl_scores_learnt(bl_core_scores(replica->core));

    bl_core_destroy(sampler->base);
    sampler->base = fork_now(replica);
    sampler->has_learnt = learnt != NULL;
    if (learnt) {
        sampler->learnt = *learnt;
    }
    sampler->arrivals = sampler->without_arrivals ? NULL : bl_core_arrivals(replica->core);
    sampler->at = at;
    sampler->version = replica->version;
    sampler->seq = replica->seq;
    sampler->count = 0;
    bl_arena_reset(&sampler->arena);
}

bool bl_sampler_run(struct bl_sampler *sampler, struct bl_sampler_stop stop)
{
    struct bl_foretell_options options = options_of(sampler->base, sampler->at, stop);
    struct bl_foretell_run *run = &sampler->run[sampler->count];

    assert(sampler->count < BL_SAMPLER_RUNS_MAX);
    options.seed = bl_foretell_seed(BL_FORETELL_SEED, sampler->count + 1);
    options.of_late = sampler->arrivals;
    *run = bl_foretell_run(sampler->base, &options, &sampler->arena);
    sampler->count += run->is_whole;
    return run->is_whole;
}

/* --- what is told ---------------------------------------------------------------------------- */

static void keep_ranges(struct bl_sampler *sampler, const struct bl_foretold_table *table)
{
    size_t bytes = table->count * sizeof *table->row;

    bl_arena_reset(&sampler->kept_arena);
    sampler->kept.row = bl_arena_alloc(&sampler->kept_arena, bytes + 1);
    sampler->kept.count = table->count;
    memcpy(sampler->kept.row, table->row, bytes);
}

static struct bl_foretelling *tell_ranges(struct bl_sampler *sampler)
{
    struct bl_foretelling *told = bl_alloc_zero(sizeof *told);

    told->table = bl_foretold_table(sampler->run, sampler->count,
                                    sampler->has_learnt ? &sampler->learnt : NULL, &told->arena);
    told->seq = sampler->seq;
    told->made_at = sampler->run[0].now;
    told->arrivals = sampler->arrivals ? bl_arrivals_count(sampler->arrivals) : 0;
    told->runs = (int32_t)sampler->count;
    keep_ranges(sampler, &told->table);
    return told;
}

/* One that waited and now runs, or runs again, is another matter. */
static bool still_stands(const struct bl_foretold_row *now, const struct bl_foretold_row *then)
{
    return now->is_active == then->is_active &&
           (!now->is_active || now->start.p50 == then->start.p50);
}

/* The quick look, and the ranges of before for whom it finds as they were. */
static struct bl_foretelling *tell_both(struct bl_sampler *sampler)
{
    struct bl_foretelling *told = bl_alloc_zero(sizeof *told);

    told->table = bl_foretold_table(&sampler->quick, 1, NULL, &told->arena);
    told->seq = sampler->quick_seq;
    told->made_at = sampler->quick.now;
    told->runs = 1;
    for (size_t i = 0; i < told->table.count; i++) {
        struct bl_foretold_row *row = &told->table.row[i];
        const struct bl_foretold_row *kept = bl_foretold_find(&sampler->kept, row->job);

        if (kept && still_stands(row, kept)) {
            *row = *kept;
        }
    }
    return told;
}

struct bl_foretelling *bl_sampler_tell(struct bl_sampler *sampler)
{
    bool has_ranges = sampler->count >= RUNS_LEAST;

    assert(has_ranges || sampler->quick_version > 0);
    if (has_ranges && sampler->version >= sampler->quick_version) {
        return tell_ranges(sampler);
    }
    if (has_ranges) {
        bl_foretelling_destroy(tell_ranges(sampler));
    }
    return tell_both(sampler);
}
