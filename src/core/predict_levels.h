/* Ranges that are right as often as they say: where truths came to lie in earlier answers tells at
 * which levels to read the next one. Whole numbers, so that they go through records unchanged. */
#ifndef BL_CORE_PREDICT_LEVELS_H
#define BL_CORE_PREDICT_LEVELS_H

#include <stdint.h>

enum {
    BL_LEVELS_CELLS = 100,
    BL_LEVELS_MASS = 1 << 20 /* of a truth in its cell; it fades with each later one */
};

struct bl_levels {
    int32_t cell[BL_LEVELS_CELLS];
};

/* A truth came to lie where an answer, read as it was, gave this chance that it is not passed. */
void bl_levels_note(struct bl_levels *levels, double chance);

/* The levels at which to read an answer so that it is passed as often as each of `wanted`, which
 * rise, says. `own` is of answers like it, `all` of all, which count for so many truths: few of
 * its own count little. */
void bl_levels_correct(const struct bl_levels *own, const struct bl_levels *all, double counted_as,
                       const double wanted[], int count, double out[]);

#endif
