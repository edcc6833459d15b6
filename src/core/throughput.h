/* Time of a training step over GPUs, nodes and batch: the model of Qiao et al., "Pollux", OSDI'21,
 * section 3.2. Compute time is linear in the batch of a GPU, synchronisation has a fixed part and
 * one that grows with every GPU beyond two, and the two overlap as a p-norm. */
#ifndef BL_CORE_THROUGHPUT_H
#define BL_CORE_THROUGHPUT_H

#include <stdint.h>

struct bl_throughput {
    double alpha_c, beta_c; /* compute: s, s a sample */
    double alpha_r, beta_r; /* synchronisation within a node: s, s a GPU beyond two */
    double alpha_n, beta_n; /* the same across nodes */
    double gamma;           /* overlap: 1 = none, 10 = nearly all */
};

#define BL_GAMMA_MAX 10.0

struct bl_shape {
    int32_t gpus;         /* >= 1 */
    int32_t nodes;        /* >= 1 */
    double local_batch;   /* > 0 */
    int32_t accumulation; /* >= 0 */
};

/* A micro-step that synchronises, and one that does not. */
struct bl_step {
    double step_s;
    double compute_s;
};

struct bl_step bl_throughput_step(const struct bl_throughput *model, const struct bl_shape *shape);

/* A whole iteration: the micro-steps that only compute, and the one that synchronises. */
double bl_step_iteration(struct bl_step step, int32_t accumulation);

#endif
