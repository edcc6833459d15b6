/* The search for prices that make a good bound. Nothing here needs to be exact. */
#ifndef BL_CORE_BOUND_SEARCH_H
#define BL_CORE_BOUND_SEARCH_H

#include "core/bound.h"

/* The best prices found, owned by the caller; false when there is nothing to price: no job takes
 * time. */
bool bl_bound_find_prices(const struct bl_bound_problem *problem, struct bl_price_path *out);

/* What the whole machine costs. */
double bl_bound_supply(const struct bl_bound_problem *problem, const struct bl_price_path *path);

#endif
