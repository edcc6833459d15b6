/* What is best for jobs that tune their batch, and how fast they are with it: what an oracle knows.
 */
#ifndef BL_SIM_TRUTH_H
#define BL_SIM_TRUTH_H

#include "base/map.h"
#include "base/vec.h"
#include "sim/trainee.h"

struct bl_sim_truth {
    struct bl_sim_batch batch;
    double rate; /* progress a second; 0 = no batch is for so many GPUs */
};

/* Of one application on one GPU type. */
struct bl_sim_truths_device {
    const struct bl_profile_device *device;
    struct bl_map placements; /* to a truth for each epoch, owned */
};

/* Worked out once for each placement of an application. Zeroes are empty. */
struct bl_sim_truths {
    BL_VEC(struct bl_sim_truths_device) devices; /* that were asked for */
};

void bl_sim_truths_finish(struct bl_sim_truths *truths);

/* In the epoch that the job is in, among the batches that it tries itself. */
struct bl_sim_truth bl_sim_truths_find(struct bl_sim_truths *truths,
                                       const struct bl_sim_trainee *trainee,
                                       const struct bl_profile_device *device,
                                       const struct bl_sim_shape *shape);

#endif
