/* Samples of one GPU type: merged by placement, at most BL_FIT_POINTS_MAX of them. */
#include "base/own.h"
#include "core/curves_parts.h"

#include <math.h>
#include <string.h>

struct bl_curves_known *bl_curves_known_find(const struct bl_curves_app *app, int32_t type)
{
    for (size_t i = 0; i < app->known_count; i++) {
        if (app->known[i]->type == type) {
            return app->known[i];
        }
    }
    return NULL;
}

void bl_curves_known_destroy(struct bl_curves_known *known)
{
    bl_curves_forget_fit(known);
    for (size_t i = 0; i < BL_CURVES_SLOTS; i++) {
        free(known->slot[i]);
    }
    free(known);
}

uint64_t bl_curves_known_stamp(const struct bl_curves_known *known)
{
    uint64_t last = 0;

    for (size_t i = 0; i < known->count; i++) {
        last = known->sample[i].stamp > last ? known->sample[i].stamp : last;
    }
    return last;
}

static void forget_all_fits(struct bl_curves_app *app)
{
    for (size_t i = 0; i < app->known_count; i++) {
        bl_curves_forget_fit(app->known[i]);
    }
}

static void forget_oldest_type(struct bl_curves_app *app)
{
    size_t oldest = 0;

    for (size_t i = 1; i < app->known_count; i++) {
        if (bl_curves_known_stamp(app->known[i]) < bl_curves_known_stamp(app->known[oldest])) {
            oldest = i;
        }
    }
    bl_curves_known_destroy(app->known[oldest]);
    app->known[oldest] = app->known[--app->known_count];
    forget_all_fits(app);
}

static struct bl_curves_known *known_of(struct bl_curves_app *app, int32_t type)
{
    struct bl_curves_known *known = bl_curves_known_find(app, type);

    if (known) {
        return known;
    }
    if (app->known_count == BL_CURVES_TYPES_MAX) {
        forget_oldest_type(app);
    }
    known = bl_alloc_zero(sizeof *known);
    known->type = type;
    app->known[app->known_count++] = known;
    return known;
}

/* Batches half an octave wide are one. */
static long batch_step(const struct bl_curves_sample *sample)
{
    return lround(2 * log2(sample->local_batch));
}

/* Order of placements; 0 for those that are merged. */
static long compare(const struct bl_curves_sample *a, const struct bl_curves_sample *b)
{
    if (a->has_batch != b->has_batch) {
        return a->has_batch - b->has_batch;
    }
    if (a->gpus != b->gpus) {
        return (long)a->gpus - b->gpus;
    }
    if (a->nodes != b->nodes) {
        return (long)a->nodes - b->nodes;
    }
    if (a->accumulation != b->accumulation) {
        return (long)a->accumulation - b->accumulation;
    }
    return batch_step(a) - batch_step(b);
}

/* The first that does not stand before it. */
static size_t place_of(const struct bl_curves_known *known, const struct bl_curves_sample *sample)
{
    size_t at = 0;

    while (at < known->count && compare(&known->sample[at], sample) < 0) {
        at++;
    }
    return at;
}

/* A measurement that tells both kinds of micro-step apart needs no accumulation: all such are
 * comparable. */
static struct bl_curves_sample plain(const struct bl_curves_sample *sample)
{
    struct bl_curves_sample out = *sample;

    if (sample->sync_s > 0 && sample->accumulation > 0) {
        out.iter_s =
            (sample->iter_s + sample->accumulation * sample->sync_s) / (sample->accumulation + 1.0);
        out.accumulation = 0;
    }
    return out;
}

static void merge(struct bl_curves_sample *to, const struct bl_curves_sample *from)
{
    double share = from->count / fmin(to->count + from->count, BL_CURVES_COUNT_MAX);

    share = fmin(share, 1);
    to->local_batch += (from->local_batch - to->local_batch) * share;
    to->iter_s += (from->iter_s - to->iter_s) * share;
    to->sync_s += (from->sync_s - to->sync_s) * share;
    to->count = fmin(to->count + from->count, BL_CURVES_COUNT_MAX);
    to->stamp = from->stamp;
}

static size_t count_beside(const struct bl_curves_known *known, size_t at)
{
    size_t count = 0;

    for (size_t i = 0; i < known->count; i++) {
        count += known->sample[i].gpus == known->sample[at].gpus &&
                 known->sample[i].nodes == known->sample[at].nodes;
    }
    return count;
}

/* The oldest among the placement with the most samples: the variety of placements stays. */
static void forget_sample(struct bl_curves_known *known)
{
    size_t most = 0;
    size_t out = 0;

    for (size_t i = 0; i < known->count; i++) {
        size_t beside = count_beside(known, i);

        if (beside > most ||
            (beside == most && known->sample[i].stamp < known->sample[out].stamp)) {
            most = beside;
            out = i;
        }
    }
    known->shared_count -= known->sample[out].gpus > 1;
    known->count--;
    memmove(&known->sample[out], &known->sample[out + 1],
            (known->count - out) * sizeof known->sample[0]);
}

static void insert(struct bl_curves_known *known, const struct bl_curves_sample *sample)
{
    size_t at;

    if (known->count == BL_FIT_POINTS_MAX) {
        forget_sample(known);
    }
    at = place_of(known, sample);
    memmove(&known->sample[at + 1], &known->sample[at],
            (known->count - at) * sizeof known->sample[0]);
    known->sample[at] = *sample;
    known->count++;
    known->shared_count += sample->gpus > 1;
}

static bool is_same_point(const struct bl_curves_sample *a, const struct bl_curves_sample *b)
{
    struct bl_fit_point one = bl_curves_point_of(a);
    struct bl_fit_point other = bl_curves_point_of(b);

    return one.iter_s == other.iter_s && one.sync_s == other.sync_s && one.count == other.count &&
           one.shape.local_batch == other.shape.local_batch;
}

/* Fits of types with fewer samples lean on this one. */
static void forget_fits(struct bl_curves_app *app, const struct bl_curves_known *known)
{
    for (size_t i = 0; i < app->known_count; i++) {
        if (app->known[i] == known || app->known[i]->shared_count <= known->shared_count) {
            bl_curves_forget_fit(app->known[i]);
        }
    }
}

static void note_sample(struct bl_curves_app *app, const struct bl_curves_sample *sample)
{
    app->has_batches = app->has_batches || sample->has_batch;
    app->gpus_seen = sample->gpus > app->gpus_seen ? sample->gpus : app->gpus_seen;
}

/* What the samples say together, after one came and others may have left. */
static void look_over(struct bl_curves_app *app)
{
    bool had = app->has_batches;

    app->has_batches = false;
    app->gpus_seen = 0;
    for (size_t i = 0; i < app->known_count; i++) {
        for (size_t j = 0; j < app->known[i]->count; j++) {
            note_sample(app, &app->known[i]->sample[j]);
        }
    }
    if (app->has_batches != had) {
        forget_all_fits(app);
    }
}

void bl_curves_add_sample(struct bl_curves_app *app, int32_t type,
                          const struct bl_curves_sample *sample)
{
    struct bl_curves_known *known = known_of(app, type);
    struct bl_curves_sample fresh = plain(sample);
    size_t at = place_of(known, &fresh);

    if (at < known->count && compare(&known->sample[at], &fresh) == 0) {
        struct bl_curves_sample before = known->sample[at];

        merge(&known->sample[at], &fresh);
        if (is_same_point(&before, &known->sample[at])) {
            return;
        }
    } else {
        insert(known, &fresh);
        look_over(app);
    }
    forget_fits(app, known);
}
