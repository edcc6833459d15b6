/* Job files and the bodies of POST /api/v1/jobs: one reader for both, from a tree. */
#ifndef BL_FORM_JOBSPEC_H
#define BL_FORM_JOBSPEC_H

#include "core/job.h"
#include "form/instant.h"
#include "form/launch.h"
#include "form/tree_read.h"

enum {
    BL_JOBSPEC_ENV_MAX = 8192,
    BL_JOBSPEC_GPUS_MAX = BL_NODE_COUNTED_GPUS_MAX,
    BL_JOBSPEC_CPUS_MAX = 1 << 20 /* of one job, or for each of its GPUs */
};
#define BL_JOBSPEC_MEM_MAX   (INT64_C(1) << 50) /* bytes, of one job or for each of its GPUs */
#define BL_JOBSPEC_TOTAL_MAX (INT64_C(1) << 60) /* of any per-GPU amount times the GPUs */
#define BL_JOBSPEC_SPEED_MIN 1e-6               /* of a point of a curve */
#define BL_JOBSPEC_SPEED_MAX 1e6
#define BL_JOBSPEC_GRACE     (10 * BL_SECOND)

/* A dependency as written: "prep:ok", "17". Names are resolved by whoever knows them. */
struct bl_jobspec_after {
    const char *target; /* name or id */
    enum bl_dependency_kind kind;
    uint32_t line;
};

/* All memory is in the arena that it was read into. */
struct bl_jobspec {
    struct bl_job_spec core; /* `after` is not set here */
    /* argv NULL for a trace; else complete but for uid and gid, which are -1. Pointers into the
     * arena. */
    struct bl_launch launch;
    const struct bl_jobspec_after *after;
    size_t after_count;
    const char *const *env; /* NAME=VALUE, NULL-terminated; the job's own `env:` wins */
    size_t env_count;
    struct bl_instant not_before; /* to be resolved by who knows the time; core.not_before is set
                                     where it is an instant already */
    bool hold;                    /* held from the start */
    bl_time submit;               /* trace key */
    bool has_submit, has_work;
    uint32_t line;
};

enum bl_jobspec_use {
    BL_JOBSPEC_LIVE, /* command and workdir are required; trace keys are refused; one node unless
                        said */
    BL_JOBSPEC_TRACE /* work is required; a command is allowed and ignored */
};

/* Reads one job: `tree` is its map. Keys of the contract that this version does not act on yet are
 * refused by name. */
int bl_jobspec_read(const struct bl_tree_source *source, const struct bl_tree *tree,
                    enum bl_jobspec_use use, struct bl_arena *arena, struct bl_jobspec *out,
                    struct bl_error *err);

/* The word of a class. */
int bl_jobspec_read_class(const struct bl_tree_reader *in, const struct bl_tree *at,
                          enum bl_job_class *out);

/* How many GPUs, as written: "4", "2-8" or "2,4,8". */
struct bl_gpu_counts {
    int32_t min, max;
    int32_t at[BL_JOB_COUNTS_MAX]; /* of a list, rising */
    size_t count;                  /* 0 for a number or a range; a list of one is a number */
};

int bl_gpus_parse(const char *text, struct bl_gpu_counts *out, struct bl_error *err);

/* One more of a list; false when it is not over the one before or out of range. */
bool bl_gpus_add(struct bl_gpu_counts *list, int64_t count);

/* Puts them into a spec, which wants the most then; a list is copied into the arena. */
void bl_gpus_set(struct bl_job_spec *spec, const struct bl_gpu_counts *gpus,
                 struct bl_arena *arena);

/* "auto", "0.9" (an efficiency) or "2:1 4:1.85 8:3.2" (points): what `scaling` is in CSV. */
int bl_scaling_parse(const char *text, struct bl_arena *arena, struct bl_curve *out,
                     struct bl_error *err);

/* "8", "8/gpu", "1.5" with scale 1000; "64GB", "16GB/gpu". */
int bl_cpus_parse(const char *text, struct bl_amount *out, struct bl_error *err);
int bl_mem_parse(const char *text, struct bl_amount *out, struct bl_error *err);

/* "17", "17:ok", "prep:fail", "17:each"; without a word it is ok. `target` points into the arena.
 */
int bl_after_parse(const char *text, struct bl_arena *arena, struct bl_jobspec_after *out,
                   struct bl_error *err);

#endif
