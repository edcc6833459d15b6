#include "core/foretell.h"

#include "base/heap.h"
#include "base/rng.h"
#include "base/sort.h"
#include "core/arrivals.h"
#include "core/bookings.h"
#include "core/predictions.h"
#include "core/state.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    CODE_PUT_BACK = 85,       /* of an attempt that saved its work */
    ELEMENT_ROWS_MAX = 16384, /* of all arrays together */
    RUNS_LEAST = 5,           /* a handful of runs tells nothing of others */
    SHARE_ENDED = 20,         /* one in so many jobs may have ended between two rounds, */
    SHARE_ENDED_DEAR = 2,     /* one where a round is dear, or the others use its GPUs meanwhile */
    ROUNDS_AGAIN = 8,         /* at one instant, after the first */
    GRAIN_LEAST = 10,
    GRAIN_MOST = 500, /* beyond, every round is decided */
    WORK = 2000000,   /* jobs times grain */
    WORK_DEAR = 200000
};

/* Run times come out a little longer than was foreseen. */
#define SKEW 1.3

/* How much of an error is all of a user's jobs': the rest is each one's own. */
#define IN_COMMON .6

#define NEARLY_ONE (1 - 1e-9)

#define HORIZON (3653 * BL_DAY)

/* An attempt that runs, as the heap of ends holds it. */
struct attempt {
    int32_t number;
    bool is_foreseen;
};

/* The submission that comes next. */
struct arrival {
    bool is_there;
    bl_time at, run;
    struct bl_job_spec spec;
};

/* GPUs that came free since the last round, in order of time. */
struct freed {
    bl_time at;
    int64_t gpus;
};

struct run {
    const struct bl_foretell_options *options;
    struct bl_core *core;
    struct bl_heap ends; /* key: the job, value: its attempt, packed */
    struct bl_actions actions;
    struct bl_arena scratch;
    struct bl_map lengths;   /* of arrivals whose run is known: bl_time * from scratch */
    struct bl_future future; /* of those that are drawn */
    struct bl_foretell_source source;
    struct arrival arrival;
    bl_job_id next_id;       /* of an arrival */
    bl_job_id arrivals_from; /* ids from here on are arrivals' */
    bl_time began, horizon;
    int64_t events; /* ends and arrivals so far */
    BL_VEC(struct freed) freed;
    size_t freed_next;
    bool is_informed; /* an end that was foreseen has passed */
    struct bl_foretell_row *row;
    size_t count;
    size_t left; /* rows without an end that may get one */
    bool is_over;
};

/* --- rows ------------------------------------------------------------------------------------ */

static int compare_rows(const void *left, const void *right)
{
    const struct bl_foretell_row *a = left;
    const struct bl_foretell_row *b = right;

    return (a->job > b->job) - (a->job < b->job);
}

static struct bl_foretell_row *find_row(const struct bl_foretell_row *row, size_t count,
                                        bl_job_id job)
{
    struct bl_foretell_row key = {.job = job};

    /* The rows are the caller's own; bsearch alone takes them as const. */
    return count ? (struct bl_foretell_row *)bsearch(&key, row, count, sizeof key, compare_rows)
                 : NULL;
}

const struct bl_foretell_row *bl_foretell_find(const struct bl_foretell_run *run, bl_job_id job)
{
    return find_row(run->row, run->count, job);
}

static bool has_rows_for_elements(const struct bl_job *job, size_t rows)
{
    int32_t pending = job->array ? bl_array_pending(job->array) : 0;

    return pending > 0 && pending <= BL_FORETELL_ELEMENTS_MAX && rows <= ELEMENT_ROWS_MAX;
}

static bool is_pending(const struct bl_core *core, const struct bl_job *array_job, int32_t position)
{
    return array_job->array->outcome[position] == BL_OUTCOME_NONE &&
           !bl_core_find_job(core, array_job->id + 1 + position);
}

static void add_row(struct run *run, bl_job_id job)
{
    run->row[run->count++] =
        (struct bl_foretell_row){.job = job, .start = BL_TIME_NEVER, .end = BL_TIME_NEVER};
}

static void add_element_rows(struct run *run, const struct bl_core *core, const struct bl_job *job)
{
    for (int32_t k = 0; k < job->array->count; k++) {
        if (is_pending(core, job, k)) {
            add_row(run, job->id + 1 + k);
        }
    }
}

static size_t count_rows(const struct bl_core *core)
{
    size_t cursor = 0;
    size_t elements = 0;
    const struct bl_job *job;

    while ((job = bl_core_next_job(core, &cursor))) {
        if (!bl_job_state_is_ended(job->state) && has_rows_for_elements(job, elements)) {
            elements += (size_t)bl_array_pending(job->array);
        }
    }
    return bl_core_job_count(core) + elements;
}

static void make_rows(struct run *run, const struct bl_core *core, struct bl_arena *arena)
{
    size_t cursor = 0;
    size_t elements = 0;
    const struct bl_job *job;

    run->row = bl_arena_alloc(arena, (count_rows(core) + 1) * sizeof *run->row);
    while ((job = bl_core_next_job(core, &cursor))) {
        if (bl_job_state_is_ended(job->state)) {
            continue;
        }
        add_row(run, job->id);
        if (has_rows_for_elements(job, elements)) {
            add_element_rows(run, core, job);
            elements += (size_t)bl_array_pending(job->array);
        }
        run->left += job->state != BL_JOB_HELD;
    }
    bl_sort(run->row, run->count, sizeof *run->row, compare_rows);
}

static void note_row_started(const struct run *run, bl_job_id id, bl_time at)
{
    struct bl_foretell_row *row = find_row(run->row, run->count, id);

    if (row && row->start == BL_TIME_NEVER) {
        row->start = at;
        row->knows_start = run->is_informed;
    }
}

static void note_started(struct run *run, const struct bl_job *job, bl_time at)
{
    note_row_started(run, job->id, at);
    if (job->array_job) {
        note_row_started(run, job->array_job->id, at);
    }
    run->is_over = run->is_over || job->id == run->options->until ||
                   (job->array_job && job->array_job->id == run->options->until);
}

static void note_row_ended(struct run *run, const struct bl_job *job, bl_time at, bool is_foreseen)
{
    struct bl_foretell_row *row = find_row(run->row, run->count, job->id);

    if (row && row->end == BL_TIME_NEVER && bl_job_state_is_ended(job->state)) {
        row->end = at;
        row->knows_end = row->knows_start || is_foreseen;
        run->left -= run->left > 0 && !job->array_job;
    }
}

/* An attempt is over, and with it perhaps the job, and its array. */
static void note_ended(struct run *run, const struct bl_job *job, bl_time at, bool is_foreseen)
{
    run->is_informed = run->is_informed || is_foreseen;
    note_row_ended(run, job, at, is_foreseen);
    if (job->array_job) {
        note_row_ended(run, job->array_job, at, is_foreseen);
    }
}

/* --- run times ------------------------------------------------------------------------------- */

/* From the normal distribution. */
static double draw_normal(uint64_t seed)
{
    struct bl_rng rng;
    double a, b, square;

    bl_rng_seed(&rng, seed);
    do {
        a = 2 * bl_rng_unit(&rng) - 1;
        b = 2 * bl_rng_unit(&rng) - 1;
        square = a * a + b * b;
    } while (square >= 1 || square <= 0);
    return a * sqrt(-2 * log(square) / square);
}

/* Which job it is, whether or not another one is asked about beside it. */
static uint64_t number_of(const struct run *run, const struct bl_job *job)
{
    return job->id < run->arrivals_from ? (uint64_t)job->id
                                        : ~(uint64_t)(job->id - run->arrivals_from);
}

/* In part the same for all jobs of a user. */
static double draw(const struct run *run, const struct bl_job *job)
{
    uint64_t user = run->options->seed ^ (uint64_t)job->foresight.user;
    struct bl_rng rng;
    double sum;

    if (run->options->is_median) {
        return .5;
    }
    bl_rng_seed(&rng, number_of(run, job));
    sum = sqrt(IN_COMMON) * draw_normal(user) +
          sqrt(1 - IN_COMMON) * draw_normal(user ^ bl_rng_next(&rng));
    return 1 - pow(1 - fmin(erfc(-sum * sqrt(.5)) / 2, NEARLY_ONE), SKEW);
}

/* What is foreseen, doubted where it rests on few runs: neither a rule of the site nor the job's
 * own reports. */
static bl_time foreseen(const struct bl_job *job, const struct bl_dist *dist, bl_time now,
                        bl_time longest, double level)
{
    struct bl_doubt doubt = {0};

    if (job->spec.expected.middle == 0 && job->progress.done <= job->progress.begun_at) {
        doubt = bl_dist_doubt(&job->foresight.dist, job->foresight.fresh,
                              bl_predictions_age(job, now), longest);
    }
    return bl_dist_doubted(dist, &doubt, level);
}

struct bl_foretell_length bl_foretell_length(const struct bl_job *job, bl_time now, bl_time unknown,
                                             double level)
{
    bl_time longest = job->spec.limit > 0 ? job->spec.limit : unknown;
    struct bl_dist dist;

    bl_predictions_now(job, now, &dist);
    if (bl_dist_is_known(&dist) &&
        (job->foresight.fresh > RUNS_LEAST || job->spec.expected.middle > 0)) {
        return (struct bl_foretell_length){foreseen(job, &dist, now, longest, level), true};
    }
    return (struct bl_foretell_length){
        longest > 0 ? (bl_time)(level * (double)longest) + 1 : BL_TIME_NEVER, false};
}

static bl_time draw_length(const struct run *run, const struct bl_job *job, bool *is_foreseen)
{
    const bl_time *known = bl_map_find(&run->lengths, job->id);
    struct bl_foretell_length drawn;

    if (known) {
        *is_foreseen = true;
        return *known;
    }
    drawn = bl_foretell_length(job, bl_core_now(run->core), run->options->unknown, draw(run, job));
    *is_foreseen = drawn.is_foreseen;
    return drawn.length;
}

/* `from` may lie before the round that started it: rounds come late where they are coarse. */
static void push_end(struct run *run, const struct bl_job *job, bl_time from)
{
    bl_time now = bl_core_now(run->core);
    bool is_foreseen;
    bl_time length = draw_length(run, job, &is_foreseen);
    bl_time end = from - job->ran_before + (length == BL_TIME_NEVER ? 0 : length);
    uintptr_t attempt = (uintptr_t)(uint32_t)job->attempt * 2 + is_foreseen;

    if (length == BL_TIME_NEVER && job->state != BL_JOB_STOPPING) {
        return;
    }
    if (end <= run->began || job->state == BL_JOB_STOPPING) {
        end = now + 1;
    }
    bl_heap_push(&run->ends, (struct bl_heap_item){end, job->id, (void *)attempt});
}

/* --- rounds that come late ------------------------------------------------------------------- */

static void note_freed(struct run *run, bl_time at, int64_t gpus)
{
    BL_VEC_PUSH(&run->freed, (struct freed){at, gpus});
}

/* What starts in a round that comes late starts when the last of its GPUs came free, the first to
 * come free used first; on what was free before, with the round. */
static bl_time start_on_freed(struct run *run, const struct bl_job *job)
{
    int64_t left = bl_alloc_gpus(&job->alloc);
    bl_time now = bl_core_now(run->core);
    bl_time at = now;

    while (run->freed_next < run->freed.count && left > 0) {
        struct freed *freed = &run->freed.at[run->freed_next];
        int64_t used = freed->gpus < left ? freed->gpus : left;

        at = freed->at;
        left -= used;
        freed->gpus -= used;
        run->freed_next += freed->gpus == 0;
    }
    at = at > job->eligible_at ? at : job->eligible_at;
    return run->options->grain == 0 || left > 0 || at > now || job->spec.reservation ? now : at;
}

/* --- what happens ---------------------------------------------------------------------------- */

static void report_started(struct run *run, const struct bl_job *job)
{
    struct bl_event event = {.kind = BL_EVENT_JOB_STARTED,
                             .at = bl_core_now(run->core),
                             .job = job->id,
                             .attempt = job->attempt};

    bl_core_step(run->core, &event, NULL);
}

/* An attempt that is over already ends no more. */
static void report_ended(struct run *run, bl_time at, bl_job_id id, int32_t attempt, int32_t code)
{
    struct bl_event event = {.kind = BL_EVENT_JOB_ENDED, .at = at, .job = id, .attempt = attempt};

    event.u.ended.cause = BL_END_EXITED;
    event.u.ended.code = code;
    bl_core_step(run->core, &event, NULL);
}

static void end_attempt(struct run *run, const struct bl_job *job, bl_time at, int32_t code,
                        bool is_foreseen)
{
    bl_time now = bl_core_now(run->core);

    note_freed(run, at, bl_alloc_gpus(&job->alloc));
    report_ended(run, at > now ? at : now, job->id, job->attempt, code);
    note_ended(run, job, at, is_foreseen);
}

static void end_next(struct run *run)
{
    struct bl_heap_item item;
    const struct bl_job *job;

    bl_heap_pop(&run->ends, &item);
    job = bl_core_find_job(run->core, item.key);
    if (job && job->attempt == (int32_t)((uintptr_t)item.value / 2) &&
        bl_job_state_is_active(job->state)) {
        end_attempt(run, job, item.time, 0, (uintptr_t)item.value % 2 != 0);
        run->events++;
    }
}

static void start(struct run *run, const struct bl_job *job)
{
    bl_time at = start_on_freed(run, job);

    note_started(run, job, at);
    report_started(run, job);
    push_end(run, job, at);
}

static void carry_out(struct run *run, const struct bl_action *action)
{
    const struct bl_job *job = bl_core_find_job(run->core, action->job);
    bl_time now = bl_core_now(run->core);
    bl_time limit_end = bl_job_limit_end(job);

    switch (action->kind) {
    case BL_ACTION_START:
        start(run, job);
        break;
    case BL_ACTION_STOP:
        end_attempt(run, job, limit_end < now ? limit_end : now, 1, false);
        break;
    case BL_ACTION_RESIZE:
    case BL_ACTION_PREEMPT:
        end_attempt(run, job, now, CODE_PUT_BACK, false);
        break;
    case BL_ACTION_SIGNAL:
    case BL_ACTION_COUNT:
        break;
    }
}

static int compare_freed(const void *left, const void *right)
{
    const struct freed *a = left;
    const struct freed *b = right;

    return a->at != b->at ? (a->at > b->at) - (a->at < b->at)
                          : (a->gpus > b->gpus) - (a->gpus < b->gpus);
}

/* What comes free by the round's own actions serves the next one. */
static void decide(struct run *run, bl_time now)
{
    size_t freed = run->freed.count;

    if (freed > 0) {
        bl_sort(run->freed.at, freed, sizeof *run->freed.at, compare_freed);
    }
    run->freed_next = 0;
    bl_core_step(run->core, &(struct bl_event){.kind = BL_EVENT_ROUND, .at = now}, &run->actions);
    for (size_t i = 0; i < run->actions.list.count; i++) {
        carry_out(run, &run->actions.list.at[i]);
    }
    run->freed.count -= freed;
    if (run->freed.count > 0) {
        memmove(run->freed.at, run->freed.at + freed, run->freed.count * sizeof *run->freed.at);
    }
}

/* Who left in the round made room: the next one follows at once, unless rounds are coarse. */
static void decide_until_settled(struct run *run, bl_time now)
{
    decide(run, now);
    for (int i = 0; i < ROUNDS_AGAIN && run->options->grain == 0; i++) {
        if (!bl_core_wants_round(run->core)) {
            return;
        }
        decide(run, now);
    }
}

static void draw_arrival(struct run *run)
{
    const struct bl_foretell_source *source = &run->source;
    struct arrival *next = &run->arrival;

    *next = (struct arrival){.is_there = false};
    next->is_there = source->next && source->next(source->self, &next->at, &next->spec, &next->run);
}

/* Of a job that runs it is known by now what it is not. */
static void foresee(struct run *run, const struct bl_job *like)
{
    struct bl_job *job = bl_map_find(&run->core->jobs, run->next_id);

    job->foresight = like->foresight;
    job->predicted_run = like->predicted_run;
    if (bl_job_state_is_active(like->state)) {
        bl_predictions_now(like, run->began, &job->foresight.dist);
    }
}

static void arrive(struct run *run)
{
    const struct bl_foretell_source *source = &run->source;
    struct arrival *next = &run->arrival;
    bl_time now = bl_core_now(run->core);
    struct bl_event event = {.kind = BL_EVENT_JOB_SUBMITTED,
                             .at = next->at > now ? next->at : now,
                             .job = run->next_id,
                             .u.submitted = next->spec};

    if (next->run > 0) {
        bl_time *length = bl_arena_alloc(&run->scratch, sizeof *length);

        *length = next->run;
        bl_map_insert(&run->lengths, run->next_id, length);
    }
    bl_core_step(run->core, &event, NULL);
    if (source->like) {
        foresee(run, source->like(source->self));
    }
    run->next_id += 1 + bl_array_count(&next->spec);
    run->events++;
    draw_arrival(run);
}

/* --- one run --------------------------------------------------------------------------------- */

static bl_time first_end(const struct run *run)
{
    const struct bl_heap_item *first = bl_heap_peek(&run->ends);

    return first ? first->time : BL_TIME_NEVER;
}

static bl_time first_arrival(const struct run *run)
{
    return run->arrival.is_there ? run->arrival.at : BL_TIME_NEVER;
}

static bl_time sooner(bl_time a, bl_time b)
{
    return a < b ? a : b;
}

static bl_time next_event(const struct run *run)
{
    return sooner(first_end(run), first_arrival(run));
}

static void pass_event(struct run *run)
{
    if (first_end(run) <= first_arrival(run)) {
        end_next(run);
    } else {
        arrive(run);
    }
}

/* Each round looks at all jobs. */
static bool is_dear(const struct bl_policy *policy)
{
    return policy && (policy->is_elastic || policy->is_thorough);
}

/* How many events share a round: few at first, more the further it goes, but never so many that
 * much of what runs has ended meanwhile. */
static int64_t events_a_round(const struct run *run)
{
    const struct bl_policy *policy = run->core->choice.policy;
    int share = is_dear(policy) ? SHARE_ENDED_DEAR : SHARE_ENDED;
    int64_t most = (int64_t)run->core->running.count / share;
    int64_t count = run->options->grain > 0 ? 1 + run->events / run->options->grain : 1;

    count = count < most ? count : most;
    return count > 1 ? count : 1;
}

/* Lets time pass up to the next round. What is booked is never late. */
static bl_time pass_events(struct run *run, bl_time first)
{
    int64_t left = events_a_round(run);
    bl_time until = left > 1 ? run->core->bookings->wake_at : first;
    bl_time now = bl_core_now(run->core);

    now = first > now ? first : now;
    while (left-- > 0 && next_event(run) <= until && next_event(run) != BL_TIME_NEVER) {
        now = next_event(run) > now ? next_event(run) : now;
        pass_event(run);
    }
    while (next_event(run) <= now) {
        pass_event(run);
    }
    return now;
}

/* Nothing that is left can start or end any more, whatever is booked. */
static bool is_idle(const struct run *run)
{
    const struct bl_core *core = run->core;

    return core->queue.count == 0 && core->booked.count == 0 && core->running.count == 0 &&
           core->timers.count == 0 && !run->arrival.is_there;
}

/* Whoever looks on sees slots that come and go as well. */
static bool is_all_told(const struct run *run)
{
    return !run->options->see && (run->left == 0 || is_idle(run));
}

/* False when nothing will happen any more. */
static bool step(struct run *run)
{
    bl_time wake = bl_core_next_wake(run->core);
    bl_time now = sooner(next_event(run), wake);

    if (now == BL_TIME_NEVER || now > run->horizon || is_all_told(run)) {
        return false;
    }
    now = pass_events(run, now);
    if (bl_core_wants_round(run->core) || bl_core_next_wake(run->core) <= now) {
        decide_until_settled(run, now);
    }
    return true;
}

static void choose_source(struct run *run)
{
    const struct bl_foretell_options *options = run->options;

    if (options->arrivals) {
        run->source = *options->arrivals;
    } else if (options->of_late && !options->is_median) {
        bl_future_begin(&run->future, options->of_late, run->began, options->seed);
        run->source = bl_future_source(&run->future);
    }
}

/* The present is the caller's, where it is later than the last event. */
static void set_now(struct run *run)
{
    struct bl_event event = {.kind = BL_EVENT_CLOCK_JUMPED, .at = run->options->at};

    if (event.at > bl_core_now(run->core)) {
        bl_core_step(run->core, &event, NULL);
    }
    run->began = bl_core_now(run->core);
    run->horizon = run->began + (run->options->horizon > 0 ? run->options->horizon : HORIZON);
}

static void take_up(struct run *run, const struct bl_job *job)
{
    struct bl_foretell_row *row = find_row(run->row, run->count, job->id);

    run->next_id = job->id + bl_array_count(&job->spec) >= run->next_id
                       ? job->id + bl_array_count(&job->spec) + 1
                       : run->next_id;
    if (!bl_job_state_is_active(job->state)) {
        return;
    }
    row->is_active = true;
    row->start = job->running_at ? job->running_at : job->started_at;
    if (job->state == BL_JOB_STARTING) {
        report_started(run, job);
    }
    push_end(run, job, row->start);
}

static void begin(struct run *run)
{
    size_t cursor = 0;
    const struct bl_job *job;

    set_now(run);
    choose_source(run);
    draw_arrival(run);
    while ((job = bl_core_next_job(run->core, &cursor))) {
        take_up(run, job);
    }
    run->arrivals_from = run->next_id;
}

static bool is_stopped(const struct bl_foretell_options *options)
{
    return options->is_stopped && options->is_stopped(options->stopper);
}

static void show(const struct run *run)
{
    if (run->options->see) {
        run->options->see(run->options->seer, run->core);
    }
}

struct bl_foretell_run bl_foretell_run_changed(struct bl_core *fork,
                                               const struct bl_foretell_options *options,
                                               struct bl_arena *arena)
{
    struct run run = {.options = options, .core = fork, .arrivals_from = INT64_MAX};
    bool is_due = bl_core_wants_round(fork);
    bool is_whole = true;

    make_rows(&run, fork, arena);
    begin(&run);
    if (is_due) {
        decide_until_settled(&run, run.began);
    }
    show(&run);
    for (int i = 0; i < BL_FORETELL_STEPS_MAX && is_whole && !run.is_over && step(&run); i++) {
        show(&run);
        is_whole = !is_stopped(options);
    }
    bl_core_destroy(run.core);
    bl_heap_finish(&run.ends);
    BL_VEC_FINISH(&run.freed);
    bl_actions_finish(&run.actions);
    bl_map_finish(&run.lengths);
    bl_arena_finish(&run.scratch);
    return (struct bl_foretell_run){run.row, run.count, run.began, is_whole};
}

struct bl_foretell_run bl_foretell_run(const struct bl_core *core,
                                       const struct bl_foretell_options *options,
                                       struct bl_arena *arena)
{
    assert(bl_core_can_export(core));
    return bl_foretell_run_changed(bl_core_fork(core), options, arena);
}

uint64_t bl_foretell_seed(uint64_t of, size_t k)
{
    struct bl_rng rng;

    bl_rng_seed(&rng, of + k);
    return bl_rng_next(&rng);
}

/* The rounds of a run grow with the grain, and what each costs with the jobs it looks at. */
int32_t bl_foretell_grain(const struct bl_core *core)
{
    const struct bl_policy *policy = core->choice.policy;
    size_t jobs = core->queue.count + core->running.count + 1;
    size_t grain = (is_dear(policy) ? WORK_DEAR : WORK) / jobs;

    return (int32_t)(grain < GRAIN_LEAST ? GRAIN_LEAST : grain > GRAIN_MOST ? 0 : grain);
}
