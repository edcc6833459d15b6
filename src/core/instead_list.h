/* The changes that are worth a try for a job that waits; whether one helps is not known here. Only
 * for core/instead. */
#ifndef BL_CORE_INSTEAD_LIST_H
#define BL_CORE_INSTEAD_LIST_H

#include "core/core.h"

enum { BL_CANDIDATES_MAX = 32 };

/* Of one kind at most one is told for each start: of several the first, which takes least away. */
enum bl_candidate_kind {
    BL_CANDIDATE_NODES,
    BL_CANDIDATE_TYPE,
    BL_CANDIDATE_LIMIT,
    BL_CANDIDATE_GPUS,
    BL_CANDIDATE_CLASS
};

struct bl_candidate {
    enum bl_candidate_kind kind;
    struct bl_job_change change;
    int64_t before; /* see struct bl_instead */
};

struct bl_candidates {
    struct bl_candidate at[BL_CANDIDATES_MAX]; /* by kind; then what takes least away first */
    size_t count;
};

/* All that could be asked of this machine instead; never what a change would be refused for. `at`
 * is the present. */
void bl_candidates_list(const struct bl_core *core, const struct bl_job *job, bl_time at,
                        struct bl_candidates *out);

#endif
