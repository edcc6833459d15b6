/* Made-up allocation problems that look like those of a cluster of training jobs. */
#ifndef BENCH_SOLVE_INSTANCE_H
#define BENCH_SOLVE_INSTANCE_H

#include "base/rng.h"
#include "base/vec.h"
#include "core/solve.h"

enum bench_value {
    BENCH_CONCAVE, /* w (1.1 - (r g)^-1/2) */
    BENCH_LINEAR   /* w r g */
};

struct bench_job {
    double weight;
    double restart;  /* r of a configuration other than the present one */
    int32_t current; /* option, or BL_SOLVE_NONE */
};

struct bench_instance {
    struct bl_solve_problem problem;
    struct bl_rng rng;
    enum bench_value value;
    int64_t capacity[BL_SOLVE_TYPES_MAX];
    BL_VEC(size_t) first;
    BL_VEC(struct bl_solve_option) option;
    BL_VEC(double) goodput; /* of each option, 1 = the job's smallest configuration */
    BL_VEC(struct bench_job) job;
};

struct bench_size {
    size_t jobs;
    int64_t gpus;
    int32_t types;
    enum bench_value value;
};

/* Speeds are those of the usual model: compute and synchronisation that overlap in part, the best
 * of eight batch sizes under the gradient's noise (Qiao et al., OSDI 2021). */
void bench_make(struct bench_instance *it, const struct bench_size *size, uint64_t seed);

/* The next round: 90 % of the jobs have what `choice` gave them, the rest other weights. */
void bench_next_round(struct bench_instance *it, const int32_t *choice);

/* Gives one job another weight. */
void bench_reweight(struct bench_instance *it, size_t job);

void bench_finish(struct bench_instance *it);

#endif
