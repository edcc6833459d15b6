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

/* How slowly answers are mistrusted. */
struct bl_levels_prior {
    double all;  /* truths that those of all answers count for together: fewer of its own count
                    little beside them */
    double even; /* truths, evenly spread, that all answers begin with */
};

/* The levels at which to read an answer so that it is passed as often as each of `wanted`, which
 * rise, says. `own` is of answers like it, `all` of all. */
void bl_levels_correct(const struct bl_levels *own, const struct bl_levels *all,
                       struct bl_levels_prior prior, const double wanted[], int count,
                       double out[]);

#endif
