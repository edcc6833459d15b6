/* The store as a list of lessons, and back. */
#include "base/own.h"
#include "core/curves_parts.h"

#include <math.h>

static const char *const lesson_names[BL_LESSON_COUNT] = {
    [BL_LESSON_POINT] = "point",
    [BL_LESSON_NOISE] = "noise",
    [BL_LESSON_TOTAL] = "total",
    [BL_LESSON_UNIT] = "unit",
};

const char *bl_lesson_name(enum bl_lesson_kind kind)
{
    return lesson_names[kind];
}

struct sink {
    void (*emit)(void *self, const struct bl_lesson *lesson);
    void *self;
    const struct bl_curves_app *app;
};

static void emit(const struct sink *sink, struct bl_lesson lesson)
{
    lesson.application = sink->app->name;
    sink->emit(sink->self, &lesson);
}

static void emit_sample(const struct sink *sink, int32_t type,
                        const struct bl_curves_sample *sample)
{
    struct bl_lesson lesson = {.kind = BL_LESSON_POINT, .count = sample->count};

    lesson.point = (struct bl_observation){
        .type = type,
        .gpus = sample->gpus,
        .nodes = sample->nodes,
        .local_batch = sample->has_batch ? sample->local_batch : 0,
        .accumulation = sample->accumulation,
        .iter_s = sample->iter_s,
        .sync_s = sample->sync_s,
    };
    emit(sink, lesson);
}

/* The one with the smallest stamp above `after`; NULL at the end. */
static const struct bl_curves_sample *next_sample(const struct bl_curves_known *known,
                                                  uint64_t after)
{
    const struct bl_curves_sample *next = NULL;

    for (size_t i = 0; i < known->count; i++) {
        const struct bl_curves_sample *sample = &known->sample[i];

        if (sample->stamp > after && (!next || sample->stamp < next->stamp)) {
            next = sample;
        }
    }
    return next;
}

static const struct bl_curves_known *next_known(const struct bl_curves_app *app, uint64_t after)
{
    const struct bl_curves_known *next = NULL;

    for (size_t i = 0; i < app->known_count; i++) {
        uint64_t stamp = bl_curves_known_stamp(app->known[i]);

        if (stamp > after && (!next || stamp < bl_curves_known_stamp(next))) {
            next = app->known[i];
        }
    }
    return next;
}

static void emit_known(const struct sink *sink, const struct bl_curves_known *known)
{
    const struct bl_curves_sample *sample = NULL;

    while ((sample = next_sample(known, sample ? sample->stamp : 0))) {
        emit_sample(sink, known->type, sample);
    }
}

void bl_curves_export_app(const struct bl_curves_app *app,
                          void (*emit_to)(void *self, const struct bl_lesson *lesson), void *self)
{
    struct sink sink = {emit_to, self, app};
    const struct bl_curves_known *known = NULL;

    emit(&sink, (struct bl_lesson){.kind = BL_LESSON_UNIT,
                                   .value = app->unit,
                                   .count = app->unit_count,
                                   .furthest = app->totals.furthest});
    for (size_t i = 0; i < app->totals.count; i++) {
        emit(&sink, (struct bl_lesson){.kind = BL_LESSON_TOTAL, .value = app->totals.total[i]});
    }
    for (int32_t i = 0; i < BL_NOISE_STEPS; i++) {
        if (app->noise.step[i].count > 0) {
            emit(&sink, (struct bl_lesson){.kind = BL_LESSON_NOISE,
                                           .step = i,
                                           .width = app->noise.width,
                                           .value = app->noise.step[i].mean,
                                           .count = app->noise.step[i].count});
        }
    }
    while ((known = next_known(app, known ? bl_curves_known_stamp(known) : 0))) {
        emit_known(&sink, known);
    }
}

static const struct bl_curves_app *next_app(const struct bl_curves *curves, uint64_t after)
{
    const struct bl_curves_app *next = NULL;
    const struct bl_curves_app *app;
    size_t cursor = 0;

    while ((app = bl_map_next(&curves->apps, &cursor))) {
        if (app->stamp > after && (!next || app->stamp < next->stamp)) {
            next = app;
        }
    }
    return next;
}

void bl_curves_export(const struct bl_curves *curves,
                      void (*emit_to)(void *self, const struct bl_lesson *lesson), void *self)
{
    const struct bl_curves_app *app = NULL;

    while ((app = next_app(curves, app ? app->stamp : 0))) {
        bl_curves_export_app(app, emit_to, self);
    }
}

static void take_point(struct bl_curves *curves, struct bl_curves_app *app,
                       const struct bl_lesson *lesson)
{
    const struct bl_observation *point = &lesson->point;
    struct bl_curves_sample sample = {
        .has_batch = point->local_batch > 0,
        .gpus = point->gpus,
        .nodes = point->nodes,
        .accumulation = point->accumulation,
        .local_batch = point->local_batch,
        .iter_s = point->iter_s,
        .sync_s = point->sync_s,
        .count = fmin(lesson->count, BL_CURVES_COUNT_MAX),
        .stamp = ++curves->clock,
    };
    struct bl_fit_point usable;

    if (!sample.has_batch) {
        sample.local_batch = 1.0 / (point->gpus > 0 ? point->gpus : 1);
        sample.accumulation = 0;
        sample.sync_s = 0;
    }
    bl_curves_drop_bad_sync(&sample);
    usable = bl_curves_point_of(&sample);
    if (lesson->count >= 1 && bl_fit_point_is_usable(&usable)) {
        bl_curves_add_sample(app, point->type, &sample);
    }
}

/* A mean of `count` joined with what is there; exact when nothing is. */
static void join(double *mean, double *count, const struct bl_lesson *lesson, double count_max)
{
    double more = lesson->count;

    if (!(more > 0) || !isfinite(lesson->value)) {
        return;
    }
    if (*count <= 0) {
        *mean = lesson->value;
    } else {
        *mean += (lesson->value - *mean) * more / (*count + more);
    }
    *count = fmin(*count + more, count_max);
}

/* Steps of another width are met by where their middle lies. */
static void take_noise(struct bl_noise_table *table, const struct bl_lesson *lesson)
{
    double place = lesson->step + 0.5;

    if (!(lesson->width > 0) || !isfinite(lesson->width) || lesson->step < 0 ||
        lesson->step >= BL_NOISE_STEPS) {
        return;
    }
    if (table->width <= 0) {
        table->width = lesson->width;
    }
    place *= lesson->width / table->width;
    if (place < BL_NOISE_STEPS) {
        struct bl_noise_step *step = &table->step[(int)place];

        join(&step->mean, &step->count, lesson, BL_NOISE_COUNT_MAX);
    }
}

void bl_curves_take_lesson(struct bl_curves *curves, const struct bl_lesson *lesson)
{
    struct bl_curves_app *app = bl_curves_app_of(curves, lesson->application);

    switch (lesson->kind) {
    case BL_LESSON_POINT:
        take_point(curves, app, lesson);
        break;
    case BL_LESSON_NOISE:
        take_noise(&app->noise, lesson);
        break;
    case BL_LESSON_TOTAL:
        bl_totals_note_finished(&app->totals, lesson->value);
        break;
    case BL_LESSON_UNIT:
        join(&app->unit, &app->unit_count, lesson, BL_CURVES_COUNT_MAX);
        bl_totals_note_done(&app->totals, lesson->furthest);
        break;
    case BL_LESSON_COUNT:
        break;
    }
}
