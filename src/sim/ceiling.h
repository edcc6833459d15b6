/* How fast a profiled job could train at most on so many GPUs of a type, in each of its epochs:
 * wherever they lie and whatever batch it takes. Never below what the world makes of it. */
#ifndef BL_SIM_CEILING_H
#define BL_SIM_CEILING_H

#include "sim/trainee.h"

/* GPUs that are alike. */
struct bl_sim_ground {
    const struct bl_profile_device *device;
    int32_t gpus, per_node;
};

/* Fills `rate`, of app->epochs numbers: progress a second. */
void bl_sim_ceiling(const struct bl_sim_trainee *trainee, const struct bl_sim_ground *ground,
                    double *rate);

#endif
