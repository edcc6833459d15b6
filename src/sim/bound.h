/* The jobs of a replay, gathered as they end, for a bound on what any policy could have reached. */
#ifndef BL_SIM_BOUND_H
#define BL_SIM_BOUND_H

#include "core/job.h"
#include "sim/trainee.h"

struct bl_sim_bound;

struct bl_sim_bound *bl_sim_bound_create(void);
void bl_sim_bound_destroy(struct bl_sim_bound *bound);

/* The job ran and has just ended, on a machine that is always the same. */
void bl_sim_bound_add(struct bl_sim_bound *bound, const struct bl_cluster *cluster,
                      const struct bl_job *job);

/* The same of a job whose speeds are in profiles: those are bounded first, so that the bound of the
 * mean is lower. */
void bl_sim_bound_add_trained(struct bl_sim_bound *bound, const struct bl_cluster *cluster,
                              const struct bl_job *job, const struct bl_sim_trainee *trainee);

/* Seconds that the mean completion time of these jobs cannot be below; NAN without any. */
double bl_sim_bound_mean(const struct bl_sim_bound *bound);

#endif
