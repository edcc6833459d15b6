#include "core/policy.h"

#include <string.h>

const struct bl_policy *bl_policy_find(const char *name)
{
    for (size_t i = 0; bl_policies[i]; i++) {
        if (strcmp(bl_policies[i]->name, name) == 0) {
            return bl_policies[i];
        }
    }
    return NULL;
}

struct bl_policy_choice bl_policy_default(const struct bl_policy *policy)
{
    struct bl_policy_choice choice = {.policy = policy};

    for (size_t i = 0; i < policy->option_count; i++) {
        choice.value[i] = policy->option[i].standard;
    }
    return choice;
}
