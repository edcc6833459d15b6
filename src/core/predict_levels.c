#include "core/predict_levels.h"

#include <math.h>

#define KEPT .997 /* of all truths, at each new one */

void bl_levels_note(struct bl_levels *levels, double chance)
{
    int cell = (int)fmin(fmax(chance * BL_LEVELS_CELLS, 0), BL_LEVELS_CELLS - 1);

    for (int i = 0; i < BL_LEVELS_CELLS; i++) {
        levels->cell[i] = (int32_t)(levels->cell[i] * KEPT);
    }
    levels->cell[cell] += BL_LEVELS_MASS;
}

/* What share of truths to expect in each cell, not divided by their sum; answers that sum. */
static double expect_shares(const struct bl_levels *own, const struct bl_levels *all,
                            struct bl_levels_prior prior, double share[BL_LEVELS_CELLS])
{
    double even = prior.even / BL_LEVELS_CELLS;
    double sum_all = prior.even;
    double sum = 0;

    for (int i = 0; i < BL_LEVELS_CELLS; i++) {
        sum_all += (double)all->cell[i] / BL_LEVELS_MASS;
    }
    for (int i = 0; i < BL_LEVELS_CELLS; i++) {
        share[i] = (double)own->cell[i] / BL_LEVELS_MASS +
                   prior.all * ((double)all->cell[i] / BL_LEVELS_MASS + even) / sum_all;
        sum += share[i];
    }
    return sum;
}

void bl_levels_correct(const struct bl_levels *own, const struct bl_levels *all,
                       struct bl_levels_prior prior, const double wanted[], int count, double out[])
{
    double share[BL_LEVELS_CELLS];
    double sum = expect_shares(own, all, prior, share);
    double below = 0;
    int cell = 0;

    for (int i = 0; i < count; i++) {
        double mass = wanted[i] * sum;

        while (cell < BL_LEVELS_CELLS - 1 && below + share[cell] < mass) {
            below += share[cell++];
        }
        out[i] = (cell + fmin((mass - below) / share[cell], 1)) / BL_LEVELS_CELLS;
    }
}
