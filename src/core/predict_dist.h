/* How long something may take: a distribution, kept as quantiles at fixed levels. A point is a
 * length on a scale of octaves, whole numbers, so that it goes through records unchanged. */
#ifndef BL_CORE_PREDICT_DIST_H
#define BL_CORE_PREDICT_DIST_H

#include "base/span.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    BL_DIST_POINTS = 21,
    BL_DIST_OCTAVE = 1 << 20,          /* units of a point in a factor of two; 0 is a microsecond */
    BL_DIST_MOST = 52 * BL_DIST_OCTAVE /* over a century */
};

/* Rising; all zeroes = nothing is known. */
struct bl_dist {
    int32_t point[BL_DIST_POINTS];
};

/* .01, .05, .10 … .95, .99 */
extern const double bl_dist_level[BL_DIST_POINTS];

/* A length as a point and back; lengths below a microsecond count as one, and what is over
 * BL_DIST_MOST as that. */
int32_t bl_dist_point(bl_time length);
bl_time bl_dist_length(int32_t point);

static inline bool bl_dist_is_known(const struct bl_dist *dist)
{
    return dist->point[BL_DIST_POINTS - 1] > 0;
}

/* The length that is not passed with this chance, > 0; 0 when nothing is known. */
bl_time bl_dist_quantile(const struct bl_dist *dist, double level);

/* The chance that a length is not passed. */
double bl_dist_chance(const struct bl_dist *dist, bl_time length);

/* 0 when nothing is known. */
bl_time bl_dist_mean(const struct bl_dist *dist);

/* The mean of 1 / max(10 s, length), in 1/s: what a second of waiting costs in bounded slowdown. */
double bl_dist_haste(const struct bl_dist *dist);

/* The length whose ratio to the true one, the smaller by the larger, is expected to be largest. */
bl_time bl_dist_best_guess(const struct bl_dist *dist);

/* Nothing takes longer than `most`. */
void bl_dist_cap(struct bl_dist *dist, bl_time most);

/* Nothing takes less than `least`, where anything is known. */
void bl_dist_floor(struct bl_dist *dist, bl_time least);

/* Of what has gone on for `elapsed` already: still the whole length. One that outlived all that was
 * expected is taken to go on for a while that grows with its age. */
void bl_dist_after(const struct bl_dist *dist, bl_time elapsed, struct bl_dist *out);

/* What a forecast from few runs is trusted with: with the chance `doubt` a length is any part of
 * `from` to `to` instead, all alike. */
struct bl_doubt {
    double doubt;
    bl_time from, to;
};

/* How much to doubt what rests on so many runs, where a job may take at most `longest`. One that
 * outlived most of what was expected of it is the more likely to be of the other kind. */
struct bl_doubt bl_dist_doubt(const struct bl_dist *dist, int64_t runs, bl_time elapsed,
                              bl_time longest);

/* The length that is not passed with this chance, when that is doubted. */
bl_time bl_dist_doubted(const struct bl_dist *dist, const struct bl_doubt *doubt, double level);

/* The loss of quantile `forecast` at `level` for what came to be `length`, in the unit of both. */
static inline double bl_pinball(double level, double forecast, double length)
{
    return length > forecast ? level * (length - forecast) : (1 - level) * (forecast - length);
}

#endif
