/* How fast a profiled application really trains on a placement, from what was measured. */
#ifndef BL_SIM_RATES_H
#define BL_SIM_RATES_H

#include "core/cluster.h"
#include "form/profiles.h"

/* A placement up to rotation: GPUs per node. */
struct bl_sim_shape {
    int32_t nodes, gpus;
    int64_t placement; /* key of the smallest rotation; 0 = no digits for it */
};

struct bl_sim_step {
    double step_s; /* a micro-step with its synchronisation */
    double sync_s; /* of that */
};

struct bl_sim_noise {
    double sqr, var; /* of the gradient, as at the first batch */
};

/* A global batch as micro-steps. */
struct bl_sim_batch {
    double local;         /* of one GPU */
    int32_t accumulation; /* before the micro-step that synchronises */
};

/* The shape of an allocation, its parts in the order in which they stand. */
struct bl_sim_shape bl_sim_shape_of(const struct bl_alloc *alloc);
/* `gpus` on nodes of `per_node`, the last one not full. */
struct bl_sim_shape bl_sim_shape_packed(int32_t gpus, int32_t per_node);

/* Straight lines between the batches that were measured for the placement, level outside. Not
 * measured: the generic table, then what was measured for as many nodes and GPUs, then for the
 * number of GPUs nearest to it. There is always an answer. */
struct bl_sim_step bl_sim_step_at(const struct bl_profile_device *device,
                                  const struct bl_sim_shape *shape, double batch);

/* The largest batch of one GPU that was measured there. */
double bl_sim_batch_max(const struct bl_profile_device *device, const struct bl_sim_shape *shape);
/* The largest over all measured placements of so many GPUs; 0 when there is none. */
double bl_sim_batch_max_of_gpus(const struct bl_profile_device *device, int32_t gpus);

/* Gradient noise of an epoch at a global batch: straight lines between measured batches. */
struct bl_sim_noise bl_sim_noise_at(const struct bl_profile_app *app, double batch, int32_t epoch);

/* Work that is done when `epochs` epochs are over, in iterations of the first batch. */
double bl_sim_progress_at(const struct bl_profile_app *app, int32_t epochs);
/* Iterations at the end of an epoch (from 0) at a fixed global batch. */
double bl_sim_iteration_at(const struct bl_profile_app *app, double batch, int32_t epoch);

#endif
