#include "core/foretell_levels.h"

#include <math.h>

/* Of the scale on which truths are noted: below the first run, down to the present, and above the
 * last, up to some way beyond. */
#define TAIL       .1
#define COUNTED_AS 100 /* starts that all of them count for in one octave */
#define BEYOND     2.0 /* times the distance from the middle to the last */

static bl_time middle_of(const struct bl_foretold *foretold)
{
    return bl_foretold_at(foretold, .5);
}

/* How far above the last run the scale goes. */
static double reach_of(const struct bl_foretold *foretold)
{
    bl_time spread = foretold->at[foretold->count - 1] - middle_of(foretold);

    return BEYOND * (double)(spread + BL_MINUTE);
}

/* Runs that agree with the truth count half. */
static double rank_of(const struct bl_foretold *foretold, bl_time truth)
{
    double below = 0;
    double same = 0;
    size_t next = 0;

    for (; next < foretold->count && foretold->at[next] <= truth; next++) {
        below += foretold->at[next] < truth;
        same += foretold->at[next] == truth;
    }
    if (same > 0) {
        return below + (same - 1) / 2;
    }
    return below - 1 +
           (double)(truth - foretold->at[next - 1]) /
               (double)(foretold->at[next] - foretold->at[next - 1]);
}

/* Between 0 and 1. */
static double place_of(const struct bl_foretold *foretold, bl_time truth)
{
    bl_time first = foretold->at[0];
    bl_time last = foretold->at[foretold->count - 1];

    if (truth < first) {
        return TAIL * (double)(truth - foretold->now) / (double)(first - foretold->now);
    }
    if (truth > last) {
        return fmin(1, 1 - TAIL + TAIL * (double)(truth - last) / reach_of(foretold));
    }
    return foretold->count > 1
               ? TAIL + (1 - 2 * TAIL) * rank_of(foretold, truth) / (double)(foretold->count - 1)
               : .5;
}

static bl_time instant_at(const struct bl_foretold *foretold, double place)
{
    bl_time first = foretold->at[0];
    double top = (double)foretold->count - 1;
    double rank = (place - TAIL) / (1 - 2 * TAIL) * top;
    size_t low;

    if (place < TAIL) {
        return foretold->now + (bl_time)((double)(first - foretold->now) * place / TAIL);
    }
    if (place > 1 - TAIL) {
        return foretold->at[foretold->count - 1] +
               (bl_time)(reach_of(foretold) * (place - 1 + TAIL) / TAIL);
    }
    low = (size_t)fmin(rank, top);
    return (double)low < top
               ? foretold->at[low] + (bl_time)((rank - (double)low) *
                                               (double)(foretold->at[low + 1] - foretold->at[low]))
               : foretold->at[low];
}

static int group_of(const struct bl_foretold *foretold)
{
    bl_time wait = middle_of(foretold) - foretold->now;
    double octave = wait > BL_SECOND ? log2((double)wait / BL_SECOND) : 0;

    return octave < BL_FORETELL_GROUPS ? (int)octave : BL_FORETELL_GROUPS - 1;
}

static bool is_finite(const struct bl_foretold *foretold)
{
    return foretold->count > 0 && foretold->at[foretold->count - 1] != BL_TIME_NEVER;
}

void bl_foretell_levels_note(struct bl_foretell_levels *levels, const struct bl_foretold *foretold,
                             bl_time start)
{
    if (is_finite(foretold) && start >= foretold->now) {
        double place = place_of(foretold, start);

        bl_levels_note(&levels->group[group_of(foretold)], place);
        bl_levels_note(&levels->all, place);
    }
}

struct bl_range bl_foretell_levels_read(const struct bl_foretell_levels *levels,
                                        const struct bl_foretold *foretold)
{
    static const double wanted[] = {.1, .5, .9};
    double place[3];

    if (!is_finite(foretold)) {
        return (struct bl_range){bl_foretold_at(foretold, wanted[0]),
                                 bl_foretold_at(foretold, wanted[1]),
                                 bl_foretold_at(foretold, wanted[2])};
    }
    bl_levels_correct(&levels->group[group_of(foretold)], &levels->all, COUNTED_AS, wanted, 3,
                      place);
    return (struct bl_range){instant_at(foretold, place[0]), instant_at(foretold, place[1]),
                             instant_at(foretold, place[2])};
}
