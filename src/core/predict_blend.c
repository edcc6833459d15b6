#include "core/predict_blend.h"

#include <assert.h>
#include <math.h>

void bl_blend_begin(struct bl_blend *blend)
{
    for (int i = blend->low; i <= blend->high; i++) {
        blend->weight[i] = 0;
    }
    blend->low = BL_BLEND_CELLS;
    blend->high = -1;
    blend->total = 0;
}

static int cell_of(double guess)
{
    double cell = floor((guess - BL_BLEND_LOW) * BL_BLEND_PER_OCTAVE);

    return cell < 0 ? 0 : cell < BL_BLEND_CELLS ? (int)cell : BL_BLEND_CELLS - 1;
}

void bl_blend_add(struct bl_blend *blend, double guess, double weight)
{
    int cell = cell_of(guess);
    float at = (float)guess;

    if (!(weight > 0)) {
        return;
    }
    if (blend->weight[cell] > 0) {
        blend->least[cell] = at < blend->least[cell] ? at : blend->least[cell];
        blend->most[cell] = at > blend->most[cell] ? at : blend->most[cell];
    } else {
        blend->least[cell] = at;
        blend->most[cell] = at;
    }
    blend->weight[cell] += (float)weight;
    blend->low = cell < blend->low ? cell : blend->low;
    blend->high = cell > blend->high ? cell : blend->high;
    blend->total += weight;
}

enum { REPRESENTATIVES = 12, SHIFTS = 6 };

void bl_blend_widen(struct bl_blend *blend, double share)
{
    static const double shift[SHIFTS] = {-4, -2, -1, 1, 2, 4};
    static const double part[SHIFTS] = {.1, .15, .25, .25, .15, .1};
    double level[REPRESENTATIVES];
    double at[REPRESENTATIVES];
    double each = blend->total * share / (1 - share) / REPRESENTATIVES;

    for (int i = 0; i < REPRESENTATIVES; i++) {
        level[i] = (i + .5) / REPRESENTATIVES;
    }
    bl_blend_quantiles(blend, level, REPRESENTATIVES, at);
    for (int i = 0; i < REPRESENTATIVES; i++) {
        for (int s = 0; s < SHIFTS; s++) {
            bl_blend_add(blend, at[i] + shift[s], each * part[s]);
        }
    }
}

void bl_blend_cap(struct bl_blend *blend, double most)
{
    int last = cell_of(most);
    double moved = 0;

    for (int i = last; i <= blend->high; i++) {
        if (i > last || (double)blend->most[i] > most) {
            moved += (double)blend->weight[i];
            blend->weight[i] = 0;
        }
    }
    if (moved > 0) {
        blend->total -= moved;
        blend->high = last;
        blend->low = blend->low < last ? blend->low : last;
        bl_blend_add(blend, most, moved);
    }
}

void bl_blend_discount(struct bl_blend *blend, double least, double kept)
{
    int end = cell_of(least);

    blend->total = 0;
    for (int i = blend->low; i <= blend->high; i++) {
        if (i < end) {
            blend->weight[i] *= (float)kept;
        }
        blend->total += (double)blend->weight[i];
    }
}

void bl_blend_quantiles(const struct bl_blend *blend, const double level[], int count, double out[])
{
    double below = 0;
    int cell = blend->low;

    assert(blend->low <= blend->high && blend->total > 0);
    for (int i = 0; i < count; i++) {
        double wanted = level[i] * blend->total;
        double share;

        while (cell < blend->high &&
               (blend->weight[cell] <= 0 || below + (double)blend->weight[cell] < wanted)) {
            below += (double)blend->weight[cell++];
        }
        share = (wanted - below) / (double)blend->weight[cell];
        out[i] = (double)blend->least[cell] +
                 fmin(fmax(share, 0), 1) * (double)(blend->most[cell] - blend->least[cell]);
    }
}

double bl_blend_chance(const struct bl_blend *blend, double guess)
{
    int end = cell_of(guess);
    double below = 0;

    for (int i = blend->low; i < end && i <= blend->high; i++) {
        below += (double)blend->weight[i];
    }
    if (end >= blend->low && end <= blend->high && blend->weight[end] > 0) {
        double width = (double)(blend->most[end] - blend->least[end]);
        double beyond = (double)((float)guess - blend->least[end]);
        double share = beyond < 0 ? 0 : beyond > width ? 1 : width > 0 ? beyond / width : .5;

        below += share * (double)blend->weight[end];
    }
    return blend->total > 0 ? below / blend->total : 0;
}

void bl_blend_read(const struct bl_blend *blend, const double level[], struct bl_dist *out)
{
    double at[BL_DIST_POINTS];
    int32_t before = 1;

    bl_blend_quantiles(blend, level, BL_DIST_POINTS, at);
    for (int i = 0; i < BL_DIST_POINTS; i++) {
        double point = (at[i] + log2((double)BL_SECOND)) * BL_DIST_OCTAVE;

        out->point[i] = point < BL_DIST_MOST ? (int32_t)lround(fmax(point, 0)) : BL_DIST_MOST;
        out->point[i] = out->point[i] > before ? out->point[i] : before;
        before = out->point[i];
    }
}
