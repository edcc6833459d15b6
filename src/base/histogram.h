/* Counts of lengths of time by size. The bounds stand apart, so that many histograms share them. */
#ifndef BL_BASE_HISTOGRAM_H
#define BL_BASE_HISTOGRAM_H

#include "base/span.h"

#include <stddef.h>

enum { BL_HISTOGRAM_BOUNDS_MAX = 16 };

/* Rising. */
struct bl_bounds {
    size_t count;
    bl_time at[BL_HISTOGRAM_BOUNDS_MAX];
};

extern const struct bl_bounds bl_bounds_of_work;  /* what a program does: 0.1 ms to 10 s */
extern const struct bl_bounds bl_bounds_of_waits; /* what people wait for: 1 s to 30 d */

/* Zeroes are an empty one. */
struct bl_histogram {
    int64_t count[BL_HISTOGRAM_BOUNDS_MAX + 1]; /* [i]: up to bound i and over the one before; the
                                                   last that is used: over all bounds */
    int64_t sum;                                /* microseconds */
};

/* A negative length counts as none. */
void bl_histogram_note(struct bl_histogram *histogram, const struct bl_bounds *bounds,
                       bl_time length);

int64_t bl_histogram_total(const struct bl_histogram *histogram);

#endif
