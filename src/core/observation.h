/* What one stretch of a running job showed about its speed. 0 stands for "not known". */
#ifndef BL_CORE_OBSERVATION_H
#define BL_CORE_OBSERVATION_H

#include <stdint.h>

struct bl_observation {
    int32_t type; /* the cluster's index of the GPU type */
    int32_t gpus;
    int32_t nodes;
    double local_batch;        /* samples that a GPU takes at a time */
    int32_t accumulation;      /* micro-steps before the one that synchronises */
    double iter_s;             /* one iteration: all its micro-steps and the synchronisation */
    double sync_s;             /* by how much the micro-step that synchronises is longer */
    double rate;               /* work units a second */
    double grad_sqr, grad_var; /* gradient noise, as at the initial batch */
};

#endif
