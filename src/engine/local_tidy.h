/* What the state directory still has of attempts and jobs that nobody needs any more: a daemon was
 * killed before it could forget them, or before their submission was in the journal. */
#ifndef BL_ENGINE_LOCAL_TIDY_H
#define BL_ENGINE_LOCAL_TIDY_H

#include "base/vec.h"
#include "engine/engine.h"

enum bl_local_place { BL_LOCAL_ATTEMPTS, BL_LOCAL_JOBS, BL_LOCAL_ENV };

struct bl_local_name {
    enum bl_local_place place;
    bl_job_id job;
    int32_t attempt; /* in BL_LOCAL_ATTEMPTS, else 0 */
};

typedef BL_VEC(struct bl_local_name) bl_local_names;

/* Appends them, as they stand in STATE/attempts, STATE/jobs and STATE/env. Of a job that is not
 * known only the environment is nobody's: it was never accepted. Files with other names are not
 * ours to remove. */
void bl_local_tidy_find(const char *state_dir, const struct bl_engine_needs *needs,
                        bl_local_names *out);

#endif
