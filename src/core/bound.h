/* A lower bound on the mean completion time that any scheduler could reach with these jobs on these
 * GPUs.
 *
 * The capacity of each GPU type at each instant is priced instead of enforced. Then every job buys
 * for itself what costs it least, its own time and the GPU-seconds together, and what all of them
 * pay less the price of the whole machine is a bound, whatever the prices are (weak duality). Good
 * prices are searched for, starting from how crowded the machine was in some run; the bound itself
 * is worked out in one pass at the end, rounded down.
 *
 * What is left out makes the bound lower, never wrong: the time that starts and moves cost, GPUs
 * that lie on different nodes, CPUs and memory, dependencies, and that jobs which may be resized or
 * put back do so only at some instants. */
#ifndef BL_CORE_BOUND_H
#define BL_CORE_BOUND_H

#include "core/price_path.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a job may hold at one time. */
struct bl_bound_option {
    size_t type;  /* below the problem's type_count */
    double gpus;  /* >= 0 */
    double speed; /* work done a second, > 0 */
};

enum bl_bound_course {
    BL_BOUND_DIVISIBLE, /* may be resized, or stopped and continued, at any instant */
    BL_BOUND_IN_ONE_PIECE
};

/* Times in seconds from any common origin. */
struct bl_bound_job {
    double release; /* no work is done before */
    double ahead;   /* time before the release that counts as well: of a first start */
    double work;    /* 0 takes no time */
    double ended;   /* in the run that prices are guessed from; never before release */
    enum bl_bound_course course;
    const struct bl_bound_option *option; /* none: the job counts as taking no time */
    size_t option_count;
};

struct bl_bound_problem {
    const struct bl_bound_job *job;
    size_t job_count;
    const double *capacity; /* GPUs of each type, > 0 */
    size_t type_count;
};

/* Mean seconds from release to completion that each job takes alone on its best option; NAN without
 * jobs. */
double bl_bound_alone(const struct bl_bound_problem *problem);

/* The bound at these prices, which may be any above or equal to zero; no job is released before the
 * first edge. NAN without jobs. */
double bl_bound_at(const struct bl_bound_problem *problem, const struct bl_price_path *path);

/* Searches for prices; the larger of the bound there and bl_bound_alone. NAN without jobs. */
double bl_bound_mean(const struct bl_bound_problem *problem);

#endif
