#include "base/histogram.h"

const struct bl_bounds bl_bounds_of_work = {
    16,
    {BL_MILLISECOND / 10, BL_MILLISECOND / 4, BL_MILLISECOND / 2, BL_MILLISECOND,
     BL_MILLISECOND * 5 / 2, 5 * BL_MILLISECOND, 10 * BL_MILLISECOND, 25 * BL_MILLISECOND,
     50 * BL_MILLISECOND, 100 * BL_MILLISECOND, 250 * BL_MILLISECOND, 500 * BL_MILLISECOND,
     BL_SECOND, BL_SECOND * 5 / 2, 5 * BL_SECOND, 10 * BL_SECOND}};

const struct bl_bounds bl_bounds_of_waits = {
    16,
    {BL_SECOND, 5 * BL_SECOND, 15 * BL_SECOND, BL_MINUTE, 5 * BL_MINUTE, 15 * BL_MINUTE,
     30 * BL_MINUTE, BL_HOUR, 2 * BL_HOUR, 4 * BL_HOUR, 8 * BL_HOUR, BL_DAY, 2 * BL_DAY, 7 * BL_DAY,
     14 * BL_DAY, 30 * BL_DAY}};

void bl_histogram_note(struct bl_histogram *histogram, const struct bl_bounds *bounds,
                       bl_time length)
{
    size_t i = 0;

    length = length > 0 ? length : 0;
    while (i < bounds->count && length > bounds->at[i]) {
        i++;
    }
    histogram->count[i]++;
    histogram->sum += length;
}

int64_t bl_histogram_total(const struct bl_histogram *histogram)
{
    int64_t total = 0;

    for (size_t i = 0; i <= BL_HISTOGRAM_BOUNDS_MAX; i++) {
        total += histogram->count[i];
    }
    return total;
}
