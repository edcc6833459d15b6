/* What each option of each job is worth now for the mean completion time: adaptive heSRPT. The
 * weights are the gradient of the value function of heSRPT, the optimal way to share GPUs among
 * jobs of known sizes with one speed-up k^p (Berg, Vesilo and Harchol-Balter, Performance
 * Evaluation 2020), the exponent p being that of the jobs at hand near an equal share. */
#ifndef BL_CORE_HESRPT_H
#define BL_CORE_HESRPT_H

#include "core/crew.h"

/* Fills value[crew->option_count]; >= 0. `patience_s` is what makes a waiting job twice as dear. */
void bl_hesrpt(const struct bl_crew *crew, double patience_s, double *value);

#endif
