/* How fast a job runs on an allocation, as policies see it. */
#ifndef BL_CORE_SPEED_H
#define BL_CORE_SPEED_H

#include "core/view.h"

struct bl_curves_app;

/* A job whose speeds are asked for; borrowed until the next change of the state. */
struct bl_speeds {
    const struct bl_view *view;
    const struct bl_job *job;
    bool is_told;              /* its own curve says it */
    struct bl_curves_app *app; /* else, without an oracle */
    struct bl_noise noise;     /* of the gradient, where the job is; zeroes = not known */
    double reference;          /* units of work a second at speed 1; 0 = not known */
    /* By how many of its deviations a learnt speed is taken to be faster than expected; 0 at first.
     * What is taken to be too slow is never tried, so that nobody learns better. */
    double optimism;
};

struct bl_speeds bl_speeds_of(const struct bl_view *view, const struct bl_job *job);

/* Relative to the job's reference, its least count on the slowest type that it may use: > 0 and
 * finite. `type` is an index of the cluster's, -1 = any; `nodes` 0 = as few as hold it. */
double bl_speeds_at(const struct bl_speeds *speeds, int32_t type, int32_t gpus, int32_t nodes);

/* Work that is expected to be left, in seconds at speed 1, > 0: by the total that the job reports,
 * else by what others of its application did in all. 0 = nothing is known. */
double bl_speeds_left_s(const struct bl_speeds *speeds);

/* One speed of one job. */
double bl_speed(const struct bl_view *view, const struct bl_job *job, int32_t type, int32_t gpus,
                int32_t nodes);

#endif
