/* Ranges of starts and ends that are right as often as they say: where real ones came to lie on the
 * outlines of earlier answers tells where to read the next one, answers that foresee about the same
 * wait being alike. Bounded and forgetful: many errors in a row stretch an answer, and no more than
 * to some way beyond its runs. */
#ifndef BL_CORE_FORETELL_LEVELS_H
#define BL_CORE_FORETELL_LEVELS_H

#include "core/foretold.h"
#include "core/predict_levels.h"
#include "core/tally.h"

enum { BL_FORETELL_GROUPS = 32 /* octaves of the wait that is foreseen */ };

/* All zeroes have seen nothing, and read what the runs say. */
struct bl_foretell_levels {
    struct bl_levels group[BL_FORETELL_GROUPS];
    struct bl_levels all;
};

/* What was learnt of both. */
struct bl_foretell_learnt {
    struct bl_foretell_levels start, end;
};

/* What was told came to be. */
void bl_foretell_levels_note(struct bl_foretell_levels *levels, const struct bl_outline *outline,
                             bl_time truth);

/* Finite, rising and not before the present where all runs came to it. */
struct bl_range bl_foretell_levels_read(const struct bl_foretell_levels *levels,
                                        const struct bl_outline *outline);

/* Through a snapshot; `of` is their name there. */
void bl_foretell_levels_export(const struct bl_foretell_levels *levels, const char *of,
                               void (*emit)(void *to, const struct bl_kept *kept), void *to);
/* Sets what was exported; false when it is no such thing. */
bool bl_foretell_levels_take(struct bl_foretell_levels *levels, const struct bl_kept *kept);

#endif
