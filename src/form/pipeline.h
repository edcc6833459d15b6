/* Pipelines: `jobs: {prep: {…}, train: {after: [prep:ok], …}}`, several jobs that are submitted
 * together and wait for each other by name. */
#ifndef BL_FORM_PIPELINE_H
#define BL_FORM_PIPELINE_H

#include "form/jobspec.h"

enum {
    BL_PIPELINE_JOBS_MAX = 10000,
    BL_PIPELINE_VARIABLES_MAX = 2000000, /* of `environment`, once for each job */
    BL_PIPELINE_ELEMENTS_MAX = 10000000, /* of all arrays */
    BL_PIPELINE_RANGES_MAX = 16384
};

#define BL_PIPELINE_OUTSIDE SIZE_MAX

struct bl_pipeline_job {
    const char *key; /* its name in the pipeline; also the job's, when it has no other */
    struct bl_jobspec spec;
    /* For each of spec.after the job's index among `job`, always lower than its own; or
     * BL_PIPELINE_OUTSIDE where the target is the id of a job that was submitted before. */
    const size_t *after;
};

struct bl_pipeline {
    struct bl_pipeline_job *job; /* in the arena; those come first that others wait for */
    size_t count;
};

/* Whether a document is a pipeline. */
bool bl_pipeline_is_one(const struct bl_tree *tree);

/* Refuses cycles, naming the jobs along one, and names that no job has. Beside `jobs` a request may
 * carry `workdir` and `environment`, for all jobs that have none of their own. */
int bl_pipeline_read(const struct bl_tree_source *source, const struct bl_tree *tree,
                     struct bl_arena *arena, struct bl_pipeline *out, struct bl_error *err);

#endif
