/* Ranges of starts that are right as often as they say: where real starts came to lie among the
 * runs of earlier answers tells where to read the next one, answers that foresee about the same
 * wait being alike. Bounded and forgetful: many errors in a row stretch an answer, and no more than
 * to some way beyond its runs. */
#ifndef BL_CORE_FORETELL_LEVELS_H
#define BL_CORE_FORETELL_LEVELS_H

#include "core/foretold.h"
#include "core/predict_levels.h"

enum { BL_FORETELL_GROUPS = 32 /* octaves of the wait that is foreseen */ };

/* All zeroes have seen nothing. */
struct bl_foretell_levels {
    struct bl_levels group[BL_FORETELL_GROUPS];
    struct bl_levels all;
};

/* What was told came to be: the job started. */
void bl_foretell_levels_note(struct bl_foretell_levels *levels, const struct bl_foretold *foretold,
                             bl_time start);

/* Finite, rising and not before the present where all runs came to it. */
struct bl_range bl_foretell_levels_read(const struct bl_foretell_levels *levels,
                                        const struct bl_foretold *foretold);

#endif
