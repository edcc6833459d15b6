/* The same problem for general solvers of integer programmes. */
#ifndef BENCH_SOLVE_RIVALS_H
#define BENCH_SOLVE_RIVALS_H

#include "core/solve.h"

#include <stdbool.h>

struct bench_rival_answer {
    double value;
    double seconds;  /* of this process's CPU time */
    bool is_optimal; /* it finished within its limit */
};

struct bench_rival {
    const char *name;
    bool (*solve)(const struct bl_solve_problem *problem, double seconds_max,
                  struct bench_rival_answer *out);
};

/* Those that were there when this was built; ends with a NULL name. */
extern const struct bench_rival bench_rivals[];

double bench_cpu_seconds(void);

#endif
