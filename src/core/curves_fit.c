/* Fits of the store, made when first asked for. */
#include "base/own.h"
#include "core/curves_parts.h"

#include <math.h>

/* Steps of two percent: means that waver by less need no new fit. */
#define STEPS 50.0

double bl_curves_rounded(double number)
{
    return number > 0 ? exp((double)lround(STEPS * log(number)) / STEPS) : 0;
}

struct bl_fit_point bl_curves_point_of(const struct bl_curves_sample *sample)
{
    double iter_s = bl_curves_rounded(sample->iter_s);

    return (struct bl_fit_point){
        .shape = {sample->gpus, sample->nodes, bl_curves_rounded(sample->local_batch),
                  sample->accumulation},
        .iter_s = iter_s,
        .sync_s = sample->sync_s > 0 && sample->iter_s > 0
                      ? iter_s * (double)lround(STEPS * sample->sync_s / sample->iter_s) / STEPS
                      : 0,
        .count = sample->count >= 1 ? exp2(2 * floor(log2(sample->count) / 2)) : 0,
    };
}

void bl_curves_forget_fit(struct bl_curves_known *known)
{
    free(known->fit);
    known->fit = NULL;
}

static bool tells_more(const struct bl_curves_known *a, const struct bl_curves_known *b)
{
    if (a->shared_count != b->shared_count) {
        return a->shared_count > b->shared_count;
    }
    return a->count != b->count ? a->count > b->count : a->type < b->type;
}

struct bl_curves_known *bl_curves_donor(const struct bl_curves_app *app,
                                        const struct bl_curves_known *for_known)
{
    struct bl_curves_known *best = NULL;

    for (size_t i = 0; i < app->known_count; i++) {
        struct bl_curves_known *known = app->known[i];

        if (known != for_known && known->count && (!best || tells_more(known, best))) {
            best = known;
        }
    }
    return best;
}

/* Only of a type that tells more about synchronising: so the chain of donors ends. */
static const struct bl_fit *donor_fit(struct bl_curves_app *app,
                                      const struct bl_curves_known *known)
{
    struct bl_curves_known *donor = bl_curves_donor(app, known);

    return donor && donor->shared_count > known->shared_count ? bl_curves_fit_of(app, donor) : NULL;
}

const struct bl_fit *bl_curves_fit_of(struct bl_curves_app *app, struct bl_curves_known *known)
{
    struct bl_fit_point point[BL_FIT_POINTS_MAX];
    struct bl_fit_prior prior;
    const struct bl_fit *donor;
    size_t count = 0;

    if (known->fit) {
        return known->fit;
    }
    for (size_t i = 0; i < known->count; i++) {
        if (known->sample[i].has_batch == app->has_batches) {
            point[count++] = bl_curves_point_of(&known->sample[i]);
        }
    }
    donor = donor_fit(app, known);
    prior = donor ? bl_fit_prior_from(donor, point, count) : bl_fit_prior_of(point, count);
    known->fit = bl_alloc_zero(sizeof *known->fit);
    known->fit_number++;
    bl_fit_make(known->fit, point, count, &prior);
    return known->fit;
}

const struct bl_fit *bl_curves_fit(struct bl_curves_app *app, int32_t type)
{
    struct bl_curves_known *known = bl_curves_known_find(app, type);

    return known ? bl_curves_fit_of(app, known) : NULL;
}
