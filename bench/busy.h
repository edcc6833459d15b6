/* A machine that is full of jobs, for measurements of what waits for it. */
#ifndef BL_BENCH_BUSY_H
#define BL_BENCH_BUSY_H

#include "core/core.h"

struct bench_kind {
    int nodes, gpus;
    const char *type;
    int64_t cpus;
};

extern const struct bench_kind bench_alike[]; /* 125 nodes of 8 GPUs */
extern const struct bench_kind bench_mixed[]; /* 170 nodes of four types, 1000 GPUs as well */

struct bench_queue {
    const struct bench_kind *kinds;
    bool is_elastic;
    int64_t cpus_max; /* asked beside each GPU */
    int jobs;         /* that wait, and a few more that found no place */
};

/* Four hundred jobs are placed at time 0, then `jobs` are submitted. */
struct bl_core *bench_busy_core(const struct bench_queue *queue);

/* Processor time of this process so far. */
double bench_cpu_ms(void);

#endif
