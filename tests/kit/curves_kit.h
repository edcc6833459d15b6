/* A store of curves fed by a job whose truth is known. */
#ifndef BL_CURVES_KIT_H
#define BL_CURVES_KIT_H

#include "core/curves.h"
#include "near.h"

static const struct bl_batch kit_limits = {
    .initial = 128, .max = 8192, .local_min = 16, .local_max = 512};

/* Types are 1, 2, 4 … times as fast as the first. */
static inline struct bl_throughput kit_truth(int32_t type)
{
    double factor = 1.0 / (1 << type);

    return (struct bl_throughput){.alpha_c = 0.05 * factor,
                                  .beta_c = 0.002 * factor,
                                  .alpha_r = 0.03 * factor,
                                  .beta_r = 0.001 * factor,
                                  .alpha_n = 0.1 * factor,
                                  .beta_n = 0.002 * factor,
                                  .gamma = 2};
}

static inline struct bl_observation kit_observation(int32_t type, int32_t gpus, double local_batch)
{
    struct bl_throughput truth = kit_truth(type);
    struct bl_shape shape = {gpus, (gpus + 7) / 8, local_batch, 0};
    struct bl_step step = bl_throughput_step(&truth, &shape);

    return (struct bl_observation){.type = type,
                                   .gpus = gpus,
                                   .nodes = shape.nodes,
                                   .local_batch = local_batch,
                                   .iter_s = step.step_s,
                                   .sync_s = step.step_s - step.compute_s};
}

static inline void kit_learn(struct bl_curves *curves, const char *application,
                             struct bl_observation observation)
{
    bl_curves_learn(curves, &(struct bl_curves_news){.application = application,
                                                     .batch = &kit_limits,
                                                     .done = NAN,
                                                     .observation = &observation});
}

/* Of a job that says only its rate. */
static inline void kit_learn_rate(struct bl_curves *curves, const char *application, int32_t gpus,
                                  double rate)
{
    struct bl_observation observation = {.gpus = gpus, .nodes = (gpus + 7) / 8, .rate = rate};

    bl_curves_learn(curves, &(struct bl_curves_news){.application = application,
                                                     .done = NAN,
                                                     .observation = &observation});
}

static inline struct bl_curves_answer kit_ask(struct bl_curves *curves, const char *application,
                                              int32_t type, int32_t gpus)
{
    struct bl_curves_app *app = bl_curves_find(curves, application);

    assert_non_null(app);
    return bl_curves_ask(curves, app,
                         &(struct bl_curves_question){.type = type,
                                                      .gpus = gpus,
                                                      .nodes = (gpus + 7) / 8,
                                                      .batch = &kit_limits,
                                                      .noise = {1, 20}});
}

struct kit_steps {
    struct bl_throughput truth;
    int32_t gpus;
};

static inline struct bl_step kit_step(const void *self, double local_batch)
{
    const struct kit_steps *steps = self;

    return bl_throughput_step(
        &steps->truth, &(struct bl_shape){steps->gpus, (steps->gpus + 7) / 8, local_batch, 0});
}

/* The best that the truth allows. */
static inline double kit_best(int32_t type, int32_t gpus)
{
    struct kit_steps steps = {kit_truth(type), gpus};
    struct bl_tuned tuned = {0};

    assert_true(bl_goodput_best(&kit_limits, &(struct bl_noise){1, 20}, gpus,
                                &(struct bl_steps){kit_step, &steps}, &tuned));
    return tuned.goodput;
}

#endif
