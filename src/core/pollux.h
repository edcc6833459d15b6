/* The throughput model of Qiao et al., "Pollux", OSDI'21, section 3.2, fitted to what one job has
 * seen in the way in which its authors, and those of Sia after them, fit it: what was not seen yet
 * is taken to cost nothing. For replays of their schedulers; what we learn ourselves goes into
 * core/curves.h. */
#ifndef BL_CORE_POLLUX_H
#define BL_CORE_POLLUX_H

#include "core/throughput.h"

#include <stdbool.h>
#include <stddef.h>

enum { BL_POLLUX_POINTS_MAX = 48 };

struct bl_pollux_point {
    int32_t nodes, gpus;
    double local_batch;
    double compute_s, step_s; /* of a micro-step without and with synchronisation; > 0 */
};

struct bl_pollux_model {
    double alpha_c, beta_c; /* compute: s, s a sample */
    double alpha_n, beta_n; /* across nodes: s, s a GPU beyond two */
    double alpha_r, beta_r; /* within a node */
    double gamma;           /* 1 … 10 */
};

/* What was seen of a job on one GPU type, and the model that it gives. Zeroes = nothing yet. */
struct bl_pollux_known {
    size_t count;
    struct bl_pollux_point point[BL_POLLUX_POINTS_MAX]; /* oldest first */
    struct bl_pollux_model model;                       /* once there is a point */
};

/* A point that was seen before, or that the model foretold, leaves the model as it is; answers
 * whether it changed. When there are too many, the oldest of the placement with most of them goes.
 */
bool bl_pollux_see(struct bl_pollux_known *known, const struct bl_pollux_point *point);

/* Whether it was seen. */
bool bl_pollux_knows(const struct bl_pollux_known *known, const struct bl_pollux_point *point);

/* Of at least one point and at most BL_POLLUX_POINTS_MAX; quicker from a model of most of them. */
struct bl_pollux_model bl_pollux_fit(const struct bl_pollux_point *point, size_t count,
                                     const struct bl_pollux_model *from);

struct bl_step bl_pollux_step(const struct bl_pollux_model *model, int32_t nodes, int32_t gpus,
                              double local_batch);

#endif
