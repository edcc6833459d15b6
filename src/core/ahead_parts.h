/* Inside of core/ahead*.c. */
#ifndef BL_CORE_AHEAD_PARTS_H
#define BL_CORE_AHEAD_PARTS_H

#include "base/vec.h"
#include "core/ahead.h"

/* A config, or none, for each job. */
struct bl_ahead_plan {
    int8_t config[BL_AHEAD_JOBS_MAX];
    int8_t changes; /* jobs that have another one now */
};

struct bl_ahead_plans {
    BL_VEC(struct bl_ahead_plan) list;
    bool is_made;
};

struct bl_ahead_scope {
    const struct bl_ahead_problem *problem;
    uint32_t mask; /* jobs that are left */
    bool is_first; /* now, not later */
};

/* Plans for the jobs of the scope in which no job could have more without another having less;
 * where starts are free, only those that no other plan beats for every job. Ends before `work`
 * passes `budget`; false then. */
bool bl_ahead_list(const struct bl_ahead_scope *scope, int64_t budget, int64_t *work,
                   struct bl_ahead_plans *out);

#endif
