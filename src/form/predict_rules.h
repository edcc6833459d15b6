/* Rules of the site about how long jobs run: `predict: {rules: […]}` of the configuration. */
#ifndef BL_FORM_PREDICT_RULES_H
#define BL_FORM_PREDICT_RULES_H

#include "core/job.h"
#include "form/launch.h"
#include "form/tree_read.h"

enum {
    BL_PREDICT_RULES_MAX = 1000,
    BL_PREDICT_PARAMS_MAX = 16, /* that one rule may look at */
    BL_PREDICT_PATTERN_MAX = 1000
};

/* A time, or a part of the job's limit; zeroes = not given. */
struct bl_predict_length {
    bl_time time;
    double of_limit;
};

struct bl_predict_param {
    const char *name;
    const char *pattern;
};

/* Patterns as bl_glob_matches has them; NULL = anything. Texts are in the reader's arena. */
struct bl_predict_rule {
    const char *user, *project, *name;
    const char *command;  /* all words with a blank between them */
    const char *gpu_type; /* each type on which the job may run */
    const struct bl_predict_param *param;
    size_t param_count;
    struct bl_predict_length low, middle, high; /* low, high: not given = half, twice the middle */
    bool is_final;
};

struct bl_predict_rules {
    const struct bl_predict_rule *rule;
    size_t count;
};

/* The list of rules. */
int bl_predict_rules_read(const struct bl_tree_reader *in, const struct bl_tree *at,
                          struct bl_predict_rules *out);

/* What the first rule that is about the job says of it; zeroes where none is. One that speaks of
 * the limit is about jobs with a limit only. */
void bl_predict_rules_apply(const struct bl_predict_rules *rules, const struct bl_job_spec *spec,
                            const struct bl_launch *launch, struct bl_expectation *out);

#endif
