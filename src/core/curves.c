#include "core/curves.h"

#include "base/own.h"
#include "core/curves_parts.h"

#include <math.h>
#include <string.h>

struct bl_curves *bl_curves_create(void)
{
    return bl_alloc_zero(sizeof(struct bl_curves));
}

static void destroy_app(struct bl_curves_app *app)
{
    for (size_t i = 0; i < app->known_count; i++) {
        bl_curves_known_destroy(app->known[i]);
    }
    free(app->name);
    free(app);
}

void bl_curves_destroy(struct bl_curves *curves)
{
    size_t cursor = 0;
    struct bl_curves_app *app;

    if (!curves) {
        return;
    }
    while ((app = bl_map_next(&curves->apps, &cursor))) {
        destroy_app(app);
    }
    bl_map_finish(&curves->apps);
    free(curves);
}

/* FNV-1a. Two applications that share all 64 bits would share their curve. */
static int64_t key_of(const char *name)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (const char *c = name; *c; c++) {
        hash = (hash ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
    }
    return (int64_t)hash;
}

struct bl_curves_app *bl_curves_find(struct bl_curves *curves, const char *application)
{
    return application ? bl_map_find(&curves->apps, key_of(application)) : NULL;
}

void bl_curves_forget(struct bl_curves *curves, const char *application)
{
    struct bl_curves_app *app = bl_map_remove(&curves->apps, key_of(application));

    if (app) {
        destroy_app(app);
    }
}

static void forget_oldest(struct bl_curves *curves)
{
    struct bl_curves_app *oldest = NULL;
    struct bl_curves_app *app;
    size_t cursor = 0;

    while ((app = bl_map_next(&curves->apps, &cursor))) {
        if (!oldest || app->stamp < oldest->stamp) {
            oldest = app;
        }
    }
    if (oldest) {
        bl_map_remove(&curves->apps, oldest->key);
        destroy_app(oldest);
    }
}

struct bl_curves_app *bl_curves_app_of(struct bl_curves *curves, const char *name)
{
    struct bl_curves_app *app = bl_curves_find(curves, name);

    if (!app) {
        if (curves->apps.count >= BL_CURVES_APPS_MAX) {
            forget_oldest(curves);
        }
        app = bl_alloc_zero(sizeof *app);
        app->name = bl_copy_text(name);
        app->key = key_of(name);
        bl_map_insert(&curves->apps, app->key, app);
    }
    app->stamp = ++curves->clock;
    return app;
}

static bool is_positive(double number)
{
    return isfinite(number) && number > 0;
}

/* False when nothing in it tells a speed. */
static bool sample_of(const struct bl_observation *observation, struct bl_curves_sample *out)
{
    bool has_time = is_positive(observation->iter_s);
    struct bl_fit_point point;

    *out = (struct bl_curves_sample){
        .has_batch = has_time && is_positive(observation->local_batch),
        .gpus = observation->gpus,
        .nodes = observation->nodes,
        .count = 1,
    };
    if (out->has_batch) {
        out->accumulation = observation->accumulation;
        out->local_batch = observation->local_batch;
        out->iter_s = observation->iter_s;
        out->sync_s = observation->sync_s;
    } else {
        out->local_batch = observation->gpus > 0 ? 1.0 / observation->gpus : 0;
        out->iter_s = is_positive(observation->rate) ? 1 / observation->rate
                      : has_time                     ? observation->iter_s
                                                     : 0;
    }
    bl_curves_drop_bad_sync(out);
    point = bl_curves_point_of(out);
    return bl_fit_point_is_usable(&point);
}

/* What the job says it does in a second, over what its iterations would do: by its limits of the
 * batch and the noise, else by its samples. */
static void learn_unit(struct bl_curves_app *app, const struct bl_curves_news *news)
{
    const struct bl_observation *seen = news->observation;
    struct bl_noise noise = {seen->grad_sqr, seen->grad_var};
    double global = seen->local_batch * seen->gpus * (seen->accumulation + 1.0);
    double work = global;
    double ratio;

    if (news->batch && bl_batch_is_given(news->batch)) {
        work = bl_goodput_gain(&noise, fmax(global / news->batch->initial, 1));
    }
    ratio = log(seen->rate * seen->iter_s / work);
    if (is_positive(seen->rate) && isfinite(ratio)) {
        app->unit_count = fmin(app->unit_count + 1, BL_CURVES_COUNT_MAX);
        app->unit += (ratio - app->unit) / app->unit_count;
    }
}

void bl_curves_learn(struct bl_curves *curves, const struct bl_curves_news *news)
{
    struct bl_curves_app *app = bl_curves_app_of(curves, news->application);
    struct bl_curves_sample sample;

    bl_totals_note_done(&app->totals, news->done);
    if (!news->observation) {
        return;
    }
    bl_noise_table_add(
        &app->noise, news->done,
        &(struct bl_noise){news->observation->grad_sqr, news->observation->grad_var});
    if (sample_of(news->observation, &sample)) {
        sample.stamp = ++curves->clock;
        bl_curves_add_sample(app, news->observation->type, &sample);
        if (sample.has_batch) {
            learn_unit(app, news);
        }
    }
}

void bl_curves_learn_finished(struct bl_curves *curves, const char *application, double total)
{
    if (is_positive(total)) {
        bl_totals_note_finished(&bl_curves_app_of(curves, application)->totals, total);
    }
}

int32_t bl_curves_gpus_seen(const struct bl_curves_app *app)
{
    return app->gpus_seen;
}

struct bl_total bl_curves_total(const struct bl_curves_app *app, double done)
{
    return bl_totals_expect(&app->totals, done);
}

struct bl_noise bl_curves_noise(const struct bl_curves_app *app, double done)
{
    return bl_noise_table_at(&app->noise, done);
}
