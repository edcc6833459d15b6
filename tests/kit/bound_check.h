/* Checks a bound by other means: at the same prices every job's cost is worked out from the
 * cheapest pieces of work, by sorting them, for many ends. */
#ifndef BL_KIT_BOUND_CHECK_H
#define BL_KIT_BOUND_CHECK_H

#include "core/bound.h"

/* What bl_bound_at must not pass, and comes near to: the ends are samples, `samples` a cell. */
double bound_check_at(const struct bl_bound_problem *problem, const struct bl_price_path *path,
                      int samples);

#endif
