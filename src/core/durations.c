#include "core/durations.h"

const char *const bl_duration_words[] = {"limit", "exact", "predict", NULL};

bl_time bl_duration_of(int64_t durations, const struct bl_job *job, int32_t gpus)
{
    bl_time longest = bl_job_longest_left(job);
    bl_time taken = 0;

    if (durations == BL_DURATIONS_EXACT) {
        taken = bl_job_attempt_time(job, gpus);
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
    for (size_t i = 0; i < choice->policy->option_count; i++) {
        if (choice->policy->option[i].words == bl_duration_words &&
            choice->value[i] == BL_DURATIONS_PREDICT) {
            return true;
        }
    }
    return false;
}
