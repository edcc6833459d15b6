/* Gradient noise over the work that was done, shared by the jobs of one application: running means
 * in a fixed number of equal steps, whose width doubles when work goes beyond the last. */
#ifndef BL_CORE_NOISE_TABLE_H
#define BL_CORE_NOISE_TABLE_H

#include "core/goodput.h"

enum { BL_NOISE_STEPS = 64, BL_NOISE_COUNT_MAX = 32 };

/* Of one step: the mean logarithm of variance over squared norm. */
struct bl_noise_step {
    double mean;
    double count; /* 0 = nothing known; stops at BL_NOISE_COUNT_MAX, so that old news fade */
};

/* Zeroes are an empty table. */
struct bl_noise_table {
    double width; /* of a step, in the job's units of work */
    struct bl_noise_step step[BL_NOISE_STEPS];
};

/* Noise that is not known, and work that is not a finite number from 0, change nothing. */
void bl_noise_table_add(struct bl_noise_table *table, double done, const struct bl_noise *noise);

/* Straight between the steps that are known, level outside them; zeroes when none is. */
struct bl_noise bl_noise_table_at(const struct bl_noise_table *table, double done);

#endif
