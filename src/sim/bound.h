/* The jobs of a replay, gathered as they end, for a bound on what any policy could have reached. */
#ifndef BL_SIM_BOUND_H
#define BL_SIM_BOUND_H

#include "core/job.h"

struct bl_sim_bound;

struct bl_sim_bound *bl_sim_bound_create(void);
void bl_sim_bound_destroy(struct bl_sim_bound *bound);

/* The job ran and has just ended, on a machine that is always the same. */
void bl_sim_bound_add(struct bl_sim_bound *bound, const struct bl_cluster *cluster,
                      const struct bl_job *job);

/* Seconds that the mean completion time of these jobs cannot be below; NAN without any. */
double bl_sim_bound_mean(const struct bl_sim_bound *bound);

#endif
