/* Doubles that are equal but for rounding. */
#ifndef BL_TEST_NEAR_H
#define BL_TEST_NEAR_H

#include "bl_test.h"

#include <math.h>

/* A macro, so that a failure names the test's own line. */
#define assert_near(found, expected, tolerance)                                                    \
    do {                                                                                           \
        double found_ = (found);                                                                   \
        double expected_ = (expected);                                                             \
                                                                                                   \
        if (!(fabs(found_ - expected_) <= (tolerance))) {                                          \
            fail_msg("%s is %.17g, not %.17g", #found, found_, expected_);                         \
        }                                                                                          \
    } while (0)

#endif
