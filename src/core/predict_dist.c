#include "core/predict_dist.h"

#include <math.h>

const double bl_dist_level[BL_DIST_POINTS] = {.01, .05, .10, .15, .20, .25, .30, .35, .40, .45, .50,
                                              .55, .60, .65, .70, .75, .80, .85, .90, .95, .99};

/* The chance that a point stands for: the levels half-way to its neighbours. */
static double mass_of(int i)
{
    double low = i > 0 ? (bl_dist_level[i - 1] + bl_dist_level[i]) / 2 : 0;
    double high = i + 1 < BL_DIST_POINTS ? (bl_dist_level[i] + bl_dist_level[i + 1]) / 2 : 1;

    return high - low;
}

int32_t bl_dist_point(bl_time length)
{
    double octaves = length > 1 ? log2((double)length) : 0;
    double point = octaves * BL_DIST_OCTAVE;

    return point < BL_DIST_MOST ? (int32_t)lround(point) : BL_DIST_MOST;
}

bl_time bl_dist_length(int32_t point)
{
    return (bl_time)llround(exp2((double)point / BL_DIST_OCTAVE));
}

bl_time bl_dist_quantile(const struct bl_dist *dist, double level)
{
    int i = 1;
    double share;

    if (!bl_dist_is_known(dist)) {
        return 0;
    }
    level = fmin(fmax(level, bl_dist_level[0]), bl_dist_level[BL_DIST_POINTS - 1]);
    while (i < BL_DIST_POINTS - 1 && bl_dist_level[i] < level) {
        i++;
    }
    share = (level - bl_dist_level[i - 1]) / (bl_dist_level[i] - bl_dist_level[i - 1]);
    return bl_dist_length(dist->point[i - 1] +
                          (int32_t)lround(share * (dist->point[i] - dist->point[i - 1])));
}

double bl_dist_chance(const struct bl_dist *dist, bl_time length)
{
    int32_t point = bl_dist_point(length);
    int i = 0;
    double share;

    if (!bl_dist_is_known(dist) || point >= dist->point[BL_DIST_POINTS - 1]) {
        return 1;
    }
    while (dist->point[i] <= point) {
        i++;
    }
    if (i == 0) {
        return 0;
    }
    share = (double)(point - dist->point[i - 1]) / (dist->point[i] - dist->point[i - 1]);
    return bl_dist_level[i - 1] + share * (bl_dist_level[i] - bl_dist_level[i - 1]);
}

bl_time bl_dist_mean(const struct bl_dist *dist)
{
    double sum = 0;

    if (!bl_dist_is_known(dist)) {
        return 0;
    }
    for (int i = 0; i < BL_DIST_POINTS; i++) {
        sum += mass_of(i) * exp2((double)dist->point[i] / BL_DIST_OCTAVE);
    }
    return (bl_time)llround(fmax(sum, 1));
}

#define SHORTEST_COUNTED_S 10.0

double bl_dist_haste(const struct bl_dist *dist)
{
    double sum = 0;

    for (int i = 0; i < BL_DIST_POINTS; i++) {
        double seconds = exp2((double)dist->point[i] / BL_DIST_OCTAVE) / BL_SECOND;

        sum += mass_of(i) / fmax(seconds, SHORTEST_COUNTED_S);
    }
    return sum;
}

bl_time bl_dist_best_guess(const struct bl_dist *dist)
{
    double length[BL_DIST_POINTS];
    double above = 0;
    double below = 0;
    double best = -1;
    int32_t found = 0;

    for (int i = 0; i < BL_DIST_POINTS; i++) {
        length[i] = exp2((double)dist->point[i] / BL_DIST_OCTAVE);
        above += mass_of(i) / length[i];
    }
    for (int i = 0; i < BL_DIST_POINTS; i++) {
        double ratio;

        below += mass_of(i) * length[i];
        above -= mass_of(i) / length[i];
        ratio = below / length[i] + above * length[i];
        if (ratio > best) {
            best = ratio;
            found = dist->point[i];
        }
    }
    return bl_dist_is_known(dist) ? bl_dist_length(found) : 0;
}

void bl_dist_cap(struct bl_dist *dist, bl_time most)
{
    int32_t point = bl_dist_point(most);

    point = point > 0 ? point : 1;
    for (int i = 0; i < BL_DIST_POINTS; i++) {
        dist->point[i] = dist->point[i] < point ? dist->point[i] : point;
    }
}

void bl_dist_floor(struct bl_dist *dist, bl_time least)
{
    int32_t point = bl_dist_is_known(dist) ? bl_dist_point(least) : 0;

    for (int i = 0; i < BL_DIST_POINTS; i++) {
        dist->point[i] = dist->point[i] > point ? dist->point[i] : point;
    }
}

/* How far past its age a thing of which nothing more is known may go on, in octaves. */
static const double beyond[] = {.05, 1.5};

static void outlive(int32_t age, struct bl_dist *out)
{
    for (int i = 0; i < BL_DIST_POINTS; i++) {
        double octaves = beyond[0] + bl_dist_level[i] * (beyond[1] - beyond[0]);
        double point = age + octaves * BL_DIST_OCTAVE;

        out->point[i] = point < BL_DIST_MOST ? (int32_t)point : BL_DIST_MOST;
    }
}

void bl_dist_after(const struct bl_dist *dist, bl_time elapsed, struct bl_dist *out)
{
    double past = bl_dist_chance(dist, elapsed);
    int32_t age = bl_dist_point(elapsed);
    struct bl_dist from = *dist;

    if (!bl_dist_is_known(dist) || elapsed <= 0 || past <= 0) {
        *out = from;
        return;
    }
    if (past >= bl_dist_level[BL_DIST_POINTS - 1]) {
        outlive(age, out);
        return;
    }
    for (int i = 0; i < BL_DIST_POINTS; i++) {
        bl_time length = bl_dist_quantile(&from, past + bl_dist_level[i] * (1 - past));

        out->point[i] = bl_dist_point(length);
        out->point[i] = out->point[i] > age ? out->point[i] : age;
    }
}

/* --- doubt ----------------------------------------------------------------------------------- */

struct bl_doubt bl_dist_doubt(const struct bl_dist *dist, int64_t runs, bl_time elapsed,
                              bl_time longest)
{
    static const double runs_half = 10; /* of which half is believed */
    double doubt = runs_half / (runs_half + (double)runs);
    double left = longest > elapsed ? 1 - (double)elapsed / (double)longest : 0;
    double other = doubt * left;
    double expected = (1 - doubt) * (1 - bl_dist_chance(dist, elapsed));

    if (other <= 0) {
        return (struct bl_doubt){0, elapsed, elapsed};
    }
    return (struct bl_doubt){other / (other + expected), elapsed, longest};
}

bl_time bl_dist_doubted(const struct bl_dist *dist, const struct bl_doubt *doubt, double level)
{
    bl_time plain = bl_dist_quantile(dist, level);
    bl_time low = doubt->from;
    bl_time high = plain > doubt->to ? plain : doubt->to;

    if (doubt->doubt <= 0) {
        return plain;
    }
    while (high - low > high / 1024 + 1) {
        bl_time at = low + (high - low) / 2;
        double share = (double)(at - doubt->from) / (double)(doubt->to - doubt->from);
        double chance =
            (1 - doubt->doubt) * bl_dist_chance(dist, at) + doubt->doubt * (share < 1 ? share : 1);

        if (chance < level) {
            low = at;
        } else {
            high = at;
        }
    }
    return high;
}
