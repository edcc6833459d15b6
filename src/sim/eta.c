#include "sim/eta.h"

#include "base/map.h"
#include "base/own.h"
#include "base/sort.h"
#include "base/vec.h"
#include "core/foretell_levels.h"

#include <math.h>

enum { RUNS = 32, LEVELS = 3 };

static const double level[LEVELS] = {.1, .5, .9};

/* What was said of one job when it was submitted. */
struct said {
    double run_s[LEVELS]; /* 0 = nothing */
    struct bl_outline outline;
    struct bl_range start;
    bool has_start;
};

struct score {
    int64_t count;
    double error, bias, covered, pinball, accuracy;
};

/* One start, for what is told of all of them. */
struct outcome {
    double wait_s; /* as it was foreseen */
    double error_s;
    bool is_covered;
};

struct bl_sim_eta {
    struct bl_map said;
    BL_VEC(bl_job_id) untold;
    BL_VEC(struct outcome) outcomes;
    struct bl_foretell_levels levels;
    struct score starts, runs;
    uint64_t seed;
};

struct bl_sim_eta *bl_sim_eta_create(uint64_t seed)
{
    struct bl_sim_eta *eta = bl_alloc_zero(sizeof *eta);

    eta->seed = seed;
    return eta;
}

void bl_sim_eta_destroy(struct bl_sim_eta *eta)
{
    if (!eta) {
        return;
    }
    bl_map_finish_owned(&eta->said);
    BL_VEC_FINISH(&eta->untold);
    BL_VEC_FINISH(&eta->outcomes);
    free(eta);
}

void bl_sim_eta_note_submitted(struct bl_sim_eta *eta, const struct bl_core *core, bl_job_id id)
{
    const struct bl_job *job = bl_core_find_job(core, id);
    struct said *said;

    if (!job || bl_map_find(&eta->said, id)) {
        return;
    }
    said = bl_alloc_zero(sizeof *said);
    for (int i = 0; i < LEVELS; i++) {
        said->run_s[i] = (double)bl_dist_quantile(&job->foresight.dist, level[i]) / BL_SECOND;
    }
    bl_map_insert(&eta->said, id, said);
    BL_VEC_PUSH(&eta->untold, id);
}

static void tell_start(struct bl_sim_eta *eta, const struct bl_core *core, bl_job_id id)
{
    struct said *said = bl_map_find(&eta->said, id);
    struct bl_foretold_question question = {id, RUNS, eta->seed ^ (uint64_t)id,
                                            bl_core_arrivals(core)};
    struct bl_foretold foretold;

    bl_foretold_start(core, &question, &foretold);
    said->outline = bl_foretold_outline(&foretold);
    said->start = bl_foretell_levels_read(&eta->levels, &said->outline);
    said->has_start = said->start.p90 != BL_TIME_NEVER;
}

void bl_sim_eta_tell(struct bl_sim_eta *eta, const struct bl_core *core)
{
    size_t kept = 0;

    if (eta->untold.count == 0 || !bl_core_can_export(core)) {
        return;
    }
    for (size_t i = 0; i < eta->untold.count; i++) {
        const struct bl_job *job = bl_core_find_job(core, eta->untold.at[i]);

        if (job && job->state == BL_JOB_QUEUED && !job->array) {
            tell_start(eta, core, job->id);
        } else if (job && (job->state == BL_JOB_WAITING || job->state == BL_JOB_HELD)) {
            eta->untold.at[kept++] = job->id;
        }
    }
    eta->untold.count = kept;
}

static double ratio(double a, double b)
{
    return fmax(a, b) > 0 ? fmin(a, b) / fmax(a, b) : 1;
}

static bool is_covered(const double said[LEVELS], double truth)
{
    return truth >= said[0] * (1 - 1e-6) && truth <= said[LEVELS - 1] * (1 + 1e-6);
}

static void add_score(struct score *score, const double said[LEVELS], double truth)
{
    double pinball = 0;

    for (int i = 0; i < LEVELS; i++) {
        pinball += bl_pinball(level[i], said[i], truth) / LEVELS;
    }
    score->count++;
    score->error += fabs(said[1] - truth);
    score->bias += said[1] - truth;
    score->covered += is_covered(said, truth);
    score->pinball += pinball;
    score->accuracy += ratio(said[1], truth);
}

static double seconds_between(bl_time from, bl_time to)
{
    return (double)(to - from) / BL_SECOND;
}

void bl_sim_eta_note_started(struct bl_sim_eta *eta, const struct bl_job *job)
{
    struct said *said = bl_map_find(&eta->said, job->id);
    bl_time from = job->submitted_at;
    double truth = seconds_between(from, job->first_started_at);
    double wait_s[LEVELS];

    if (!said || !said->has_start || job->first_started_at != job->started_at || truth <= 0) {
        return;
    }
    wait_s[0] = seconds_between(from, said->start.p10);
    wait_s[1] = seconds_between(from, said->start.p50);
    wait_s[2] = seconds_between(from, said->start.p90);
    add_score(&eta->starts, wait_s, truth);
    BL_VEC_PUSH(&eta->outcomes,
                (struct outcome){wait_s[1], fabs(wait_s[1] - truth), is_covered(wait_s, truth)});
    bl_foretell_levels_note(&eta->levels, &said->outline, job->first_started_at);
    said->has_start = false;
}

void bl_sim_eta_note_ended(struct bl_sim_eta *eta, const struct bl_job *job)
{
    struct said *said = bl_map_remove(&eta->said, job->id);

    if (said && job->attempt > 0 && said->run_s[1] > 0) {
        add_score(&eta->runs, said->run_s,
                  seconds_between(job->started_at - job->ran_before, job->ended_at));
    }
    free(said);
}

static int compare_errors(const void *left, const void *right)
{
    const struct outcome *a = left;
    const struct outcome *b = right;

    return (a->error_s > b->error_s) - (a->error_s < b->error_s);
}

static int compare_waits(const void *left, const void *right)
{
    const struct outcome *a = left;
    const struct outcome *b = right;

    return (a->wait_s > b->wait_s) - (a->wait_s < b->wait_s);
}

/* The tenths of the starts by the wait that was foreseen, the shortest first. */
static void fill_tenths(struct bl_sim_eta *eta, double out[BL_SIM_ETA_TENTHS])
{
    size_t count = eta->outcomes.count;

    bl_sort(eta->outcomes.at, count, sizeof(struct outcome), compare_waits);
    for (size_t tenth = 0; tenth < BL_SIM_ETA_TENTHS; tenth++) {
        size_t from = count * tenth / BL_SIM_ETA_TENTHS;
        size_t to = count * (tenth + 1) / BL_SIM_ETA_TENTHS;
        double covered = 0;

        for (size_t i = from; i < to; i++) {
            covered += eta->outcomes.at[i].is_covered;
        }
        out[tenth] = to > from ? covered / (double)(to - from) : (double)NAN;
    }
}

static double median_error(struct bl_sim_eta *eta)
{
    size_t count = eta->outcomes.count;

    bl_sort(eta->outcomes.at, count, sizeof(struct outcome), compare_errors);
    return count > 0 ? eta->outcomes.at[(count - 1) / 2].error_s : (double)NAN;
}

void bl_sim_eta_fill(struct bl_sim_eta *eta, struct bl_sim_eta_figures *out)
{
    const struct score *starts = &eta->starts;
    double of_starts = starts->count > 0 ? (double)starts->count : (double)NAN;
    double of_runs = eta->runs.count > 0 ? (double)eta->runs.count : (double)NAN;

    *out = (struct bl_sim_eta_figures){
        .jobs = starts->count,
        .median_error_s = median_error(eta),
        .mae_s = starts->error / of_starts,
        .bias_s = starts->bias / of_starts,
        .coverage = starts->covered / of_starts,
        .pinball_s = starts->pinball / of_starts,
        .pred_accuracy = eta->runs.accuracy / of_runs,
        .pred_mae_s = eta->runs.error / of_runs,
        .pred_coverage = eta->runs.covered / of_runs,
    };
    fill_tenths(eta, out->coverage_of);
}
