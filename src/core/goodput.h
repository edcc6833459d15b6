/* Goodput: useful work a second of a job whose batch may be chosen, after Qiao et al., "Pollux",
 * OSDI'21, section 3. A larger batch makes less of each sample by what the gradient noise says. */
#ifndef BL_CORE_GOODPUT_H
#define BL_CORE_GOODPUT_H

#include "core/throughput.h"

#include <stdbool.h>
#include <stddef.h>

enum { BL_BATCH_CHOICES = 50 };

/* Of batches that are apart by less than this part of a time the smaller is taken. */
#define BL_BATCH_TIE 1e-9

/* Limits of the batch; all zero = the batch is not to be chosen. */
struct bl_batch {
    double initial, max;         /* over all GPUs together */
    double local_min, local_max; /* on one GPU at a time */
};

/* Squared norm and variance of the gradient, as at the initial batch. Zeroes = not known. */
struct bl_noise {
    double sqr, var;
};

/* How step times are known: a model, a table. A time that is not finite and over 0 rules the batch
 * out. */
struct bl_steps {
    struct bl_step (*at)(const void *self, double local_batch);
    const void *self;
};

struct bl_batch_choice {
    double global, local;
    int32_t accumulation;
    double iter_s;
    double scaled_s; /* iter_s / (global / initial) */
};

/* The batches that a placement may choose from, with their times: independent of noise, so that it
 * can be kept while noise changes. */
struct bl_batch_grid {
    size_t count; /* 0 = no batch is legal */
    double initial;
    struct bl_batch_choice at[BL_BATCH_CHOICES];
};

struct bl_tuned {
    struct bl_batch_choice choice;
    double goodput; /* work a second, 1 = what an iteration at the initial batch does */
};

/* Whether limits are given and make sense. */
bool bl_batch_is_given(const struct bl_batch *batch);

bool bl_noise_is_known(const struct bl_noise *noise);

/* Noise that is not known counts as high: every sample is worth the same. */
struct bl_noise bl_noise_or_high(const struct bl_noise *noise);

/* Work of an iteration at `scale` times the initial batch: from 1 to `scale`. Noise that is not
 * known counts as high: every sample is worth the same. */
double bl_goodput_gain(const struct bl_noise *noise, double scale);

/* Global batches in geometric steps from the least to the most that `gpus` can take; where whole
 * samples make several the same, it is there once. Without times: they are 0. */
void bl_batch_grid_plan(struct bl_batch_grid *grid, const struct bl_batch *batch, int32_t gpus);

/* Fills in the choice's times from those of its micro-steps: infinite where these are no times. */
void bl_batch_choice_time(struct bl_batch_choice *choice, double initial, struct bl_step step);

/* Work a second with the choice. */
double bl_batch_choice_goodput(const struct bl_batch_choice *choice, double initial,
                               const struct bl_noise *noise);

/* The same batches with their times, but for those that have none. */
void bl_batch_grid_make(struct bl_batch_grid *grid, const struct bl_batch *batch, int32_t gpus,
                        const struct bl_steps *steps);

/* The choice of most goodput, ties by the smaller batch; false when there is none. */
bool bl_batch_grid_best(const struct bl_batch_grid *grid, const struct bl_noise *noise,
                        struct bl_tuned *out);

/* Both in one. */
bool bl_goodput_best(const struct bl_batch *batch, const struct bl_noise *noise, int32_t gpus,
                     const struct bl_steps *steps, struct bl_tuned *out);

#endif
