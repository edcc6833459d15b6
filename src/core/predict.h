/* Interface of a duration predictor: what a job will take, from the runs that ended before. A
 * predictor is one file, core/predictor/NAME.c, that defines `const struct bl_predictor
 * bl_predictor_NAME`, and one word in core/predictor/meson.build. The same jobs in the same order
 * give the same answers. */
#ifndef BL_CORE_PREDICT_H
#define BL_CORE_PREDICT_H

#include "core/predict_dist.h"
#include "core/predict_history.h"

/* What is asked about a job. */
struct bl_question {
    struct bl_traits traits;
    struct bl_asked asked;
    struct bl_expectation expected;
};

/* Numbers that a predictor learnt and that do not follow from the runs in the history. */
struct bl_fact {
    const char *of; /* the predictor's name */
    int32_t kind;   /* its own affair, as is the key */
    int64_t key;
    const int32_t *value;
    size_t count;
};

enum { BL_FACT_VALUES_MAX = 128 };

struct bl_predictor {
    const char *name;
    const char *summary;
    int32_t handicap; /* its weight beside others is halved so many times */
    void *(*create)(const struct bl_history *history); /* borrowed */
    void (*destroy)(void *self);
    /* Nothing but the answer changes; it is all zeroes when nothing is known. The job's limit is
     * not passed. */
    void (*predict)(void *self, const struct bl_question *question, struct bl_dist *out);
    /* A job that ran and ended by itself or at its limit, with the question as it was when it was
     * submitted. Its run is in no history yet. NULL = it learns nothing besides the runs. */
    void (*learn)(void *self, const struct bl_question *question, bl_time run);
    /* All facts, and one of them again in a new self. NULL with `learn`. Facts of others, and those
     * that make no sense, are passed over. */
    void (*export_facts)(const void *self, void (*emit)(void *to, const struct bl_fact *fact),
                         void *to);
    void (*take_fact)(void *self, const struct bl_fact *fact);
};

/* All predictors, in the order of the word list; NULL-terminated. */
extern const struct bl_predictor *const bl_predictors[];

/* Their names, for a policy's option. */
extern const char *const bl_predictor_words[];

const struct bl_predictor *bl_predictor_find(const char *name); /* or NULL */

#endif
