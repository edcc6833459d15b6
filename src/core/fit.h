/* The throughput model (core/throughput.h) fitted to what was observed, with its uncertainty.
 *
 * The parameters are the most likely ones under weak priors, so that even one point, or none, gives
 * an answer; what the points still differ from the model is carried over to placements near them
 * as a Gaussian process. A fit is a function of its points and prior alone. */
#ifndef BL_CORE_FIT_H
#define BL_CORE_FIT_H

#include "core/levmar.h"
#include "core/throughput.h"

#include <stdbool.h>

enum { BL_FIT_POINTS_MAX = 48, BL_FIT_PARAMS = 7 };

struct bl_fit_point {
    struct bl_shape shape;
    double iter_s; /* a whole iteration */
    double sync_s; /* by how much its last micro-step is longer; 0 = not known */
    double count;  /* measurements that it stands for, >= 1 */
};

/* Normal priors of the parameters: logarithms of alpha_c, beta_c, alpha_r, beta_r / alpha_r,
 * alpha_n / alpha_r, beta_n / alpha_n, gamma. */
struct bl_fit_prior {
    double mean[BL_FIT_PARAMS];
    double deviation[BL_FIT_PARAMS];
};

/* Where a point lies: logarithms of GPUs, nodes and batch, in units of how far it tells. */
struct bl_fit_place {
    double gpus, nodes, batch;
};

struct bl_fit {
    struct bl_throughput model;
    double theta[BL_FIT_PARAMS];                           /* as in the prior */
    double information[BL_TRIANGLE(BL_LEVMAR_PARAMS_MAX)]; /* factor of the inverse covariance */
    double spread;   /* by what the parameters' covariance is scaled */
    double variance; /* of the points around the model, of logarithms */
    size_t point_count;
    struct bl_fit_place place[BL_FIT_POINTS_MAX];
    double weight[BL_FIT_POINTS_MAX];
    double factor[BL_TRIANGLE(BL_FIT_POINTS_MAX)];
};

struct bl_fit_answer {
    double iter_s;
    double deviation;  /* of its logarithm */
    double correction; /* by what the points near this shape differ from the model: a factor */
};

/* Whether the point can be used: finite times over 0, counts that make sense. */
bool bl_fit_point_is_usable(const struct bl_fit_point *point);

/* The prior when nothing else is known, on the scale of the points. */
struct bl_fit_prior bl_fit_prior_of(const struct bl_fit_point *point, size_t count);

/* The same where another GPU type of the application is known: its synchronising, scaled with
 * computing, is what to expect. */
struct bl_fit_prior bl_fit_prior_from(const struct bl_fit *donor, const struct bl_fit_point *point,
                                      size_t count);

/* Unusable points, and those beyond BL_FIT_POINTS_MAX, are passed over. */
void bl_fit_make(struct bl_fit *fit, const struct bl_fit_point *point, size_t count,
                 const struct bl_fit_prior *prior);

/* Time of an iteration. What the points add to the model is in it. Finite and over 0. */
double bl_fit_iteration(const struct bl_fit *fit, const struct bl_shape *shape);

/* By what the points near this shape differ from the model: a factor. */
double bl_fit_correction(const struct bl_fit *fit, const struct bl_shape *shape);

/* All of it, with the uncertainty; dearer. */
struct bl_fit_answer bl_fit_ask(const struct bl_fit *fit, const struct bl_shape *shape);

#endif
