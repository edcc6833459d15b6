#include "core/durations.h"

#include <math.h>

const char *const bl_duration_words[] = {"limit", "exact", "predict", NULL};

/* As the trace tells it. */
static bl_time told_time(const struct bl_job *job, int32_t gpus)
{
    bl_time taken = bl_job_attempt_time(job, gpus);
    bl_time told = bl_job_told_work(&job->spec);

    if (told == job->spec.work || told == 0) {
        return told == 0 ? 0 : taken;
    }
    return job->spec.restart + (bl_time)fmax(1, (double)(taken - job->spec.restart) * (double)told /
                                                    (double)job->spec.work);
}

bl_time bl_duration_of(int64_t durations, const struct bl_job *job, int32_t gpus)
{
    bl_time longest = bl_job_longest_left(job);
    bl_time taken = 0;

    if (durations == BL_DURATIONS_EXACT) {
        taken = told_time(job, gpus);
    } else if (durations == BL_DURATIONS_PREDICT) {
        taken = job->predicted_run - job->ran_before;
    }
    return taken > 0 && taken < longest ? taken : longest;
}

bl_time bl_plan_to_limit(const struct bl_policy_choice *choice, const struct bl_job *job,
                         int32_t gpus)
{
    (void)choice;
    return bl_duration_of(BL_DURATIONS_LIMIT, job, gpus);
}

bool bl_durations_are_predicted(const struct bl_policy_choice *choice)
{
    if (choice->policy->predicts) {
        return true;
    }
    for (size_t i = 0; i < choice->policy->option_count; i++) {
        if (choice->policy->option[i].words == bl_duration_words &&
            choice->value[i] == BL_DURATIONS_PREDICT) {
            return true;
        }
    }
    return false;
}

const struct bl_predictor *bl_durations_predictor(const struct bl_policy_choice *choice)
{
    for (size_t i = 0; i < choice->policy->option_count; i++) {
        if (choice->policy->option[i].words == bl_predictor_words) {
            return bl_predictors[choice->value[i]];
        }
    }
    return bl_predictors[0];
}
