/* What a local job finds in its environment: the submitter's variables, and the contract's, which
 * always win. */
#ifndef BL_ENGINE_LOCAL_ENV_H
#define BL_ENGINE_LOCAL_ENV_H

#include "core/reason.h"
#include "core/job.h"
#include "engine/local_nodes.h"
#include "form/launch.h"

struct bl_local_setting {
    bl_job_id job;
    int32_t attempt;
    bl_job_id array; /* of an element; 0 = none */
    int32_t array_index;
    const char *token;     /* "BALEEN_JOB_TOKEN=…" */
    const char *directory; /* BALEEN_DIR */
    const bl_local_devices *devices;
    const struct bl_alloc *alloc;
    const struct bl_cluster *cluster;
    const struct bl_job_spec *job_spec;   /* these three for SLURM_*; `launch` says whether it is */
    const struct bl_job_spec *array_spec; /* wanted, and NULL is no; NULL when it is no element */
    const struct bl_launch *launch;
};

/* NULL-terminated, in the arena. `submitted` is NULL-terminated; of it goes what the contract sets
 * and what masks devices: the submitter's numbers mean other devices than the job's. */
char **bl_local_env_build(const struct bl_local_setting *setting, char *const *submitted,
                          struct bl_arena *arena);

/* The content of $BALEEN_DIR/alloc.json. */
void bl_local_env_print_alloc(const struct bl_local_setting *setting, struct bl_buf *out);

#endif
