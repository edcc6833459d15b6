/* What a job's own reports alone say about its speed elsewhere, as Sia estimates it: Pollux's model
 * for each GPU type that the job was seen on; for other types that of a known one, by the ratio of
 * their speeds on one GPU. For policies that learn each job alone (bl_policy.learns_alone). */
#ifndef BL_CORE_ESTIMATE_H
#define BL_CORE_ESTIMATE_H

#include "core/view.h"

/* A cache: what it answers follows from the view alone. */
struct bl_estimates;
struct bl_estimate; /* of one job; borrowed until bl_estimates_sweep */

struct bl_estimates *bl_estimates_create(void);
void bl_estimates_destroy(struct bl_estimates *estimates);

/* Brought up to date with what the job has reported. */
struct bl_estimate *bl_estimates_of(struct bl_estimates *estimates, const struct bl_view *view,
                                    const struct bl_job *job);

/* Forgets the jobs that were not asked about since the last sweep. */
void bl_estimates_sweep(struct bl_estimates *estimates);

/* The most GPUs that the job was seen on; 0 = it never ran. An oracle has seen all. */
int32_t bl_estimate_gpus_seen(const struct bl_estimate *estimate, const struct bl_view *view);

/* Work a second on the fewest nodes that hold the GPUs, at the best batch up to the one that its
 * owner named; 0 = not known. */
double bl_estimate_goodput(struct bl_estimate *estimate, const struct bl_view *view, int32_t type,
                           int32_t gpus);

#endif
