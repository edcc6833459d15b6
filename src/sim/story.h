/* A replay's rounds as a story for people: who starts where, and why. */
#ifndef BL_SIM_STORY_H
#define BL_SIM_STORY_H

#include "core/core.h"
#include "sim/output.h"

/* Tells one round that did something. */
void bl_sim_tell_round(struct bl_sim_output *out, const struct bl_core *core, bl_time now,
                       const struct bl_actions *actions);

#endif
