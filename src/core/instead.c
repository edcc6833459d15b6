#include "core/instead.h"

#include "base/sort.h"
#include "core/instead_list.h"

#include <assert.h>

/* Less is not worth a change: a twentieth of the wait, or a second. */
enum { GAIN_LEAST = 20 };

struct search {
    const struct bl_core *core;
    bl_job_id job;
    const struct bl_whatif_effort *effort;
    struct bl_arena scratch;
    bl_time now;
    bool is_over; /* it was stopped, or has done enough */
};

/* What one way of asking comes to. */
struct trial {
    const struct bl_candidate *candidate; /* NULL = as it stands */
    struct bl_foretold starts;
    bl_time first; /* with the middles of all run times; BL_TIME_NEVER = not before the bound */
};

static struct bl_core *copy_for(const struct search *search, const struct trial *trial)
{
    struct bl_core *fork = bl_whatif_copy(search->core);
    struct bl_event event = {.kind = BL_EVENT_JOB_CHANGED, .at = search->now, .job = search->job};

    if (trial->candidate) {
        event.u.changed = trial->candidate->change;
        bl_core_step(fork, &event, NULL);
    }
    return fork;
}

/* As it stands, where that has been looked at for another question. */
static const struct bl_foretell_run *known_run(const struct search *search,
                                               const struct trial *trial, size_t k)
{
    const struct bl_whatif_before *before = search->effort->before;

    return !trial->candidate && before && k < before->count ? &before->run[k] : NULL;
}

/* Its start in the k-th run, looked for up to `bound`; BL_TIME_NEVER behind that. */
static bl_time start_in(struct search *search, const struct trial *trial, size_t k, bl_time bound)
{
    struct bl_foretell_options options = bl_whatif_run(search->effort, k);
    const struct bl_foretell_run *known = known_run(search, trial, k);
    struct bl_foretell_run run;
    const struct bl_foretell_row *row;
    bl_time start;

    if (known) {
        row = bl_foretell_find(known, search->job);
        return row && row->start <= bound ? row->start : BL_TIME_NEVER;
    }
    options.until = search->job;
    options.horizon = bound < BL_TIME_NEVER ? bound - search->now + 1 : 0;
    run = bl_foretell_run_changed(copy_for(search, trial), &options, &search->scratch);
    row = bl_foretell_find(&run, search->job);
    start = row && row->start <= bound ? row->start : BL_TIME_NEVER;
    search->is_over = search->is_over || !run.is_whole;
    bl_arena_reset(&search->scratch);
    return start;
}

static int compare_times(const void *left, const void *right)
{
    bl_time a = *(const bl_time *)left;
    bl_time b = *(const bl_time *)right;

    return (a > b) - (a < b);
}

static bool is_over(struct search *search)
{
    search->is_over = search->is_over || bl_whatif_is_enough(search->effort);
    return search->is_over;
}

/* With drawn run times; when there is no time for all of them, what is known stays: the start with
 * the middles. */
static void draw_starts(struct search *search, struct trial *trial)
{
    struct bl_foretold *starts = &trial->starts;
    bool is_now = trial->first <= search->now;

    *starts = (struct bl_foretold){.now = search->now, .at = {trial->first}, .count = 1};
    if (is_now || search->effort->runs < 2) {
        return;
    }
    for (size_t k = 1; k <= search->effort->runs; k++) {
        bl_time start = is_over(search) ? 0 : start_in(search, trial, k, BL_TIME_NEVER);

        if (search->is_over) {
            *starts = (struct bl_foretold){.now = search->now, .at = {trial->first}, .count = 1};
            return;
        }
        starts->at[k - 1] = start;
        starts->count = k;
    }
    bl_sort(starts->at, starts->count, sizeof starts->at[0], compare_times);
}

/* The last instant that is still worth a change. */
static bl_time worth_it(const struct search *search, bl_time start)
{
    bl_time wait = start - search->now;
    bl_time gain = wait / GAIN_LEAST > BL_SECOND ? wait / GAIN_LEAST : BL_SECOND;

    return start == BL_TIME_NEVER ? BL_TIME_NEVER : start - gain;
}

struct found {
    struct trial trial[BL_CANDIDATES_MAX];
    size_t count;
    size_t tried;
};

/* Of one kind what takes more away must start the job earlier than what takes less. */
static void try_all(struct search *search, const struct bl_candidates *candidates, bl_time start,
                    struct found *found)
{
    bl_time bound = worth_it(search, start);

    for (size_t i = 0; i < candidates->count && !is_over(search); i++) {
        const struct bl_candidate *candidate = &candidates->at[i];
        struct trial trial = {.candidate = candidate};

        if (i > 0 && candidate->kind != candidate[-1].kind) {
            bound = worth_it(search, start);
        }
        trial.first = bound < search->now ? BL_TIME_NEVER : start_in(search, &trial, 0, bound);
        found->tried += !search->is_over;
        if (trial.first == BL_TIME_NEVER || search->is_over) {
            continue;
        }
        found->trial[found->count++] = trial;
        if (candidate->kind == BL_CANDIDATE_LIMIT || candidate->kind == BL_CANDIDATE_GPUS) {
            bound = trial.first > search->now ? worth_it(search, trial.first) : search->now - 1;
        }
    }
}

static int compare_trials(const void *left, const void *right)
{
    const struct trial *a = left;
    const struct trial *b = right;

    return a->first != b->first ? (a->first > b->first) - (a->first < b->first)
                                : (a->candidate > b->candidate) - (a->candidate < b->candidate);
}

static struct bl_range range_of(const struct bl_foretold *starts)
{
    return (struct bl_range){bl_foretold_at(starts, .1), bl_foretold_at(starts, .5),
                             bl_foretold_at(starts, .9)};
}

static void keep(const struct search *search, const struct trial *trial, struct bl_insteads *out)
{
    out->at[out->count++] = (struct bl_instead){
        .change = trial->candidate->change,
        .start = range_of(&trial->starts),
        .runs = trial->starts.count,
        .is_now = trial->first <= search->now,
        .before = trial->candidate->before,
    };
}

/* The best, as long as they are better with drawn run times as well. */
static void keep_best(struct search *search, struct trial *as_is, struct found *found,
                      struct bl_insteads *out)
{
    bl_time start;

    bl_sort(found->trial, found->count, sizeof found->trial[0], compare_trials);
    if (found->count > 0) {
        draw_starts(search, as_is);
    }
    start = bl_foretold_at(&as_is->starts, .5);
    for (size_t i = 0; i < found->count && out->count < BL_INSTEADS_MAX; i++) {
        struct trial *trial = &found->trial[i];

        draw_starts(search, trial);
        if (trial->starts.count == 1 || bl_foretold_at(&trial->starts, .5) < start) {
            keep(search, trial, out);
        }
    }
}

void bl_insteads_find(const struct bl_core *core, bl_job_id id,
                      const struct bl_whatif_effort *effort, struct bl_insteads *out)
{
    const struct bl_job *job = bl_core_find_job(core, id);
    struct search search = {.core = core, .job = id, .effort = effort, .now = bl_core_now(core)};
    struct bl_candidates candidates;
    struct trial as_is = {.candidate = NULL};
    struct found found = {.count = 0};

    assert(bl_core_can_export(core) && effort->runs <= BL_WHATIF_RUNS_MAX);
    out->count = 0;
    out->untried = 0;
    if (!job || job->state != BL_JOB_QUEUED) {
        return;
    }
    search.now = effort->options.at > search.now ? effort->options.at : search.now;
    bl_candidates_list(core, job, search.now, &candidates);
    if (candidates.count > 0) {
        as_is.first = start_in(&search, &as_is, 0, BL_TIME_NEVER);
    }
    out->untried = search.is_over ? candidates.count : 0;
    if (candidates.count > 0 && !search.is_over && as_is.first > search.now) {
        try_all(&search, &candidates, as_is.first, &found);
        out->untried = candidates.count - found.tried;
        keep_best(&search, &as_is, &found, out);
    }
    bl_arena_finish(&search.scratch);
}
