/* A predictor with a past: what ran so far, and what it foresees next. */
#ifndef BL_KIT_PAST_H
#define BL_KIT_PAST_H

#include "core/predict.h"

struct past {
    struct bl_history *history;
    const struct bl_predictor *predictor;
    void *self;
};

static inline struct past past_new(const char *predictor)
{
    struct past past = {bl_history_create(), bl_predictor_find(predictor), NULL};

    past.self = past.predictor->create(past.history);
    return past;
}

static inline void past_free(struct past *past)
{
    past->predictor->destroy(past->self);
    bl_history_destroy(past->history);
}

static inline struct bl_question past_question(const struct past *past,
                                               const struct bl_job_spec *spec)
{
    struct bl_question question = {.asked.known = bl_history_next(past->history),
                                   .expected = spec->expected};

    bl_traits_of(spec, &question.traits);
    return question;
}

static inline void past_ran(struct past *past, const struct bl_job_spec *spec, bl_time run)
{
    struct bl_question question = past_question(past, spec);

    if (past->predictor->learn) {
        past->predictor->learn(past->self, &question, run);
    }
    bl_history_add(past->history, &question.traits, run);
}

static inline struct bl_dist past_foresees(struct past *past, const struct bl_job_spec *spec)
{
    struct bl_question question = past_question(past, spec);
    struct bl_dist dist;

    past->predictor->predict(past->self, &question, &dist);
    return dist;
}

/* Finite, in order, and something at all. */
static inline bool past_is_sound(const struct bl_dist *dist)
{
    for (int i = 0; i < BL_DIST_POINTS; i++) {
        if (dist->point[i] < (i > 0 ? dist->point[i - 1] : 0) || dist->point[i] > BL_DIST_MOST) {
            return false;
        }
    }
    return bl_dist_is_known(dist) && bl_dist_quantile(dist, .1) > 0 &&
           (double)bl_dist_mean(dist) >= .999 * (double)bl_dist_quantile(dist, 0);
}

#endif
