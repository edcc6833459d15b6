/* All that an engine is excused from, each with the reason. */
#include "conformance.h"

const struct conformance_skip conformance_skips[] = {
    {"sim", NULL, NULL, NEEDS_PROCESSES, "its jobs are numbers: no program is run"},
    {"sim", NULL, NULL, NEEDS_SIGNALS, "a job that is a number has nobody to signal"},
    {"sim", NULL, NULL, NEEDS_RESTART, "its jobs are in its memory and end with it"},
    {"sim", NULL, NULL, NEEDS_LOSS, "nothing watches over its jobs that could die"},
    {"sim", NULL, NULL, NEEDS_REFUSAL, "what is decided in a replay is carried out"},
    {"local", "without_groups", NULL, NEEDS_GROUPS,
     "without a group nothing tells an orphan that took off the job's environment"},
    {0},
};
