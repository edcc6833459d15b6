/* What is known of the speed of jobs, shared by the jobs of one application and kept from run to
 * run: observed points for each GPU type, gradient noise over the work done, whole work of finished
 * jobs. Answers come from the model of core/throughput.h, fitted to the points (core/fit.h).
 *
 * Answers follow from what was learnt alone: when and how often one asks changes nothing. The store
 * is bounded: the application that was longest without news leaves first. */
#ifndef BL_CORE_CURVES_H
#define BL_CORE_CURVES_H

#include "core/fit.h"
#include "core/goodput.h"
#include "core/observation.h"
#include "core/totals.h"

enum {
    BL_CURVES_APPS_MAX = 128,
    BL_CURVES_TYPES_MAX = 16, /* of one application */
    BL_CURVES_COUNT_MAX = 64, /* measurements that a point stands for: old news fade */
};

struct bl_curves;
struct bl_curves_app; /* one application; borrowed until the next change of the store */

struct bl_curves *bl_curves_create(void);
void bl_curves_destroy(struct bl_curves *curves);

/* News of a running job. `done` is in the job's units of work, NAN = not known. `batch` are the
 * job's limits, or NULL. What cannot be true in the observation is passed over. */
struct bl_curves_news {
    const char *application;
    const struct bl_batch *batch;
    double done;
    const struct bl_observation *observation; /* or NULL */
};
void bl_curves_learn(struct bl_curves *curves, const struct bl_curves_news *news);

/* A job of the application came to its good end after so much work. */
void bl_curves_learn_finished(struct bl_curves *curves, const char *application, double total);

/* Forgets all of it; nothing when it is not known. */
void bl_curves_forget(struct bl_curves *curves, const char *application);

/* NULL when nothing is known of it. */
struct bl_curves_app *bl_curves_find(struct bl_curves *curves, const char *application);

struct bl_curves_question {
    int32_t type, gpus, nodes;
    const struct bl_batch *batch; /* NULL or not given: the batch is not to be chosen */
    struct bl_noise noise;        /* the job's own, now; zeroes = what others had at `done` */
    double done;                  /* in units of work */
    bool is_of_rate; /* how sure the answer is is not asked: it counts as not trusted */
};

struct bl_curves_answer {
    double rate;                  /* units of work a second; 0 = nothing known */
    double deviation;             /* of its logarithm */
    struct bl_batch_choice batch; /* that is best; zeroes where it is not to be chosen */
    bool is_trusted;              /* near enough to what was measured to rely on */
    bool is_within_reach; /* at most twice the GPUs that were tried, or trusted: may be tried */
};

/* Fits anew what is out of date. */
struct bl_curves_answer bl_curves_ask(struct bl_curves *curves, struct bl_curves_app *app,
                                      const struct bl_curves_question *question);

/* The most GPUs that any job of the application was seen on. */
int32_t bl_curves_gpus_seen(const struct bl_curves_app *app);

/* The whole work of a job that has done so much. */
struct bl_total bl_curves_total(const struct bl_curves_app *app, double done);

/* Gradient noise at this point of the work; zeroes = not known. */
struct bl_noise bl_curves_noise(const struct bl_curves_app *app, double done);

/* The fit for a GPU type, for reports; NULL when the type was never seen. */
const struct bl_fit *bl_curves_fit(struct bl_curves_app *app, int32_t type);

/* Pieces of what is known: learning them again, in order, gives the same store. */
enum bl_lesson_kind {
    BL_LESSON_POINT, /* a mean of measurements on one placement */
    BL_LESSON_NOISE, /* one step of the table of noise */
    BL_LESSON_TOTAL, /* the work of a finished job */
    BL_LESSON_UNIT,  /* what a unit of work is in the model's terms; the work of the furthest job */
    BL_LESSON_COUNT
};

struct bl_lesson {
    enum bl_lesson_kind kind;
    const char *application;
    struct bl_observation point; /* POINT; iter_s, or rate where no batch is known */
    double count;                /* POINT, NOISE, UNIT: measurements behind it */
    int32_t step;                /* NOISE */
    double width;                /* NOISE */
    double value;                /* NOISE, UNIT: a ratio; TOTAL */
    double furthest;             /* UNIT */
};

void bl_curves_take_lesson(struct bl_curves *curves, const struct bl_lesson *lesson);
void bl_curves_export(const struct bl_curves *curves,
                      void (*emit)(void *self, const struct bl_lesson *lesson), void *self);

/* The same for one application: for reports. */
void bl_curves_export_app(const struct bl_curves_app *app,
                          void (*emit)(void *self, const struct bl_lesson *lesson), void *self);

const char *bl_lesson_name(enum bl_lesson_kind kind); /* "point" … */

#endif
