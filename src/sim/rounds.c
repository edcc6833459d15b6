#include "sim/rounds.h"

#include "base/vec.h"
#include "base/sort.h"
#include "sim/world.h"

#include <assert.h>
#include <signal.h>

enum {
    ROUNDS_AT_ONCE_MAX = 16, /* while what others gave back is handed on */
    EXIT_SAVED = 85          /* "checkpointed, put me back" */
};

#define LONGEST_REPLAY (3650 * BL_DAY) /* behind the last submission */

struct holder {
    bl_job_id job;
    int32_t attempt;
};

struct end {
    bl_time at;
    struct holder holder;
};

struct rounds {
    struct bl_sim_steps *steps;
    struct bl_sim_world *world;
    bl_time period, last_submit;
    BL_VEC(struct holder) holders; /* jobs that hold GPUs, by id */
    BL_VEC(struct end) ends;       /* of the round that passes */
    bool was_moved;                /* the last decision took GPUs from somebody */
    struct bl_event report;        /* large, so that it is made once */
};

static void report(struct rounds *rounds, enum bl_event_kind kind, struct holder holder)
{
    rounds->report.kind = kind;
    rounds->report.at = rounds->steps->now;
    rounds->report.job = holder.job;
    rounds->report.attempt = holder.attempt;
    bl_sim_step(rounds->steps, &rounds->report);
}

static void report_word(struct rounds *rounds, struct holder holder, const struct bl_sim_word *word)
{
    rounds->report.u.progress.done = word->done;
    rounds->report.u.progress.total = word->total;
    rounds->report.u.progress.gpu_type = NULL;
    rounds->report.u.progress.has_observation = word->has_trained;
    rounds->report.u.progress.observation = (struct bl_observation){
        .gpus = word->gpus,
        .nodes = word->nodes,
        .local_batch = word->local_batch,
        .accumulation = word->accumulation,
        .iter_s = word->iter_s,
        .sync_s = word->sync_s,
        .rate = word->rate,
        .grad_sqr = word->grad_sqr,
        .grad_var = word->grad_var,
    };
    report(rounds, BL_EVENT_JOB_PROGRESS, holder);
}

static void report_progress(struct rounds *rounds, struct holder holder)
{
    struct bl_sim_word word;

    while (bl_sim_world_ask_more(rounds->world, holder.job, &word)) {
        report_word(rounds, holder, &word);
    }
    word = bl_sim_world_ask(rounds->world, holder.job);
    report_word(rounds, holder, &word);
}

static void report_end(struct rounds *rounds, struct holder holder, enum bl_end_cause cause,
                       int32_t code)
{
    rounds->report.u.ended.cause = cause;
    rounds->report.u.ended.code = code;
    report(rounds, BL_EVENT_JOB_ENDED, holder);
}

/* Where the job stands among the holders, or would. */
static size_t find_holder(const struct rounds *rounds, bl_job_id job)
{
    size_t low = 0;
    size_t high = rounds->holders.count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (rounds->holders.at[middle].job < job) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static void start(struct rounds *rounds, const struct bl_action *action)
{
    struct holder holder = {action->job, action->attempt};

    bl_sim_world_place(rounds->world, action->job, action->alloc,
                       bl_core_cluster(rounds->steps->core));
    BL_VEC_INSERT(&rounds->holders, find_holder(rounds, action->job), holder);
    rounds->report.u.started.pid = 0;
    report(rounds, BL_EVENT_JOB_STARTED, holder);
}

/* A job that is resized keeps what it holds until it starts again: nothing passes in between. */
static void end_attempt(struct rounds *rounds, const struct bl_action *action)
{
    struct holder holder = {action->job, action->attempt};
    size_t place = find_holder(rounds, action->job);

    assert(place < rounds->holders.count);
    BL_VEC_REMOVE(&rounds->holders, place);
    rounds->was_moved = true;
    if (action->kind == BL_ACTION_STOP) {
        bl_sim_world_place(rounds->world, action->job, NULL, NULL);
        report_end(rounds, holder, BL_END_SIGNALLED, SIGTERM);
        return;
    }
    if (action->kind == BL_ACTION_PREEMPT) {
        bl_sim_world_place(rounds->world, action->job, NULL, NULL);
    }
    report_progress(rounds, holder);
    report_end(rounds, holder, BL_END_EXITED, EXIT_SAVED);
}

static void carry_out(struct rounds *rounds, const struct bl_action *action)
{
    switch (action->kind) {
    case BL_ACTION_START:
        start(rounds, action);
        break;
    case BL_ACTION_STOP:
    case BL_ACTION_RESIZE:
    case BL_ACTION_PREEMPT:
        end_attempt(rounds, action);
        break;
    case BL_ACTION_SIGNAL: /* a traced job has nothing to save */
    case BL_ACTION_COUNT:
        break;
    }
}

/* What is given back in a round is handed on at the same instant. Answers whether anything was
 * decided. */
static bool decide(struct rounds *rounds)
{
    struct bl_sim_steps *steps = rounds->steps;
    bool was_decided = false;

    for (int i = 0; i < ROUNDS_AT_ONCE_MAX; i++) {
        rounds->was_moved = false;
        bl_sim_steps_decide(steps);
        for (size_t k = 0; k < steps->actions.list.count; k++) {
            carry_out(rounds, &steps->actions.list.at[k]);
        }
        was_decided = was_decided || steps->actions.list.count > 0;
        if (!rounds->was_moved) {
            break;
        }
    }
    return was_decided;
}

/* Everybody trains; those that end are noted, with the second at which they do. */
static void advance(struct rounds *rounds)
{
    size_t kept = 0;

    for (size_t i = 0; i < rounds->holders.count; i++) {
        struct holder holder = rounds->holders.at[i];
        struct bl_sim_advance done =
            bl_sim_world_advance(rounds->world, holder.job, rounds->period / BL_SECOND);

        if (done.has_ended) {
            BL_VEC_PUSH(&rounds->ends,
                        (struct end){rounds->steps->now + done.after_s * BL_SECOND, holder});
        } else {
            rounds->holders.at[kept++] = holder;
        }
    }
    rounds->holders.count = kept;
}

static int compare_ends(const void *left, const void *right)
{
    const struct end *a = left;
    const struct end *b = right;

    if (a->at != b->at) {
        return a->at < b->at ? -1 : 1;
    }
    return (a->holder.job > b->holder.job) - (a->holder.job < b->holder.job);
}

static void end_job(struct rounds *rounds, const struct end *end)
{
    rounds->steps->now = end->at;
    report_progress(rounds, end->holder);
    report_end(rounds, end->holder, BL_END_EXITED, 0);
    bl_sim_world_forget(rounds->world, end->holder.job);
}

/* What a profile tells before the first job of an application runs. */
static void tell_lessons(struct rounds *rounds)
{
    rounds->report.kind = BL_EVENT_CURVE_LEARNED;
    rounds->report.at = rounds->steps->now;
    while (bl_sim_world_next_lesson(rounds->world, &rounds->report.u.curve.lesson,
                                    &rounds->report.u.curve.gpu_type)) {
        bl_sim_step(rounds->steps, &rounds->report);
    }
}

static int submit(struct rounds *rounds, struct bl_error *err)
{
    struct bl_sim_steps *steps = rounds->steps;
    int status = bl_sim_world_admit(rounds->world, &steps->next, err);

    if (status != BL_OK) {
        return status;
    }
    steps->now = steps->next.submit;
    rounds->last_submit = steps->now;
    tell_lessons(rounds);
    bl_sim_steps_submit(steps);
    return bl_sim_steps_read(steps, err);
}

/* What happens up to and at `until`, in the order of time; ends before submissions. */
static int pass_time(struct rounds *rounds, bl_time until, struct bl_error *err)
{
    struct bl_sim_steps *steps = rounds->steps;
    int status = BL_OK;
    size_t ended = 0;

    bl_sort(rounds->ends.at, rounds->ends.count, sizeof *rounds->ends.at, compare_ends);
    while (status == BL_OK) {
        bool has_end = ended < rounds->ends.count;
        bool has_next = steps->has_next && steps->next.submit <= until;

        if (has_end && (!has_next || rounds->ends.at[ended].at <= steps->next.submit)) {
            end_job(rounds, &rounds->ends.at[ended++]);
        } else if (has_next) {
            status = submit(rounds, err);
        } else {
            break;
        }
    }
    rounds->ends.count = 0;
    steps->now = until;
    for (size_t i = 0; status == BL_OK && i < rounds->holders.count; i++) {
        report_progress(rounds, rounds->holders.at[i]);
    }
    return status;
}

static bl_time round_from(bl_time at, bl_time period)
{
    bl_time past = at % period;

    return past ? at + (period - past) : at;
}

static int check_length(const struct rounds *rounds, struct bl_error *err)
{
    if (rounds->steps->now - rounds->last_submit > LONGEST_REPLAY) {
        return bl_fail(err, BL_ETOOBIG, "%zu jobs have not ended ten years after the last one came",
                       rounds->holders.count);
    }
    return BL_OK;
}

/* A round with anybody there, then the next one a period later; else the one behind the next
 * submission. */
static int run(struct rounds *rounds, struct bl_error *err)
{
    struct bl_sim_steps *steps = rounds->steps;
    int status = pass_time(rounds, round_from(steps->now, rounds->period), err);

    while (status == BL_OK) {
        bool was_decided = decide(rounds);

        if (rounds->holders.count > 0) {
            advance(rounds);
            status = pass_time(rounds, steps->now + rounds->period, err);
        } else if (steps->has_next) {
            status = pass_time(rounds, round_from(steps->next.submit, rounds->period), err);
        } else if (was_decided || bl_core_next_wake(steps->core) < BL_TIME_NEVER) {
            status = pass_time(rounds, steps->now + rounds->period, err);
        } else {
            break;
        }
        status = status == BL_OK ? check_length(rounds, err) : status;
    }
    return status;
}

static int check_period(bl_time period, struct bl_error *err)
{
    if (period < BL_SECOND || period % BL_SECOND != 0) {
        bl_fail(err, BL_EINVAL, "--round: these jobs are timed in whole seconds");
        return bl_error_set_hint(err, "give a round of whole seconds, such as 60s");
    }
    return BL_OK;
}

int bl_sim_run_rounds(struct bl_sim_steps *steps, struct bl_error *err)
{
    struct rounds rounds = {
        .steps = steps, .world = steps->setup->world, .period = steps->setup->round};
    int status = check_period(rounds.period, err);

    if (status == BL_OK) {
        status = bl_sim_steps_read(steps, err);
    }
    if (status == BL_OK) {
        steps->now = steps->has_next ? steps->next.submit : 0;
        status = bl_sim_steps_begin(steps, err);
    }
    if (status == BL_OK) {
        status = run(&rounds, err);
    }
    BL_VEC_FINISH(&rounds.holders);
    BL_VEC_FINISH(&rounds.ends);
    return status;
}
