#include "sim/eta.h"

#include "base/map.h"
#include "base/own.h"
#include "base/sort.h"
#include "base/vec.h"
#include "core/foretold.h"
#include "core/predict_levels.h"

#include <math.h>

enum { RUNS = 32, LEVELS = 3, GROUPS = 32 /* octaves of the wait that is foreseen */ };

static const double level[LEVELS] = {.1, .5, .9};

/* What was said of one job when it was submitted. */
struct said {
    double run_s[LEVELS]; /* 0 = nothing */
    bl_time start[LEVELS];
    struct bl_foretold foretold;
    int group;
    bool has_start;
};

struct score {
    int64_t count;
    double error, bias, covered, pinball, accuracy;
};

struct bl_sim_eta {
    struct bl_map said;
    BL_VEC(bl_job_id) untold;
    BL_VEC(double) errors;
    struct bl_levels truths[GROUPS + 1]; /* the last: of all */
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
    size_t cursor = 0;
    struct said *said;

    if (!eta) {
        return;
    }
    while ((said = bl_map_next(&eta->said, &cursor))) {
        free(said);
    }
    bl_map_finish(&eta->said);
    BL_VEC_FINISH(&eta->untold);
    BL_VEC_FINISH(&eta->errors);
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

static int group_of(bl_time wait)
{
    double octave = wait > BL_SECOND ? log2((double)wait / BL_SECOND) : 0;

    return octave < GROUPS ? (int)octave : GROUPS - 1;
}

static void tell_start(struct bl_sim_eta *eta, const struct bl_core *core, bl_job_id id)
{
    struct said *said = bl_map_find(&eta->said, id);
    struct bl_foretold *foretold = &said->foretold;
    double corrected[LEVELS];

    bl_foretold_start(core, id, RUNS, eta->seed ^ (uint64_t)id, foretold);
    said->has_start = foretold->at[RUNS - 1] != BL_TIME_NEVER;
    said->group = group_of(bl_foretold_at(foretold, .5) - bl_core_now(core));
    bl_levels_correct(&eta->truths[said->group], &eta->truths[GROUPS], level, LEVELS, corrected);
    for (int i = 0; i < LEVELS; i++) {
        said->start[i] = bl_foretold_at(foretold, corrected[i]);
    }
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

static void add_score(struct score *score, const double said[LEVELS], double truth)
{
    double pinball = 0;

    for (int i = 0; i < LEVELS; i++) {
        pinball += bl_pinball(level[i], said[i], truth) / LEVELS;
    }
    score->count++;
    score->error += fabs(said[1] - truth);
    score->bias += said[1] - truth;
    score->covered += truth >= said[0] * (1 - 1e-6) && truth <= said[LEVELS - 1] * (1 + 1e-6);
    score->pinball += pinball;
    score->accuracy += ratio(said[1], truth);
}

/* Where the truth lies among the runs; in the middle of those that agree with it. */
static void note_truth(struct bl_sim_eta *eta, const struct said *said, bl_time start)
{
    double below = 0;

    for (size_t i = 0; i < said->foretold.count; i++) {
        below += said->foretold.at[i] < start ? 1 : said->foretold.at[i] == start ? .5 : 0;
    }
    below = (below + .5) / ((double)said->foretold.count + 1);
    bl_levels_note(&eta->truths[said->group], below);
    bl_levels_note(&eta->truths[GROUPS], below);
}

void bl_sim_eta_note_ended(struct bl_sim_eta *eta, const struct bl_job *job)
{
    struct said *said = bl_map_remove(&eta->said, job->id);
    double wait_s[LEVELS];
    double truth = (double)(job->first_started_at - job->submitted_at) / BL_SECOND;

    if (!said) {
        return;
    }
    if (job->attempt > 0 && said->run_s[1] > 0) {
        add_score(&eta->runs, said->run_s,
                  (double)(job->ran_before + job->ended_at - job->started_at) / BL_SECOND);
    }
    if (job->attempt > 0 && said->has_start && truth > 0) {
        for (int i = 0; i < LEVELS; i++) {
            wait_s[i] = (double)(said->start[i] - job->submitted_at) / BL_SECOND;
        }
        add_score(&eta->starts, wait_s, truth);
        BL_VEC_PUSH(&eta->errors, fabs(wait_s[1] - truth));
        note_truth(eta, said, job->first_started_at);
    }
    free(said);
}

static int compare_doubles(const void *left, const void *right)
{
    double a = *(const double *)left;
    double b = *(const double *)right;

    return (a > b) - (a < b);
}

void bl_sim_eta_fill(struct bl_sim_eta *eta, struct bl_sim_eta_figures *out)
{
    const struct score *starts = &eta->starts;
    double of_starts = starts->count > 0 ? (double)starts->count : (double)NAN;
    double of_runs = eta->runs.count > 0 ? (double)eta->runs.count : (double)NAN;

    bl_sort(eta->errors.at, eta->errors.count, sizeof(double), compare_doubles);
    *out = (struct bl_sim_eta_figures){
        .jobs = starts->count,
        .median_error_s =
            starts->count > 0 ? eta->errors.at[(eta->errors.count - 1) / 2] : (double)NAN,
        .mae_s = starts->error / of_starts,
        .bias_s = starts->bias / of_starts,
        .coverage = starts->covered / of_starts,
        .pinball_s = starts->pinball / of_starts,
        .pred_accuracy = eta->runs.accuracy / of_runs,
        .pred_mae_s = eta->runs.error / of_runs,
        .pred_coverage = eta->runs.covered / of_runs,
    };
}
