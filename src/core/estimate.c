#include "core/estimate.h"

#include "base/map.h"
#include "base/own.h"
#include "core/application.h"
#include "core/curves.h"
#include "core/pollux.h"

#include <math.h>

enum { CONFIGS_MAX = 32 };

/* Batches of one placement with their times. */
struct config {
    int32_t gpus;
    bool is_made; /* with the model as it is */
    struct bl_batch_grid grid;
};

/* One GPU type. */
struct known {
    int32_t type;
    struct bl_pollux_known points;
    struct config *config[CONFIGS_MAX]; /* made when asked for */
    size_t config_count;
};

struct bl_estimate {
    bl_job_id job_id;
    const struct bl_job *job; /* as of the last question */
    bool is_asked;            /* since the last sweep */
    bl_time heard_at;         /* the report that is in it */
    struct bl_noise noise;
    int32_t gpus_seen;
    double alone[BL_GPU_TYPES_MAX]; /* samples a second on one GPU at the largest batch; 0 = ? */
    size_t known_count;
    struct known *known[BL_CURVES_TYPES_MAX];
};

struct bl_estimates {
    struct bl_map jobs;
};

struct bl_estimates *bl_estimates_create(void)
{
    return bl_alloc_zero(sizeof(struct bl_estimates));
}

static void destroy_known(struct known *known)
{
    for (size_t i = 0; i < known->config_count; i++) {
        free(known->config[i]);
    }
    free(known);
}

static void destroy_estimate(struct bl_estimate *estimate)
{
    for (size_t i = 0; i < estimate->known_count; i++) {
        destroy_known(estimate->known[i]);
    }
    free(estimate);
}

void bl_estimates_destroy(struct bl_estimates *estimates)
{
    size_t cursor = 0;
    struct bl_estimate *estimate;

    if (estimates) {
        while ((estimate = bl_map_next(&estimates->jobs, &cursor))) {
            destroy_estimate(estimate);
        }
        bl_map_finish(&estimates->jobs);
        free(estimates);
    }
}

void bl_estimates_sweep(struct bl_estimates *estimates)
{
    size_t cursor = 0;
    struct bl_estimate *estimate;

    while ((estimate = bl_map_next(&estimates->jobs, &cursor))) {
        if (!estimate->is_asked) {
            bl_map_remove(&estimates->jobs, estimate->job_id);
            destroy_estimate(estimate);
        } else {
            estimate->is_asked = false;
        }
    }
}

static struct known *known_of(struct bl_estimate *estimate, int32_t type)
{
    for (size_t i = 0; i < estimate->known_count; i++) {
        if (estimate->known[i]->type == type) {
            return estimate->known[i];
        }
    }
    return NULL;
}

static void add_point(struct bl_estimate *estimate, int32_t type,
                      const struct bl_pollux_point *point)
{
    struct known *known = known_of(estimate, type);

    if (!known && estimate->known_count < BL_CURVES_TYPES_MAX) {
        known = bl_alloc_zero(sizeof *known);
        known->type = type;
        estimate->known[estimate->known_count++] = known;
    }
    if (known && bl_pollux_see(&known->points, point)) {
        for (size_t i = 0; i < known->config_count; i++) {
            known->config[i]->is_made = false;
        }
    }
    estimate->gpus_seen = point->gpus > estimate->gpus_seen ? point->gpus : estimate->gpus_seen;
}

/* A micro-step with and without its synchronisation, from an iteration of several. */
static void take_lesson(void *self, const struct bl_lesson *lesson)
{
    const struct bl_observation *seen = &lesson->point;
    double steps = seen->accumulation + 1;
    struct bl_pollux_point point = {
        .nodes = seen->nodes, .gpus = seen->gpus, .local_batch = seen->local_batch};

    if (lesson->kind != BL_LESSON_POINT || !(seen->local_batch > 0)) {
        return;
    }
    point.step_s = (seen->iter_s + seen->accumulation * seen->sync_s) / steps;
    point.compute_s = fmax(point.step_s - seen->sync_s, 1e-9);
    add_point(self, seen->type, &point);
}

/* The profile on one GPU: at the largest batch the longest step. */
struct largest {
    struct bl_estimate *estimate;
    double batch[BL_GPU_TYPES_MAX], step_s[BL_GPU_TYPES_MAX];
};

static void take_profile(void *self, const struct bl_lesson *lesson)
{
    struct largest *largest = self;
    const struct bl_observation *seen = &lesson->point;

    if (lesson->kind == BL_LESSON_POINT && seen->gpus == 1 && seen->accumulation == 0) {
        largest->batch[seen->type] = fmax(largest->batch[seen->type], seen->local_batch);
        largest->step_s[seen->type] = fmax(largest->step_s[seen->type], seen->iter_s);
        largest->estimate->alone[seen->type] =
            largest->batch[seen->type] / largest->step_s[seen->type];
    }
}

static struct bl_estimate *create_estimate(const struct bl_view *view, const struct bl_job *job)
{
    struct bl_estimate *estimate = bl_alloc_zero(sizeof *estimate);
    struct largest largest = {.estimate = estimate};
    char name[BL_APPLICATION_MAX];
    const struct bl_curves_app *app =
        bl_application_of(&job->spec, name) ? bl_curves_find(view->curves, name) : NULL;

    estimate->job_id = job->id;
    if (app) {
        bl_curves_export_app(app, take_profile, &largest);
    }
    return estimate;
}

struct bl_estimate *bl_estimates_of(struct bl_estimates *estimates, const struct bl_view *view,
                                    const struct bl_job *job)
{
    struct bl_estimate *estimate = bl_map_find(&estimates->jobs, job->id);
    char name[BL_APPLICATION_MAX];
    const struct bl_curves_app *app;

    if (!estimate) {
        estimate = create_estimate(view, job);
        bl_map_insert(&estimates->jobs, job->id, estimate);
    }
    estimate->job = job;
    estimate->is_asked = true;
    bl_application_alone(job->id, name);
    app = bl_curves_find(view->curves, name);
    if (!app || estimate->heard_at == job->progress.at) {
        return estimate;
    }
    estimate->heard_at = job->progress.at;
    estimate->noise = job->progress.noise;
    bl_curves_export_app(app, take_lesson, estimate);
    return estimate;
}

int32_t bl_estimate_gpus_seen(const struct bl_estimate *estimate, const struct bl_view *view)
{
    return view->oracle ? INT32_MAX : estimate->gpus_seen;
}

struct placed {
    const struct bl_pollux_model *model;
    int32_t nodes, gpus;
};

static struct bl_step step_at(const void *self, double local_batch)
{
    const struct placed *placed = self;

    return bl_pollux_step(placed->model, placed->nodes, placed->gpus, local_batch);
}

static void make_config(const struct bl_estimate *estimate, const struct bl_view *view,
                        const struct known *known, struct config *config)
{
    const struct bl_job_spec *spec = &estimate->job->spec;
    struct bl_batch batch = bl_job_batch_on(spec, view->cluster, known->type);
    int32_t whole = view->cluster->type_node_gpus[known->type];
    struct placed placed = {&known->points.model, (config->gpus + whole - 1) / whole, config->gpus};
    double least = fmax(batch.initial, batch.local_min * config->gpus);

    batch.max = spec->batch_asked > 0 ? fmin(batch.max, spec->batch_asked) : batch.max;
    batch.max = fmax(batch.max, least);
    bl_batch_grid_make(&config->grid, &batch, config->gpus, &(struct bl_steps){step_at, &placed});
}

static const struct bl_batch_grid *grid_of(struct bl_estimate *estimate, const struct bl_view *view,
                                           struct known *known, int32_t gpus)
{
    struct config *config = NULL;

    for (size_t i = 0; i < known->config_count && !config; i++) {
        config = known->config[i]->gpus == gpus ? known->config[i] : NULL;
    }
    if (!config && known->config_count < CONFIGS_MAX) {
        config = bl_alloc_zero(sizeof *config);
        config->gpus = gpus;
        known->config[known->config_count++] = config;
    }
    if (config && !config->is_made) {
        make_config(estimate, view, known, config);
        config->is_made = true;
    }
    return config ? &config->grid : NULL;
}

static double true_goodput(const struct bl_estimate *estimate, const struct bl_view *view,
                           int32_t type, int32_t gpus)
{
    int32_t whole = view->cluster->type_node_gpus[type];
    struct bl_oracle_question question = {estimate->job_id, type, gpus, (gpus + whole - 1) / whole};

    return view->oracle->rate(view->oracle->self, view->cluster, &question);
}

double bl_estimate_goodput(struct bl_estimate *estimate, const struct bl_view *view, int32_t type,
                           int32_t gpus)
{
    struct known *known = known_of(estimate, type);
    const struct bl_batch_grid *grid;
    struct bl_tuned tuned;
    double ratio = 1;

    if (view->oracle) {
        return true_goodput(estimate, view, type, gpus);
    }
    if (!known && estimate->known_count > 0) {
        known = estimate->known[0];
        ratio = estimate->alone[known->type] > 0
                    ? estimate->alone[type] / estimate->alone[known->type]
                    : 0;
    }
    grid = known && known->points.count > 0 ? grid_of(estimate, view, known, gpus) : NULL;
    return grid && bl_batch_grid_best(grid, &estimate->noise, &tuned) ? tuned.goodput * ratio : 0;
}
