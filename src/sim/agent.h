/* The agent of a job that tunes its own batch: it remembers each speed that it has seen, fits
 * Pollux's model to them for each GPU type, and picks the batch of most estimated goodput. */
#ifndef BL_SIM_AGENT_H
#define BL_SIM_AGENT_H

#include "core/goodput.h"
#include "core/pollux.h"
#include "sim/rates.h"

/* What it knows of one GPU type. */
struct bl_sim_knowledge {
    const struct bl_profile_device *device;
    struct bl_pollux_known points;
    size_t told; /* of the points, by bl_sim_agent_next */
};

struct bl_sim_agent {
    BL_VEC(struct bl_sim_knowledge) known;
    struct bl_sim_noise noise; /* of the last stretch */
    bool has_noise;
    bool has_grid; /* of where the job is, and the model as it is */
    struct bl_batch_grid grid;
};

void bl_sim_agent_finish(struct bl_sim_agent *agent);

/* The next stretch went so. */
struct bl_sim_sight {
    const struct bl_profile_device *device;
    struct bl_sim_shape shape;
    double local_batch;
    struct bl_sim_step step;
    struct bl_sim_noise noise;
};
void bl_sim_agent_see(struct bl_sim_agent *agent, const struct bl_sim_sight *sight);

/* What it saw for the first time since it was asked last, one after the other; NULL when that was
 * all. */
const struct bl_pollux_point *bl_sim_agent_next(struct bl_sim_agent *agent);

/* What it may choose from: global batches, and micro-batches on the placement. */
struct bl_sim_choice {
    double batch_init, batch_max, local_min, local_max;
};

/* The job is elsewhere now. */
void bl_sim_agent_move(struct bl_sim_agent *agent);

/* The batch of most estimated goodput, always asked from the same place until bl_sim_agent_move;
 * false while it knows nothing of the GPU type. */
bool bl_sim_agent_choose(struct bl_sim_agent *agent, const struct bl_profile_device *device,
                         const struct bl_sim_shape *shape, const struct bl_sim_choice *from,
                         struct bl_sim_batch *out);

#endif
