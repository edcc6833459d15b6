/* Interface of a duration predictor: what a job will take, from what ended before. A predictor is
 * one file, core/predictor/NAME.c, that defines `const struct bl_predictor bl_predictor_NAME`, and
 * one word in core/predictor/meson.build. The same jobs in the same order give the same answers. */
#ifndef BL_CORE_PREDICT_H
#define BL_CORE_PREDICT_H

#include "core/job.h"

struct bl_predictor {
    const char *name;
    const char *summary;
    void *(*create)(void);
    void (*destroy)(void *self);
    /* A job that ran and ended by itself or at its limit. */
    void (*learn)(void *self, const struct bl_job *job, bl_time run);
    /* > 0, or 0 when nothing is known. */
    bl_time (*predict)(void *self, const struct bl_job *job);
    /* What it knows, as runs to learn again in this order. */
    void (*export_runs)(void *self, void (*emit)(void *to, const char *user, bl_time run),
                        void *to);
};

/* All predictors, in the order of the word list; NULL-terminated. */
extern const struct bl_predictor *const bl_predictors[];

const struct bl_predictor *bl_predictor_find(const char *name); /* or NULL */

#endif
