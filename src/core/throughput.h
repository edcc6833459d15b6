/* Time of a training step over GPUs, nodes and batch: the model of Qiao et al., "Pollux", OSDI'21,
 * section 3.2. Compute time is linear in the batch of a GPU, synchronisation has a fixed part and
 * one that grows with the GPUs, and the two overlap as a p-norm. There it grows with every GPU
 * beyond two; here with every doubling, as the collective operations of today do: what two and four
 * GPUs show else runs away at sixteen. */
#ifndef BL_CORE_THROUGHPUT_H
#define BL_CORE_THROUGHPUT_H

#include <stdint.h>

struct bl_throughput {
    double alpha_c, beta_c; /* compute: s, s a sample */
    double alpha_r, beta_r; /* synchronisation within a node: s, s a doubling beyond two */
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

/* Doublings beyond two GPUs. */
double bl_throughput_growth(int32_t gpus);

struct bl_step bl_throughput_step(const struct bl_throughput *model, const struct bl_shape *shape);

/* A whole iteration: the micro-steps that only compute, and the one that synchronises. */
double bl_step_iteration(struct bl_step step, int32_t accumulation);

#endif
