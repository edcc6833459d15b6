#include "core/pollux.h"

#include "core/levmar.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Bounds of the parameters. */
#define LEAST     1e-8
#define MOST      1e8
#define GAMMA_MAX 10.0

/* The objective is the sum of two roots of mean squares, of compute times and of whole steps, and
 * of small squares that keep gamma and growth low. It is minimised as weighted least squares, the
 * weights taken from the last answer. */
#define GAMMA_PENALTY  0.0316227766016838 /* root of 1e-3 */
#define GROWTH_PENALTY 0.1                /* root of 1e-2 */
#define ROOT_LEAST     1e-5
enum { REWEIGHTINGS = 4, REWEIGHTINGS_WARM = 2, ROUNDS = 12, PENALTIES = 3 };

enum param { ALPHA_C, BETA_C, ALPHA_N, BETA_N, ALPHA_R, BETA_R, GAMMA, PARAMS };

struct fit {
    const struct bl_pollux_point *point;
    size_t count;
    double log_compute[BL_POLLUX_POINTS_MAX], log_step[BL_POLLUX_POINTS_MAX]; /* as seen */
    double value[PARAMS]; /* logarithms, but for gamma */
    enum param free_param[PARAMS];
    size_t free_count;
    double weight[2]; /* of compute times, of steps */
};

/* One prediction with its derivatives to the logarithms of what it is made of. */
struct prediction {
    double log_compute, log_step;
    double share_c;       /* of alpha_c in the compute time */
    double share_a;       /* of the fixed part in the network time */
    double share_compute; /* of compute in the step */
    double by_gamma;
    bool is_across;
};

static double growth_of(int32_t gpus)
{
    return gpus > 2 ? gpus - 2 : LEAST;
}

static void exponentiate(const double value[PARAMS], double plain[PARAMS])
{
    for (enum param param = 0; param < GAMMA; param++) {
        plain[param] = exp(value[param]);
    }
    plain[GAMMA] = value[GAMMA];
}

static struct prediction predict(const double plain[PARAMS], const struct bl_pollux_point *point)
{
    struct prediction found = {.is_across = point->nodes > 1};
    double gamma = plain[GAMMA];
    double compute = plain[ALPHA_C] + plain[BETA_C] * point->local_batch;
    double start = LEAST;
    double network = LEAST;
    double log_network;
    double powered;

    if (point->gpus > 1) {
        start = plain[found.is_across ? ALPHA_N : ALPHA_R];
        network = start + plain[found.is_across ? BETA_N : BETA_R] * growth_of(point->gpus);
    }
    found.log_compute = log(compute);
    log_network = log(network);
    powered = exp(gamma * (log_network - found.log_compute));
    found.share_c = plain[ALPHA_C] / compute;
    found.share_a = start / network;
    found.share_compute = 1 / (1 + powered);
    found.log_step = found.log_compute + log1p(powered) / gamma;
    found.by_gamma = (found.share_compute * found.log_compute +
                      (1 - found.share_compute) * log_network - found.log_step) /
                     gamma;
    return found;
}

static void fill_row(double row[PARAMS], const struct prediction *at, bool is_step, double weight)
{
    double compute = is_step ? at->share_compute : 1;
    double network = is_step ? 1 - at->share_compute : 0;

    memset(row, 0, PARAMS * sizeof *row);
    row[ALPHA_C] = weight * compute * at->share_c;
    row[BETA_C] = weight * compute * (1 - at->share_c);
    row[at->is_across ? ALPHA_N : ALPHA_R] = weight * network * at->share_a;
    row[at->is_across ? BETA_N : BETA_R] = weight * network * (1 - at->share_a);
    row[GAMMA] = is_step ? weight * at->by_gamma : 0;
}

static void fill_penalties(const double value[PARAMS], double *residual, double (*row)[PARAMS])
{
    static const enum param alpha[] = {ALPHA_N, ALPHA_R};
    static const enum param beta[] = {BETA_N, BETA_R};

    memset(row, 0, PENALTIES * sizeof *row);
    for (int i = 0; i < 2; i++) {
        residual[i] = GROWTH_PENALTY * exp(value[beta[i]] - value[alpha[i]]);
        row[i][beta[i]] = residual[i];
        row[i][alpha[i]] = -residual[i];
    }
    residual[2] = GAMMA_PENALTY * (value[GAMMA] - 1);
    row[2][GAMMA] = GAMMA_PENALTY;
}

static void keep_free(const struct fit *fit, double (*row)[PARAMS], size_t rows, double *jacobian)
{
    for (size_t i = 0; i < rows; i++) {
        for (size_t k = 0; k < fit->free_count; k++) {
            jacobian[i * fit->free_count + k] = row[i][fit->free_param[k]];
        }
    }
}

static void spread(const struct fit *fit, const double *x, double value[PARAMS])
{
    memcpy(value, fit->value, sizeof fit->value);
    for (size_t k = 0; k < fit->free_count; k++) {
        value[fit->free_param[k]] = x[k];
    }
}

static void evaluate(const void *self, const double *x, double *residual, double *jacobian)
{
    const struct fit *fit = self;
    double value[PARAMS];
    double plain[PARAMS];
    double row[PENALTIES][PARAMS];

    spread(fit, x, value);
    exponentiate(value, plain);
    for (size_t i = 0; i < fit->count; i++) {
        struct prediction at = predict(plain, &fit->point[i]);

        residual[2 * i] = fit->weight[0] * (at.log_compute - fit->log_compute[i]);
        residual[2 * i + 1] = fit->weight[1] * (at.log_step - fit->log_step[i]);
        if (jacobian) {
            fill_row(row[0], &at, false, fit->weight[0]);
            fill_row(row[1], &at, true, fit->weight[1]);
            keep_free(fit, row, 2, jacobian + 2 * i * fit->free_count);
        }
    }
    fill_penalties(value, residual + 2 * fit->count, row);
    if (jacobian) {
        keep_free(fit, row, PENALTIES, jacobian + 2 * fit->count * fit->free_count);
    }
}

/* The derivative of a root of a mean square is that of the squares over twice count × root. */
static void reweight(struct fit *fit)
{
    double sum[2] = {0, 0};
    double plain[PARAMS];

    exponentiate(fit->value, plain);
    for (size_t i = 0; i < fit->count; i++) {
        struct prediction at = predict(plain, &fit->point[i]);
        double compute = at.log_compute - fit->log_compute[i];
        double step = at.log_step - fit->log_step[i];

        sum[0] += compute * compute;
        sum[1] += step * step;
    }
    for (int i = 0; i < 2; i++) {
        double root = fmax(sqrt(sum[i] / (double)fit->count), ROOT_LEAST);

        fit->weight[i] = sqrt(1 / (2 * root * (double)fit->count));
    }
}

static void fix(bool is_fixed[PARAMS], double value[PARAMS], enum param param, double to)
{
    is_fixed[param] = true;
    value[param] = log(to);
}

/* What nothing was seen of stays at next to nothing; with one batch alone, half of its time is
 * taken to be fixed. */
static void choose_free(struct fit *fit)
{
    bool is_fixed[PARAMS] = {false};
    bool is_across = false;
    bool is_within = false;
    bool is_large = false;
    bool is_one_batch = true;
    double compute = 0;

    for (size_t i = 0; i < fit->count; i++) {
        const struct bl_pollux_point *point = &fit->point[i];

        is_across |= point->nodes > 1;
        is_within |= point->nodes == 1 && point->gpus > 1;
        is_large |= point->gpus > 2;
        is_one_batch &= point->local_batch == fit->point[0].local_batch;
        compute += point->compute_s / (double)fit->count;
    }
    if (is_one_batch) {
        fix(is_fixed, fit->value, ALPHA_C, compute / 2);
    }
    if (!is_across) {
        fix(is_fixed, fit->value, ALPHA_N, LEAST);
    }
    if (!is_within) {
        fix(is_fixed, fit->value, ALPHA_R, LEAST);
    }
    if (!is_across || !is_large) {
        fix(is_fixed, fit->value, BETA_N, LEAST);
    }
    if (!is_within || !is_large) {
        fix(is_fixed, fit->value, BETA_R, LEAST);
    }
    for (enum param param = 0; param < PARAMS; param++) {
        if (!is_fixed[param]) {
            fit->free_param[fit->free_count++] = param;
        }
    }
}

static void minimise(struct fit *fit, int reweightings)
{
    double scratch[BL_LEVMAR_SCRATCH(PARAMS, 2 * BL_POLLUX_POINTS_MAX + PENALTIES)];
    double low[PARAMS];
    double high[PARAMS];
    double x[PARAMS];
    struct bl_levmar problem = {.params = fit->free_count,
                                .residuals = 2 * fit->count + PENALTIES,
                                .low = low,
                                .high = high,
                                .evaluate = evaluate,
                                .self = fit,
                                .scratch = scratch,
                                .rounds_max = ROUNDS};

    for (size_t k = 0; k < fit->free_count; k++) {
        bool is_gamma = fit->free_param[k] == GAMMA;

        low[k] = is_gamma ? 1 : log(LEAST);
        high[k] = is_gamma ? GAMMA_MAX : log(MOST);
        x[k] = fit->value[fit->free_param[k]];
    }
    for (int i = 0; i < reweightings; i++) {
        reweight(fit);
        bl_levmar_solve(&problem, x);
        spread(fit, x, fit->value);
    }
}

/* Across nodes is never taken to be faster than within one. */
static struct bl_pollux_model model_of(const struct fit *fit)
{
    struct bl_pollux_model model = {
        .alpha_c = exp(fit->value[ALPHA_C]),
        .beta_c = exp(fit->value[BETA_C]),
        .alpha_n = exp(fit->value[ALPHA_N]),
        .beta_n = exp(fit->value[BETA_N]),
        .alpha_r = exp(fit->value[ALPHA_R]),
        .beta_r = exp(fit->value[BETA_R]),
        .gamma = fit->value[GAMMA],
    };
    bool is_across = false;

    for (size_t i = 0; i < fit->count; i++) {
        is_across |= fit->point[i].nodes > 1;
    }
    if (!is_across) {
        model.alpha_n = fmax(model.alpha_n, 1.1 * model.alpha_r);
        model.beta_n = fmax(model.beta_n, 1.1 * model.beta_r);
    }
    return model;
}

static double in_range(double value)
{
    return fmin(fmax(value, LEAST), MOST);
}

/* From another model on: what was next to nothing there begins as it would without one. */
static void begin_from(struct fit *fit, const struct bl_pollux_model *from)
{
    const double plain[GAMMA] = {from->alpha_c, from->beta_c,  from->alpha_n,
                                 from->beta_n,  from->alpha_r, from->beta_r};

    for (enum param param = 0; param < GAMMA; param++) {
        if (plain[param] > 10 * LEAST) {
            fit->value[param] = log(in_range(plain[param]));
        }
    }
    fit->value[GAMMA] = fmin(fmax(from->gamma, 1), GAMMA_MAX);
}

struct bl_pollux_model bl_pollux_fit(const struct bl_pollux_point *point, size_t count,
                                     const struct bl_pollux_model *from)
{
    struct fit fit = {
        .point = point,
        .count = count < BL_POLLUX_POINTS_MAX ? count : BL_POLLUX_POINTS_MAX,
        .value = {log(.1), log(.01), log(.1), log(.01), log(.1), log(.01), 1.001},
    };

    for (size_t i = 0; i < fit.count; i++) {
        fit.log_compute[i] = log(point[i].compute_s);
        fit.log_step[i] = log(point[i].step_s);
    }
    if (from) {
        begin_from(&fit, from);
    }
    choose_free(&fit);
    minimise(&fit, from ? REWEIGHTINGS_WARM : REWEIGHTINGS);
    return model_of(&fit);
}

struct bl_step bl_pollux_step(const struct bl_pollux_model *model, int32_t nodes, int32_t gpus,
                              double local_batch)
{
    double compute = model->alpha_c + model->beta_c * local_batch;
    double growth = growth_of(gpus);
    double network = LEAST;

    if (nodes > 1) {
        network = model->alpha_n + model->beta_n * growth;
    } else if (gpus > 1) {
        network = model->alpha_r + model->beta_r * growth;
    }
    return (struct bl_step){
        .step_s = compute * pow(1 + pow(network / compute, model->gamma), 1 / model->gamma),
        .compute_s = compute,
    };
}

/* A new point that the model foretold to this part of it changes nothing. */
#define FORETOLD 0.005

static bool is_foretold(const struct bl_pollux_known *known, const struct bl_pollux_point *point)
{
    struct bl_step step =
        bl_pollux_step(&known->model, point->nodes, point->gpus, point->local_batch);

    return known->count > 1 && fabs(step.step_s / point->step_s - 1) < FORETOLD &&
           fabs(step.compute_s / point->compute_s - 1) < FORETOLD;
}

static bool is_same_placement(const struct bl_pollux_point *a, const struct bl_pollux_point *b)
{
    return a->nodes == b->nodes && a->gpus == b->gpus;
}

bool bl_pollux_knows(const struct bl_pollux_known *known, const struct bl_pollux_point *point)
{
    for (size_t i = 0; i < known->count; i++) {
        if (is_same_placement(&known->point[i], point) &&
            known->point[i].local_batch == point->local_batch) {
            return true;
        }
    }
    return false;
}

/* The oldest of the placement with most points. */
static void forget_point(struct bl_pollux_known *known)
{
    size_t most = 0;
    size_t out = 0;

    for (size_t i = 0; i < known->count; i++) {
        size_t same = 0;

        for (size_t k = i; k < known->count; k++) {
            same += is_same_placement(&known->point[i], &known->point[k]);
        }
        if (same > most) {
            most = same;
            out = i;
        }
    }
    known->count--;
    memmove(&known->point[out], &known->point[out + 1],
            (known->count - out) * sizeof known->point[0]);
}

bool bl_pollux_see(struct bl_pollux_known *known, const struct bl_pollux_point *point)
{
    bool is_news;

    if (bl_pollux_knows(known, point)) {
        return false;
    }
    is_news = !is_foretold(known, point);
    if (known->count == BL_POLLUX_POINTS_MAX) {
        forget_point(known);
    }
    known->point[known->count++] = *point;
    if (is_news) {
        known->model =
            bl_pollux_fit(known->point, known->count, known->count > 1 ? &known->model : NULL);
    }
    return is_news;
}
