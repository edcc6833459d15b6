/* A job: what was asked, where it stands. States change only by the rows of one table. */
#ifndef BL_CORE_JOB_H
#define BL_CORE_JOB_H

#include "base/span.h"
#include "core/attempts.h"
#include "core/cluster.h"
#include "core/curve.h"
#include "core/expectation.h"
#include "core/foresight.h"
#include "core/goodput.h"
#include "core/reason.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    BL_JOB_AFTER_MAX = 1024,
    BL_JOB_GPU_TYPES_MAX = 16,
    BL_JOB_NAME_MAX = 255,
    BL_JOB_COUNTS_MAX = 64 /* legal counts that a job lists */
};

enum bl_job_state {
    BL_JOB_HELD,
    BL_JOB_WAITING, /* for other jobs */
    BL_JOB_QUEUED,
    BL_JOB_STARTING, /* resources are booked, the engine was asked */
    BL_JOB_RUNNING,  /* the process lives */
    BL_JOB_RESIZING, /* it saves its work and ends, to start again on other GPUs; both are booked */
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
    BL_AFTER_EACH, /* arrays of one size: each element after its counterpart completed */
    BL_AFTER_COUNT
};

struct bl_booking_place;

struct bl_dependency {
    bl_job_id job;
    enum bl_dependency_kind kind;
};

/* An amount that is either flat or per GPU. */
struct bl_amount {
    int64_t value;
    bool per_gpu;
};

/* A signal some time before the limit, for a job to save its work. */
struct bl_warning {
    int32_t signal; /* 0 = none */
    bl_time lead;
    bool shell_only; /* the job's first process alone, as Slurm's "B:" */
};

/* Indices of an array: first, first + step, … up to last. */
struct bl_array_range {
    int32_t first;
    int32_t last;
    int32_t step; /* >= 1 */
};

enum {
    BL_ARRAY_RANGES_MAX = 1024,
    BL_ARRAY_ELEMENTS_MAX = 1000000,
    BL_JOB_RETRIES_MAX = 1000,
    BL_JOB_PRIORITY_MAX = 1000000 /* both ways */
};

/* What was asked, checked by `form`. Strings and arrays are borrowed; the core copies. */
struct bl_job_spec {
    const char *name;    /* NULL where there is none (traces) */
    const char *user;    /* NULL where there is none */
    const char *project; /* NULL where there is none */
    enum bl_job_class job_class;
    enum bl_job_kind kind;
    struct bl_clues clues;          /* what it runs, for predictions */
    struct bl_expectation expected; /* what a rule of the site says of its run */
    const char *application; /* jobs of one application share their speed curve; NULL = name */
    int32_t gpus_min;        /* 0 for a job without GPUs; 0 <= min <= want <= max */
    int32_t gpus_want;
    int32_t gpus_max;
    const int32_t *gpu_count; /* the only legal counts, rising from min to max; NULL = a range */
    size_t gpu_count_count;
    int32_t nodes_max; /* over how many nodes it may be spread; 0 = any number */
    const char *gpu_type[BL_JOB_GPU_TYPES_MAX]; /* allowed types; none = any */
    size_t gpu_type_count;
    const char *pool;      /* NULL = any */
    int64_t gpu_mem_bytes; /* least memory of each GPU; 0 = any */
    struct bl_amount cpu_milli;
    struct bl_amount mem_bytes;
    int32_t priority; /* higher goes first where the policy looks at it */
    struct bl_warning warning;
    bl_time not_before; /* instant; 0 = none */
    bool may_restart;   /* after its supervisor or node was lost */
    int32_t
        retries_max; /* runs that may fail in a row before it is held; 0 = a failure is the end */
    const struct bl_array_range *array; /* NULL = no array */
    size_t array_range_count;
    int32_t array_running_max; /* elements at once; 0 = any */
    bl_time limit;             /* longest run; 0 = none */
    int64_t reservation;       /* the booking in which alone it runs; 0 = none */
    bool promise;              /* it is to be told a latest start; only with a limit */
    bl_time work;              /* trace jobs: run time at gpus_min and speed 1; 0 = unknown */
    bl_time told;              /* what policies are told of it; 0 = the truth, < 0 = nothing */
    bl_time restart;           /* what each start costs before work goes on */
    struct bl_curve curve;     /* speed over GPUs, relative to gpus_min */
    double type_local_max[BL_JOB_GPU_TYPES_MAX]; /* batch.local_max on gpu_type[i]; 0 = the same */
    double batch_asked;                          /* a batch that its owner named; 0 = none */
    struct bl_batch batch; /* limits of a batch that adapts to the GPUs; zeroes = it does not */
    const struct bl_dependency *after;
    size_t after_count;
    bool is_adopted; /* its process ran before it was a job: it has no start, so it never queues,
                        and nothing that would need another one is done to it */
    const struct bl_booking_place *on; /* of one that is being adopted: the GPUs that it uses; the
                                          core keeps them in its allocation alone */
    size_t on_count;
};

/* What became of the elements of an array. `outcome` has a byte a position. */
enum bl_outcome { BL_OUTCOME_NONE, BL_OUTCOME_OK, BL_OUTCOME_NOT_OK };

struct bl_array {
    int32_t count;  /* elements */
    int32_t next;   /* first position that never started, in order */
    int32_t active; /* elements that were started and have not ended */
    int32_t ended;  /* elements that ended, unstarted ones included */
    int32_t ended_as[BL_JOB_STATE_COUNT];
    unsigned char *outcome;
    bool waits_each; /* elements become ready one by one, as those of another array end well */
    int32_t *ready;  /* then: positions in the order they became ready */
    int32_t ready_count, ready_next;
    bool is_listed; /* stands in the queue */
};

/* How far a job has come, as of its last report. */
struct bl_progress {
    double done;           /* in [0, 1] of its work; 0 while the total is unknown */
    double begun_at;       /* `done` when this attempt began, or the next one will */
    double steps;          /* done, in the job's own units */
    double total;          /* all of them; 0 = unknown */
    double rate;           /* units a second, as it says itself; 0 = unknown */
    bl_time at;            /* of the report; 0 = none yet */
    double mark_steps;     /* where the stretch began whose rate is measured next */
    bl_time mark_at;       /* 0 = none begun */
    struct bl_noise noise; /* of its gradient, as of the last report that told it; zeroes before */
};

/* What a job that waits was promised by a policy with a safeguard: core/guard.h. */
struct bl_guarded {
    bl_time due;     /* its latest start; 0 = nothing was promised */
    bl_time planned; /* its start in the plan that keeps all promises */
    bool is_aged;    /* it has waited for as long as anybody may be passed by others */
};

/* A job in the books; read only outside the core. `spec` owns what it points to, except that an
 * array's element borrows from its array, which outlives it. An array is one job until its elements
 * start; element k (from 0) becomes a job of its own with the id of the array + 1 + k. */
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
    bl_time started_at;    /* of this attempt: when the decision was taken; 0 before */
    bl_time running_at;    /* when the process lived; 0 before */
    bl_time ended_at;      /* 0 before */
    bl_time planned_end;   /* by the policy's durations; BL_TIME_NEVER when not running */
    bl_time predicted_run; /* the middle of what is foreseen; 0 = unknown */
    struct bl_foresight foresight;
    int32_t exit_code; /* valid when ended and has_exit_code */
    bool has_exit_code;
    enum bl_job_state stop_as; /* while stopping: the state it will end in */
    uint32_t waits_for;        /* dependencies not yet met */
    bool is_held;              /* by a user or by its own failures */
    bool is_warned;            /* this attempt had its signal before the limit */
    bl_time ready_at;       /* not before this instant: asked for, or after a failure; 0 = none */
    int32_t failures;       /* runs that failed in a row */
    int32_t start_failures; /* starts that failed in a row */
    int32_t requeues;       /* times it was put back by itself, lost or asked for, in a row */
    bl_time order_at;       /* place in the queue: (order_at, order_rank, id) */
    int32_t order_rank;
    struct bl_array *array;   /* of an array, else NULL; owned */
    struct bl_job *array_job; /* of an element, else NULL */
    int32_t array_position;   /* of an element */
    struct bl_alloc alloc;    /* what is booked: while it is resized, old and new together */
    struct bl_alloc next;     /* while it is resized: what it will start on; else no parts */
    struct bl_progress progress;
    bl_time first_started_at; /* 0 before */
    bl_time ran_before;       /* run time of earlier attempts since it last left the queue */
    double attained;          /* GPU-seconds held up to `held_at` */
    bl_time held_at;          /* while resources are booked: since then as much as now */
    bl_time save_time;        /* how long it took to save its work and end, last time; 0 = never */
    int32_t restarts;         /* resizes and preemptions so far */
    int32_t preemptions;      /* of these */
    int32_t level;            /* the policy's: which of several queues it stands in */
    bl_time level_at;         /* when it came there */
    int32_t gpus_wish;        /* somebody wants it on so many GPUs; 0 = as the policy likes */
    bl_time stop_at;          /* it is stopped then, for its slot is over; 0 = not in a slot */
    bl_time promised_at;      /* its latest start; 0 = none was promised */
    struct bl_guarded guard;
    struct bl_job_attempts *attempts; /* before this one; NULL = none is kept. Owned */
    bl_time inside_at; /* when its user last booked GPUs on which it was already: it is inside of
                          those that went on then; 0 = never */
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

/* Whether its size may change while it runs. What runs in a reservation stays as it is. */
static inline bool bl_job_is_elastic(const struct bl_job_spec *spec)
{
    return spec->gpus_min < spec->gpus_max && spec->gpus_min > 0 && spec->reservation == 0 &&
           !spec->is_adopted;
}

/* Whether it may run on so many GPUs. */
bool bl_job_is_legal_count(const struct bl_job_spec *spec, int32_t gpus);

/* Whether it saves its work when it is asked, and so makes room for others by shrinking or leaving.
 */
static inline bool bl_job_gives_way(const struct bl_job_spec *spec)
{
    return (spec->job_class == BL_CLASS_PREEMPTIBLE && spec->reservation == 0 &&
            !spec->is_adopted) ||
           bl_job_is_elastic(spec);
}

/* Whether it may be put back to the queue to make room: what it lost then, it makes good from its
 * checkpoint. Policies of live machines look at the class and at elasticity only; `may_restart`
 * tells what a traced world allows. */
static inline bool bl_job_may_be_preempted(const struct bl_job_spec *spec)
{
    return bl_job_gives_way(spec) ||
           (spec->may_restart && spec->reservation == 0 && !spec->is_adopted);
}

/* Where it will run if nothing else is decided: its allocation, or the next one. */
static inline const struct bl_alloc *bl_job_aim(const struct bl_job *job)
{
    return job->next.part_count ? &job->next : &job->alloc;
}

/* GPU-seconds held so far. */
double bl_job_attained(const struct bl_job *job, bl_time now);

/* When it is stopped, if it runs: its limit passes (the runs before a resize count), or the slot of
 * its reservation. BL_TIME_NEVER when it has neither. */
static inline bl_time bl_job_limit_end(const struct bl_job *job)
{
    bl_time end =
        job->spec.limit > 0 ? job->running_at + job->spec.limit - job->ran_before : BL_TIME_NEVER;

    return job->stop_at > 0 && job->stop_at < end ? job->stop_at : end;
}

/* What `gpus` GPUs of this job book: flat and per-GPU amounts put together. */
struct bl_resources bl_job_need(const struct bl_job_spec *spec, int32_t gpus);

/* The limits of its batch on a GPU type of the cluster. */
struct bl_batch bl_job_batch_on(const struct bl_job_spec *spec, const struct bl_cluster *cluster,
                                int32_t type);

/* Looks up the spec's GPU types and pool in the cluster's tables: sets type_mask and pool. A name
 * that the cluster does not have stands for something that no node has. */
void bl_job_resolve(struct bl_job *job, const struct bl_cluster *cluster);

/* The limit; a job without one is planned as if it ran for longer than anything can be booked
 * ahead, so that it never looks as if it would make room. */
#define BL_JOB_UNLIMITED_RUN (800 * BL_DAY)
bl_time bl_job_longest_run(const struct bl_job_spec *spec);

/* The same of the attempt that runs or comes next: what the runs before a resize left; > 0. */
bl_time bl_job_longest_left(const struct bl_job *job);

/* When it is sure to be gone: one that runs, and one that starts at `start`. */
bl_time bl_job_longest_end(const struct bl_job *job, bl_time start);

/* The work as policies know it; 0 = they do not. */
static inline bl_time bl_job_told_work(const struct bl_job_spec *spec)
{
    return spec->told == 0 ? spec->work : spec->told > 0 ? spec->told : 0;
}

/* Run time of the whole work on `gpus` GPUs by the job's own curve; 0 when work is unknown. */
bl_time bl_job_run_time(const struct bl_job_spec *spec, int32_t gpus);

/* The same of an attempt that begins where the last one ended: the restart, and the work left. */
bl_time bl_job_attempt_time(const struct bl_job *job, int32_t gpus);

/* GPUs that it will ask for in the queue: what somebody wished, else what it wants. */
static inline int32_t bl_job_gpus_wanted(const struct bl_job *job)
{
    return job->gpus_wish > 0 ? job->gpus_wish : job->spec.gpus_want;
}

/* Elements of an array; 0 when the spec has none. At most BL_ARRAY_ELEMENTS_MAX: `form` checks. */
int64_t bl_array_count(const struct bl_job_spec *spec);
/* The index at a position, and back (-1 when no element has it). */
int32_t bl_array_index(const struct bl_job_spec *spec, int32_t position);
int32_t bl_array_position(const struct bl_job_spec *spec, int32_t index);
/* Elements that have not started and may still. */
int32_t bl_array_pending(const struct bl_array *array);
/* The index of an element of an array; -1 for any other job. */
int32_t bl_job_array_index(const struct bl_job *job);

#endif
