/* Least squares within bounds: Levenberg and Marquardt's steps, projected onto the box. The same
 * input gives the same answer. */
#ifndef BL_CORE_LEVMAR_H
#define BL_CORE_LEVMAR_H

#include "core/cholesky.h"

#include <stddef.h>

enum { BL_LEVMAR_PARAMS_MAX = 8 };

struct bl_levmar {
    size_t params;    /* up to BL_LEVMAR_PARAMS_MAX */
    size_t residuals; /* at least one */
    const double *low, *high;
    /* Fills residual[residuals] and jacobian[residuals][params]. */
    void (*evaluate)(const void *self, const double *x, double *residual, double *jacobian);
    const void *self;
    double *scratch; /* room for BL_LEVMAR_SCRATCH numbers */
    int rounds_max;
};

#define BL_LEVMAR_SCRATCH(params, residuals) ((residuals) * ((params) + 1))

/* Moves x, which lies in the box, to a minimum; answers the sum of squares there. */
double bl_levmar_solve(const struct bl_levmar *problem, double *x);

/* The lower triangle of J'J at x: the inverse of the covariance of x for unit residuals. */
void bl_levmar_information(const struct bl_levmar *problem, const double *x,
                           double lower[BL_TRIANGLE(BL_LEVMAR_PARAMS_MAX)]);

#endif
