#include "core/curve.h"

static double speed_between(const struct bl_curve *curve, int32_t gpus)
{
    const struct bl_curve_point *point = curve->point;
    size_t last = curve->point_count - 1;
    size_t at = 0;

    if (gpus <= point[0].gpus) {
        return point[0].speed;
    }
    if (gpus >= point[last].gpus) {
        return point[last].speed;
    }
    while (point[at + 1].gpus < gpus) {
        at++;
    }
    return point[at].speed + (point[at + 1].speed - point[at].speed) *
                                 (double)(gpus - point[at].gpus) /
                                 (double)(point[at + 1].gpus - point[at].gpus);
}

double bl_curve_speed(const struct bl_curve *curve, int32_t gpus_min, int32_t gpus)
{
    switch (curve->kind) {
    case BL_CURVE_FLAT:
        break;
    case BL_CURVE_EFFICIENCY:
        return gpus_min > 0 ? 1 + curve->efficiency * ((double)gpus / (double)gpus_min - 1) : 1;
    case BL_CURVE_POINTS:
        return speed_between(curve, gpus) / speed_between(curve, gpus_min);
    }
    return 1;
}
