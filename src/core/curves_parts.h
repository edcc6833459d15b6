/* Inside of the store of curves: only for src/core/curves*.c. */
#ifndef BL_CORE_CURVES_PARTS_H
#define BL_CORE_CURVES_PARTS_H

#include "base/map.h"
#include "core/curves.h"
#include "core/noise_table.h"

enum { BL_CURVES_SLOTS = 64, BL_CURVES_REIGNS = 6 };

/* A mean of measurements on one placement. Where no batch is known, an iteration is one unit of
 * work, which all GPUs share. */
struct bl_curves_sample {
    bool has_batch;
    int32_t gpus, nodes, accumulation;
    double local_batch;
    double iter_s, sync_s;
    double count;
    uint64_t stamp; /* of the last news: rises over the whole store */
};

/* What is asked about: a placement, and the batches that it may choose from. */
struct bl_curves_subject {
    int32_t gpus, nodes;
    struct bl_batch batch; /* zeroes: not to be chosen, */
    double usual;          /* but this one of a GPU */
};

/* A batch that is best where the gradient's variance over its squared norm lies between these. */
struct bl_curves_reign {
    size_t best;
    double low, high;
};

/* Where a batch lies among three: how far from the first (part 0) or second (1) to the next. */
struct bl_curves_lie {
    int part;
    double share;
};

/* Batches of one placement, which stay while fits change, with their times by one fit, each worked
 * out when it is first needed: until then a bound below it stands in its place. */
struct bl_curves_placement {
    struct bl_curves_subject subject;
    uint64_t fit_number; /* whose times these are; 0 = nobody's */
    struct bl_batch_grid grid;
    struct bl_curves_lie lie[BL_BATCH_CHOICES]; /* of each, among the three below */
    uint64_t exact;                             /* bit i: the time of batch i is its own */
    size_t best;                                /* that was found last */
    size_t reigns;                              /* that were noted; the last ones are kept */
    struct bl_curves_reign reign[BL_CURVES_REIGNS];
    double batch[3]; /* where correction and uncertainty are looked at: rising */
    double correction[3];
    bool has_deviation; /* dear: only when asked for */
    double deviation[3];
};

/* A placement and the fit that it is asked of. */
struct bl_curves_asking {
    const struct bl_fit *fit;
    struct bl_curves_placement *placement;
};

/* One GPU type of one application. */
struct bl_curves_known {
    int32_t type;
    uint32_t shared_count; /* samples on more than one GPU */
    size_t count;
    struct bl_curves_sample sample[BL_FIT_POINTS_MAX]; /* in order of what is compared */
    struct bl_fit *fit;                                /* NULL when out of date */
    uint64_t fit_number;                               /* of the last fit; rises */
    struct bl_curves_placement *slot[BL_CURVES_SLOTS]; /* by gpus and nodes */
};

struct bl_curves_app {
    char *name;
    int64_t key;
    uint64_t stamp;
    bool has_batches; /* samples without a batch are not looked at */
    int32_t gpus_seen;
    size_t known_count;
    struct bl_curves_known *known[BL_CURVES_TYPES_MAX];
    struct bl_noise_table noise;
    struct bl_totals totals;
    double unit; /* mean logarithm of reported over modelled rate */
    double unit_count;
    double unit_factor, unit_of_factor; /* the exponential of `unit`, and of which; 0 = of none */
};

struct bl_curves {
    struct bl_map apps; /* hash of the name -> struct bl_curves_app *, owned */
    uint64_t clock;
};

/* curves.c: finds it, or makes room for it. */
struct bl_curves_app *bl_curves_app_of(struct bl_curves *curves, const char *name);

/* curves_samples.c */
struct bl_curves_known *bl_curves_known_find(const struct bl_curves_app *app, int32_t type);
void bl_curves_known_destroy(struct bl_curves_known *known);
/* Merges it with what stands for the same placement. `sample->stamp` is that of the news. */
void bl_curves_add_sample(struct bl_curves_app *app, int32_t type,
                          const struct bl_curves_sample *sample);
/* A time to synchronise that is not part of the iteration counts as not known. */
static inline void bl_curves_drop_bad_sync(struct bl_curves_sample *sample)
{
    if (!(sample->sync_s > 0 && sample->sync_s < sample->iter_s)) {
        sample->sync_s = 0;
    }
}
/* The last news of the type. */
uint64_t bl_curves_known_stamp(const struct bl_curves_known *known);

/* curves_fit.c: what was worked out from the samples is out of date. */
void bl_curves_forget_fit(struct bl_curves_known *known);
/* To one percent. */
double bl_curves_rounded(double number);
/* As a fit takes it: times and counts rounded, so that small news need no new fit. */
struct bl_fit_point bl_curves_point_of(const struct bl_curves_sample *sample);
const struct bl_fit *bl_curves_fit_of(struct bl_curves_app *app, struct bl_curves_known *known);
/* curves_batch.c: straight between what was found at the three batches. */
double bl_curves_between(const double found[3], const struct bl_curves_lie *lie);
/* A micro-step, `lie` being that of the batch. */
struct bl_step bl_curves_step_at(const struct bl_curves_asking *asking, double local,
                                 const struct bl_curves_lie *lie);
/* The batches that the subject may choose from, and three to look at. */
void bl_curves_plan_batches(struct bl_curves_placement *placement);
/* Once for each fit, when the corrections are known. */
void bl_curves_bound_batches(const struct bl_curves_asking *asking);
/* As bl_batch_grid_best. */
bool bl_curves_best_batch(const struct bl_curves_asking *asking, const struct bl_noise *noise,
                          struct bl_tuned *out);

/* The type of the application that tells most about others; NULL when none has a sample. */
struct bl_curves_known *bl_curves_donor(const struct bl_curves_app *app,
                                        const struct bl_curves_known *for_known);

#endif
