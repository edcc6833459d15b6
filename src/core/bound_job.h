/* What one job would buy at given prices: the least of its own time plus what it pays. */
#ifndef BL_CORE_BOUND_JOB_H
#define BL_CORE_BOUND_JOB_H

#include "core/bound.h"

enum { BL_BOUND_TRIALS_MAX = 40 };

/* A price of work, and what it leads to up to each edge of the job's window. */
struct bl_bound_trial {
    double reward; /* for each unit of work */
    double *value; /* time and payment less the reward for work over or under what is asked */
    double *done;  /* work */
};

/* Memory for one job after the other, made for the cells of a path. */
struct bl_bound_scratch {
    struct bl_bound_trial trial[BL_BOUND_TRIALS_MAX];
    double *edge;  /* of the job's window */
    double *least; /* what is known of each cell's best end, from below */
};

/* `reward` leads back to what was bought: up to an instant, the option that is best at each price.
 */
struct bl_bound_part {
    double share; /* of two parts, mixed; 0 = none */
    double reward;
    double until;
};

struct bl_bound_answer {
    double value;                 /* never above the true least */
    struct bl_bound_part part[2]; /* divisible jobs */
    const struct bl_bound_option *option;
    double start; /* in one piece: from here on `option` */
};

void bl_bound_scratch_init(struct bl_bound_scratch *scratch, size_t cell_count);
void bl_bound_scratch_finish(struct bl_bound_scratch *scratch);

/* `precision` is relative: how much of the value may be given away to be quick. `reward` is a guess
 * (0 = none) and becomes a better one. */
void bl_bound_buy(struct bl_bound_scratch *scratch, const struct bl_bound_job *job,
                  const struct bl_price_path *path, double precision, double *reward,
                  struct bl_bound_answer *out);

/* Adds the GPU-seconds that were bought to those of each cell, laid out as the path's prices. */
void bl_bound_add_demand(const struct bl_bound_job *job, const struct bl_price_path *path,
                         const struct bl_bound_answer *answer, double *demand);

/* The least time that the work takes on any option, the time ahead of it included; 0 without work
 * or options. */
double bl_bound_fastest(const struct bl_bound_job *job);

#endif
