/* Booked series after a new edition of the time zone database: their times of day stay, so instants
 * move. */
#ifndef BL_CALENDAR_REVISE_H
#define BL_CALENDAR_REVISE_H

#include "calendar/series.h"

/* A zone in the edition by which a series was booked, and in the one that holds now. */
struct bl_revise_zone {
    const struct bl_tz *before, *after;
};

/* An occurrence as it is booked, under any number. */
struct bl_revise_kept {
    int32_t number;
    bl_time start, end;
};

struct bl_revise_moves {
    BL_VEC(struct bl_revise_kept) moves; /* with their new times, in the order of what is kept */
};

void bl_revise_moves_finish(struct bl_revise_moves *moves);

#define BL_AUTO_REVISE_MOVES __attribute__((cleanup(bl_revise_moves_finish))) struct bl_revise_moves

/* What of `kept`, in order of their starts, has to move: occurrences that start in the window at
 * the times that the series had before, and has no more. Those at other times were given them by
 * somebody and stay. `out` is empty before. Nothing moves where one edition does not let the series
 * be. */
void bl_revise(const struct bl_series *series, const struct bl_revise_zone *zone,
               const struct bl_series_window *window, const struct bl_revise_kept *kept,
               size_t count, struct bl_revise_moves *out);

#endif
