/* The least mean completion time of a few jobs on a few GPUs, by trying all there is to do whenever
 * a job comes or ends: the independent answer that bounds and policies are held against. */
#ifndef BL_KIT_OPTIMUM_H
#define BL_KIT_OPTIMUM_H

#include <stdbool.h>
#include <stddef.h>

enum { OPTIMUM_JOBS_MAX = 4, OPTIMUM_GPUS_MAX = 4 };

struct optimum_job {
    double release, work;
    int min, max; /* GPUs */
    bool in_one_piece;
    double speed[OPTIMUM_GPUS_MAX + 1]; /* by GPUs, in [min, max] */
};

struct optimum_case {
    int gpus;
    size_t job_count;
    struct optimum_job job[OPTIMUM_JOBS_MAX];
};

/* Every job fits into the GPUs. */
double optimum_mean(const struct optimum_case *of);

#endif
