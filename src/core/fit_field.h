/* What the points of a fit differ from its model, as a Gaussian process over GPUs, nodes and batch:
 * full weight at a point, less with each doubling away from it. Only for src/core/fit.c. */
#ifndef BL_CORE_FIT_FIELD_H
#define BL_CORE_FIT_FIELD_H

#include "core/fit.h"

struct bl_fit_place bl_fit_field_place(const struct bl_shape *shape);

/* From the logarithms of observed over modelled time, one a point. fit->weight holds the variance
 * of each measured mean, and holds the field's weights afterwards. */
void bl_fit_field_make(struct bl_fit *fit, const double *left);

/* The logarithm of the factor here. */
double bl_fit_field_mean(const struct bl_fit *fit, const struct bl_shape *shape);

/* The same with its variance: next to nothing at a point, fit->variance far from all. */
struct bl_fit_look {
    double mean, variance;
};
struct bl_fit_look bl_fit_field_look(const struct bl_fit *fit, const struct bl_shape *shape);

#endif
