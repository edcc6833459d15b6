/* What the state directory still has of attempts and jobs that nobody needs any more: a daemon was
 * killed before it could forget them, or before their submission was in the journal. */
#ifndef BL_ENGINE_LOCAL_TIDY_H
#define BL_ENGINE_LOCAL_TIDY_H

#include "base/vec.h"
#include "engine/engine.h"

struct bl_local_name {
    bl_job_id job;
    int32_t attempt; /* 0 where it is a job's */
};

typedef BL_VEC(struct bl_local_name) bl_local_names;

/* Appends them: of STATE/attempts the attempts, of STATE/jobs and STATE/env the jobs (one that is
 * in both twice). Files with other names are nobody's to remove. */
void bl_local_tidy_find(const char *state_dir, const struct bl_engine_needs *needs,
                        bl_local_names *out);

#endif
