/* How long a job is taken to run: the option `durations` that policies share. */
#ifndef BL_CORE_DURATIONS_H
#define BL_CORE_DURATIONS_H

#include "core/job.h"
#include "core/policy.h"
#include "core/predict.h"

enum bl_durations {
    BL_DURATIONS_LIMIT,   /* the job's limit */
    BL_DURATIONS_EXACT,   /* what a trace tells */
    BL_DURATIONS_PREDICT, /* what is foreseen for it */
    BL_DURATIONS_COUNT
};

extern const char *const bl_duration_words[]; /* NULL-terminated */

/* A row of a policy's table of options. */
#define BL_OPTION_DURATIONS                                                                        \
    {                                                                                              \
        .name = "durations", .kind = BL_OPTION_WORD, .words = bl_duration_words,                   \
        .standard = BL_DURATIONS_LIMIT,                                                            \
        .help = "how long a job is taken to run: its limit, the exact time where a trace tells "   \
                "it, or a prediction from jobs like it"                                            \
    }

/* The row beside it. */
#define BL_OPTION_PREDICTOR                                                                        \
    {                                                                                              \
        .name = "predictor", .kind = BL_OPTION_WORD, .words = bl_predictor_words, .standard = 0,   \
        .help = "who predicts durations"                                                           \
    }

/* > 0, and never over what its earlier runs left of the limit. Where the wanted kind is unknown for
 * the job, its limit. */
bl_time bl_duration_of(int64_t durations, const struct bl_job *job, int32_t gpus);

/* `plan_duration` of a policy that plans every job to its limit. */
bl_time bl_plan_to_limit(const struct bl_policy_choice *choice, const struct bl_job *job,
                         int32_t gpus);

/* Whether the policy was asked to plan with predictions. */
bool bl_durations_are_predicted(const struct bl_policy_choice *choice);

/* The predictor that it names, or the standard one. */
const struct bl_predictor *bl_durations_predictor(const struct bl_policy_choice *choice);

#endif
