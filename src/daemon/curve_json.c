#include "daemon/curve_json.h"

#include "core/application.h"
#include "core/counts.h"

#include <math.h>

/* Standard deviations on each side of an interval that holds nine of ten. */
#define NINETY_PERCENT 1.645

struct showing {
    struct bl_json *json;
    const struct bl_core *core;
    const struct bl_cluster *cluster;
    const struct bl_job *job;
    struct bl_curves_app *app; /* NULL: nothing was learnt, or the job brings its own curve */
    double reference;          /* rate that is speed 1; 0 = unknown */
};

/* One legal count of one type. */
struct promise {
    int32_t gpus, nodes;
    double speed;
    struct bl_curves_answer answer;
};

static bool has_own_curve(const struct bl_job *job)
{
    return job->spec.curve.kind != BL_CURVE_FLAT;
}

static bool may_use(const struct showing *showing, int32_t type)
{
    uint64_t mask = showing->job->type_mask;

    return showing->cluster->type_node_gpus[type] > 0 && (!mask || ((mask >> type) & 1));
}

static struct promise promise_of(const struct showing *showing, int32_t type, int32_t gpus)
{
    struct promise promise = {.gpus = gpus, .nodes = 1};
    int32_t node_gpus = type >= 0 ? showing->cluster->type_node_gpus[type] : 0;

    if (node_gpus > 0) {
        promise.nodes = (gpus - 1) / node_gpus + 1;
    }
    if (!showing->app) {
        promise.speed =
            bl_curve_speed(&showing->job->spec.curve, showing->job->spec.gpus_min, gpus);
        return promise;
    }
    promise.answer = bl_curves_ask(bl_core_curves(showing->core), showing->app,
                                   &(struct bl_curves_question){
                                       .type = type,
                                       .gpus = gpus,
                                       .nodes = promise.nodes,
                                       .batch = &showing->job->spec.batch,
                                       .done = showing->job->progress.steps,
                                   });
    promise.speed = showing->reference > 0 ? promise.answer.rate / showing->reference : 0;
    return promise;
}

/* Speed 1 is the least count on the slowest type that the job may use. */
static void find_reference(struct showing *showing)
{
    for (int32_t type = 0; type < (int32_t)showing->cluster->type_count; type++) {
        if (may_use(showing, type)) {
            double rate = promise_of(showing, type, showing->job->spec.gpus_min).answer.rate;

            if (rate > 0 && (showing->reference <= 0 || rate < showing->reference)) {
                showing->reference = rate;
            }
        }
    }
}

static void put_rate(struct bl_json *json, const struct bl_curves_answer *answer)
{
    if (answer->rate > 0) {
        double factor = exp(NINETY_PERCENT * answer->deviation);

        bl_json_put_double(json, "rate", answer->rate);
        bl_json_put_double(json, "rate_low", answer->rate / factor);
        bl_json_put_double(json, "rate_high", answer->rate * factor);
    } else {
        bl_json_put_null(json, "rate");
        bl_json_put_null(json, "rate_low");
        bl_json_put_null(json, "rate_high");
    }
}

/* `gain`: what each further GPU since the count before adds; null for the first. */
static void write_promise(const struct showing *showing, int32_t type,
                          const struct promise *promise, const struct promise *before)
{
    struct bl_json *json = showing->json;

    bl_json_open_object(json);
    bl_json_put_text(json, "gpu_type", type >= 0 ? showing->cluster->type_name[type] : NULL);
    bl_json_put_int(json, "gpus", promise->gpus);
    bl_json_put_int(json, "nodes", promise->nodes);
    bl_json_put_double(json, "speed", promise->speed);
    if (before) {
        bl_json_put_double(json, "gain",
                           (promise->speed - before->speed) / (promise->gpus - before->gpus));
    } else {
        bl_json_put_null(json, "gain");
    }
    put_rate(json, &promise->answer);
    bl_json_put_bool(json, "trusted", !showing->app || promise->answer.is_trusted);
    bl_json_put_bool(json, "within_reach", !showing->app || promise->answer.is_within_reach);
    bl_json_close_object(json);
}

static void write_counts_of(const struct showing *showing, int32_t type)
{
    struct bl_job asked = *showing->job;
    struct bl_count_pool pool;
    struct promise before = {0};
    int32_t count[BL_COUNTS_MAX];
    size_t counts;

    if (type >= 0) {
        asked.type_mask = UINT64_C(1) << type;
    }
    pool = bl_count_pool_of(showing->cluster, &asked);
    counts = bl_job_counts(&asked.spec, &pool, count);
    for (size_t i = 0; i < counts && pool.gpus > 0; i++) {
        struct promise promise = promise_of(showing, type, count[i]);

        if (promise.speed > 0) {
            write_promise(showing, type, &promise, before.gpus ? &before : NULL);
            before = promise;
        }
    }
}

static void write_counts(const struct showing *showing)
{
    bl_json_key(showing->json, "counts");
    bl_json_open_array(showing->json);
    if (showing->app) {
        for (int32_t type = 0; type < (int32_t)showing->cluster->type_count; type++) {
            if (may_use(showing, type)) {
                write_counts_of(showing, type);
            }
        }
    } else if (has_own_curve(showing->job) && showing->job->spec.gpus_min > 0) {
        write_counts_of(showing, -1);
    }
    bl_json_close_array(showing->json);
}

static void write_point(void *self, const struct bl_lesson *lesson)
{
    const struct showing *showing = self;
    struct bl_json *json = showing->json;
    const struct bl_observation *point = &lesson->point;

    if (lesson->kind != BL_LESSON_POINT) {
        return;
    }
    bl_json_open_object(json);
    bl_json_put_text(json, "gpu_type", showing->cluster->type_name[point->type]);
    bl_json_put_int(json, "gpus", point->gpus);
    bl_json_put_int(json, "nodes", point->nodes);
    if (point->local_batch > 0) {
        bl_json_put_double(json, "local_batch", point->local_batch);
    } else {
        bl_json_put_null(json, "local_batch");
    }
    bl_json_put_double(json, "iteration_s", point->iter_s);
    bl_json_put_int(json, "measured", (int64_t)lesson->count);
    bl_json_close_object(json);
}

static void write_points(struct showing *showing)
{
    bl_json_key(showing->json, "points");
    bl_json_open_array(showing->json);
    if (showing->app) {
        bl_curves_export_app(showing->app, write_point, showing);
    }
    bl_json_close_array(showing->json);
}

static void write_total(const struct showing *showing)
{
    struct bl_total total = {0};

    if (showing->app) {
        total = bl_curves_total(showing->app, showing->job->progress.steps);
    }
    if (total.finished) {
        bl_json_put_double(showing->json, "work", total.expected);
    } else {
        bl_json_put_null(showing->json, "work");
    }
    bl_json_put_int(showing->json, "finished", (int64_t)total.finished);
}

void bl_curve_json_write(struct bl_json *json, const struct bl_core *core, const struct bl_job *job)
{
    char name[BL_APPLICATION_MAX];
    bool has_name = bl_application_of(&job->spec, name);
    struct showing showing = {
        .json = json, .core = core, .cluster = bl_core_cluster(core), .job = job};

    if (!has_own_curve(job) && has_name && job->spec.gpus_min > 0) {
        showing.app = bl_curves_find(bl_core_curves(core), name);
    }
    if (showing.app) {
        find_reference(&showing);
    }
    bl_json_open_object(json);
    bl_json_put_text(json, "application", has_name ? name : NULL);
    bl_json_put_text(json, "source",
                     has_own_curve(job)      ? "given"
                     : showing.reference > 0 ? "learnt"
                                             : "none");
    write_points(&showing);
    write_counts(&showing);
    write_total(&showing);
    bl_json_close_object(json);
}
