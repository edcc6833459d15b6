#include "core/foretell_levels.h"

#include <math.h>
#include <string.h>

enum { LAST = BL_OUTLINE_POINTS - 1, MIDDLE = BL_OUTLINE_POINTS / 2 };

/* Of the scale on which truths are noted: below the first point, down to the present, and above the
 * last, up to some way beyond. The points lie on it where the runs say that truths should. */
#define TAIL   .1
#define BEYOND 2.0 /* times the distance from the middle to the last */

static const struct bl_levels_prior prior = {.all = 100, .even = 20};
static const char levels_word[] = "eta_levels";

/* How far above the last point the scale goes. Where all runs agree there is a scale as well. */
static double reach_of(const struct bl_outline *outline)
{
    bl_time spread = outline->at[LAST] - outline->at[MIDDLE];
    bl_time wait = outline->at[MIDDLE] - outline->now;
    bl_time reach = spread + wait / 4 + BL_SECOND;

    return BEYOND * (double)reach;
}

/* From point to point; where several agree, the middle of them. */
static double rank_of(const struct bl_outline *outline, bl_time truth)
{
    double below = 0;
    double same = 0;
    int next = 0;

    for (; next <= LAST && outline->at[next] <= truth; next++) {
        below += outline->at[next] < truth;
        same += outline->at[next] == truth;
    }
    if (same > 0) {
        return below + (same - 1) / 2;
    }
    return below - 1 +
           (double)(truth - outline->at[next - 1]) /
               (double)(outline->at[next] - outline->at[next - 1]);
}

/* Between 0 and 1. */
static double place_of(const struct bl_outline *outline, bl_time truth)
{
    bl_time first = outline->at[0];
    bl_time last = outline->at[LAST];

    if (truth < first) {
        return TAIL * (double)(truth - outline->now) / (double)(first - outline->now);
    }
    if (truth > last) {
        return fmin(1, 1 - TAIL + TAIL * (double)(truth - last) / reach_of(outline));
    }
    return TAIL + (1 - 2 * TAIL) * rank_of(outline, truth) / LAST;
}

static bl_time instant_at(const struct bl_outline *outline, double place)
{
    bl_time first = outline->at[0];
    double rank = (place - TAIL) / (1 - 2 * TAIL) * LAST;
    int low;

    if (place < TAIL) {
        return outline->now + (bl_time)((double)(first - outline->now) * place / TAIL);
    }
    if (place > 1 - TAIL) {
        return outline->at[LAST] + (bl_time)(reach_of(outline) * (place - 1 + TAIL) / TAIL);
    }
    low = (int)fmin(rank, LAST);
    return low < LAST
               ? outline->at[low] +
                     (bl_time)((rank - low) * (double)(outline->at[low + 1] - outline->at[low]))
               : outline->at[low];
}

static int group_of(const struct bl_outline *outline)
{
    bl_time wait = outline->at[MIDDLE] - outline->now;
    double octave = wait > BL_SECOND ? log2((double)wait / BL_SECOND) : 0;

    return octave < BL_FORETELL_GROUPS ? (int)octave : BL_FORETELL_GROUPS - 1;
}

static bool is_finite(const struct bl_outline *outline)
{
    return outline->now > 0 && outline->at[LAST] != BL_TIME_NEVER;
}

void bl_foretell_levels_note(struct bl_foretell_levels *levels, const struct bl_outline *outline,
                             bl_time truth)
{
    if (is_finite(outline) && truth >= outline->now) {
        double place = place_of(outline, truth);

        bl_levels_note(&levels->group[group_of(outline)], place);
        bl_levels_note(&levels->all, place);
    }
}

struct bl_range bl_foretell_levels_read(const struct bl_foretell_levels *levels,
                                        const struct bl_outline *outline)
{
    static const double wanted[] = {.1, .5, .9};
    double place[3];

    if (!is_finite(outline)) {
        return (struct bl_range){outline->at[0], outline->at[MIDDLE], outline->at[LAST]};
    }
    bl_levels_correct(&levels->group[group_of(outline)], &levels->all, prior, wanted, 3, place);
    return (struct bl_range){instant_at(outline, place[0]), instant_at(outline, place[1]),
                             instant_at(outline, place[2])};
}

/* --- through a snapshot ---------------------------------------------------------------------- */

/* Which group, then the cells that are not empty. */
static void export_levels(const struct bl_levels *levels, int64_t group, const char *of,
                          void (*emit)(void *to, const struct bl_kept *kept), void *to)
{
    int64_t value[1 + 2 * BL_LEVELS_CELLS] = {group};
    size_t count = 1;

    for (int i = 0; i < BL_LEVELS_CELLS; i++) {
        if (levels->cell[i] > 0) {
            value[count++] = i;
            value[count++] = levels->cell[i];
        }
    }
    if (count > 1) {
        emit(to, &(struct bl_kept){levels_word, of, value, count});
    }
}

void bl_foretell_levels_export(const struct bl_foretell_levels *levels, const char *of,
                               void (*emit)(void *to, const struct bl_kept *kept), void *to)
{
    for (int i = 0; i < BL_FORETELL_GROUPS; i++) {
        export_levels(&levels->group[i], i, of, emit, to);
    }
    export_levels(&levels->all, BL_FORETELL_GROUPS, of, emit, to);
}

bool bl_foretell_levels_take(struct bl_foretell_levels *levels, const struct bl_kept *kept)
{
    const int64_t *value = kept->value;
    struct bl_levels taken = {{0}};

    if (strcmp(kept->name, levels_word) != 0 || kept->count % 2 == 0 || value[0] < 0 ||
        value[0] > BL_FORETELL_GROUPS) {
        return false;
    }
    for (size_t i = 1; i < kept->count; i += 2) {
        if (value[i] < 0 || value[i] >= BL_LEVELS_CELLS || value[i + 1] < 0 ||
            value[i + 1] > INT32_MAX) {
            return false;
        }
        taken.cell[value[i]] = (int32_t)value[i + 1];
    }
    if (value[0] < BL_FORETELL_GROUPS) {
        levels->group[value[0]] = taken;
    } else {
        levels->all = taken;
    }
    return true;
}
