/* What a rule of the site says of how long a job will run. */
#ifndef BL_CORE_EXPECTATION_H
#define BL_CORE_EXPECTATION_H

#include "base/span.h"

#include <stdbool.h>

/* 0 < low <= middle <= high; all zeroes = no rule speaks of it. */
struct bl_expectation {
    bl_time low, middle, high; /* not passed by one in ten, by half, by nine in ten */
    bool is_final;             /* whatever history says */
};

#endif
