#include "optimum.h"

#include <math.h>

struct search {
    const struct optimum_case *of;
    double best; /* sum of completion times less releases */
};

struct state {
    double now, spent; /* of jobs that ended */
    double left[OPTIMUM_JOBS_MAX];
    int held[OPTIMUM_JOBS_MAX];
};

static double top_speed(const struct optimum_job *job)
{
    double top = 0;

    for (int gpus = job->min; gpus <= job->max; gpus++) {
        top = fmax(top, job->speed[gpus]);
    }
    return top;
}

/* What is spent at least, if all others wait for nothing. */
static double least_spent(const struct search *search, const struct state *state)
{
    double sum = state->spent;

    for (size_t i = 0; i < search->of->job_count; i++) {
        const struct optimum_job *job = &search->of->job[i];

        if (state->left[i] > 0) {
            sum += fmax(state->now, job->release) - job->release + state->left[i] / top_speed(job);
        }
    }
    return sum;
}

/* The next instant at which a job comes or ends; infinite when nothing is to come. */
static double next_instant(const struct search *search, const struct state *state)
{
    double next = INFINITY;

    for (size_t i = 0; i < search->of->job_count; i++) {
        const struct optimum_job *job = &search->of->job[i];

        if (state->left[i] > 0 && job->release > state->now) {
            next = fmin(next, job->release);
        } else if (state->left[i] > 0 && state->held[i] > 0) {
            next = fmin(next, state->now + state->left[i] / job->speed[state->held[i]]);
        }
    }
    return next;
}

static void advance(const struct search *search, struct state *state, double to)
{
    for (size_t i = 0; i < search->of->job_count; i++) {
        const struct optimum_job *job = &search->of->job[i];

        if (state->left[i] <= 0 || state->held[i] == 0) {
            continue;
        }
        state->left[i] -= (to - state->now) * job->speed[state->held[i]];
        if (state->left[i] <= 1e-9 * job->work) {
            state->left[i] = 0;
            state->held[i] = 0;
            state->spent += to - job->release;
        }
    }
    state->now = to;
}

static bool has_ended(const struct search *search, const struct state *state)
{
    for (size_t i = 0; i < search->of->job_count; i++) {
        if (state->left[i] > 0) {
            return false;
        }
    }
    return true;
}

static void decide(struct search *search, const struct state *state, size_t job, int free_gpus);

static void hold_until_next(struct search *search, const struct state *state)
{
    double next = next_instant(search, state);
    struct state then = *state;

    if (next == INFINITY) {
        search->best = has_ended(search, state) ? fmin(search->best, state->spent) : search->best;
        return;
    }
    advance(search, &then, next);
    if (least_spent(search, &then) < search->best * (1 - 1e-12)) {
        decide(search, &then, 0, search->of->gpus);
    }
}

/* Tries all that this job and those behind it could hold until the next instant. */
static void decide(struct search *search, const struct state *state, size_t job, int free_gpus)
{
    const struct optimum_job *asked = &search->of->job[job];
    struct state next = *state;

    if (job == search->of->job_count) {
        hold_until_next(search, state);
        return;
    }
    if (state->left[job] <= 0 || asked->release > state->now) {
        next.held[job] = 0;
        decide(search, &next, job + 1, free_gpus);
        return;
    }
    if (asked->in_one_piece && state->held[job] > 0) {
        if (state->held[job] <= free_gpus) {
            decide(search, &next, job + 1, free_gpus - state->held[job]);
        }
        return;
    }
    for (int gpus = asked->max < free_gpus ? asked->max : free_gpus; gpus >= 0; gpus--) {
        if (gpus == 0 || gpus >= asked->min) {
            next.held[job] = gpus;
            decide(search, &next, job + 1, free_gpus - gpus);
        }
    }
}

double optimum_mean(const struct optimum_case *of)
{
    struct search search = {of, INFINITY};
    struct state state = {.now = INFINITY};

    for (size_t i = 0; i < of->job_count; i++) {
        state.now = fmin(state.now, of->job[i].release);
        state.left[i] = of->job[i].work;
    }
    decide(&search, &state, 0, of->gpus);
    return search.best / (double)of->job_count;
}
