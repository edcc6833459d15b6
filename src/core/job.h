/* A job: what was asked, where it stands. States change only by the rows of one table. */
#ifndef BL_CORE_JOB_H
#define BL_CORE_JOB_H

#include "base/span.h"
#include "core/cluster.h"
#include "core/curve.h"
#include "core/reason.h"

#include <stdbool.h>
#include <stdint.h>

enum { BL_JOB_AFTER_MAX = 1024, BL_JOB_GPU_TYPES_MAX = 16, BL_JOB_NAME_MAX = 255 };

enum bl_job_state {
    BL_JOB_HELD,
    BL_JOB_WAITING, /* for other jobs */
    BL_JOB_QUEUED,
    BL_JOB_STARTING, /* resources are booked, the engine was asked */
    BL_JOB_RUNNING,  /* the process lives */
    BL_JOB_RESIZING,
    BL_JOB_STOPPING, /* the engine was asked to end it; resources are still booked */
    BL_JOB_COMPLETED,
    BL_JOB_FAILED,
    BL_JOB_CANCELLED,
    BL_JOB_TIMEOUT,
    BL_JOB_LOST,
    BL_JOB_STATE_COUNT
};

enum bl_job_class { BL_CLASS_INTERACTIVE, BL_CLASS_BATCH, BL_CLASS_PREEMPTIBLE, BL_CLASS_COUNT };
enum bl_job_kind { BL_KIND_TRAIN, BL_KIND_INFER, BL_KIND_NOTEBOOK, BL_KIND_CPU, BL_KIND_COUNT };

enum bl_dependency_kind {
    BL_AFTER_OK,   /* it completed */
    BL_AFTER_ANY,  /* it ended */
    BL_AFTER_FAIL, /* it ended otherwise than completed */
    BL_AFTER_COUNT
};

struct bl_dependency {
    bl_job_id job;
    enum bl_dependency_kind kind;
};

/* An amount that is either flat or per GPU. */
struct bl_amount {
    int64_t value;
    bool per_gpu;
};

/* What was asked, checked by `form`. Strings and arrays are borrowed; the core copies. */
struct bl_job_spec {
    const char *name;    /* NULL where there is none (traces) */
    const char *user;    /* NULL where there is none */
    const char *project; /* NULL where there is none */
    enum bl_job_class job_class;
    enum bl_job_kind kind;
    int32_t gpus_min; /* 0 for a job without GPUs; 0 <= min <= want <= max */
    int32_t gpus_want;
    int32_t gpus_max;
    int32_t nodes_max; /* over how many nodes it may be spread; 0 = any number */
    const char *gpu_type[BL_JOB_GPU_TYPES_MAX]; /* allowed types; none = any */
    size_t gpu_type_count;
    const char *pool;      /* NULL = any */
    int64_t gpu_mem_bytes; /* least memory of each GPU; 0 = any */
    struct bl_amount cpu_milli;
    struct bl_amount mem_bytes;
    bl_time limit;         /* longest run; 0 = none */
    bl_time work;          /* trace jobs: run time at gpus_min and speed 1; 0 = unknown */
    struct bl_curve curve; /* speed over GPUs, relative to gpus_min */
    const struct bl_dependency *after;
    size_t after_count;
};

/* A job in the books; read only outside core.c. `spec` owns what it points to. */
struct bl_job {
    bl_job_id id;
    struct bl_job_spec spec;
    uint64_t type_mask; /* allowed types as bits of the cluster's table; 0 = any */
    int32_t pool;       /* -1 = any */
    enum bl_job_state state;
    int32_t attempt;         /* 0 before the first start */
    struct bl_reason reason; /* why it is where it is: set when it starts, stops and ends */
    bl_time submitted_at;
    bl_time eligible_at;
    bl_time started_at;  /* of this attempt: when the decision was taken; 0 before */
    bl_time running_at;  /* when the process lived; 0 before */
    bl_time ended_at;    /* 0 before */
    bl_time planned_end; /* by the policy's durations; BL_TIME_NEVER when not running */
    int32_t exit_code;   /* valid when ended and has_exit_code */
    bool has_exit_code;
    enum bl_job_state stop_as; /* while stopping: the state it will end in */
    uint32_t waits_for;        /* dependencies not yet met */
    struct bl_alloc alloc;     /* while resources are booked */
};

/* Words of the contract ("queued", "batch", "train", "ok"). */
const char *bl_job_state_name(enum bl_job_state state);
const char *bl_job_class_name(enum bl_job_class job_class);
const char *bl_job_kind_name(enum bl_job_kind kind);
const char *bl_dependency_kind_name(enum bl_dependency_kind kind);

/* The value of a word, or -1. */
int bl_job_state_find(const char *name);
int bl_job_class_find(const char *name);
int bl_job_kind_find(const char *name);
int bl_dependency_kind_find(const char *name);

bool bl_job_state_is_ended(enum bl_job_state state);
/* Resources are booked: starting, running, resizing, stopping. */
bool bl_job_state_is_active(enum bl_job_state state);
/* Whether the table of legal changes has this row. */
bool bl_job_state_may_become(enum bl_job_state from, enum bl_job_state to);

/* What `gpus` GPUs of this job book: flat and per-GPU amounts put together. */
struct bl_resources bl_job_need(const struct bl_job_spec *spec, int32_t gpus);

/* Looks up the spec's GPU types and pool in the cluster's tables: sets type_mask and pool. A name
 * that the cluster does not have stands for something that no node has. */
void bl_job_resolve(struct bl_job *job, const struct bl_cluster *cluster);

/* The limit; a job without one is planned as if it ran for a year, so that it never looks as if it
 * would make room soon. */
#define BL_JOB_UNLIMITED_RUN (365 * BL_DAY)
bl_time bl_job_longest_run(const struct bl_job_spec *spec);

/* Run time of the whole work on `gpus` GPUs by the job's own curve; 0 when work is unknown. */
bl_time bl_job_run_time(const struct bl_job_spec *spec, int32_t gpus);

#endif
