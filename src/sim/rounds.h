/* A replay in rounds, for jobs whose world says what they do (sim/world.h): in each round (a) every
 * job trains on what it holds, (b) the clock moves on, (c) the policy sees what was submitted up to
 * now and has not ended, (d) what it decides holds from now on. Ends stand at their own second
 * inside the round. */
#ifndef BL_SIM_ROUNDS_H
#define BL_SIM_ROUNDS_H

#include "sim/steps.h"

/* The period, in whole seconds, is the setup's. Fails where the trace does. */
int bl_sim_run_rounds(struct bl_sim_steps *steps, struct bl_error *err);

#endif
