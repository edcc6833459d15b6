/* Speed over GPU count, relative to a job's least count: never assumed linear. */
#ifndef BL_CORE_CURVE_H
#define BL_CORE_CURVE_H

#include <stddef.h>
#include <stdint.h>

enum { BL_CURVE_POINTS_MAX = 16 };

enum bl_curve_kind {
    BL_CURVE_FLAT,       /* nothing known: speed 1 at any count */
    BL_CURVE_EFFICIENCY, /* 1 + e * (n / min - 1) */
    BL_CURVE_POINTS      /* given points, straight lines between, level outside */
};

struct bl_curve_point {
    int32_t gpus;
    double speed; /* > 0 */
};

/* Plain data: copied by assignment. Points stand in rising order of gpus. */
struct bl_curve {
    enum bl_curve_kind kind;
    double efficiency; /* in (0, 1] */
    size_t point_count;
    const struct bl_curve_point *point; /* borrowed; owned by the job's spec inside the core */
};

/* The speed at `gpus`, relative to the speed at `gpus_min`; > 0. */
double bl_curve_speed(const struct bl_curve *curve, int32_t gpus_min, int32_t gpus);

#endif
