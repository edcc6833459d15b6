#include "core/fit.h"

#include "core/fit_field.h"

#include <math.h>
#include <string.h>

enum theta { COMPUTE, COMPUTE_SLOPE, SYNC, SYNC_SLOPE, ACROSS, ACROSS_SLOPE, OVERLAP };
enum target { ITERATION, COMPUTE_STEP, SYNC_STEP };

enum { ACCUMULATION_MAX = 1000000 };
enum { ROWS_MAX = 2 * BL_FIT_POINTS_MAX + BL_FIT_PARAMS };

/* Relative scatter of one measurement, and of the model against a measured mean. */
#define MEASUREMENT_SCATTER 0.05
#define MODEL_SCATTER       0.05

/* The part of the points' scatter that is of each batch and placement alone: no neighbour shows it.
 */
#define ROUGHNESS 0.25

/* One time that the model is held against. */
struct row {
    struct bl_shape shape;
    enum target target;
    double log_s;
    double growth; /* doublings of GPUs beyond two */
    double per_deviation;
};

struct fitting {
    size_t row_count;
    const struct bl_fit_prior *prior;
    struct row row[2 * BL_FIT_POINTS_MAX];
};

static bool is_time(double seconds)
{
    return seconds >= 1e-9 && seconds <= 1e9;
}

bool bl_fit_point_is_usable(const struct bl_fit_point *point)
{
    const struct bl_shape *shape = &point->shape;

    return is_time(point->iter_s) && shape->gpus >= 1 && shape->nodes >= 1 &&
           shape->nodes <= shape->gpus && is_time(shape->local_batch) && shape->accumulation >= 0 &&
           shape->accumulation <= ACCUMULATION_MAX && point->count >= 1;
}

/* Both kinds of micro-step, where the point tells them apart. */
static bool split_point(const struct bl_fit_point *point, struct bl_step *out)
{
    double step = (point->iter_s + point->shape.accumulation * point->sync_s) /
                  (point->shape.accumulation + 1);

    *out = (struct bl_step){step, step - point->sync_s};
    return point->shape.gpus > 1 && point->sync_s > 0 && out->compute_s > 0.01 * step;
}

/* Compute time of a micro-step, as far as the point tells. */
static double compute_of(const struct bl_fit_point *point)
{
    struct bl_step step;

    return split_point(point, &step) ? step.compute_s
                                     : point->iter_s / (point->shape.accumulation + 1);
}

/* Of the points with the fewest GPUs, which show computing best: geometric means. */
static void find_scale(const struct bl_fit_point *point, size_t count, double *log_s,
                       double *log_batch)
{
    int32_t fewest = INT32_MAX;
    double found = 0;

    *log_s = 0;
    *log_batch = 0;
    for (size_t i = 0; i < count; i++) {
        if (bl_fit_point_is_usable(&point[i]) && point[i].shape.gpus < fewest) {
            fewest = point[i].shape.gpus;
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (bl_fit_point_is_usable(&point[i]) && point[i].shape.gpus == fewest) {
            *log_s += log(compute_of(&point[i]));
            *log_batch += log(point[i].shape.local_batch);
            found++;
        }
    }
    if (found > 0) {
        *log_s /= found;
        *log_batch /= found;
    }
}

/* Most of the compute time goes with the batch; synchronising is a small part of computing within
 * a node and some three times that across. A ring of n GPUs moves 2 (n - 1) / n of the gradient:
 * from one at two GPUs to two at many, about a fifth more a doubling. All wide. */
struct bl_fit_prior bl_fit_prior_of(const struct bl_fit_point *point, size_t count)
{
    double log_s;
    double log_batch;

    find_scale(point, count, &log_s, &log_batch);
    return (struct bl_fit_prior){
        .mean = {log_s + log(0.2), log_s + log(0.8) - log_batch, log_s + log(0.07), log(0.2),
                 log(3), log(0.2), log(2)},
        .deviation = {1.5, 1.5, 1.2, 1, 0.8, 1, 0.7},
    };
}

struct bl_fit_prior bl_fit_prior_from(const struct bl_fit *donor, const struct bl_fit_point *point,
                                      size_t count)
{
    struct bl_fit_prior prior = bl_fit_prior_of(point, count);
    double log_s;
    double log_batch;
    double theirs;
    double growing;

    find_scale(point, count, &log_s, &log_batch);
    growing = donor->model.beta_c * exp(log_batch);
    theirs = donor->model.alpha_c + growing;
    prior.mean[COMPUTE] = log_s + log(donor->model.alpha_c / theirs);
    prior.mean[COMPUTE_SLOPE] = log_s + log(growing / theirs) - log_batch;
    prior.mean[SYNC] = donor->theta[SYNC] + log_s - log(theirs);
    prior.deviation[SYNC] = 0.8;
    for (int k = SYNC_SLOPE; k < BL_FIT_PARAMS; k++) {
        prior.mean[k] = donor->theta[k];
        prior.deviation[k] *= 0.5;
    }
    return prior;
}

/* The parameters as they enter the model, worked out once for many points. */
struct terms {
    double fixed, slope;  /* of computing */
    double log_sync[2];   /* within a node, across nodes */
    double sync_slope[2]; /* relative growth a doubling */
    double gamma;
};

static struct terms terms_of(const double *theta)
{
    return (struct terms){
        .fixed = exp(theta[COMPUTE]),
        .slope = exp(theta[COMPUTE_SLOPE]),
        .log_sync = {theta[SYNC], theta[SYNC] + theta[ACROSS]},
        .sync_slope = {exp(theta[SYNC_SLOPE]), exp(theta[ACROSS_SLOPE])},
        .gamma = exp(theta[OVERLAP]),
    };
}

/* Logarithms of the two parts of a step, and how they change with the parameters. */
struct parts {
    double log_compute, log_network; /* the latter -inf on one GPU */
    double by_slope;                 /* d log_compute / d COMPUTE_SLOPE; the rest is COMPUTE's */
    double network_by_slope;
};

static struct parts take_apart(const struct terms *terms, const struct row *row)
{
    double growing = terms->slope * row->shape.local_batch;
    bool across = row->shape.nodes > 1;
    double growth = terms->sync_slope[across] * row->growth;
    struct parts parts = {
        .log_compute = log(terms->fixed + growing),
        .log_network = -INFINITY,
        .by_slope = growing / (terms->fixed + growing),
    };

    if (row->shape.gpus > 1 && row->target != COMPUTE_STEP) {
        parts.log_network = terms->log_sync[across] + (growth > 0 ? log1p(growth) : 0);
        parts.network_by_slope = growth / (1 + growth);
    }
    return parts;
}

/* log (C^gamma + N^gamma)^(1/gamma), and its parts' shares. */
static double join(const struct parts *parts, double gamma, double *network_share, double *by_gamma)
{
    double apart = parts->log_network - parts->log_compute;
    double small;
    double softplus;

    *network_share = 0;
    *by_gamma = 0;
    if (isinf(apart)) {
        return parts->log_compute;
    }
    small = exp(-gamma * fabs(apart));
    softplus = fmax(gamma * apart, 0) + log1p(small);
    *network_share = (apart > 0 ? 1 : small) / (1 + small);
    *by_gamma = *network_share * apart - softplus / gamma;
    return parts->log_compute + softplus / gamma;
}

static void fill_gradient(double *gradient, const struct parts *parts, const struct bl_shape *shape,
                          const double share[3])
{
    bool across = shape->nodes > 1;

    memset(gradient, 0, BL_FIT_PARAMS * sizeof *gradient);
    gradient[COMPUTE] = share[0] * (1 - parts->by_slope);
    gradient[COMPUTE_SLOPE] = share[0] * parts->by_slope;
    gradient[SYNC] = share[1];
    gradient[ACROSS] = across ? share[1] : 0;
    gradient[across ? ACROSS_SLOPE : SYNC_SLOPE] = share[1] * parts->network_by_slope;
    gradient[OVERLAP] = share[2];
}

/* The logarithm of a time by the model, and its gradient unless that is NULL. */
static double log_time(const struct terms *terms, const struct row *row, double *gradient)
{
    struct parts parts = take_apart(terms, row);
    double share[3] = {1, 0, 0}; /* of compute, network, overlap */
    double value = parts.log_compute;

    if (row->target != COMPUTE_STEP) {
        double network = 0;
        double step = join(&parts, terms->gamma, &network, &share[2]);
        double of_step = 1;

        value = step;
        if (row->target == ITERATION && row->shape.accumulation > 0) {
            double others = row->shape.accumulation * exp(parts.log_compute - step);

            value += log1p(others);
            of_step = 1 / (1 + others);
        }
        share[1] = of_step * network;
        share[0] = 1 - share[1];
        share[2] *= of_step;
    }
    if (gradient) {
        fill_gradient(gradient, &parts, &row->shape, share);
    }
    return value;
}

static void evaluate(const void *self, const double *theta, double *residual, double *jacobian)
{
    const struct fitting *fitting = self;
    struct terms terms = terms_of(theta);
    size_t at = fitting->row_count;

    for (size_t i = 0; i < at; i++) {
        const struct row *row = &fitting->row[i];
        double *gradient = jacobian + i * BL_FIT_PARAMS;

        residual[i] = (log_time(&terms, row, gradient) - row->log_s) * row->per_deviation;
        for (int k = 0; k < BL_FIT_PARAMS; k++) {
            gradient[k] *= row->per_deviation;
        }
    }
    for (int k = 0; k < BL_FIT_PARAMS; k++, at++) {
        residual[at] = (theta[k] - fitting->prior->mean[k]) / fitting->prior->deviation[k];
        for (int j = 0; j < BL_FIT_PARAMS; j++) {
            jacobian[at * BL_FIT_PARAMS + j] = j == k ? 1 / fitting->prior->deviation[k] : 0;
        }
    }
}

static void add_row(struct fitting *fitting, const struct bl_fit_point *point, enum target target,
                    double seconds)
{
    double variance =
        MODEL_SCATTER * MODEL_SCATTER + MEASUREMENT_SCATTER * MEASUREMENT_SCATTER / point->count;

    fitting->row[fitting->row_count++] =
        (struct row){point->shape, target, log(seconds), bl_throughput_growth(point->shape.gpus),
                     1 / sqrt(variance)};
}

static void add_point(struct fitting *fitting, const struct bl_fit_point *point)
{
    struct bl_step step;

    if (split_point(point, &step)) {
        add_row(fitting, point, COMPUTE_STEP, step.compute_s);
        add_row(fitting, point, SYNC_STEP, step.step_s);
    } else {
        add_row(fitting, point, ITERATION, point->iter_s);
    }
}

static struct bl_throughput model_of(const double *theta)
{
    struct bl_throughput model = {
        .alpha_c = exp(theta[COMPUTE]),
        .beta_c = exp(theta[COMPUTE_SLOPE]),
        .alpha_r = exp(theta[SYNC]),
        .alpha_n = exp(theta[SYNC] + theta[ACROSS]),
        .gamma = exp(theta[OVERLAP]),
    };

    model.beta_r = model.alpha_r * exp(theta[SYNC_SLOPE]);
    model.beta_n = model.alpha_n * exp(theta[ACROSS_SLOPE]);
    return model;
}

static void fit_model(struct bl_fit *fit, struct fitting *fitting)
{
    static const double reach[BL_FIT_PARAMS] = {12, 12, 9, 9, 5, 9, 0};
    double low[BL_FIT_PARAMS];
    double high[BL_FIT_PARAMS];
    double scratch[BL_LEVMAR_SCRATCH(BL_FIT_PARAMS, ROWS_MAX)];
    struct bl_levmar problem = {
        .params = BL_FIT_PARAMS,
        .residuals = fitting->row_count + BL_FIT_PARAMS,
        .low = low,
        .high = high,
        .evaluate = evaluate,
        .self = fitting,
        .scratch = scratch,
        .rounds_max = 40,
    };

    for (int k = 0; k < BL_FIT_PARAMS; k++) {
        low[k] = fitting->prior->mean[k] - reach[k];
        high[k] = fitting->prior->mean[k] + reach[k];
    }
    low[OVERLAP] = 0;
    high[OVERLAP] = log(BL_GAMMA_MAX);
    for (int k = 0; k < BL_FIT_PARAMS; k++) {
        fit->theta[k] = fmin(fmax(fitting->prior->mean[k], low[k]), high[k]);
    }
    (void)bl_levmar_solve(&problem, fit->theta);
    fit->model = model_of(fit->theta);
    bl_levmar_information(&problem, fit->theta, fit->information);
    (void)bl_cholesky_factor(fit->information, BL_FIT_PARAMS);
}

static double log_iteration(const struct terms *terms, const struct bl_shape *shape,
                            double *gradient)
{
    struct row row = {
        .shape = *shape, .target = ITERATION, .growth = bl_throughput_growth(shape->gpus)};

    return log_time(terms, &row, gradient);
}

/* Points beyond what the parameters use up; priors hold these back where points are few. */
static double freedom(size_t points)
{
    return fmax((double)points - 5, (double)points / 2);
}

/* The usable points that there is room for. */
static size_t choose(const struct bl_fit_point *point, size_t count, struct bl_fit_point *out)
{
    size_t chosen = 0;

    for (size_t i = 0; i < count && chosen < BL_FIT_POINTS_MAX; i++) {
        if (bl_fit_point_is_usable(&point[i])) {
            out[chosen++] = point[i];
        }
    }
    return chosen;
}

/* Logarithms of observed over modelled time, and the sum of their squares. */
static double find_rest(const double *theta, const struct bl_fit_point *point, size_t count,
                        double *left)
{
    struct terms terms = terms_of(theta);
    double squares = 0;

    for (size_t i = 0; i < count; i++) {
        left[i] = log(point[i].iter_s) - log_iteration(&terms, &point[i].shape, NULL);
        squares += left[i] * left[i];
    }
    return squares;
}

void bl_fit_make(struct bl_fit *fit, const struct bl_fit_point *point, size_t count,
                 const struct bl_fit_prior *prior)
{
    struct fitting fitting = {.prior = prior};
    struct bl_fit_point used[BL_FIT_POINTS_MAX];
    double left[BL_FIT_POINTS_MAX];
    size_t chosen = choose(point, count, used);
    double squares;

    fit->point_count = chosen;
    for (size_t i = 0; i < chosen; i++) {
        add_point(&fitting, &used[i]);
        fit->weight[i] = MEASUREMENT_SCATTER * MEASUREMENT_SCATTER / used[i].count;
        fit->place[i] = bl_fit_field_place(&used[i].shape);
    }
    fit_model(fit, &fitting);
    squares = find_rest(fit->theta, used, chosen, left);
    fit->variance = (2 * MODEL_SCATTER * MODEL_SCATTER + squares) / (2 + freedom(chosen));
    fit->spread = fmax(fit->variance / (MODEL_SCATTER * MODEL_SCATTER), 1);
    bl_fit_field_make(fit, left);
}

double bl_fit_iteration(const struct bl_fit *fit, const struct bl_shape *shape)
{
    struct terms terms = terms_of(fit->theta);

    return exp(log_iteration(&terms, shape, NULL) + bl_fit_field_mean(fit, shape));
}

double bl_fit_correction(const struct bl_fit *fit, const struct bl_shape *shape)
{
    return exp(bl_fit_field_mean(fit, shape));
}

struct bl_fit_answer bl_fit_ask(const struct bl_fit *fit, const struct bl_shape *shape)
{
    double gradient[BL_FIT_PARAMS];
    struct bl_fit_look look = bl_fit_field_look(fit, shape);
    struct terms terms = terms_of(fit->theta);
    double seconds = log_iteration(&terms, shape, gradient);
    double variance = look.variance + ROUGHNESS * fit->variance;
    double parameters = 0;

    bl_cholesky_forward(fit->information, BL_FIT_PARAMS, gradient);
    for (int k = 0; k < BL_FIT_PARAMS; k++) {
        parameters += gradient[k] * gradient[k];
    }
    /* near a point it does not matter what the parameters are */
    variance += parameters * fit->spread * look.variance / fit->variance;
    return (struct bl_fit_answer){
        .iter_s = exp(seconds + look.mean),
        .deviation = sqrt(variance),
        .correction = exp(look.mean),
    };
}
