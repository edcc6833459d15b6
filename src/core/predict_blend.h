/* Many weighted guesses of a length put together into one distribution. Guesses are log2 of
 * seconds. */
#ifndef BL_CORE_PREDICT_BLEND_H
#define BL_CORE_PREDICT_BLEND_H

#include "core/predict_dist.h"

enum {
    BL_BLEND_PER_OCTAVE = 32,
    BL_BLEND_LOW = -20, /* log2 seconds: below a microsecond */
    BL_BLEND_OCTAVES = 53,
    BL_BLEND_CELLS = BL_BLEND_OCTAVES * BL_BLEND_PER_OCTAVE
};

/* Guesses that lie close together share a cell, which counts as even between the least and the
 * largest of them. */
struct bl_blend {
    float weight[BL_BLEND_CELLS];
    float least[BL_BLEND_CELLS], most[BL_BLEND_CELLS]; /* where there is weight */
    int low, high;                                     /* the cells in use; low > high = none */
    double total;
};

/* Brings it from what it held to nothing; zeroes must have been begun as well. */
void bl_blend_begin(struct bl_blend *blend);

void bl_blend_add(struct bl_blend *blend, double guess, double weight);

/* Spreads a share of what is there over others up to 4 octaves off: nobody knows it that exactly.
 */
void bl_blend_widen(struct bl_blend *blend, double share);

/* What lies above becomes `most`. */
void bl_blend_cap(struct bl_blend *blend, double most);

/* Guesses below `least` keep the share `kept` of their weight. */
void bl_blend_discount(struct bl_blend *blend, double least, double kept);

/* log2 seconds at rising levels. There must be something. */
void bl_blend_quantiles(const struct bl_blend *blend, const double level[], int count,
                        double out[]);

/* The share below; of the same guesses, half. */
double bl_blend_chance(const struct bl_blend *blend, double guess);

/* As a distribution, its points read at these levels (BL_DIST_POINTS of them, rising). */
void bl_blend_read(const struct bl_blend *blend, const double level[], struct bl_dist *out);

#endif
